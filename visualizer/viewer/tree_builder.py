"""A tree to build by clicking, as a Streamlit component."""

from collections.abc import Callable, Mapping

import streamlit as st

from visualizer.viewer.bundle import create_component

MAX_BUILDER_NODES = 200
MAX_BUILDER_CHARS = 100_000  # characters that such a tree can have, with all its names


def show_tree_builder(text: str, max_first: bool, key: str, on_built: Callable[[str, int], None], edition: int = 0) -> None:
    """Show the tree that `text` describes in JSON.

    `on_built` is called with the text of every tree that the user builds, before the page runs again, and with the edition
    that was edited. Text from a browser is not trusted: read it like anything that is typed. The browser keeps its own tree
    if it has built `text` before, unless `edition` is another one.
    """

    def handle_built() -> None:
        sent = st.session_state.get(key, {}).get("built")
        if not isinstance(sent, Mapping):
            return
        built, edited = sent.get("text"), sent.get("edition")
        if isinstance(built, str) and len(built) <= MAX_BUILDER_CHARS and isinstance(edited, int):
            on_built(built, edited)

    data = {"tree": {"text": text, "maxFirst": max_first, "edition": edition, "maxNodes": MAX_BUILDER_NODES}}
    create_component("tree_builder")(key=key, data=data, on_built_change=handle_built)
