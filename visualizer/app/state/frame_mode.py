"""The page Step in a frame of a course page: `?frame=1` shows the viewer without navigation.

A browser shows the frame only if the server allows the course page: `plyscope app --allow-embedding https://course.example.org`.
Streamlit keeps the parameter `embed` for itself.
"""

import streamlit as st

FRAME_PARAM = "frame"
FRAME_STYLE = """
<style>
[data-testid="stHeader"] { display: none; }
.block-container { padding: 0.5rem 0.7rem 0; max-width: none; }
[data-testid="stVerticalBlock"] { gap: 0.3rem; }
</style>
"""


def is_framed() -> bool:
    """Return True if the URL asks for the viewer without navigation."""
    return st.query_params.get(FRAME_PARAM) == "1"


def frame_params() -> dict[str, str]:
    """Return the parameter that keeps the page without navigation, if it is so."""
    return {FRAME_PARAM: "1"} if is_framed() else {}
