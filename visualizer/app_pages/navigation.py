"""The pages by name, and ways from one to another."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from visualizer.app_pages import about, compare, play, step, tournament

PAGES: dict[str, tuple[Callable[[], None], str]] = {
    "Step": (step.page, ":material/footprint:"),
    "Compare": (compare.page, ":material/balance:"),
    "Play": (play.page, ":material/sports_esports:"),
    "Tournament": (tournament.page, ":material/emoji_events:"),
    "About": (about.page, ":material/info:"),
}


def all_pages() -> list[Any]:
    """The pages in the order of the menu; the first is where the app opens."""
    return [
        st.Page(page, title=name, icon=icon, url_path=name.lower(), default=name == "Step")
        for name, (page, icon) in PAGES.items()
    ]
