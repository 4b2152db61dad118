"""Text on its way into a page."""

import streamlit as st


def plain(words: str) -> str:
    """Foreign text inside Markdown: every sign that could mean something there stands for itself."""
    return "".join(f"\\{sign}" if sign in r"\`*_{}[]()<>#+-.!|~$:" else " " if sign in "\r\n" else sign for sign in words)


def fell_back(reason: str) -> str:
    """The notice on a page whose link could not be used."""
    return plain(f"This link could not be used: {reason.rstrip('.')}. Here is the usual example instead.")


def say_lost(words: str) -> None:
    """What a form could not keep, if there is anything."""
    if words:
        st.caption(f":material/info: {plain(words)}")
