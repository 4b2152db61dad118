"""Short notices on a page."""

import streamlit as st

from visualizer.app.streamlit_compat import had_misfit_values, had_unknown_page
from visualizer.narration.escapes import escape_page_markdown


def format_bad_link(reason: str) -> str:
    """Return the notice of a page whose link could not be used."""
    return escape_page_markdown(f"This link could not be opened: {reason.rstrip('.')}. The default example is shown instead.")


def show_lost_notice(words: str) -> None:
    """Show what a form could not keep, if there is anything."""
    if words:
        st.caption(f":material/info: {escape_page_markdown(words)}")


def say_page_failed(error: Exception) -> bool:
    """Show a sentence in place of an exception that no page has caught. Return True: then Streamlit shows no box.

    The traceback is in the server's log."""
    del error
    st.error("This page could not be shown. Reload it, or open it again from the menu.", icon=":material/error:")
    return True


def say_unknown_page() -> None:
    """Say that the address has no page, if that is so: the first page is shown instead."""
    if had_unknown_page():
        st.warning("There is no page at this address. The first page is shown instead; the menu has all pages.")


def say_misfits() -> None:
    """Say that a value of the browser was ignored, if one was."""
    if had_misfit_values():
        st.warning("The browser sent a value that does not fit its field. The value was ignored.")
