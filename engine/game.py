"""What a search needs of a game: six methods, nothing to inherit.

Optional, and used where a game has them: `state(moves, first)` reads a position, `show(state)` draws it as text,
`move_name(move)` names a move, `check_depth(depth)` refuses a depth limit, `name` is shown to people, `default_depth` is
what the command line takes for K.
"""

import math
from collections.abc import Sequence
from typing import Any, Protocol

from engine.errors import BadEvaluation, BadGame

METHODS = ("start", "moves", "play", "is_over", "maximizing", "evaluate")
MOVE_CODES = range(-(2**31), 2**31)


class Game(Protocol):
    def start(self) -> Any: ...
    def moves(self, state: Any) -> Sequence[Any]: ...  # legal moves, in child order
    def play(self, state: Any, move: Any) -> Any: ...  # the state after the move
    def is_over(self, state: Any) -> bool: ...
    def maximizing(self, state: Any) -> bool: ...  # MAX is to move
    def evaluate(self, state: Any) -> float: ...  # static value, MAX's side


def check_game(game: Any) -> None:
    """Refuse an object that lacks one of the six methods."""
    missing = [name for name in METHODS if not callable(getattr(game, name, None))]
    if missing:
        raise BadGame(
            f"{type(game).__name__} is no game: it lacks {', '.join(m + '()' for m in missing)}; "
            f"a game has {', '.join(m + '()' for m in METHODS)}"
        )


def move_codes(moves: Sequence[Any]) -> Sequence[int]:
    """What is recorded of each move: the move itself, or its index where one of them is no small int."""
    if all(isinstance(move, int) and not isinstance(move, bool) and move in MOVE_CODES for move in moves):
        return moves
    return range(len(moves))


def move_of(game: Game, state: Any, code: int) -> Any:
    """The move that was recorded as `code` in `state`."""
    moves = legal_moves(game, state)
    return moves[list(move_codes(moves)).index(code)]


def legal_moves(game: Game, state: Any) -> Sequence[Any]:
    """The moves of a state that is not over; there must be some."""
    moves = game.moves(state)
    if not isinstance(moves, (list, tuple, range)):
        moves = list(moves)
    if not moves:
        raise BadGame(f"moves() is empty although is_over() is false in state {state!r}: let is_over() be true there")
    return moves


def static_value(game: Game, state: Any) -> float:
    """The evaluation of a leaf, which must be a finite number."""
    value = game.evaluate(state)
    try:
        finite = math.isfinite(value)
    except OverflowError:
        finite = False
    except TypeError:
        raise BadEvaluation(f"evaluate() gave {value!r} in state {state!r}: a number is needed") from None
    if not finite:
        raise BadEvaluation(
            f"evaluate() gave {value!r} in state {state!r}: infinity is the search's own, use a large finite number such as 1e6"
        )
    return value


def show_state(game: Any, state: Any) -> str:
    """The state as text, in the game's own way if it has one."""
    show = getattr(game, "show", None)
    return str(show(state)) if show else str(state)


def name_of_move(game: Any, state: Any, code: int) -> str:
    """What people call the move recorded as `code` in `state`."""
    move = move_of(game, state, code)
    name = getattr(game, "move_name", None)
    return str(name(move)) if name else str(move)
