"""The result of a comparison: a row for each depth and algorithm, a level for each depth."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from engine.algorithms.spec import Option
from engine.algorithms.variants import read_variant
from engine.analysis.alignment import Saving
from engine.analysis.minimal_tree import TreeSize
from engine.analysis.published_figures import PublishedSearch
from engine.analysis.statistics import NodeTypes
from engine.core.notebook import NotebookDisplay
from engine.core.stop_reason import StopReason
from engine.games.capabilities import declared_name
from engine.question import Question
from engine.tree.tree import SearchTree


class ComparisonProgress(NamedTuple):
    """The progress of a comparison."""

    depth: int | None
    algorithm: str
    run: int  # searches done
    runs: int  # the total, if every depth is run
    nodes: int  # of the search that is running


class Seconds(NamedTuple):
    """A time that was measured repeatedly."""

    median: float
    minimum: float
    maximum: float


class Row(NamedTuple):
    """One algorithm at one depth. Without a result (`note` says why) the counts (see tree/counting.py) are None."""

    depth: int | None  # K; None: to the end
    algorithm: str  # may have its own options: see algorithms/variants.py
    note: str = ""
    about: int | None = None  # estimated nodes of a search that was not run
    expanded: int | None = None
    leaves: int | None = None
    terminals: int | None = None
    cutoffs: int | None = None
    skipped: int | None = None
    distinct: int | None = None
    evaluations: int | None = None
    table_hits: int | None = None
    researches: int | None = None
    passes: int | None = None
    value: float | None = None
    best_move: int | None = None
    best_move_name: str = ""
    alone: Seconds | None = None  # the search without recording
    recorded: Seconds | None = None  # the search with every node recorded
    written: Seconds | None = None  # with recording, and the tree written as text
    effective_branching: float | None = None
    cutoffs_by_rank: tuple[int, ...] = ()  # alpha-beta: caused by the first move tried, the second, ...
    node_types: NodeTypes | None = None  # alpha-beta
    published: PublishedSearch | None = None
    extra: tuple[tuple[str, int | None], ...] = ()  # further counts, where they add information
    rounded: bool = False  # whether a value of the game did not fit a float


class Level(NamedTuple):
    """One depth: facts about all algorithms together. Those that need the tree of minimax are None without it."""

    depth: int | None
    agree: bool  # all values are the same, and the best moves of all that try moves in the game's order
    saved: int | None = None  # nodes that alpha-beta did not visit
    best_first: TreeSize | None = None  # alpha-beta with the best child first everywhere
    knuth_moore: TreeSize | None = None  # the formula; None if the tree is not uniform
    minimal: TreeSize | None = None  # the smallest proof of the value
    note: str = ""  # the reason if the two trees do not belong to one game
    savings: tuple[Saving, ...] = ()  # the largest savings of cutoffs; they refer to the tree of alpha-beta


@dataclass(repr=False)
class Comparison(NotebookDisplay):
    """A comparison: its questions, and its results so far."""

    questions: dict[tuple[int | None, str], Question]  # by depth and algorithm
    root: Any  # the state of the position
    repeat: int
    max_nodes: int
    readable: tuple[str, ...]  # algorithms without a compiled version for this game; if there is one, all run readable
    writes: bool = False  # True if writing the trees is timed, too
    rows: list[Row] = field(default_factory=list)
    levels: list[Level] = field(default_factory=list)
    trees: dict[tuple[int | None, str], SearchTree] = field(default_factory=dict)  # the trees that are small enough to keep
    stopped: StopReason = StopReason.NOT_STOPPED

    display_name = "comparison"

    def __repr__(self) -> str:
        depths = ", ".join("end" if depth is None else str(depth) for depth in self.depths)
        rows = f"{len(self.rows)} of {len(self.questions)} searches done"
        return f"<Comparison of {', '.join(self.algorithms)} on {declared_name(self.game)}, K = {depths}: {rows}>"

    @property
    def question(self) -> Question:
        """Return the first question. All have the same game and position."""
        return next(iter(self.questions.values()))

    @property
    def game(self) -> Any:
        return self.question.game

    @property
    def position(self) -> str | None:
        """Return the position as text; None if it was given as a state."""
        return self.question.position_text

    @property
    def first(self) -> str | None:
        return self.question.first

    @property
    def depths(self) -> tuple[int | None, ...]:
        return tuple(dict.fromkeys(depth for depth, _ in self.questions))

    @property
    def algorithms(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(algorithm for _, algorithm in self.questions))

    @property
    def compiled(self) -> bool:
        """Return True if the kernel runs all searches. All or none, because times of compiled and readable searches cannot be
        compared.
        """
        return not self.readable

    @property
    def held_back(self) -> tuple[str, ...]:
        """Return the algorithms that could run compiled, but do not because of others."""
        return tuple(name for name in self.algorithms if name not in self.readable) if self.readable else ()

    @property
    def options(self) -> dict[str, Any]:
        """Return every option of the algorithms with its value, except those that belong to one variant only."""
        return {
            name: value
            for text, question in self._named_questions
            for name, value in question.settings
            if name not in _own_options(text)
        }

    @property
    def chosen(self) -> list[tuple[Option, Any]]:
        """Return those options that do not have their defaults, with their values, each once."""
        found = {
            option.name: (option, value)
            for text, question in self._named_questions
            for option, value in question.chosen
            if option.name not in _own_options(text)
        }
        return list(found.values())

    @property
    def _named_questions(self) -> list[tuple[str, Question]]:
        return [(text, question) for (_, text), question in self.questions.items()]

    @property
    def complete(self) -> bool:
        return not self.stopped

    @property
    def disagreements(self) -> list[Level]:
        """Return the depths at which the algorithms disagree: none, unless a game changes from search to search."""
        return [level for level in self.levels if not level.agree]

    def row(self, depth: int | None, algorithm: str) -> Row | None:
        return next((row for row in self.rows if (row.depth, row.algorithm) == (depth, algorithm)), None)

    def level(self, depth: int | None) -> Level | None:
        return next((level for level in self.levels if level.depth == depth), None)


def _own_options(text: str) -> dict[str, Any]:
    """Return the options that belong to one variant only."""
    return read_variant(text).options
