"""Searches in the background of a page: estimates, progress, Cancel, and the cache of recent trees."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import streamlit as st

from engine import PlyscopeError, Question, SearchTree, preset, search
from engine.algorithms import find_algorithm
from engine.analysis.alignment import FULL_ALGORITHM, Alignment, SkippedNodes
from engine.analysis.node_estimate import Accuracy, NodeEstimate
from visualizer.app.state.jobs import (
    AnswerJob,
    NodeEstimateJob,
    SearchOutcomeJob,
    estimate_bytes,
    make_search_work,
    max_search_nodes,
)
from visualizer.app.state.opened_trees import find_opened_tree
from visualizer.app.state.url_params import describe_search
from visualizer.background_compiler import is_compiling
from visualizer.narration.escapes import escape_page_markdown
from visualizer.pool.pool import current_pool, try_briefly
from visualizer.pool.tasks import Job, Work
from visualizer.pool.weighted_lru import WeightedLRU
from visualizer.pool.work_types import SearchOutcome
from visualizer.viewer.large_trees.tree_delivery import tree_store

J = TypeVar("J", bound=Job)
MAX_CACHED_ANSWERS = 200
COMPILING_NOTE = "The server is compiling its searches, once. This may take some seconds; later starts are faster."


def poll_tree(question: Question) -> SearchTree | None:
    """Return the tree; None while it is searched, or after a message if there is none."""
    try:
        outcome = poll_outcome(question)
    except PlyscopeError as error:
        st.error(escape_page_markdown(str(error)), icon=":material/error:")
        return None
    if outcome is None or outcome.tree is not None:
        return outcome and outcome.tree
    algorithm = find_algorithm(question.algorithm)
    other = "Lower K" if algorithm.windows else "Lower K, use alpha-beta"
    if algorithm.iterate is not None:
        other = "Choose fewer iterations"
    st.info(
        f"**{escape_page_markdown(describe_search(question))}** would expand {outcome.expected}, and the limit of this page is "
        f"{max_search_nodes():,}. {other}, or start from a later position.",
        icon=":material/forest:",
    )
    return None


@st.cache_resource(show_spinner="Getting ready. The first start takes some seconds …")
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
    outcome = find_outcome(question)
    known: NodeEstimate | None = outcome.expected if outcome is not None else answer_cache().get(("foreseen", question))
    if known is not None:
        return known, True
    pending: PendingEstimate | None = st.session_state.get("foreseen")
    if pending is None or pending.question != question or pending.job.was_abandoned:
        done, outcome = try_briefly(make_search_work(question))
        if done:
            cache_outcome(question, outcome)
        if done or outcome.expected.accuracy is Accuracy.EXACT:
            return outcome.expected, True
        if pending is not None:
            pending.job.cancel()
        pending = st.session_state["foreseen"] = PendingEstimate(question, outcome.expected, NodeEstimateJob(question))
    if not pending.job.wait(0.5):
        return pending.so_far, False
    expected: NodeEstimate = pending.job.answer.after(pending.so_far.nodes)
    answer_cache().put(("foreseen", question), expected)
    return expected, True


def spared_nodes(question: Question) -> SkippedNodes | None:
    """Return the nodes that minimax visits below the moves that alpha-beta skips; None if finding out would take long."""
    outcome = find_outcome(question)
    return outcome and outcome.spared


def find_outcome(question: Question) -> SearchOutcome | None:
    """Return the outcome of a search if it is known: opened from a file, or in the cache."""
    return find_opened_tree(question) or answer_cache().get(question)


@st.cache_resource(show_spinner=False)
def answer_cache() -> WeightedLRU[Any]:
    """Return the cache of answers, shared by all visitors: answers are read-only."""
    cache: WeightedLRU[Any] = WeightedLRU(current_pool().limits.tree_cache_bytes, MAX_CACHED_ANSWERS, weigh=estimate_bytes)
    tree_store().on_use = lambda tree: cache.get(tree.question)  # a tree that a browser asks about stays in the cache
    return cache


def poll_outcome(question: Question) -> SearchOutcome | None:
    """Return the outcome of a search; None while it is searched, or if it was cancelled."""
    outcome = find_outcome(question)
    if outcome is not None:
        forget_job(question)
        return outcome
    warm_up_search()
    if st.session_state.get("cancelled") == question:
        st.info("The search was cancelled.", icon=":material/stop_circle:")
        st.button("Search again", on_click=_forget_cancelled)
        return None

    def report_progress(job: SearchOutcomeJob) -> tuple[float | None, str]:
        if job.expected is None:
            return None, f"Searching {describe_search(question)}: estimating its size"
        expected = job.expected.after(job.nodes)
        share = None if expected.accuracy is Accuracy.LOWER_BOUND else job.nodes / max(expected.nodes, 1)
        return share, f"Searching {describe_search(question)}: {job.nodes:,} of {expected}"

    job = poll_job(question, lambda: SearchOutcomeJob(question), report_progress)
    if job is None:
        return None
    outcome = job.answer
    if outcome is None or (job.stopped and not job.timed_out):
        st.session_state["cancelled"] = question
        st.rerun()
    return cache_outcome(question, outcome)


def cache_outcome(question: Question, outcome: SearchOutcome) -> SearchOutcome:
    """Put an outcome into the cache, and the minimax tree that was searched with it."""
    if outcome.minimax is not None:
        answer_cache().put(
            question.replace(algorithm=FULL_ALGORITHM), SearchOutcome(NodeEstimate(outcome.minimax.expanded), outcome.minimax)
        )
    outcome = outcome._replace(minimax=None)
    answer_cache().put(question, outcome)
    return outcome


def _forget_cancelled() -> None:
    st.session_state.pop("cancelled", None)


# ---- long work


def poll_job(key: Any, make: Callable[[], J], progress_of: Callable[[J], tuple[float | None, str]]) -> J | None:
    """Return this visitor's job for `key` if it is over. Else show its progress and return None; the page runs again at its end.

    A visitor has one job at a time: another key cancels it. `progress_of` returns a share (None: unknown) and a text.
    Raises the error of the job.
    """
    running = st.session_state.get("job")
    if running is not None and running[0] != key:
        running[1].cancel()
    if running is None or running[0] != key or running[1].was_abandoned:
        running = st.session_state["job"] = key, make()
    job: J = running[1]
    if not job.is_over and not job.wait(0.3):
        _show_progress(job, progress_of)
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
        st.stop()  # the visitor has left
    return job.answer


def is_job_running(key: Any) -> bool:
    """Return True if this visitor's job for `key` is still running."""
    running = st.session_state.get("job")
    return running is not None and running[0] == key and not running[1].is_over


def forget_job(key: Any) -> None:
    """Forget this visitor's job for `key`: another visitor's job has found the answer."""
    running = st.session_state.get("job")
    if running is not None and running[0] == key:
        del st.session_state["job"]


@st.fragment(run_every=0.25)
def _show_progress(job: Any, progress_of: Callable[[Any], tuple[float | None, str]]) -> None:
    """Show the progress of a job. Only this fragment runs meanwhile, so the rest of the page can be used."""
    if job.is_over:
        st.rerun()
    job.wait(0)
    place = current_pool().queue_position(job)
    share, words = (None, _describe_queue_place(place)) if place else progress_of(job)
    with st.container(horizontal=True, vertical_alignment="center"):
        if share is None:
            st.markdown(f":material/hourglass_top: {escape_page_markdown(words)} …")
        else:
            st.progress(min(share, 1.0), escape_page_markdown(words))
        st.button("Cancel", icon=":material/stop_circle:", on_click=job.cancel)
    if is_compiling():
        st.caption(COMPILING_NOTE)


def _describe_queue_place(place: int) -> str:
    before = "you are next" if place == 1 else f"{place - 1} before you"
    return f"In the queue: {before}"
