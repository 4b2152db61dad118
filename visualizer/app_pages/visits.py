"""Addresses that survive a visit to another page: the links of the menu clear them."""

import streamlit as st

from visualizer.app_pages.words import fell_back


def come_back(page: str) -> None:
    """Restore what the page showed when it was left for another. A bare address on the same page is meant as it is."""
    if not st.query_params and st.session_state.get("page") not in (None, page):
        st.query_params.from_dict(st.session_state.get(f"last {page}", {}))
    st.session_state["page"] = page


def keep_address(page: str, without: tuple[str, ...] = ()) -> None:
    """Remember what the page shows; `without` what the browser remembers better."""
    shown = st.query_params.to_dict()
    st.session_state[f"last {page}"] = {name: text for name, text in shown.items() if name not in without}


def fall_back(page: str, wrong: str, parameters: dict[str, str]) -> None:
    """If something is wrong with the address, show the usual one instead and say so, for as long as that is shown."""
    if wrong:
        st.query_params.from_dict(parameters)
        st.session_state[f"notice {page}"] = parameters, fell_back(wrong)
    noticed, words = st.session_state.get(f"notice {page}", (None, ""))
    if noticed == parameters:
        st.warning(words, icon=":material/link_off:")
    else:
        st.session_state.pop(f"notice {page}", None)
