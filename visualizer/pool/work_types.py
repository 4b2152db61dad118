"""The kinds of work: each is a value that says what to do, and can be sent to another process."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from engine import Question, SearchTree, compare, preset, search
from engine.analysis.agreement import PositionSample, missing_agreements
from engine.analysis.alignment import FULL, PRUNED, Alignment, NotAligned, Spared
from engine.analysis.claim_trials import Trial, try_claim
from engine.analysis.claims import CLAIMS
from engine.analysis.comparison import planned
from engine.analysis.comparison_result import Comparison
from engine.analysis.node_estimate import READABLE_PROBE, NodeEstimate, foresee, lower_bound
from engine.analysis.overlay import Overlay
from engine.analysis.time_estimate import expected_seconds
from engine.compiled.compile_policy import rehearsing
from engine.core.errors import BadLimit
from engine.games.positions import read_position
from engine.matches.game_review import TruthAfter, true_line
from engine.matches.match import Match
from engine.matches.tournament import play_on
from engine.matches.tournament_grid import Fixture
from engine.record.recorder import MEMORY_LIMIT
from engine.searcher import checked
from engine.solver.ablation import Climbed, climb
from engine.solver.solver import Solution
from engine.solver.timed_solver import Truth
from visualizer.drawing.view import View
from visualizer.exporters import pieces_of
from visualizer.exporters.text import thrown_away
from visualizer.pool.tasks import Listener, Unfinished

DOUBT = 2  # what is expected is an estimate: a search that may fit is tried
ALIGNED_MOST = {True: 1_000_000, False: 20_000}  # nodes of minimax searched to say what was saved, compiled or not: a moment each
KEPT_BESIDE = 200_000  # nodes of minimax that may be asked for next
PART_SECONDS = 0.5  # for which games are played before others have their turn
WRITTEN_ON = 0.02  # seconds for which a file is written before it is asked whether anybody waits for it


class Looked(NamedTuple):
    """What is known of a search."""

    expected: NodeEstimate
    tree: SearchTree | None  # None: too large to be searched, or cancelled
    spared: Spared | None = None  # what minimax finds below the moves that alpha-beta skips; None where that would take long
    minimax: SearchTree | None = None  # of the same position, where it was small and searched to say so


@dataclass(frozen=True)
class LookAt:
    """Search, if it is not too much, and say what the cutoffs spared. How large it will be is told first, as news."""

    question: Question
    max_nodes: int
    max_memory: int | None = None

    def __call__(self, listener: Listener) -> Looked:
        quick = checked(self.question, self.max_nodes, None).compiled  # then all of it takes less time than foreseeing it
        tree = self._searched(listener, self.max_nodes if quick else min(READABLE_PROBE, self.max_nodes))
        if tree.complete:
            return self._with_spared(tree, NodeEstimate(tree.expanded), listener)
        if not listener.progress(tree.expanded):
            return Looked(lower_bound(tree.expanded), tree)
        expected = foresee(self.question).after(tree.expanded)
        listener.news(expected)
        if expected.nodes > DOUBT * self.max_nodes:
            return Looked(expected, None)
        return self._with_spared(tree if quick else self._searched(listener, self.max_nodes), expected, listener)

    def _searched(self, listener: Listener, max_nodes: int) -> SearchTree:
        return search(self.question, max_nodes=max_nodes, max_memory=self.max_memory, on_progress=listener.progress)

    def _with_spared(self, tree: SearchTree, expected: NodeEstimate, listener: Listener) -> Looked:
        if tree.algorithm != PRUNED or not tree.complete or tree.quiescence:
            return Looked(expected, tree)
        most = ALIGNED_MOST[tree.compiled]
        whole = search(self.question.replace(algorithm=FULL), max_nodes=most, on_progress=listener.progress)
        if not whole.complete:
            return Looked(expected, tree)
        try:
            return Looked(expected, tree, Alignment(whole, tree).spared, whole if len(whole) <= KEPT_BESIDE else None)
        except NotAligned:  # a game that changes from one search to the next
            return Looked(expected, tree)


@dataclass(frozen=True)
class Foresee:
    """How large a search will be."""

    question: Question

    def __call__(self, listener: Listener) -> NodeEstimate:
        return foresee(self.question)


@dataclass(frozen=True)
class ExpectTime:
    """About how many seconds a comparison will take."""

    question: Question
    options: dict[str, Any]

    def __call__(self, listener: Listener) -> float:
        return expected_seconds(planned(self.question, **self.options))


@dataclass(frozen=True)
class TryClaim:
    """What real searches say of a claim."""

    name: str

    def __call__(self, listener: Listener) -> Trial:
        return try_claim(next(claim for claim in CLAIMS if claim.name == self.name))


@dataclass(frozen=True)
class Ask:
    """Anything that hears how many nodes it has searched, and stops if it is told so: a search, a move, hints."""

    ask: Callable[..., Any]
    arguments: tuple[Any, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)

    def __call__(self, listener: Listener) -> Any:
        answer = self.ask(*self.arguments, on_progress=listener.progress, **self.options)
        return list(answer) if isinstance(answer, Iterator) else answer


@dataclass(frozen=True)
class Make:
    """Anything that takes its time and has nothing to tell on the way: a file."""

    make: Callable[..., Any]
    arguments: tuple[Any, ...] = ()

    def __call__(self, listener: Listener) -> Any:
        return self.make(*self.arguments)


@dataclass(frozen=True)
class Write:
    """A tree's file, and how many bytes of it there are: nothing, if nobody waits for it any more."""

    tree: SearchTree
    extension: str
    view: View
    boards: bool = False

    def __call__(self, listener: Listener) -> bytes:
        pieces, size, told = [], 0, 0.0
        for piece in pieces_of(self.tree, self.extension, self.view, self.boards):
            pieces.append(piece)
            size += len(piece)
            if (now := time.monotonic()) - told > WRITTEN_ON:
                told = now
                if not listener.progress(size):
                    return b""
        return b"".join(pieces)


