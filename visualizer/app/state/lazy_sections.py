"""What stands behind a button is built when it is opened: most visitors never do."""

from collections.abc import Callable
from typing import Any
from weakref import ref

import streamlit as st

from engine import SearchTree
from engine.record.columns import ROOT
from visualizer.app.sections.downloads import offer_downloads


def behind(label: str, icon: str, key: str, build: Callable[..., Any], *arguments: Any) -> None:
    """A button named `label` that opens what `build` makes of the arguments. Once opened it stays built, for as long as the page
    shows what `key` names: what was filled in stays. Another key closes it."""
    _build_once_opened(st.popover(label, icon=icon, key=key, on_change="rerun"), key, build, arguments)


def below(label: str, icon: str, key: str, build: Callable[..., Any], *arguments: Any, expanded: bool = False) -> None:
    """The same below a line of the page; `expanded`: opened from the start."""
    _build_once_opened(st.expander(label, expanded, icon=icon, key=key, on_change="rerun"), key, build, arguments)


def _build_once_opened(place: Any, key: str, build: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    opened = st.session_state.setdefault("opened", set())
    if place.open:
        opened.add(key)
    if key in opened:
        with place:
            _part(build, arguments)


@st.fragment
def _part(build: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    """Only this part of the page runs when something in it is used."""
    build(*arguments)


def offer_tree(tree: SearchTree, key: str) -> None:
    """The button "Download" for a tree. It does not keep the tree: if it has been dropped meanwhile, the page searches again."""
    behind("Download", ":material/download:", f"download {key}", _offer, ref(tree))


def _offer(kept: "ref[SearchTree]") -> None:
    tree = kept()
    if tree is None:
        st.rerun()
    offer_downloads(tree, ROOT)
