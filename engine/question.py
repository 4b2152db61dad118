"""The question of a search, as one value that links, files, jobs, caches, comparisons and matches share.

The limits of a run (nodes, memory, progress callback, compiled or not) are not part of the question.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.algorithms import find_algorithm
from engine.algorithms.spec import MAX_DEPTH, Option
from engine.core.errors import BadDepth, PlyscopeError
from engine.core.parsing import is_whole
from engine.games.capabilities import position_text
from engine.games.protocol import check_game

DEFAULT_ALGORITHM = "alphabeta"


@dataclass(frozen=True, init=False)
class Question:
    """A position of a game, the depth, the algorithm and its options.

    >>> from engine import preset, search
    >>> question = Question(preset("k-tables"), "3", depth=3, cut_on_equal=False)
    >>> question.options
    {'cut_on_equal': False, 'as_published': False, 'order': 'game', 'quiescence': 0}
    >>> search(question).expanded == search(preset("k-tables"), "3", depth=3, cut_on_equal=False).expanded
    True
    """

    game: Any
    position: Any  # moves as text, or a state; None: the start
    first: str | None  # the side that made the first of the moves; None: the game's default
    depth: int | None  # K; None: to the end of the game
    algorithm: str
    settings: tuple[tuple[str, Any], ...]  # every option of the algorithm with its value

    def __init__(
        self,
        game: Any,
        position: Any = None,
        depth: int | None = None,
        algorithm: str = DEFAULT_ALGORITHM,
        *,
        first: str | None = None,
        **options: Any,
    ):
        check_game(game)
        declared = find_algorithm(algorithm)
        if depth is not None and declared.iterate is not None:
            raise BadDepth(f"{declared.title} has no depth limit: choose the number of iterations instead (iterations=1000)")
        if depth is not None and (not is_whole(depth) or not 0 <= depth <= MAX_DEPTH):
            raise BadDepth(f"depth {depth!r} is not possible: choose 0-{MAX_DEPTH} plies, or none to search to the end")
        if position is not None and not isinstance(position, str):
            text = position_text(game, position)
            position = position if text is None else text
        settings = tuple(declared.settings(options).items())
        facts = (game, position, first, None if depth is None else int(depth), algorithm, settings)
        for name, value in zip(self.__dataclass_fields__, facts, strict=True):
            object.__setattr__(self, name, value)

    def __hash__(self) -> int:
        """Return a hash without those of game and state, which may not have one."""
        return hash((type(self.game), self.position_text, self.first, self.depth, self.algorithm, self.settings))

    @property
    def options(self) -> dict[str, Any]:
        """Return the options of the algorithm, each with its value."""
        return dict(self.settings)

    @property
    def chosen(self) -> list[tuple[Option, Any]]:
        """Return the options that do not have their defaults, with their values."""
        declared = ((find_algorithm(self.algorithm).option(name), value) for name, value in self.settings)
        return [(option, value) for option, value in declared if value != option.default]

    @property
    def extras(self) -> list[str]:
        """Return the descriptions of the options that do not have their defaults."""
        return [option.words(value) for option, value in self.chosen]

    @property
    def ordered(self) -> bool:
        """Return True if the moves are tried in the order of the game, so that the first of equal moves is best."""
        return find_algorithm(self.algorithm).ordered and not any(option.name == "order" for option, _ in self.chosen)

    @property
    def position_text(self) -> str | None:
        """Return the position as text; None for a state, which has no short text."""
        if self.position is None:
            return ""
        return self.position if isinstance(self.position, str) else None

    def replace(self, **changes: Any) -> Question:
        """Return the same question with these parts and options changed. Another algorithm keeps the chosen options that it
        has.
        """
        given = set(changes)
        parts = {name: changes.pop(name, getattr(self, name)) for name in ("game", "position", "first", "depth", "algorithm")}
        algorithm = find_algorithm(parts["algorithm"])
        known = {option.name for option in algorithm.options}
        if algorithm.iterate is not None and "depth" not in given:
            parts["depth"] = None
        kept = {option.name: value for option, value in self.chosen if option.name in known}
        return Question(**parts, **{**kept, **changes})


def make_question(game: Any, position: Any, depth: int | None, algorithm: str, **others: Any) -> Question:
    """Return the question that the arguments of `search` ask. If `game` is a question already, no other argument is allowed."""
    if not isinstance(game, Question):
        return Question(game, position, depth, algorithm, **others)
    parts = {"position": position, "depth": depth, "algorithm": algorithm if algorithm != DEFAULT_ALGORITHM else None, **others}
    if given := [name for name, value in parts.items() if value is not None]:
        raise PlyscopeError(f"the question already contains {', '.join(given)}: use question.replace({given[0]}=...)")
    return game


class CheckedSearch(NamedTuple):
    """A checked question, with the facts that follow from it."""

    question: Question
    root: Any  # the state of the position
    quirk: str  # of the original program, restored by as_published; empty without it
    compiled: bool  # True: the kernel runs it
