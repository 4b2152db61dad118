"""Searches on behalf of a page: what to expect, progress, Cancel, and the trees looked at last."""

from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

from engine import PlyscopeError, Question, SearchTree, preset, search
from engine.algorithms import ALGORITHMS
from engine.analysis.alignment import FULL, PRUNED, Alignment, NotAligned, Spared
from engine.analysis.estimation import foresee
from engine.record.recorder import CANCELLED
from visualizer.app_pages.addresses import key_of, words_of
from visualizer.app_pages.jobs import Job, SearchJob, Shelf
from visualizer.app_pages.visitor import connection
from visualizer.text.escapes import page_markdown

J = TypeVar("J", bound=Job)

BY_KEY: dict[Any, Callable[[Any], Any]] = {Question: key_of}  # how Streamlit's caches know a search

SEARCHED_MOST = 5_000_000  # nodes that the server searches for a page
ALIGNED_MOST = {True: 1_000_000, False: 20_000}  # nodes of minimax searched to say what was saved, compiled or not: a moment each
DOUBT = 2  # what is expected is an estimate: a search that may fit is tried


def searched(question: Question) -> SearchTree | None:
    """The tree; None while it is searched, or after saying why there is none."""
    try:
        expected = expected_nodes(question)
        if expected <= DOUBT * SEARCHED_MOST:
            return recorded(question, expected)
        other = "Lower K" if ALGORITHMS[question.algorithm].windows else "Lower K, take alpha-beta"
        st.info(
            f"**{page_markdown(words_of(question))}** would expand about {expected:,} nodes, and this page searches "
            f"{SEARCHED_MOST:,} at most. {other}, or start from a later position.",
            icon=":material/forest:",
        )
    except PlyscopeError as error:
        st.error(page_markdown(str(error)), icon=":material/error:")
    return None


@st.cache_resource(show_spinner="Getting ready; the very first time this takes some seconds …")
def get_ready() -> Spared:
    """Compile what a page runs, where the waiting is seen: a form that is not open yet would hide it."""
    game = preset("k-tables")
    return Alignment(search(game, depth=2, algorithm=FULL), search(game, depth=2)).spared


@st.cache_resource(max_entries=500, hash_funcs=BY_KEY, show_spinner="Counting what to expect …")
def expected_nodes(question: Question) -> int:
    """About how many nodes a search will expand. A search that came to its end while being tried is kept."""
    foreseen = foresee(question)
    if foreseen.tree is not None:
        shelf().put(question, foreseen.tree)
    return foreseen.nodes


@st.cache_resource(max_entries=50, hash_funcs=BY_KEY, show_spinner="Looking at what alpha-beta skips …")
def spared_nodes(question: Question, _tree: SearchTree) -> Spared | None:
    """What minimax finds below the moves that alpha-beta skips; None where finding out would take long."""
    if _tree.algorithm != PRUNED or not _tree.complete:
        return None
    everything = question.replace(algorithm=FULL)
    most = ALIGNED_MOST[_tree.compiled]
    if expected_nodes(everything) > most:
        return None
    try:
        whole = shelf().get(everything) or search(everything, max_nodes=most)
        return Alignment(whole, _tree).spared
    except NotAligned:
        return None


@st.cache_resource(show_spinner=False)
def shelf() -> Shelf:
    return Shelf()


def recorded(question: Question, expected: int) -> SearchTree | None:
    """The tree of a search; None while it is searched, or if it was cancelled."""
    tree = shelf().get(question)
    if tree is not None:
        return tree
    if st.session_state.get("cancelled") == question:
        st.info("The search was cancelled.", icon=":material/stop_circle:")
        st.button("Search again", on_click=_forget_cancelled)
        return None

    def told(job: SearchJob) -> tuple[float, str]:
        words = f"Searching {words_of(question)}: {job.nodes:,} of about {expected:,} nodes"
        return job.nodes / max(expected, 1), words

    job = awaited(question, lambda: SearchJob(question, max_nodes=SEARCHED_MOST), told)
    if job is None or job.answer is None:
        return None
    if job.answer.stopped == CANCELLED:
        st.session_state["cancelled"] = question
        st.rerun()
    shelf().put(question, job.answer)
    return job.answer


def _forget_cancelled() -> None:
    st.session_state.pop("cancelled", None)


# ---- work that takes its time


def awaited(key: Any, make: Callable[[], J], told: Callable[[J], tuple[float | None, str]]) -> J | None:
    """The job of this visitor for `key` if it is over; else None, with how far it is, and the page runs again at its end.

    A visitor has one job at a time: another key ends it. `told` says how far it is: a share (None: not known), and
    words. Raises what went wrong.
    """
    running = st.session_state.get("job")
    if running is None or running[0] != key:
        if running is not None:
            running[1].cancel()
        running = st.session_state["job"] = key, make()
        running[1].visitor_is_here = connection()
    job: J = running[1]
    if not job.over and not job.wait(0.3):
        _watch(job, told)
        return None
    st.session_state.pop("job", None)
    job.wait(0)
    return job


@st.fragment(run_every=0.25)
def _watch(job: Any, told: Callable[[Any], tuple[float | None, str]]) -> None:
    """How far a job is. Only this part of the page runs while one waits, so everything else on it can be used."""
    if job.over:
        st.rerun()
    job.wait(0)
    share, words = told(job)
    with st.container(horizontal=True, vertical_alignment="center"):
        if share is None:
            st.markdown(f":material/hourglass_top: {page_markdown(words)} …")
        else:
            st.progress(min(share, 1.0), page_markdown(words))
        st.button("Cancel", icon=":material/stop_circle:", on_click=job.cancel)
