"""Tic-tac-toe. A state is two sets of squares as bits; MAX starts; a win is worth 1, a loss -1, a draw 0.

    0 1 2
    3 4 5     the bits are the squares
    6 7 8

X is MAX, O is MIN.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from engine.errors import IllegalMove
from engine.games.declarations import Words
from engine.games.positions import first_is_max, play_all, read_moves

LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
FULL = 0o777


class State(NamedTuple):
    max_marks: int
    min_marks: int
    max_to_move: bool


@dataclass(frozen=True)
class TicTacToe:
    name: str = "tictactoe"
    default_depth: int = 4
    single_digits = True  # no field: every move is one digit
    steady_names = True
    words = Words("square {name}", "by playing square {name}", "square {names} is", "squares {names} are")

    def start(self) -> State:
        return State(0, 0, True)

    def moves(self, state: State) -> list[int]:
        taken = state.max_marks | state.min_marks
        return [] if self.is_over(state) else [square for square in range(9) if not taken >> square & 1]

    def play(self, state: State, move: int) -> State:
        if state.max_to_move:
            return State(state.max_marks | 1 << move, state.min_marks, False)
        return State(state.max_marks, state.min_marks | 1 << move, True)

    def is_over(self, state: State) -> bool:
        return state.max_marks | state.min_marks == FULL or self.evaluate(state) != 0

    def maximizing(self, state: State) -> bool:
        return state.max_to_move

    def evaluate(self, state: State) -> int:
        if any(state.max_marks & line == line for line in LINES):
            return 1
        return -1 if any(state.min_marks & line == line for line in LINES) else 0

    def state(self, moves: str | Iterable[int] | State = "", first: str = "max") -> State:
        if isinstance(moves, State):
            if moves.max_marks & moves.min_marks or not 0 <= moves.max_marks | moves.min_marks <= FULL:
                raise IllegalMove(f"{moves} is no position: both sides' marks are bits 0 to 8, none of them in both")
            return moves
        return play_all(self, State(0, 0, first_is_max(first)), read_moves(moves, self.single_digits), moves)

    def show(self, state: State) -> str:
        marks = ["X" if state.max_marks >> s & 1 else "O" if state.min_marks >> s & 1 else "." for s in range(9)]
        return "\n".join(" ".join(marks[row : row + 3]) for row in (0, 3, 6))

    def move_name(self, move: int) -> str:
        return str(move)


def tictactoe() -> TicTacToe:
    """The game of noughts and crosses.

    >>> game = tictactoe()
    >>> print(game.show(game.state("402")))
    O . X
    . X .
    . . .
    """
    return TicTacToe()
