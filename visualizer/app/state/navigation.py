"""The pages by name. A page is imported when it is opened: the first one is seen sooner."""

from collections.abc import Callable
from copy import copy
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

import streamlit as st

PAGES = {
    "Step": ":material/footprint:",
    "Learn": ":material/school:",
    "Compare": ":material/balance:",
    "Play": ":material/sports_esports:",
    "Tournament": ":material/emoji_events:",
    "Your search": ":material/troubleshoot:",
    "About": ":material/info:",
}


def all_pages() -> list[Any]:
    """The pages in the order of the menu; the first is where the app opens. Made once: every run of the app takes copies, since
    Streamlit notes on a page that it may be run."""
    return [copy(page) for page in _made_pages()]


@cache
def _made_pages() -> list[Any]:
    return [
        st.Page(_opener(name), title=name, icon=icon, url_path=path_of(name), default=name == "Step")
        for name, icon in PAGES.items()
    ]


def path_of(name: str) -> str:
    """The address of a page, which is the name of its module too."""
    return name.lower().replace(" ", "_")


def module_of(name: str) -> ModuleType:
    """The page itself."""
    return import_module(f"visualizer.app.views.{path_of(name)}")


def _opener(name: str) -> Callable[[], None]:
    def page() -> None:
        module_of(name).page()

    return page
