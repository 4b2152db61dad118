"""The page "Learn": lessons."""

import streamlit as st

from visualizer.app_pages.address_memory import come_back, keep_address
from visualizer.app_pages.awaiting import get_ready
from visualizer.app_pages.lessons import lessons_part


def page() -> None:
    come_back("learn")
    keep_address("learn", without=("step", "view", "cam", "fold", "tab", "node", "best", "lecture", "marks"))
    get_ready()
    if "lesson" not in st.query_params:
        st.header("Lessons")
    lessons_part()
