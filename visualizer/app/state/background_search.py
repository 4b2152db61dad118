"""Searches in the background of a page: estimates, progress, Cancel, and the cache of recent trees."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import streamlit as st

from engine import PlyscopeError, Question, SearchTree, preset, search
from engine.algorithms import ALGORITHMS
from engine.analysis.alignment import FULL_ALGORITHM, Alignment, SkippedNodes
from engine.analysis.node_estimate import Accuracy, NodeEstimate
from visualizer.app.state.jobs import AnswerCache, AnswerJob, NodeEstimateJob, SearchOutcomeJob, make_search_work
from visualizer.app.state.url_params import describe_search
from visualizer.background_compiler import is_compiling
from visualizer.narration.escapes import escape_page_markdown
from visualizer.pool.pool import current_pool, try_briefly
from visualizer.pool.tasks import Job, Work
from visualizer.pool.work_types import SearchOutcome

J = TypeVar("J", bound=Job)
COMPILING_NOTE = "The server compiles its searches now, once. This may wait some seconds for it; later starts do not."


def max_search_nodes() -> int:
    """Return the largest number of nodes that the server searches for a page."""
    return current_pool().limits.nodes


def poll_tree(question: Question) -> SearchTree | None:
    """Return the tree; None while it is searched, or after a message if there is none."""
    try:
        looked = poll_outcome(question)
    except PlyscopeError as error:
        st.error(escape_page_markdown(str(error)), icon=":material/error:")
        return None
    if looked is None or looked.tree is not None:
        return looked and looked.tree
    other = "Lower K" if ALGORITHMS[question.algorithm].windows else "Lower K, take alpha-beta"
    st.info(
        f"**{escape_page_markdown(describe_search(question))}** would expand {looked.expected}, and this page searches "
        f"{max_search_nodes():,} at most. {other}, or start from a later position.",
        icon=":material/forest:",
    )
    return None


@st.cache_resource(show_spinner="Getting ready; the very first time this takes some seconds …")
def warm_up_search() -> SkippedNodes:
    """Compile the functions that a page runs, while a spinner is shown."""
    game = preset("k-tables")
    return Alignment(search(game, depth=2, algorithm=FULL_ALGORITHM), search(game, depth=2)).spared


class PendingEstimate(NamedTuple):
    """An estimate that a visitor waits for."""

    question: Question
    so_far: NodeEstimate  # a lower bound
    job: NodeEstimateJob


def estimate_nodes(question: Question) -> tuple[NodeEstimate, bool]:
    """Return the size of a search as far as it is known, and whether that is final; if not, ask again.

    A search that takes only a moment is run at once, and cached.
    """
    looked: SearchOutcome | None = answer_cache().get(question)
    known: NodeEstimate | None = looked.expected if looked is not None else answer_cache().get(("foreseen", question))
    if known is not None:
        return known, True
    asked: PendingEstimate | None = st.session_state.get("foreseen")
    if asked is None or asked.question != question or asked.job.was_abandoned:
        done, looked = try_briefly(make_search_work(question))
        if done:
            cache_outcome(question, looked)
        if done or looked.expected.accuracy is Accuracy.EXACT:
            return looked.expected, True
        if asked is not None:
            asked.job.cancel()
        asked = st.session_state["foreseen"] = PendingEstimate(question, looked.expected, NodeEstimateJob(question))
    if not asked.job.wait(0.5):
        return asked.so_far, False
    expected: NodeEstimate = asked.job.answer.after(asked.so_far.nodes)
    answer_cache().put(("foreseen", question), expected)
    return expected, True


def spared_nodes(question: Question) -> SkippedNodes | None:
    """Return the nodes that minimax visits below the moves that alpha-beta skips; None if finding out would take long."""
    looked = answer_cache().get(question)
    return looked and looked.spared


@st.cache_resource(show_spinner=False)
def answer_cache() -> AnswerCache:
    """Return the cache of answers, shared by all visitors."""
    return AnswerCache()


def poll_outcome(question: Question) -> SearchOutcome | None:
    """Return the outcome of a search; None while it is searched, or if it was cancelled."""
    looked: SearchOutcome | None = answer_cache().get(question)
    if looked is not None:
        forget_job(question)
        return looked
    warm_up_search()
    if st.session_state.get("cancelled") == question:
        st.info("The search was cancelled.", icon=":material/stop_circle:")
        st.button("Search again", on_click=_forget_cancelled)
        return None

    def report_progress(job: SearchOutcomeJob) -> tuple[float | None, str]:
        if job.expected is None:
            return None, f"Searching {describe_search(question)}: counting what to expect"
        expected = job.expected.after(job.nodes)
        share = None if expected.accuracy is Accuracy.LOWER_BOUND else job.nodes / max(expected.nodes, 1)
        return share, f"Searching {describe_search(question)}: {job.nodes:,} of {expected}"

    job = poll_job(question, lambda: SearchOutcomeJob(question), report_progress)
    if job is None:
        return None
    looked = job.answer
    if looked is None or (job.stopped and not job.timed_out):
        st.session_state["cancelled"] = question
        st.rerun()
    return cache_outcome(question, looked)


def cache_outcome(question: Question, looked: SearchOutcome) -> SearchOutcome:
    """Put an outcome into the cache, and the minimax tree that was searched with it."""
    if looked.minimax is not None:
        answer_cache().put(
            question.replace(algorithm=FULL_ALGORITHM), SearchOutcome(NodeEstimate(looked.minimax.expanded), looked.minimax)
        )
    looked = looked._replace(minimax=None)
    answer_cache().put(question, looked)
    return looked


def _forget_cancelled() -> None:
    st.session_state.pop("cancelled", None)


# ---- work that takes its time


def poll_job(key: Any, make: Callable[[], J], told: Callable[[J], tuple[float | None, str]]) -> J | None:
    """Return this visitor's job for `key` if it is over. Else show its progress and return None; the page runs again at its end.

    A visitor has one job at a time: another key cancels it. `told` returns the progress: a share (None: not known) and a text.
    Raises the error of the job.
    """
    running = st.session_state.get("job")
    if running is not None and running[0] != key:
        running[1].cancel()
    if running is None or running[0] != key or running[1].was_abandoned:
        running = st.session_state["job"] = key, make()
    job: J = running[1]
    if not job.over and not job.wait(0.3):
        _show_progress(job, told)
        return None
    st.session_state.pop("job", None)
    job.wait(0)
    return job


def wait_for_answer(key: Any, work: Work) -> Any:
    """Wait for a small answer. Only this page waits. Meant for cached functions, which show a spinner."""
    job = AnswerJob(key, work)
    while not job.wait(0.1):
        continue
    if job.stopped:
        st.stop()  # its visitor has gone
    return job.answer


def is_job_running(key: Any) -> bool:
    """Return True if this visitor's job for `key` is still running."""
    running = st.session_state.get("job")
    return running is not None and running[0] == key and not running[1].over


def forget_job(key: Any) -> None:
    """Forget this visitor's job for `key`: another visitor's job has found the answer."""
    running = st.session_state.get("job")
    if running is not None and running[0] == key:
        del st.session_state["job"]


@st.fragment(run_every=0.25)
def _show_progress(job: Any, told: Callable[[Any], tuple[float | None, str]]) -> None:
    """Show the progress of a job. Only this fragment runs meanwhile, so the rest of the page can be used."""
    if job.over:
        st.rerun()
    job.wait(0)
    place = current_pool().place(job)
    share, words = (None, _describe_queue_place(place)) if place else told(job)
    with st.container(horizontal=True, vertical_alignment="center"):
        if share is None:
            st.markdown(f":material/hourglass_top: {escape_page_markdown(words)} …")
        else:
            st.progress(min(share, 1.0), escape_page_markdown(words))
        st.button("Cancel", icon=":material/stop_circle:", on_click=job.cancel)
    if is_compiling():
        st.caption(COMPILING_NOTE)


def _describe_queue_place(place: int) -> str:
    before = "the next free process of this server is for you" if place == 1 else f"{place - 1} others are before you"
    return f"In the queue: {before}"