@dataclass(frozen=True)
class Solve:
    """What is true of a position: one solution, or none if a second is too short for it."""

    question: Question

    def __call__(self, listener: Listener) -> list[Solution]:
        game = self.question.game
        found = Truth(game).of(read_position(game, self.question.position, self.question.first))
        return [] if found is None else [found]


@dataclass(frozen=True)
class Review:
    """The moves of a game that can be judged within some seconds, from its end. Stopped early, it answers with those it has."""

    match: Match
    seconds: float

    def __call__(self, listener: Listener) -> list[TruthAfter]:
        line: list[TruthAfter] = []
        for after in true_line(self.match, self.seconds, lambda nodes: listener.progress(len(line)), together=True):
            line.append(after)
        return line


@dataclass(frozen=True)
class SolveByRungs:
    """What each rung of solving takes for a position, up to so many nodes."""

    question: Question
    max_nodes: int

    def __call__(self, listener: Listener) -> list[Climbed]:
        asked = self.question
        return list(climb(asked.game, asked.position, first=asked.first, limit_nodes=self.max_nodes))


@dataclass(frozen=True)
class Compare:
    """A comparison; each row is news."""

    question: Question
    options: dict[str, Any]

    def __call__(self, listener: Listener) -> Comparison:
        with thrown_away() as write:
            return compare(self.question, **self.options, write=write, on_row=listener.news, on_progress=listener.progress)


@dataclass(frozen=True)
class Agree:
    """How often evaluations at depths agree with the truth; each is news, that of a random move the first."""

    sample: PositionSample
    wanted: tuple[tuple[str, int], ...]

    def __call__(self, listener: Listener) -> bool:
        """Whether all of it was measured."""

        def told(*how_far: Any) -> None:
            if not listener.progress(how_far):
                raise _Unwanted

        try:
            for row in missing_agreements(self.sample, list(self.wanted), (), told):
                listener.news(row)
        except _Unwanted:
            return False
        return True


class _Unwanted(Exception):
    """Nobody waits any longer."""


@dataclass(frozen=True)
class LayOver:
    """The trees of two searches, laid over each other; None if they are not of one game, and refused if there is no memory for
    both. Of minimax and alpha-beta, in the same order of moves, it is known what each cutoff saved; of all others which paths
    they have in common."""

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
            return Alignment(left, right) if is_part(self.left, self.right) else Overlay(left, right)
        except NotAligned:
            return None


def is_part(left: Question, right: Question) -> bool:
    """Whether the right search visits the nodes of the left one in its order, and leaves out only what cutoffs skip."""
    return (left.algorithm, right.algorithm) == (FULL, PRUNED) and right.ordered and not right.options["quiescence"]


@dataclass(frozen=True)
class PlayGames:
    """Games of a tournament; each that is played is news. After a while the others have their turn."""

    fixtures: tuple[Fixture, ...]

    def __call__(self, listener: Listener) -> Unfinished | None:
        until = time.monotonic() + PART_SECONDS
        for number, fixture in enumerate(self.fixtures):
            if number and time.monotonic() > until:
                return Unfinished(PlayGames(self.fixtures[number:]))
            played = play_on(fixture, listener.progress)
            if played is None or not listener.progress(None):
                return None
            listener.news(played)
        return None


class NobodyListens:
    """What work talks to that nobody waits for."""

    def progress(self, how_far: Any) -> bool:
        return True

    def news(self, item: Any) -> None:
        return


def warm_up() -> None:
    """Load everything compiled that work needs, so that the first answer is as quick as any; nothing is compiled for it."""
    usual = Question(preset("k-tables"), "3", depth=3)
    looked = LookAt(usual, 1000)(NobodyListens())
    if looked.tree is not None and looked.tree.compiled:
        with rehearsing():
            Compare(usual, {"depths": "2", "repeat": 1})(NobodyListens())
