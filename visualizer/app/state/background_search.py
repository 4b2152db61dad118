"""Searches on behalf of a page: what to expect, progress, Cancel, and the trees looked at last."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import streamlit as st

from engine import PlyscopeError, Question, SearchTree, preset, search
from engine.algorithms import ALGORITHMS
from engine.analysis.alignment import FULL, Alignment, Spared
from engine.analysis.node_estimate import Accuracy, NodeEstimate
from visualizer.app.state.jobs import ForeseenJob, LookJob, Shelf, ThinkingJob, look
from visualizer.app.state.url_params import words_of
from visualizer.background_compiler import is_compiling
from visualizer.narration.escapes import page_markdown
from visualizer.pool.pool import at_once, the_pool
from visualizer.pool.tasks import Job, Work
from visualizer.pool.work_types import Looked

J = TypeVar("J", bound=Job)
COMPILING = "The server compiles its searches now, once. This may wait some seconds for it; later starts do not."


def searched_most() -> int:
    """Nodes that the server searches for a page."""
    return the_pool().limits.nodes


def searched(question: Question) -> SearchTree | None:
    """The tree; None while it is searched, or after saying why there is none."""
    try:
        looked = looked_at(question)
    except PlyscopeError as error:
        st.error(page_markdown(str(error)), icon=":material/error:")
        return None
    if looked is None or looked.tree is not None:
        return looked and looked.tree
    other = "Lower K" if ALGORITHMS[question.algorithm].windows else "Lower K, take alpha-beta"
    st.info(
        f"**{page_markdown(words_of(question))}** would expand {looked.expected}, and this page searches "
        f"{searched_most():,} at most. {other}, or start from a later position.",
        icon=":material/forest:",
    )
    return None


@st.cache_resource(show_spinner="Getting ready; the very first time this takes some seconds …")
def get_ready() -> Spared:
    """Compile what a page runs, where the waiting is seen."""
    game = preset("k-tables")
    return Alignment(search(game, depth=2, algorithm=FULL), search(game, depth=2)).spared


class Foreseeing(NamedTuple):
    """An estimate that a visitor waits for."""

    question: Question
    so_far: NodeEstimate  # a lower bound
    job: ForeseenJob


def expected_nodes(question: Question) -> tuple[NodeEstimate, bool]:
    """Return the size of a search as far as it is known, and whether that is final: until then, ask again. A search that takes a
    moment only is made, and kept."""
    looked: Looked | None = shelf().get(question)
    known: NodeEstimate | None = looked.expected if looked is not None else shelf().get(("foreseen", question))
    if known is not None:
        return known, True
    asked: Foreseeing | None = st.session_state.get("foreseen")
    if asked is None or asked.question != question or asked.job.abandoned:
        done, looked = at_once(look(question))
        if done:
            keep(question, looked)
        if done or looked.expected.accuracy is Accuracy.EXACT:
            return looked.expected, True
        if asked is not None:
            asked.job.cancel()
        asked = st.session_state["foreseen"] = Foreseeing(question, looked.expected, ForeseenJob(question))
    if not asked.job.wait(0.5):
        return asked.so_far, False
    expected: NodeEstimate = asked.job.answer.after(asked.so_far.nodes)
    shelf().put(("foreseen", question), expected)
    return expected, True


def spared_nodes(question: Question) -> Spared | None:
    """What minimax finds below the moves that alpha-beta skips; None where finding out would take long."""
    looked = shelf().get(question)
    return looked and looked.spared


@st.cache_resource(show_spinner=False)
def shelf() -> Shelf:
    return Shelf()


def looked_at(question: Question) -> Looked | None:
    """What is known of a search; None while it is searched, or if it was cancelled."""
    looked: Looked | None = shelf().get(question)
    if looked is not None:
        done_with(question)
        return looked
    get_ready()
    if st.session_state.get("cancelled") == question:
        st.info("The search was cancelled.", icon=":material/stop_circle:")
        st.button("Search again", on_click=_forget_cancelled)
        return None

    def told(job: LookJob) -> tuple[float | None, str]:
        if job.expected is None:
            return None, f"Searching {words_of(question)}: counting what to expect"
        expected = job.expected.after(job.nodes)
        share = None if expected.accuracy is Accuracy.LOWER_BOUND else job.nodes / max(expected.nodes, 1)
        return share, f"Searching {words_of(question)}: {job.nodes:,} of {expected}"

    job = awaited(question, lambda: LookJob(question), told)
    if job is None:
        return None
    looked = job.answer
    if looked is None or (job.stopped and not job.timed_out):
        st.session_state["cancelled"] = question
        st.rerun()
    return keep(question, looked)


def keep(question: Question, looked: Looked) -> Looked:
    """Put it on the shelf, and what else was searched for it."""
    if looked.minimax is not None:
        shelf().put(question.replace(algorithm=FULL), Looked(NodeEstimate(looked.minimax.expanded), looked.minimax))
    looked = looked._replace(minimax=None)
    shelf().put(question, looked)
    return looked


def _forget_cancelled() -> None:
    st.session_state.pop("cancelled", None)


# ---- work that takes its time


def awaited(key: Any, make: Callable[[], J], told: Callable[[J], tuple[float | None, str]]) -> J | None:
    """The job of this visitor for `key` if it is over; else None, with how far it is, and the page runs again at its end.

    A visitor has one job at a time: another key ends it. `told` says how far it is: a share (None: not known), and
    words. Raises what went wrong.
    """
    running = st.session_state.get("job")
    if running is not None and running[0] != key:
        running[1].cancel()
    if running is None or running[0] != key or running[1].abandoned:
        running = st.session_state["job"] = key, make()
    job: J = running[1]
    if not job.over and not job.wait(0.3):
        _watch(job, told)
        return None
    st.session_state.pop("job", None)
    job.wait(0)
    return job


def answered(key: Any, work: Work) -> Any:
    """The answer to something small; only this page waits for it. For what a cache keeps, which says that it is being made."""
    job = ThinkingJob(key, work)
    while not job.wait(0.1):
        continue
    if job.stopped:
        st.stop()  # its visitor has gone
    return job.answer


def is_awaited(key: Any) -> bool:
    """Tell whether this visitor's job for `key` is still being worked on."""
    running = st.session_state.get("job")
    return running is not None and running[0] == key and not running[1].over


def done_with(key: Any) -> None:
    """What a visitor waited for has come by another's job."""
    running = st.session_state.get("job")
    if running is not None and running[0] == key:
        del st.session_state["job"]


@st.fragment(run_every=0.25)
def _watch(job: Any, told: Callable[[Any], tuple[float | None, str]]) -> None:
    """How far a job is. Only this part of the page runs while one waits, so everything else on it can be used."""
    if job.over:
        st.rerun()
    job.wait(0)
    place = the_pool().place(job)
    share, words = (None, _in_the_queue(place)) if place else told(job)
    with st.container(horizontal=True, vertical_alignment="center"):
        if share is None:
            st.markdown(f":material/hourglass_top: {page_markdown(words)} …")
        else:
            st.progress(min(share, 1.0), page_markdown(words))
        st.button("Cancel", icon=":material/stop_circle:", on_click=job.cancel)
    if is_compiling():
        st.caption(COMPILING)


def _in_the_queue(place: int) -> str:
    before = "the next free process of this server is for you" if place == 1 else f"{place - 1} others are before you"
    return f"In the queue: {before}"
