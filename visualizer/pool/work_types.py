"""The types of work: each is a value that says what to do and can be sent to another process."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from engine import Question, SearchTree, compare, preset, search
from engine.analysis.alignment import FULL_ALGORITHM, PRUNED_ALGORITHM, Alignment, NotAligned, SkippedNodes, align_with_minimax
from engine.analysis.claim_trials import Trial, try_claim
from engine.analysis.claims import CLAIMS
from engine.analysis.comparison import plan_comparison
from engine.analysis.comparison_result import Comparison
from engine.analysis.node_estimate import READABLE_PROBE_NODES, NodeEstimate, estimate_nodes, lower_bound
from engine.analysis.overlay import Overlay
from engine.analysis.time_estimate import estimate_seconds
from engine.compiled.compile_policy import load_without_compiling
from engine.core.errors import BadLimit
from engine.core.stop_reason import StopReason
from engine.games.positions import read_position
from engine.matches.forced_wins import review_early_moves
from engine.matches.game_review import ReviewedMove, review_moves
from engine.matches.match import Match
from engine.matches.tournament import play_game_until_stopped
from engine.matches.tournament_grid import Fixture
from engine.searcher import check_question
from engine.solver.ablation import RungResult, solve_by_rungs
from engine.solver.solver import Solution
from engine.solver.timed_solver import TimedSolver
from visualizer.drawing.view import View
from visualizer.exporters import export_chunks
from visualizer.exporters.text import discarding_writer
from visualizer.pool.tasks import Listener, Unfinished
from visualizer.viewer.interactive import tree_page

ESTIMATE_TOLERANCE = 2  # the expected size is only an estimate: a search that may fit is tried
MAX_CACHED_MINIMAX_NODES = 200_000  # a larger minimax tree is not kept for later
PART_SECONDS = 0.5  # of a tournament, before other tasks get their turn
WRITE_SLICE_SECONDS = 0.02  # between two checks whether a visitor still waits for the file


class SearchOutcome(NamedTuple):
    """The result of a search that a page asked for."""

    expected: NodeEstimate
    tree: SearchTree | None  # None: too large, or cancelled
    spared: SkippedNodes | None = None  # the minimax nodes below skipped moves; None if finding them takes too long
    minimax: SearchTree | None = None  # of the same position, if it is small


@dataclass(frozen=True)
class SearchWork:
    """Search, unless the tree is too large, and find what the cutoffs saved. An estimate of the size is sent first."""

    question: Question
    max_nodes: int
    max_memory: int | None = None

    def __call__(self, listener: Listener) -> SearchOutcome:
        quick = check_question(self.question, self.max_nodes, None).compiled  # the search takes less time than an estimate
        tree = self._run_search(listener, self.max_nodes if quick else min(READABLE_PROBE_NODES, self.max_nodes))
        if tree.complete:
            return self._with_spared(tree, NodeEstimate(tree.expanded), listener)
        if not listener.progress(tree.expanded):
            return SearchOutcome(lower_bound(tree.expanded), tree)
        expected = estimate_nodes(self.question).after(tree.expanded)
        listener.add_result(expected)
        if expected.nodes > ESTIMATE_TOLERANCE * self.max_nodes:
            return SearchOutcome(expected, None)
        return self._with_spared(tree if quick else self._run_search(listener, self.max_nodes), expected, listener)

    def _run_search(self, listener: Listener, max_nodes: int) -> SearchTree:
        return search(self.question, max_nodes=max_nodes, max_memory=self.max_memory, on_progress=listener.progress)

    def _with_spared(self, tree: SearchTree, expected: NodeEstimate, listener: Listener) -> SearchOutcome:
        alignment = align_with_minimax(tree, listener.progress)
        if alignment is None:
            return SearchOutcome(expected, tree)
        minimax = alignment.minimax if len(alignment.minimax) <= MAX_CACHED_MINIMAX_NODES else None
        return SearchOutcome(expected, tree, alignment.spared, minimax)


@dataclass(frozen=True)
class EstimateNodes:
    """Estimate the number of nodes of a search."""

    question: Question

    def __call__(self, listener: Listener) -> NodeEstimate:
        return estimate_nodes(self.question)


@dataclass(frozen=True)
class EstimateTime:
    """Estimate the seconds that a comparison takes."""

    question: Question
    options: dict[str, Any]

    def __call__(self, listener: Listener) -> float:
        return estimate_seconds(plan_comparison(self.question, **self.options))


@dataclass(frozen=True)
class TryClaim:
    """Test a claim with real searches."""

    name: str

    def __call__(self, listener: Listener) -> Trial:
        return try_claim(next(claim for claim in CLAIMS if claim.name == self.name))


@dataclass(frozen=True)
class CallWithProgress:
    """Call a function that reports its nodes and can be stopped: a search, a move, hints."""

    ask: Callable[..., Any]
    arguments: tuple[Any, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)

    def __call__(self, listener: Listener) -> Any:
        answer = self.ask(*self.arguments, on_progress=listener.progress, **self.options)
        return list(answer) if isinstance(answer, Iterator) else answer


@dataclass(frozen=True)
class CallFunction:
    """Call a slow function that reports no progress, such as one that makes a file."""

    make: Callable[..., Any]
    arguments: tuple[Any, ...] = ()

    def __call__(self, listener: Listener) -> Any:
        return self.make(*self.arguments)


@dataclass(frozen=True)
class WriteFile:
    """Write the file of a tree and report its bytes. The answer is empty if no visitor waits for it any more."""

    tree: SearchTree
    extension: str
    view: View
    boards: bool = False
    style: tuple[tuple[str, Any], ...] = ()  # other options of the format

    def __call__(self, listener: Listener) -> bytes:
        pieces, size, last_report = [], 0, 0.0
        for piece in export_chunks(self.tree, self.extension, self.view, self.boards, **dict(self.style)):
            pieces.append(piece)
            size += len(piece)
            if (now := time.monotonic()) - last_report > WRITE_SLICE_SECONDS:
                last_report = now
                if not listener.progress(size):
                    return b""
        return b"".join(pieces)


@dataclass(frozen=True)
class WriteInteractivePage:
    """Write a tree as an interactive page."""

    tree: SearchTree
    view: View

    def __call__(self, listener: Listener) -> bytes:
        return b"".join(tree_page.chunks(self.tree, self.view))


@dataclass(frozen=True)
class SolvePosition:
    """Solve a position. The answer is a list with the solution, or an empty list if it takes over a second."""

    question: Question

    def __call__(self, listener: Listener) -> list[Solution]:
        game = self.question.game
        found = TimedSolver(game).of(read_position(game, self.question.position, self.question.first))
        return [] if found is None else [found]


@dataclass(frozen=True)
class ReviewGame:
    """Judge the moves of a game from its end: exactly within some seconds, those before by short searches. If stopped early,
    return the judged moves.
    """

    match: Match
    seconds: float

    def __call__(self, listener: Listener) -> list[ReviewedMove]:
        line: list[ReviewedMove] = []

        def go_on(nodes: int) -> object:
            return listener.progress(len(line))

        for after in review_moves(self.match, self.seconds, go_on, together=True):
            line.append(after)
        for after in review_early_moves(self.match, len(self.match.moves) - len(line), go_on):
            line.append(after)
        return line


@dataclass(frozen=True)
class SolveByRungs:
    """Solve a position on every rung, each with a node limit."""

    question: Question
    max_nodes: int

    def __call__(self, listener: Listener) -> list[RungResult]:
        game, position, first = self.question.game, self.question.position, self.question.first
        return list(solve_by_rungs(game, position, first=first, limit_nodes=self.max_nodes))


@dataclass(frozen=True)
class RunComparison:
    """Run a comparison. Each row is sent when it is finished."""

    question: Question
    options: dict[str, Any]

    def __call__(self, listener: Listener) -> Comparison:
        with discarding_writer() as write:
            return compare(self.question, **self.options, write=write, on_row=listener.add_result, on_progress=listener.progress)


@dataclass(frozen=True)
class MeasureAgreement:
    """Measure how often searches choose a correct move. Each result is sent, that of a random move first.

    `measure` yields the results. It reports its progress to its last argument.
    """

    measure: Callable[..., Iterator[Any]]
    arguments: tuple[Any, ...]

    def __call__(self, listener: Listener) -> bool:
        """Return True if everything was measured."""

        def on_progress(*amount: Any) -> None:
            if not listener.progress(amount):
                raise _NotWanted

        try:
            for row in self.measure(*self.arguments, on_progress):
                listener.add_result(row)
        except _NotWanted:
            return False
        return True


class _NotWanted(Exception):
    """No visitor waits any more."""


@dataclass(frozen=True)
class OverlayTrees:
    """Overlay the trees of two searches. The answer is None if their games differ, and an error if both do not fit in memory.

    For minimax and alpha-beta with the same move ordering the answer is what each cutoff saved, for all others the paths in
    common.
    """

    left: Question
    right: Question
    max_nodes: int

    def __call__(self, listener: Listener) -> Alignment | Overlay | None:
        left, right = (
            search(question, max_nodes=self.max_nodes, on_progress=listener.progress) for question in (self.left, self.right)
        )
        if StopReason.MEMORY_LIMIT in (left.stopped, right.stopped):
            raise BadLimit("The server does not have enough memory for both trees: choose a smaller K.")
        try:
            return Alignment(left, right) if is_subtree_search(self.left, self.right) else Overlay(left, right)
        except NotAligned:
            return None


def is_subtree_search(left: Question, right: Question) -> bool:
    """Return True if the right search visits the nodes of the left one in the same order, except for skipped moves."""
    return (
        (left.algorithm, right.algorithm) == (FULL_ALGORITHM, PRUNED_ALGORITHM)
        and right.ordered
        and not right.options["quiescence"]
    )


@dataclass(frozen=True)
class PlayGames:
    """Play games of a tournament. Each game is sent when it is finished. After a while other tasks get their turn."""

    fixtures: tuple[Fixture, ...]

    def __call__(self, listener: Listener) -> Unfinished | None:
        until = time.monotonic() + PART_SECONDS
        for number, fixture in enumerate(self.fixtures):
            if number and time.monotonic() > until:
                return Unfinished(PlayGames(self.fixtures[number:]))
            played = play_game_until_stopped(fixture, listener.progress)
            if played is None or not listener.progress(None):
                return None
            listener.add_result(played)
        return None


class SilentListener:
    """A listener that ignores everything."""

    def progress(self, amount: Any) -> bool:
        return True

    def add_result(self, item: Any) -> None:
        return


def warm_up() -> None:
    """Load all compiled code that work needs, so that the first answer is fast. Nothing is compiled."""
    question = Question(preset("k-tables"), "3", depth=3)
    outcome = SearchWork(question, 1000)(SilentListener())
    if outcome.tree is not None and outcome.tree.compiled:
        with load_without_compiling():
            RunComparison(question, {"depths": "2", "repeat": 1})(SilentListener())
