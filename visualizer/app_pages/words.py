"""Text on its way into a page."""

import streamlit as st

from visualizer.text.escapes import page_markdown


def fell_back(reason: str) -> str:
    """The notice on a page whose link could not be used."""
    return page_markdown(f"This link could not be used: {reason.rstrip('.')}. Here is the usual example instead.")


def say_lost(words: str) -> None:
    """What a form could not keep, if there is anything."""
    if words:
        st.caption(f":material/info: {page_markdown(words)}")
