"""What a search needs of a game: six methods, nothing to inherit. What else a game may declare: capabilities.py."""

import math
from collections.abc import Iterator, Sequence
from decimal import Decimal
from numbers import Rational
from typing import Any, Protocol

import numpy as np

from engine.core.errors import BadEvaluation, BadGame, shortened

METHODS = ("start", "moves", "play", "is_over", "maximizing", "evaluate")
MOST_CODE = 2**31 - 1
UNCHANGED = (
    "play() must leave the state it is given as it is (copy the board inside it), and moves() must always give the same list"
)


class Game(Protocol):
    def start(self) -> Any: ...
    def moves(self, state: Any) -> Sequence[Any]: ...  # legal moves, in child order
    def play(self, state: Any, move: Any) -> Any: ...  # the state after the move
    def is_over(self, state: Any) -> bool: ...
    def maximizing(self, state: Any) -> bool: ...  # MAX is to move
    def evaluate(self, state: Any) -> float: ...  # static value, MAX's side


def check_game(game: Any) -> None:
    """Refuse an object that lacks one of the six methods."""
    if isinstance(game, type):
        raise BadGame(f"{game.__name__} is a class: give the search a game, {game.__name__}()")
    missing = [name for name in METHODS if not callable(getattr(game, name, None))]
    if missing:
        raise BadGame(
            f"{type(game).__name__} is no game: it lacks {', '.join(m + '()' for m in missing)}; "
            f"a game has {', '.join(m + '()' for m in METHODS)}"
        )


def move_codes(moves: Sequence[Any]) -> Sequence[int]:
    """What is recorded of each move: the move itself, or its index where one of them is no small whole number or comes twice."""
    small = all(
        isinstance(move, (int, np.integer)) and not isinstance(move, bool) and -MOST_CODE < int(move) < MOST_CODE
        for move in moves
    )
    return moves if small and len(set(moves)) == len(moves) else range(len(moves))


def move_of(game: Game, state: Any, code: int) -> Any:
    """The move that was recorded as `code` in `state`. Who asks for many moves of one state asks its `Replies`."""
    return Replies(game, state).moves[code]


class Replies:
    """The moves of a state by what is recorded of them, in order: a game may have thousands, and is asked for them once."""

    def __init__(self, game: Game, state: Any):
        self.game, self.state = game, state
        moves = legal_moves(game, state)
        self._name = getattr(game, "move_name", str)
        self.moves: dict[int, Any] = dict(zip(move_codes(moves), moves, strict=True))

    def name(self, code: int) -> str:
        """What people call the move recorded as `code`."""
        if code not in self.moves:
            raise BadGame(f"move {code} was there and is not any more: {UNCHANGED}")
        return str(self._name(self.moves[code]))


def legal_moves(game: Game, state: Any) -> Sequence[Any]:
    """The moves of a state that is not over; there must be some."""
    moves = game.moves(state)
    if isinstance(moves, (set, frozenset)):
        raise BadGame(
            f"moves() gave a set in state {shortened(state)}: its order changes from run to run, and the order of the moves "
            "decides what is searched; give a list, say sorted(...)"
        )
    if not isinstance(moves, (list, tuple, range)):
        try:
            moves = list(moves)
        except TypeError:
            raise BadGame(f"moves() gave {shortened(moves)} in state {shortened(state)}: a list of moves is needed") from None
    if not moves:
        raise BadGame(f"moves() is empty although is_over() is false in state {shortened(state)}: let is_over() be true there")
    return moves


def tried_in_turn(
    game: Game, state: Any, moves: Sequence[Any], node: int, order: Sequence[tuple[int, Any]] | None = None
) -> Iterator[tuple[int, int, Any]]:
    """Each move with its number, from 1, and what is recorded of it; `order` has the same moves in the order to try them. When
    the first has come back, the state must be as it was: that is looked at in the root and in rows ever further apart."""
    for tried, (code, move) in enumerate(zip(move_codes(moves), moves, strict=True) if order is None else order, start=1):
        yield tried, code, move
        if tried == 1 and node & (node - 1) == 0:
            _check_unchanged(game, state, moves)


def _check_unchanged(game: Game, state: Any, moves: Sequence[Any]) -> None:
    again = list(game.moves(state))
    if not _same_moves(moves, again):
        raise BadGame(
            f"one state had the moves {shortened(moves)} and, after the first had been tried, {shortened(again)}: {UNCHANGED}"
        )


def _same_moves(moves: Sequence[Any], again: Sequence[Any]) -> bool:
    """Whether two lists of moves are the same, as far as moves of this kind can be compared."""
    if len(moves) != len(again):
        return False
    if any(type(move).__eq__ is object.__eq__ or isinstance(move, np.ndarray) for move in moves):
        return True
    return all(bool(move == other) for move, other in zip(moves, again, strict=True))


def max_to_move(game: Game, state: Any) -> bool:
    """Whether MAX is to move; 1 and -1, or words, would all count as true."""
    answer = game.maximizing(state)
    if answer is True or answer is False:
        return answer
    if isinstance(answer, (int, np.bool_)) and answer in (0, 1):
        return bool(answer)
    raise BadGame(f"maximizing() gave {shortened(answer)} in state {shortened(state)}: True (MAX is to move) or False is needed")


def after_move(game: Game, state: Any, move: Any) -> Any:
    """The state after a move, which must not be the old one, changed."""
    after = game.play(state, move)
    if after is state and type(state).__hash__ is None:
        raise BadGame(f"play() gave back the state it was given, {shortened(state)}: make a new one, the old is still needed")
    return after


def static_value(game: Game, state: Any, record: Any = None) -> float:
    """The evaluation of a leaf, which must be a finite number; a float, as all values are. A record learns if that rounds it."""
    value = game.evaluate(state)
    try:
        number = math.nan if isinstance(value, str) else float(value)
    except OverflowError:
        number = math.inf
    except (TypeError, ValueError):
        number = math.nan
    if math.isnan(number):
        raise BadEvaluation(f"evaluate() gave {shortened(value)} in state {shortened(state)}: a number is needed")
    if math.isinf(number):
        raise BadEvaluation(
            f"evaluate() gave {shortened(value)} in state {shortened(state)}: infinity is the search's own, "
            "use a large finite number such as 1e6"
        )
    if record is not None and isinstance(value, (Rational, Decimal)) and number != value:
        record.rounded = True
    return number


def name_of_move(game: Any, state: Any, code: int) -> str:
    """What people call the move recorded as `code` in `state`."""
    return Replies(game, state).name(code)
