"""The types of work: each is a value that says what to do and can be sent to another process."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from engine import Question, SearchTree, compare, preset, search
from engine.analysis.agreement import PositionSample, measure_missing_agreements
from engine.analysis.alignment import FULL_ALGORITHM, PRUNED_ALGORITHM, Alignment, NotAligned, SkippedNodes
from engine.analysis.claim_trials import Trial, try_claim
from engine.analysis.claims import CLAIMS
from engine.analysis.comparison import plan_comparison
from engine.analysis.comparison_result import Comparison
from engine.analysis.node_estimate import READABLE_PROBE_NODES, NodeEstimate, estimate_nodes, lower_bound
from engine.analysis.overlay import Overlay
from engine.analysis.time_estimate import estimate_seconds
from engine.compiled.compile_policy import load_without_compiling
from engine.core.errors import BadLimit
from engine.games.positions import read_position
from engine.matches.game_review import ReviewedMove, review_moves
from engine.matches.match import Match
from engine.matches.tournament import play_game_until_stopped
from engine.matches.tournament_grid import Fixture
from engine.record.recorder import MEMORY_LIMIT
from engine.searcher import check_question
from engine.solver.ablation import RungResult, solve_by_rungs
from engine.solver.solver import Solution
from engine.solver.timed_solver import TimedSolver
from visualizer.drawing.view import View
from visualizer.exporters import export_chunks
from visualizer.exporters.text import discarding_writer
from visualizer.pool.tasks import Listener, Unfinished

ESTIMATE_TOLERANCE = 2  # what is expected is an estimate: a search that may fit is tried
MAX_ALIGNED_NODES = {
    True: 1_000_000,
    False: 20_000,
}  # nodes of minimax searched to say what was saved, compiled or not: a moment each
MAX_CACHED_MINIMAX_NODES = 200_000  # nodes of minimax that may be asked for next
PART_SECONDS = 0.5  # for which games are played before others have their turn
WRITE_SLICE_SECONDS = 0.02  # seconds for which a file is written before it is asked whether anybody waits for it


class SearchOutcome(NamedTuple):
    """The result of a search that a page asked for."""

    expected: NodeEstimate
    tree: SearchTree | None  # None: too large to be searched, or cancelled
    spared: SkippedNodes | None = (
        None  # what minimax finds below the moves that alpha-beta skips; None where that would take long
    )
    minimax: SearchTree | None = None  # of the same position, where it was small and searched to say so


@dataclass(frozen=True)
class SearchWork:
    """Search, if it is not too large, and find what the cutoffs saved. The estimate of its size is sent first."""

    question: Question
    max_nodes: int
    max_memory: int | None = None

    def __call__(self, listener: Listener) -> SearchOutcome:
        quick = check_question(self.question, self.max_nodes, None).compiled  # then all of it takes less time than foreseeing it
        tree = self._run_search(listener, self.max_nodes if quick else min(READABLE_PROBE_NODES, self.max_nodes))
        if tree.complete:
            return self._with_spared(tree, NodeEstimate(tree.expanded), listener)
        if not listener.progress(tree.expanded):
            return SearchOutcome(lower_bound(tree.expanded), tree)
        expected = estimate_nodes(self.question).after(tree.expanded)
        listener.news(expected)
        if expected.nodes > ESTIMATE_TOLERANCE * self.max_nodes:
            return SearchOutcome(expected, None)
        return self._with_spared(tree if quick else self._run_search(listener, self.max_nodes), expected, listener)

    def _run_search(self, listener: Listener, max_nodes: int) -> SearchTree:
        return search(self.question, max_nodes=max_nodes, max_memory=self.max_memory, on_progress=listener.progress)

    def _with_spared(self, tree: SearchTree, expected: NodeEstimate, listener: Listener) -> SearchOutcome:
        if tree.algorithm != PRUNED_ALGORITHM or not tree.complete or tree.quiescence:
            return SearchOutcome(expected, tree)
        most = MAX_ALIGNED_NODES[tree.compiled]
        whole = search(self.question.replace(algorithm=FULL_ALGORITHM), max_nodes=most, on_progress=listener.progress)
        if not whole.complete:
            return SearchOutcome(expected, tree)
        try:
            return SearchOutcome(
                expected, tree, Alignment(whole, tree).spared, whole if len(whole) <= MAX_CACHED_MINIMAX_NODES else None
            )
        except NotAligned:  # a game that changes from one search to the next
            return SearchOutcome(expected, tree)


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
    """Call a function that takes its time and reports nothing, such as one that makes a file."""

    make: Callable[..., Any]
    arguments: tuple[Any, ...] = ()

    def __call__(self, listener: Listener) -> Any:
        return self.make(*self.arguments)


@dataclass(frozen=True)
class WriteFile:
    """Write the file of a tree, reporting its bytes. The answer is empty if nobody waits for it any more."""

    tree: SearchTree
    extension: str
    view: View
    boards: bool = False

    def __call__(self, listener: Listener) -> bytes:
        pieces, size, told = [], 0, 0.0
        for piece in export_chunks(self.tree, self.extension, self.view, self.boards):
            pieces.append(piece)
            size += len(piece)
            if (now := time.monotonic()) - told > WRITE_SLICE_SECONDS:
                told = now
                if not listener.progress(size):
                    return b""
        return b"".join(pieces)


@dataclass(frozen=True)
class SolvePosition:
    """Solve a position: a list with one solution, or none if a second is too short."""

    question: Question

    def __call__(self, listener: Listener) -> list[Solution]:
        game = self.question.game
        found = TimedSolver(game).of(read_position(game, self.question.position, self.question.first))
        return [] if found is None else [found]


@dataclass(frozen=True)
class ReviewGame:
    """Judge the moves of a game within some seconds, from its end. Stopped early, it answers with those it has."""

    match: Match
    seconds: float

    def __call__(self, listener: Listener) -> list[ReviewedMove]:
        line: list[ReviewedMove] = []
        for after in review_moves(self.match, self.seconds, lambda nodes: listener.progress(len(line)), together=True):
            line.append(after)
        return line


@dataclass(frozen=True)
class SolveByRungs:
    """Solve a position on every rung, each up to so many nodes."""

    question: Question
    max_nodes: int

    def __call__(self, listener: Listener) -> list[RungResult]:
        asked = self.question
        return list(solve_by_rungs(asked.game, asked.position, first=asked.first, limit_nodes=self.max_nodes))


@dataclass(frozen=True)
class RunComparison:
    """Run a comparison. Each row is sent when it is done."""

    question: Question
    options: dict[str, Any]

    def __call__(self, listener: Listener) -> Comparison:
        with discarding_writer() as write:
            return compare(self.question, **self.options, write=write, on_row=listener.news, on_progress=listener.progress)


@dataclass(frozen=True)
class MeasureAgreement:
    """Measure how often evaluations at depths agree with the truth. Each result is sent, that of a random move first."""

    sample: PositionSample
    wanted: tuple[tuple[str, int], ...]

    def __call__(self, listener: Listener) -> bool:
        """Return True if all of it was measured."""

        def told(*how_far: Any) -> None:
            if not listener.progress(how_far):
                raise _NotWanted

        try:
            for row in measure_missing_agreements(self.sample, list(self.wanted), (), told):
                listener.news(row)
        except _NotWanted:
            return False
        return True


class _NotWanted(Exception):
    """Nobody waits any longer."""


@dataclass(frozen=True)
class OverlayTrees:
    """Overlay the trees of two searches. The answer is None if they are not of one game; an error if there is no memory for both.

    For minimax and alpha-beta in the same order of moves the answer tells what each cutoff saved, for all others which paths they
    have in common.
    """

    left: Question
    right: Question
    max_nodes: int

    def __call__(self, listener: Listener) -> Alignment | Overlay | None:
        left, right = (
            search(question, max_nodes=self.max_nodes, on_progress=listener.progress) for question in (self.left, self.right)
        )
        if MEMORY_LIMIT in (left.stopped, right.stopped):
            raise BadLimit("The server has no memory for both of these trees: choose a smaller K.")
        try:
            return Alignment(left, right) if is_subtree_search(self.left, self.right) else Overlay(left, right)
        except NotAligned:
            return None


def is_subtree_search(left: Question, right: Question) -> bool:
    """Return True if the right search visits the nodes of the left one in its order and leaves out only what cutoffs skip."""
    return (
        (left.algorithm, right.algorithm) == (FULL_ALGORITHM, PRUNED_ALGORITHM)
        and right.ordered
        and not right.options["quiescence"]
    )


@dataclass(frozen=True)
class PlayGames:
    """Play games of a tournament. Each game is sent when it is played. After a while the others have their turn."""

    fixtures: tuple[Fixture, ...]

    def __call__(self, listener: Listener) -> Unfinished | None:
        until = time.monotonic() + PART_SECONDS
        for number, fixture in enumerate(self.fixtures):
            if number and time.monotonic() > until:
                return Unfinished(PlayGames(self.fixtures[number:]))
            played = play_game_until_stopped(fixture, listener.progress)
            if played is None or not listener.progress(None):
                return None
            listener.news(played)
        return None


class SilentListener:
    """A listener for work that nobody waits for."""

    def progress(self, how_far: Any) -> bool:
        return True

    def news(self, item: Any) -> None:
        return


def warm_up() -> None:
    """Load all compiled code that work needs, so that the first answer is quick. Nothing is compiled for it."""
    usual = Question(preset("k-tables"), "3", depth=3)
    looked = SearchWork(usual, 1000)(SilentListener())
    if looked.tree is not None and looked.tree.compiled:
        with load_without_compiling():
            RunComparison(usual, {"depths": "2", "repeat": 1})(SilentListener())
