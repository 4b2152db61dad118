"""Popovers and expanders whose content is built when they are opened: most visitors never open them."""

from collections.abc import Callable
from typing import Any
from weakref import ref

import streamlit as st

from engine import SearchTree
from engine.record.columns import ROOT
from visualizer.app.sections.downloads import offer_downloads


def lazy_popover(label: str, icon: str, key: str, build: Callable[..., Any], *arguments: Any) -> None:
    """Show a popover `label` whose content `build(*arguments)` makes when it is opened.

    Once opened, it stays built and keeps what was filled in while the page shows the same `key`. Another key closes it.
    """
    _build_once_opened(st.popover(label, icon=icon, key=key, on_change="rerun"), key, build, arguments)


def lazy_expander(label: str, icon: str, key: str, build: Callable[..., Any], *arguments: Any, expanded: bool = False) -> None:
    """Show an expander of the same kind. `expanded`: open from the start."""
    _build_once_opened(st.expander(label, expanded, icon=icon, key=key, on_change="rerun"), key, build, arguments)


def _build_once_opened(place: Any, key: str, build: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    opened = st.session_state.setdefault("opened", set())
    if place.open:
        opened.add(key)
    if key in opened:
        with place:
            _run_fragment(build, arguments)


@st.fragment
def _run_fragment(build: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    """Run `build` as a fragment: only it runs again when something in it is used."""
    build(*arguments)


def offer_tree_download(tree: SearchTree, key: str) -> None:
    """Show the button "Download" for a tree. It holds only a weak reference: if the tree was dropped, the page searches again."""
    lazy_popover("Download", ":material/download:", f"download {key}", _show_downloads, ref(tree))


def _show_downloads(tree_ref: "ref[SearchTree]") -> None:
    tree = tree_ref()
    if tree is None:
        st.rerun()
    offer_downloads(tree, ROOT)
