"""The game protocol: the six methods that a search needs. There is nothing to inherit.

capabilities.py lists what else a game may declare.
"""

import math
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import partial
from numbers import Rational
from typing import Any, Protocol

import numpy as np

from engine.core.errors import BadEvaluation, BadGame, short_repr
from engine.games.chance_outcomes import chance_outcomes, outcome_name

REQUIRED_METHODS = ("start", "moves", "play", "is_over", "maximizing", "evaluate")
MAX_MOVE_CODE = 2**31 - 1
PURITY_HINT = (
    "play() must not change the state it gets (copy the board), and moves() must always return the same list for a state"
)


class Game(Protocol):
    """The six methods of a game."""

    def start(self) -> Any: ...
    def moves(self, state: Any) -> Sequence[Any]: ...  # legal moves, in child order
    def play(self, state: Any, move: Any) -> Any: ...  # the state after the move
    def is_over(self, state: Any) -> bool: ...
    def maximizing(self, state: Any) -> bool: ...  # MAX is to move
    def evaluate(self, state: Any) -> float: ...  # static value, MAX's side


def check_game(game: Any) -> None:
    """Raise BadGame unless an object has all six methods."""
    if isinstance(game, type):
        raise BadGame(f"`{game.__name__}` is a class: pass an instance, `{game.__name__}()`")
    missing = [name for name in REQUIRED_METHODS if not callable(getattr(game, name, None))]
    if missing:
        *others, last = [f"`{name}()`" for name in missing]
        listed = f"{', '.join(others)} or {last}" if others else last
        raise BadGame(f"`{type(game).__name__}` is not a game: it has no {listed} method")


def move_codes(moves: Sequence[Any]) -> Sequence[int]:
    """Return the code that is recorded for each move.

    It is the move itself, or its index if one of the moves is not a small whole number or occurs twice.
    """
    small = all(
        isinstance(move, (int, np.integer)) and not isinstance(move, bool) and -MAX_MOVE_CODE < int(move) < MAX_MOVE_CODE
        for move in moves
    )
    return moves if small and len(set(moves)) == len(moves) else range(len(moves))


def move_from_code(game: Game, state: Any, code: int) -> Any:
    """Return the move that was recorded as `code` in `state`. For many moves of one state use `MovesByCode`."""
    return MovesByCode(game, state).moves[code]


class MovesByCode:
    """The moves of a state, or the outcomes of chance, by their recorded codes, in order.

    They are computed once: a game may have thousands.
    """

    def __init__(self, game: Game, state: Any):
        self.game, self.state = game, state
        outcomes = chance_outcomes(game, state)
        moves = [outcome.move for outcome in outcomes] if outcomes else legal_moves(game, state)
        self.probabilities = [outcome.probability for outcome in outcomes]  # empty if a side is to move
        self._name = partial(outcome_name, game) if outcomes else getattr(game, "move_name", str)
        self.moves: dict[int, Any] = dict(zip(move_codes(moves), moves, strict=True))

    def name(self, code: int) -> str:
        """Return the name of the move recorded as `code`."""
        if code not in self.moves:
            raise BadGame(f"move {code} is no longer legal: {PURITY_HINT}")
        return str(self._name(self.moves[code]))

    @property
    def probability(self) -> dict[int, float]:
        """Return the probability of each outcome by its code; empty if a side is to move."""
        return dict(zip(self.moves, self.probabilities, strict=False))


def legal_moves(game: Game, state: Any) -> Sequence[Any]:
    """Return the moves of a state that is not over. Raise BadGame if there are none."""
    moves = game.moves(state)
    if isinstance(moves, (set, frozenset)):
        raise BadGame(
            f"moves() returned a set in state {short_repr(state)}: the order of moves decides what is searched, and a set has no "
            "fixed order; return a list such as sorted(...)"
        )
    if not isinstance(moves, (list, tuple, range)):
        try:
            moves = list(moves)
        except TypeError:
            raise BadGame(f"moves() returned {short_repr(moves)} in state {short_repr(state)}: return a list of moves") from None
    if not moves:
        raise BadGame(f"moves() is empty although is_over() is false in state {short_repr(state)}: let is_over() return True")
    return moves


def iterate_moves(
    game: Game, state: Any, moves: Sequence[Any], node: int, order: Sequence[tuple[int, Any]] | None = None
) -> Iterator[tuple[int, int, Any]]:
    """Yield each move as (number from 1, recorded code, move). `order` has the same moves in the order to try them.

    After the first move was tried, the state must be unchanged. This is checked at the root and then at
    ever fewer rows.
    """
    for tried, (code, move) in enumerate(zip(move_codes(moves), moves, strict=True) if order is None else order, start=1):
        yield tried, code, move
        if tried == 1 and node & (node - 1) == 0:
            _check_moves_unchanged(game, state, moves)


def _check_moves_unchanged(game: Game, state: Any, moves: Sequence[Any]) -> None:
    again = list(game.moves(state))
    if not _is_same_move_list(moves, again):
        raise BadGame(
            f"moves() returned {short_repr(moves)}, but {short_repr(again)} after the first of them was tried: {PURITY_HINT}"
        )


def _is_same_move_list(moves: Sequence[Any], again: Sequence[Any]) -> bool:
    """Return True if two lists of moves are equal, or if their moves cannot be compared."""
    if len(moves) != len(again):
        return False
    if any(type(move).__eq__ is object.__eq__ or isinstance(move, np.ndarray) for move in moves):
        return True
    return all(bool(move == other) for move, other in zip(moves, again, strict=True))


def is_max_to_move(game: Game, state: Any) -> bool:
    """Return True if MAX is to move. Only True, False, 1 and 0 are accepted: -1 would count as true."""
    answer = game.maximizing(state)
    if answer is True or answer is False:
        return answer
    if isinstance(answer, (int, np.bool_)) and answer in (0, 1):
        return bool(answer)
    raise BadGame(f"maximizing() returned {short_repr(answer)} in state {short_repr(state)}: return True (MAX to move) or False")


def play_move(game: Game, state: Any, move: Any) -> Any:
    """Return the state after a move. Raise BadGame if play() returned the same mutable state."""
    after = game.play(state, move)
    if after is state and type(state).__hash__ is None:
        raise BadGame(
            f"play() returned the state it got, {short_repr(state)}: return a new one, since the search still needs the old one"
        )
    return after


def static_value(game: Game, state: Any, record: Any = None) -> float:
    """Return the evaluation of a leaf as a float. Raise BadEvaluation unless it is a finite number.

    Set `record.rounded` if the float is not exact.
    """
    value = game.evaluate(state)
    try:
        number = math.nan if isinstance(value, str) else float(value)
    except OverflowError:
        number = math.inf
    except (TypeError, ValueError):
        number = math.nan
    if math.isnan(number):
        raise BadEvaluation(f"evaluate() returned {short_repr(value)} in state {short_repr(state)}: return a number")
    if math.isinf(number):
        raise BadEvaluation(
            f"evaluate() returned {short_repr(value)} in state {short_repr(state)}: the search itself uses infinity; "
            "return a large finite number such as 1e6"
        )
    if record is not None and isinstance(value, (Rational, Decimal)) and number != value:
        record.rounded = True
    return number


def move_name_from_code(game: Any, state: Any, code: int) -> str:
    """Return the name of the move recorded as `code` in `state`."""
    return MovesByCode(game, state).name(code)
