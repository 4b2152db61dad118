"""A tree to build by clicking, as a Streamlit component."""

from collections.abc import Callable

import streamlit as st

from visualizer.viewer.bundle import component

MOST_NODES = 200
MOST_TEXT = 100_000  # characters that such a tree can have, with all its names


def builder(text: str, max_first: bool, key: str, on_built: Callable[[str], None]) -> None:
    """Show the tree that `text` writes in JSON. `on_built` hears the text of every tree that it becomes, before the page runs
    again; what a browser sends is foreign, so who hears it reads it as anything else that is typed."""

    def told() -> None:
        sent = st.session_state.get(key, {}).get("built")
        if isinstance(sent, str) and len(sent) <= MOST_TEXT:
            on_built(sent)

    data = {"tree": {"text": text, "maxFirst": max_first, "most": MOST_NODES}}
    component("tree_builder")(key=key, data=data, on_built_change=told)
