"""The page "Step": one search, step by step."""

import streamlit as st

from engine import PlyscopeError, SearchTree, estimate, search
from visualizer.choices import EXAMPLES, Setup, read_setup
from visualizer.pages.ask import ask_for_search
from visualizer.pages.downloads import offer_downloads
from visualizer.viewer.component import viewer

SHOWN_MOST = 300_000  # nodes that a browser steps through well


def page() -> None:
    setup, notice = read_setup(st.query_params.to_dict())
    if notice:
        st.warning(notice, icon=":material/link_off:")
    st.pills("Examples", list(EXAMPLES), label_visibility="collapsed", key="example", on_change=_open_example)
    with st.container(horizontal=True, vertical_alignment="center"):
        headline = st.empty()
        with st.popover("Change", icon=":material/tune:"):
            changed = ask_for_search(setup)
        tree = None if changed else searched(setup)
        if tree is not None:
            with st.popover("Download", icon=":material/download:"):
                offer_downloads(tree)
    if changed:
        open_setup(changed)
    if tree is not None:
        headline.markdown(f"**{_plain(setup.words())}** · {tree.expanded:,} nodes{'' if tree.complete else ' so far'}")
        viewer(tree, step=_step(), key=str(setup))


def _open_example() -> None:
    if example := st.session_state.get("example"):
        st.query_params.from_dict(EXAMPLES[example].parameters())


def open_setup(setup: Setup) -> None:
    """Show another search: the address says which."""
    st.query_params.from_dict(setup.parameters())
    st.rerun()


def searched(setup: Setup) -> SearchTree | None:
    """The tree, or None after saying why there is none."""
    try:
        expected = expected_nodes(setup)
        if expected <= SHOWN_MOST:
            return recorded(setup)
        st.info(
            f"**{_plain(setup.words())}** would expand about {expected:,} nodes, and this page steps through "
            f"{SHOWN_MOST:,} at most. Lower K, take alpha-beta, or start from a later position.",
            icon=":material/forest:",
        )
    except PlyscopeError as error:
        st.error(_plain(str(error)), icon=":material/error:")
    return None


@st.cache_data(max_entries=500, show_spinner="Counting what to expect …")
def expected_nodes(setup: Setup) -> int:
    return estimate(**setup.question())


@st.cache_resource(max_entries=20, show_spinner="Searching …")
def recorded(setup: Setup) -> SearchTree:
    """Read-only, shared by all who look at the same search."""
    return search(**setup.question(), max_nodes=SHOWN_MOST)


def _step() -> int | None:
    text = st.query_params.get("step", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else None


def _plain(words: str) -> str:
    """Foreign text inside Markdown: every sign that could mean something there stands for itself."""
    return "".join(f"\\{sign}" if sign in r"\`*_{}[]()<>#+-.!|~$:" else sign for sign in words)
