"""The pages by name. A page is imported when it is opened, so that the first page appears sooner."""

from collections.abc import Callable
from copy import copy
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

import streamlit as st

PAGE_ICONS = {
    "Step": ":material/footprint:",
    "Learn": ":material/school:",
    "Build": ":material/account_tree:",
    "Compare": ":material/balance:",
    "Play": ":material/sports_esports:",
    "Tournament": ":material/emoji_events:",
    "Your search": ":material/troubleshoot:",
    "About": ":material/info:",
}
# in the menu, where it is not the name: the viewer has a button Play
PAGE_TITLES = {"Play": "Play a game"}


def all_pages() -> list[Any]:
    """Return the pages in the order of the menu; the app opens at the first.

    They are made once. Every run of the app takes copies, because Streamlit marks the pages that may be run.
    """
    return [copy(page) for page in _page_templates()]


@cache
def _page_templates() -> list[Any]:
    return [
        st.Page(
            _make_page_runner(name),
            title=PAGE_TITLES.get(name, name),
            icon=icon,
            url_path=page_path(name),
            default=name == "Step",
        )
        for name, icon in PAGE_ICONS.items()
    ]


def page_path(name: str) -> str:
    """Return the URL path of a page. It is also the name of its module."""
    return name.lower().replace(" ", "_")


def import_page(name: str) -> ModuleType:
    """Import the module of a page."""
    return import_module(f"visualizer.app.views.{page_path(name)}")


def _make_page_runner(name: str) -> Callable[[], None]:
    def page() -> None:
        import_page(name).page()

    return page
