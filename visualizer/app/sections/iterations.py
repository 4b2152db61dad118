"""The parts of Step for a search in iterations."""

from collections.abc import Callable

import streamlit as st

from engine import Question, SearchTree
from engine.algorithms.monte_carlo.options import ITERATIONS

MORE_ITERATIONS = 1_000


def offer_more_iterations(tree: SearchTree, key: str, open_search: Callable[[Question], None]) -> None:
    """Offer a button that goes on with the search, unless it has found its end. `open_search` shows another search."""
    asked = tree.question.options[ITERATIONS.name]
    if not tree.complete or tree.iterations < asked or asked + MORE_ITERATIONS > ITERATIONS.maximum:
        return
    if st.button(f"{MORE_ITERATIONS:,} more iterations", icon=":material/add:", key=f"more {key}"):
        open_search(tree.question.replace(iterations=asked + MORE_ITERATIONS))
