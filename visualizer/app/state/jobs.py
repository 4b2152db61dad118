"""Jobs: work in the background of a page, with progress and Cancel. Also the memory that an answer takes."""

import sys
from collections.abc import Callable, Hashable, Iterator
from typing import Any

import numpy as np

from engine import PlyscopeError, Question, SearchTree, search
from engine.analysis.comparison_result import Comparison, ComparisonProgress, Row
from engine.analysis.node_estimate import NodeEstimate
from engine.matches.tournament import Tournament
from engine.tree.depth_index import DepthIndex
from visualizer.app.state.session import current_session
from visualizer.app.streamlit_compat import count_visitors
from visualizer.pool.pool import current_pool
from visualizer.pool.tasks import Job, Work
from visualizer.pool.work_types import (
    CallWithProgress,
    EstimateNodes,
    MeasureAgreement,
    PlayGames,
    RunComparison,
    SearchOutcome,
    SearchWork,
)


class AnswerJob(Job):
    """A job with one answer. Quick work does not wait in the queue."""

    def __init__(self, key: Hashable, work: Work):
        super().__init__(*current_session())
        current_pool().answer_soon(self, key, work)

    @property
    def nodes(self) -> int:
        return self.latest_progress or 0


class SearchJob(AnswerJob):
    """One search; its answer is the tree."""

    def __init__(self, question: Question, **limits: Any):
        super().__init__(("search", question, *limits.items()), CallWithProgress(search, (question,), limits))


def max_search_nodes() -> int:
    """Return the largest number of nodes that the server searches for a page. The visitors share what its memory holds."""
    return current_pool().limits.share_nodes(count_visitors())


def make_search_work(question: Question) -> SearchWork:
    """Return the work of searching a question, within the limits of this server."""
    return SearchWork(question, max_search_nodes(), current_pool().limits.max_tree_bytes)


class SearchOutcomeJob(AnswerJob):
    """One search for the page Step, with everything that belongs to its tree."""

    answer: SearchOutcome | None

    def __init__(self, question: Question):
        super().__init__(("look", question), make_search_work(question))

    @property
    def expected(self) -> NodeEstimate | None:
        """Return the expected number of nodes, once it is known."""
        return self.items[0] if self.items else None


class NodeEstimateJob(Job):
    """An estimate of the number of nodes that a search will expand."""

    def __init__(self, question: Question):
        super().__init__(*current_session())
        current_pool().submit(self, ("foresee", question), EstimateNodes(question))


class ComparisonJob(Job):
    """One comparison of a question's position. `rows` are the finished ones, `progress` is the state of the work."""

    def __init__(self, question: Question, **limits: Any):
        super().__init__(*current_session())
        current_pool().submit(self, ("compare", question, *limits.items()), RunComparison(question, limits))

    @property
    def rows(self) -> list[Row]:
        return self.items

    @property
    def progress(self) -> ComparisonProgress | None:
        return self.latest_progress

    @property
    def comparison(self) -> Comparison | None:
        return self.answer


class AgreementJob(Job):
    """A measurement of how often moves agree with the solver. `rows` are the known ones; the first is a random move's."""

    def __init__(self, key: Hashable, wanted: int, measure: Callable[..., Iterator[Any]], *arguments: Any):
        super().__init__(*current_session())
        self._wanted = wanted
        current_pool().submit(self, key, MeasureAgreement(measure, arguments))

    @property
    def rows(self) -> list[Any]:
        return self.items

    @property
    def progress_report(self) -> tuple[float, str]:
        """Return the progress as a share of all and a text. Solving the positions takes about half of the time."""
        if self.latest_progress is None:
            return 0.0, "Warming up"
        words, done, number = self.latest_progress
        text = f"{words}: {done} of {number}"
        if not self.rows:
            return done / number / 2, text
        return (1 + (len(self.rows) - 1 + done / number) / self._wanted) / 2, text


class TournamentJob(Job):
    """A tournament. Its games are shared out to all workers; `tournament` knows what has been played."""

    def __init__(self, tournament: Tournament):
        super().__init__(*current_session())
        self._tournament = tournament
        left, pool = tournament.remaining_fixtures, current_pool()
        for first in range(min(pool.workers, len(left))):
            dealt = tuple(left[first :: pool.workers])
            pool.submit(self, ("games", dealt), PlayGames(dealt))

    @property
    def tournament(self) -> Tournament:
        self._tournament.played.update((played.fixture, played) for played in self.items)
        return self._tournament


def make_in_pool(key: Hashable, work: Work, advice: str) -> Callable[[], bytes]:
    """Return a function that makes a file in the pool. Files are asked for while no page runs. `advice` says what to do if it
    takes too long.
    """
    who = current_session()

    def make_file() -> bytes:
        job = Job(*who)
        current_pool().submit(job, key, work)
        while not job.wait(0.1):
            continue
        if job.timed_out:
            raise PlyscopeError(f"this file took more than {current_pool().limits.seconds:g} seconds: {advice}")
        return b"" if job.stopped else job.answer  # the visitor has left

    return make_file


def estimate_bytes(answer: Any) -> int:
    """Estimate the memory of an answer: its arrays, including those that a tree has derived from its columns."""
    if isinstance(answer, np.ndarray):
        return answer.nbytes
    if isinstance(answer, SearchTree):
        made = sum(estimate_bytes(one) for one in vars(answer).values() if isinstance(one, np.ndarray | DepthIndex))
        return estimate_bytes(answer.columns) + made
    if isinstance(answer, DepthIndex):
        return answer.bytes
    if isinstance(answer, tuple):
        return sum(map(estimate_bytes, answer))
    if isinstance(answer, Comparison):
        trees = {id(saving.node.tree): saving.node.tree for level in answer.levels for saving in level.savings}
        trees |= {id(tree): tree for tree in answer.trees.values()}
        return sum(map(estimate_bytes, trees.values()))
    return sys.getsizeof(answer)
