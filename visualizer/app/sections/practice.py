"""The button that leads from a user's own tree on Step to exercises about it on Learn."""

import streamlit as st

from engine import Question
from engine.learning.user_trees import why_no_exercise
from visualizer.app.state.large_trees import page_game_text
from visualizer.viewer.page_redirect import redirect_to_page

GAME_PARAM, STRICT_PARAM = "game", "strict"  # in the address of an exercise about a tree of one's own


def offer_practice(question: Question) -> None:
    """Show a button if the tree can be an exercise."""
    if why_no_exercise(question.game):
        return
    if st.button("Practise", icon=":material/school:", type="tertiary", help="Exercises about this tree"):
        redirect_to_page("learn", {"exercise": "values", **tree_params(question)})


def tree_params(question: Question) -> dict[str, str]:
    """Return the tree and the rule for cutoffs as URL parameters."""
    strict = {STRICT_PARAM: "1"} if question.options.get("cut_on_equal") is False else {}
    return {GAME_PARAM: page_game_text(question.game), **strict}
