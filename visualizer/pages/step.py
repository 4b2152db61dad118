"""The page "Step": one search, step by step."""

import streamlit as st

from engine import PlyscopeError, SearchTree, estimate
from visualizer.choices import EXAMPLES, Setup, read_setup
from visualizer.jobs import SearchJob, Shelf
from visualizer.pages.ask import ask_for_search
from visualizer.pages.downloads import offer_downloads
from visualizer.pages.words import counted, plain
from visualizer.viewer.component import viewer

SHOWN_MOST = 300_000  # nodes that a browser steps through well


def page() -> None:
    if not st.query_params and "last_search" in st.session_state:  # back from another page, which clears the address
        st.query_params.from_dict(st.session_state["last_search"])
    setup, notice = read_setup(st.query_params.to_dict())
    st.session_state["last_search"] = st.query_params.to_dict()
    if notice:
        st.warning(plain(notice), icon=":material/link_off:")
        st.query_params.from_dict(setup.parameters())
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
        headline.markdown(f"**{plain(setup.words())}** · {counted(tree.expanded, 'node')}{'' if tree.complete else ' so far'}")
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
            return recorded(setup, expected)
        st.info(
            f"**{plain(setup.words())}** would expand about {expected:,} nodes, and this page steps through "
            f"{SHOWN_MOST:,} at most. Lower K, take alpha-beta, or start from a later position.",
            icon=":material/forest:",
        )
    except PlyscopeError as error:
        st.error(plain(str(error)), icon=":material/error:")
    return None


@st.cache_data(max_entries=500, show_spinner="Counting what to expect …")
def expected_nodes(setup: Setup) -> int:
    return estimate(**setup.question())


@st.cache_resource(show_spinner=False)
def shelf() -> Shelf:
    return Shelf()


def recorded(setup: Setup, expected: int) -> SearchTree | None:
    """The tree of a search; one that takes its time shows how far it is and can be cancelled."""
    tree = shelf().get(setup)
    if tree is not None:
        return tree
    if st.session_state.get("cancelled") == setup:
        st.info("The search was cancelled.", icon=":material/stop_circle:")
        if not st.button("Search again"):
            return None
        del st.session_state["cancelled"]
    job = SearchJob(setup.question(), SHOWN_MOST)
    try:
        if not job.wait(0.3):
            _watch(job, setup, expected)
    except BaseException:  # the page is run again, or closed: nobody waits for this search any more
        job.cancel()
        raise
    assert job.tree is not None  # noqa: S101 - wait() has raised otherwise
    shelf().put(setup, job.tree)
    return job.tree


def _watch(job: SearchJob, setup: Setup, expected: int) -> None:
    place = st.empty()
    with place.container(horizontal=True, vertical_alignment="center"):
        bar = st.empty()
        st.button("Cancel", icon=":material/stop_circle:", on_click=_cancel, args=(setup,))
    done = False
    while not done:
        bar.progress(min(job.nodes / max(expected, 1), 1.0), f"{job.nodes:,} of about {expected:,} nodes")
        done = job.wait(0.1)
    place.empty()


def _cancel(setup: Setup) -> None:
    st.session_state["cancelled"] = setup


def _step() -> int | None:
    text = st.query_params.get("step", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else None
