"""What a page waits for, beside it, so that it can show how far that is and stop it; and the trees looked at last."""

import sys
from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any

import numpy as np

from engine import PlyscopeError, Question, SearchTree, search
from engine.analysis.agreement import Agreement, PositionSample
from engine.analysis.comparison_result import Comparison, ComparisonProgress, Row
from engine.analysis.node_estimate import NodeEstimate
from engine.matches.tournament import Tournament
from visualizer.app.state.session import visitor
from visualizer.pool.pool import the_pool
from visualizer.pool.tasks import Job, Work
from visualizer.pool.work_types import Agree, Ask, Compare, Foresee, LookAt, Looked, PlayGames

KEPT = 200  # answers, however small


class ThinkingJob(Job):
    """A question with one answer. Nobody waits in a queue for what takes a moment only."""

    def __init__(self, key: Hashable, work: Work):
        super().__init__(*visitor())
        the_pool().answer_soon(self, key, work)

    @property
    def nodes(self) -> int:
        return self.how_far or 0


class SearchJob(ThinkingJob):
    """One search; its answer is the tree."""

    def __init__(self, question: Question, **limits: Any):
        super().__init__(("search", question, *limits.items()), Ask(search, (question,), limits))


def look(question: Question) -> LookAt:
    """The search of a question as far as this server goes."""
    limits = the_pool().limits
    return LookAt(question, limits.nodes, limits.one_tree)


class LookJob(ThinkingJob):
    """One search for the page Step, and what goes with its tree."""

    answer: Looked | None

    def __init__(self, question: Question):
        super().__init__(("look", question), look(question))

    @property
    def expected(self) -> NodeEstimate | None:
        """How many nodes it will be, when that is known."""
        return self.items[0] if self.items else None


class ForeseenJob(Job):
    """How many nodes a search will expand."""

    def __init__(self, question: Question):
        super().__init__(*visitor())
        the_pool().submit(self, ("foresee", question), Foresee(question))


class ComparisonJob(Job):
    """One comparison of a question's position; `rows` are those that are done, `progress` is how far it is."""

    def __init__(self, question: Question, **limits: Any):
        super().__init__(*visitor())
        the_pool().submit(self, ("compare", question, *limits.items()), Compare(question, limits))

    @property
    def rows(self) -> list[Row]:
        return self.items

    @property
    def progress(self) -> ComparisonProgress | None:
        return self.how_far

    @property
    def comparison(self) -> Comparison | None:
        return self.answer


class AgreementJob(Job):
    """How often evaluations agree with the truth; `rows` are those that are known, a random move's the first."""

    def __init__(self, sample: PositionSample, wanted: tuple[tuple[str, int], ...]):
        super().__init__(*visitor())
        self._wanted = wanted
        the_pool().submit(self, ("agree", sample, wanted), Agree(sample, wanted))

    @property
    def rows(self) -> list[Agreement]:
        return self.items

    @property
    def told(self) -> tuple[float, str]:
        """How far it is: a share of all, and words. Solving the positions takes about half of the time."""
        if self.how_far is None:
            return 0.0, "Warming up"
        words, done, number = self.how_far
        said = f"{words}: {done} of {number}"
        if not self.rows:
            return done / number / 2, said
        return (1 + (len(self.rows) - 1 + done / number) / len(self._wanted)) / 2, said


class TournamentJob(Job):
    """A tournament, its games dealt out to as many as can work on them; `tournament` knows what has been played."""

    def __init__(self, tournament: Tournament):
        super().__init__(*visitor())
        self._tournament = tournament
        left, pool = tournament.left, the_pool()
        for first in range(min(pool.workers, len(left))):
            dealt = tuple(left[first :: pool.workers])
            pool.submit(self, ("games", dealt), PlayGames(dealt))

    @property
    def tournament(self) -> Tournament:
        self._tournament.played.update((played.fixture, played) for played in self.items)
        return self._tournament


def made_elsewhere(key: Hashable, work: Work) -> Callable[[], bytes]:
    """What makes a file when it is called, not in this process: files are asked for while no page runs."""
    who = visitor()

    def make() -> bytes:
        job = Job(*who)
        the_pool().submit(job, key, work)
        while not job.wait(0.1):
            continue
        if job.timed_out:
            raise PlyscopeError(f"This took more than {the_pool().limits.seconds:g} seconds: ask for less.")
        return b"" if job.stopped else job.answer  # nobody is there to get it

    return make


class Shelf:
    """Answers that were looked at last, shared by all visitors: they are read-only. The least recently used go first."""

    def __init__(self, most_bytes: Callable[[], int] = lambda: the_pool().limits.kept):
        self._answers: OrderedDict[Hashable, Any] = OrderedDict()
        self._most_bytes = most_bytes
        self._lock = Lock()

    def get(self, key: Hashable) -> Any:
        with self._lock:
            answer = self._answers.get(key)
            if answer is not None:
                self._answers.move_to_end(key)
            return answer

    def put(self, key: Hashable, answer: Any) -> None:
        with self._lock:
            self._answers[key] = answer
            while len(self._answers) > 1 and (len(self._answers) > KEPT or self._bytes() > self._most_bytes()):
                self._answers.popitem(last=False)

    def _bytes(self) -> int:
        return sum(map(bytes_of, self._answers.values()))


def bytes_of(answer: Any) -> int:
    """About what an answer takes: the arrays in it, those that a tree has made of its columns included."""
    if isinstance(answer, np.ndarray):
        return answer.nbytes
    if isinstance(answer, SearchTree):
        return bytes_of(answer.columns) + sum(bytes_of(made) for made in vars(answer).values() if isinstance(made, np.ndarray))
    if isinstance(answer, tuple):
        return sum(map(bytes_of, answer))
    if isinstance(answer, Comparison):
        kept = {id(saving.node.tree): saving.node.tree for level in answer.levels for saving in level.savings}
        kept |= {id(tree): tree for tree in answer.trees.values()}
        return sum(map(bytes_of, kept.values()))
    return sys.getsizeof(answer)
