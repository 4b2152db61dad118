"""Searches on behalf of a page: what to expect, progress, Cancel, and the trees looked at last."""

import streamlit as st

from engine import PlyscopeError, SearchTree, estimate
from visualizer.choices import Setup
from visualizer.jobs import SearchJob, Shelf
from visualizer.pages.words import plain

SEARCHED_MOST = 5_000_000  # nodes that the server searches for a page
DOUBT = 2  # what is expected is an estimate: a search that may fit is tried


def searched(setup: Setup) -> SearchTree | None:
    """The tree, or None after saying why there is none."""
    try:
        expected = expected_nodes(setup)
        if expected <= DOUBT * SEARCHED_MOST:
            return recorded(setup, expected)
        st.info(
            f"**{plain(setup.words())}** would expand about {expected:,} nodes, and this page searches "
            f"{SEARCHED_MOST:,} at most. Lower K, take alpha-beta, or start from a later position.",
            icon=":material/forest:",
        )
    except PlyscopeError as error:
        st.error(plain(str(error)), icon=":material/error:")
    return None


@st.cache_data(max_entries=500, show_spinner="Counting what to expect …")
def expected_nodes(setup: Setup) -> int:
    """About how many nodes a search will expand."""
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
    job = SearchJob(setup.question(), SEARCHED_MOST)
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
