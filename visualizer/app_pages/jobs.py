"""Searches that run beside a page, so that it can show how far they are and stop them."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any

from engine import Question, SearchTree, compare, search
from engine.analysis.comparison_result import Comparison, ComparisonProgress, Row
from engine.matches.runners import on_cores
from engine.matches.tournament import Tournament, here
from visualizer.exporters.text import thrown_away

FEW_GAMES = 100
GRACE = 10  # seconds that a visitor's connection may be lost
KEPT, KEPT_NODES = 20, 20_000_000  # trees, and nodes in all of them: about 400 MB


class Job:
    """Work in a thread of its own. It stops when it is cancelled, and when its visitor has gone; a slow page keeps it."""

    def __init__(self) -> None:
        self.visitor_is_here: Callable[[], bool] = lambda: True
        self._seen = monotonic()
        self._error: Exception | None = None
        self._cancelled, self._done = Event(), Event()
        Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        try:
            self._work()
        except Exception as error:
            self._error = error
        finally:
            self._done.set()

    def _work(self) -> None:
        raise NotImplementedError

    def _going_on(self) -> bool:
        if self.visitor_is_here():
            self._seen = monotonic()
        return not self._cancelled.is_set() and monotonic() - self._seen < GRACE

    @property
    def over(self) -> bool:
        return self._done.is_set()

    def wait(self, seconds: float) -> bool:
        """Whether it is done within this time. Raises what went wrong in it."""
        done = self._done.wait(seconds)
        if self._error is not None:
            raise self._error
        return done

    def cancel(self) -> None:
        """Stop within some hundredths of a second."""
        self._cancelled.set()


class ThinkingJob(Job):
    """A question with one answer: `ask` gets a function that hears of nodes and says whether to go on."""

    def __init__(self, ask: Callable[[Callable[[int], bool]], Any]):
        self.nodes = 0
        self.answer: Any = None
        self._ask = ask
        super().__init__()

    def _work(self) -> None:
        self.answer = self._ask(self._progress)

    def _progress(self, nodes: int) -> bool:
        self.nodes = nodes
        return self._going_on()


class SearchJob(ThinkingJob):
    """One search; its answer is the tree."""

    def __init__(self, question: Question, **limits: Any):
        super().__init__(lambda on_progress: search(question, on_progress=on_progress, **limits))


class ComparisonJob(Job):
    """One comparison of a question's position; `rows` are those that are done, `progress` is how far it is."""

    def __init__(self, question: Question, **limits: Any):
        self.rows: list[Row] = []
        self.progress: ComparisonProgress | None = None
        self.comparison: Comparison | None = None
        self._question, self._limits = question, limits
        super().__init__()

    def _work(self) -> None:
        with thrown_away() as write:
            told: dict[str, Any] = {"write": write, "on_row": self.rows.append, "on_progress": self._progress}
            self.comparison = compare(self._question, **self._limits, **told)

    def _progress(self, progress: ComparisonProgress) -> bool:
        self.progress = progress
        return self._going_on()


class TournamentJob(Job):
    """A tournament; `tournament` knows what has been played."""

    def __init__(self, tournament: Tournament):
        self.tournament = tournament
        super().__init__()

    def _work(self) -> None:
        few = len(self.tournament.left) < FEW_GAMES  # not worth starting processes
        self.tournament.run(here if few else on_cores, lambda played: self._going_on())


class Shelf:
    """The trees looked at last, shared by all visitors: they are read-only."""

    def __init__(self) -> None:
        self._trees: OrderedDict[Question, SearchTree] = OrderedDict()
        self._lock = Lock()

    def get(self, question: Question) -> SearchTree | None:
        with self._lock:
            tree = self._trees.get(question)
            if tree is not None:
                self._trees.move_to_end(question)
            return tree

    def put(self, question: Question, tree: SearchTree) -> None:
        with self._lock:
            self._trees[question] = tree
            while len(self._trees) > 1 and (len(self._trees) > KEPT or self._nodes() > KEPT_NODES):
                self._trees.popitem(last=False)

    def _nodes(self) -> int:
        return sum(len(tree) for tree in self._trees.values())
