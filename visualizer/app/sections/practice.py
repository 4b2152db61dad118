"""The buttons on Step that lead to Learn and Build: exercises about a tree, its builder, and the way back to an exercise."""

import streamlit as st

from engine import Question
from engine.learning.user_trees import why_no_exercise
from engine.tree.tree import SearchTree
from visualizer.app.forms.tree_form import BUILD_ICON, can_be_built
from visualizer.app.state.large_trees import page_game_text
from visualizer.app.state.url_params import search_params
from visualizer.viewer.page_redirect import redirect_to_page, redirect_to_step

GAME_PARAM, STRICT_PARAM = "game", "strict"  # in the URL of an exercise about the user's own tree
WAY_BACK_KEY = "way back"  # in the session state


def offer_practice(question: Question) -> None:
    """Show a button if the tree can be an exercise."""
    if why_no_exercise(question.game):
        return
    if st.button("Practise", icon=":material/school:", type="tertiary", help="Exercises about this tree"):
        redirect_to_page("learn", {"exercise": "values", **tree_params(question)})


def offer_builder(question: Question) -> None:
    """Show a button that opens the tree of a search on the page Build."""
    if can_be_built(question.game) and st.button("Edit tree", icon=BUILD_ICON, type="tertiary", help="Opens the tree builder"):
        redirect_to_page("build", search_params(question.replace(position=None)))


def show_on_step(tree: SearchTree, step: int) -> None:
    """Show a step of an exercise's search on Step. A button there leads back to what Learn shows now."""
    st.session_state[WAY_BACK_KEY] = tree.question, st.session_state.get("last learn", {})
    redirect_to_step({**search_params(tree.question), **step_params(tree, step)})


def step_params(tree: SearchTree, step: int) -> dict[str, str]:
    """Return the URL parameters of a step: its number, or the iteration and the phase where there are iterations."""
    if not tree.has_iterations:
        return {"step": str(step)}
    here = tree.timeline[step]
    return {"iteration": str(here.iteration), "phase": here.kind}


def is_shown_for_exercise(question: Question) -> bool:
    """Return True if an exercise has sent the user to Step to see this search. Other pages keep their own position."""
    return bool(st.session_state.get(WAY_BACK_KEY, (None, {}))[0] == question)


def offer_way_back(question: Question) -> None:
    """Show a button if Learn has sent the user here to see this search."""
    _, params = st.session_state.get(WAY_BACK_KEY, (None, {}))
    if is_shown_for_exercise(question) and st.button("Back to the exercise", icon=":material/arrow_back:", type="tertiary"):
        redirect_to_page("learn", params)


def tree_params(question: Question) -> dict[str, str]:
    """Return the tree and the rule for cutoffs as URL parameters."""
    strict = {STRICT_PARAM: "1"} if question.options.get("cut_on_equal") is False else {}
    return {GAME_PARAM: page_game_text(question.game), **strict}
