"""The page "Step": one search, step by step."""

import streamlit as st

from engine import SearchTree
from engine.record import ROOT
from visualizer.app_pages.ask import ask_for_search
from visualizer.app_pages.downloads import offer_downloads
from visualizer.app_pages.searching import saved_nodes, searched
from visualizer.app_pages.words import fell_back, plain
from visualizer.caption import counted
from visualizer.choices import EXAMPLES, Setup, read_setup
from visualizer.viewer.component import viewer
from visualizer.viewer.part import Part, leave_step, part_of


def page() -> None:
    if not st.query_params and "last_search" in st.session_state:  # back from another page, which clears the address
        st.query_params.from_dict(st.session_state["last_search"])
    setup, wrong = read_setup(st.query_params.to_dict())
    st.session_state["last_search"] = st.query_params.to_dict()
    if wrong:
        st.warning(fell_back(wrong), icon=":material/link_off:")
        st.query_params.from_dict(setup.parameters())
    st.pills("Examples", list(EXAMPLES), label_visibility="collapsed", key="example", on_change=_open_example)
    with st.container(horizontal=True, vertical_alignment="center"):
        headline = st.empty()
        with st.popover("Change", icon=":material/tune:", key=f"change {setup}"):  # a new key closes it
            ask_for_search(setup, open_setup)
        tree = searched(setup)
        if tree is not None:
            with st.popover("Download", icon=":material/download:"):
                offer_downloads(tree)
    if tree is not None:
        if not tree.complete:
            st.warning(
                f"The search was stopped at {tree.expanded:,} nodes, the most this page searches: what follows is its beginning."
            )
        headline.markdown(f"**{plain(setup.words())}** · {counted(tree.expanded, 'node')}{'' if tree.complete else ' so far'}")
        _show(tree, setup)


def _show(tree: SearchTree, setup: Setup) -> None:
    asked = _number("focus")
    focus = asked if asked is not None and asked < len(tree) else ROOT
    part = part_of(tree, focus)
    if part is not None:
        _say_what_is_shown(tree, part, focus)
    step = _number("step")
    if step is None and asked is not None:
        step = leave_step(tree, part, focus)
    wish, node = viewer(tree, part, saved_nodes(setup, tree), step, key=f"{setup} {focus if part else ROOT}")
    if wish == "open":
        _focus(node)
        st.rerun()
    if wish == "export":
        _export(tree, node)


def _say_what_is_shown(tree: SearchTree, part: Part, focus: int) -> None:
    where = "from the root" if focus == ROOT else f"around node {focus:,}"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            f":material/forest: {tree.expanded:,} nodes are too many to step through at once. Shown {where}: "
            f"{len(part.rows):,} nodes, {counted(part.levels, 'ply', 'plies')} deep. "
            "A node marked +12k hides 12,000 nodes: select it and open it."
        )
        if focus != ROOT:
            st.button("Back to the root", icon=":material/vertical_align_top:", on_click=_focus, args=(ROOT,), type="tertiary")


def _focus(node: int) -> None:
    for name in ("step", "marks"):
        st.query_params.pop(name, None)
    if node == ROOT:
        st.query_params.pop("focus", None)
    else:
        st.query_params["focus"] = str(node)


@st.dialog("Export a subtree")
def _export(tree: SearchTree, node: int) -> None:
    names = ", ".join(tree[row].move_name for row in tree.path(node)[1:])
    st.markdown(f"Node {node:,}, {plain(f'after {names}') if names else 'the root'}: {counted(tree[node].size, 'node')}.")
    offer_downloads(tree, node)


def _open_example() -> None:
    if example := st.session_state.get("example"):
        st.query_params.from_dict(EXAMPLES[example].parameters())


def open_setup(setup: Setup) -> None:
    """Show another search: the address says which."""
    st.query_params.from_dict(setup.parameters())
    st.rerun()


def _number(name: str) -> int | None:
    """A whole number of the address; anything else is as if it were not there."""
    text = st.query_params.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else None
