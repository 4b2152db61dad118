"""The buttons *Copy link* and *QR code* of every page, as a Streamlit component.

Only the browser knows the current address: the viewer changes its parameters without the server. It also tells when the
theme changes.
"""

import streamlit as st

from visualizer.drawing.qr_code import qr_code_svg
from visualizer.viewer.bundle import create_component, ignore_trigger

KEY = "page link"
MAX_SENT_CHARS = 20_000  # what a browser sends is foreign


@st.fragment
def show_page_link() -> None:
    """Show the buttons. The QR code is drawn when it is asked for.

    If the theme of the browser changes while a page is open, the page runs again: charts have the colours of a theme.
    """
    link = st.session_state.get(KEY, {}).get("link")
    data = None if not isinstance(link, str) or len(link) > MAX_SENT_CHARS else {"link": link, "svg": qr_code_svg(link)}
    sent = create_component("page_link")(
        key=KEY, data={"code": data}, on_link_change=ignore_trigger, on_theme_change=ignore_trigger
    )
    if sent.theme:
        st.rerun()
