"""From a tree of one's own on Step to exercises about it on Learn."""

import streamlit as st

from engine import Question
from engine.learning.user_trees import why_no_exercise
from visualizer.app.state.large_trees import text_on_page
from visualizer.viewer.page_redirect import leap_to

GAME, STRICT = "game", "strict"  # in the address of an exercise about a tree of one's own


def offer_practice(question: Question) -> None:
    """A button, where the tree can be an exercise."""
    if why_no_exercise(question.game):
        return
    if st.button("Practise", icon=":material/school:", type="tertiary", help="Exercises about this tree"):
        leap_to("learn", {"exercise": "values", **parameters_of_tree(question)})


def parameters_of_tree(question: Question) -> dict[str, str]:
    """The tree and the rule for cutoffs as parts of an address."""
    strict = {STRICT: "1"} if question.options.get("cut_on_equal") is False else {}
    return {GAME: text_on_page(question.game), **strict}
