"""Searches on behalf of a page: what to expect, progress, Cancel, and the trees looked at last."""

from dataclasses import replace

import numpy as np
import streamlit as st

from engine import PlyscopeError, SearchTree, estimate, search
from engine.alignment import Alignment, NotAligned
from visualizer.app_pages.words import plain
from visualizer.choices import Setup
from visualizer.jobs import SearchJob, Shelf

SEARCHED_MOST = 5_000_000  # nodes that the server searches for a page
ALIGNED_MOST = {True: 1_000_000, False: 20_000}  # nodes of minimax searched to say what was saved, compiled or not: a moment each
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


@st.cache_resource(max_entries=50, show_spinner=False)
def saved_nodes(setup: Setup, _tree: SearchTree) -> np.ndarray | None:
    """By row of alpha-beta, the nodes that minimax visits below the skipped moves; None where finding out would take long."""
    if _tree.algorithm == "minimax" or not _tree.complete:
        return None
    everything = replace(setup, algorithm="minimax")
    most = ALIGNED_MOST[_tree.search.compiled]
    if expected_nodes(everything) > most:
        return None
    try:
        return Alignment(search(**everything.question(), max_nodes=most), _tree).saved
    except NotAligned:
        return None


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
