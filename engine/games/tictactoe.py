"""Tic-tac-toe. A state is two sets of squares as bits; MAX starts; a win is worth 1, a loss -1, a draw 0.

    0 1 2
    3 4 5     the bits are the squares
    6 7 8

X is MAX, O is MIN.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.core.errors import IllegalMove
from engine.games.boards import MARKS, Board, format_board
from engine.games.capabilities import WHOLE, Phrases
from engine.games.evaluation_parts import EvaluationPart
from engine.games.game_types import GameType
from engine.games.positions import is_max_first, play_moves, read_moves

LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
FULL_BOARD = 0o777


class State(NamedTuple):
    max_marks: int
    min_marks: int
    max_to_move: bool


@dataclass(frozen=True)
class TicTacToe:
    name: str = "tictactoe"
    default_depth: int = 4

    # no fields: the same for every game
    text = "tictactoe"
    single_digits = steady_names = checks_positions = True
    number_kind = WHOLE
    result_range = (-1, 1)  # no value_range: its outcomes are wins, draws and losses
    most_moves = 9
    winning_length = 3
    title = "Tic-tac-toe"
    words = Phrases("square {name}", "by playing square {name}", "square {names} is", "squares {names} are")

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
        return state.max_marks | state.min_marks == FULL_BOARD or self.evaluate(state) != 0

    def maximizing(self, state: State) -> bool:
        return state.max_to_move

    def evaluate(self, state: State) -> int:
        return 1 if _has_line(state.max_marks) else -1 if _has_line(state.min_marks) else 0

    def state(self, moves: str | Iterable[int] | State = "", first: str = "max") -> State:
        if isinstance(moves, State):
            if moves.max_marks & moves.min_marks or not 0 <= moves.max_marks | moves.min_marks <= FULL_BOARD:
                raise IllegalMove(f"{moves} is not a position: the marks of each side are bits 0 to 8, and no bit is set in both")
            return moves
        return play_moves(self, State(0, 0, is_max_first(first)), read_moves(moves, self.single_digits), moves)

    def why_illegal(self, move: int) -> str:
        return f"square {move} is taken" if move in range(9) else f"there is no square {move}"

    def state_parts(self, state: State) -> list[Any]:
        return list(state)

    def state_of(self, parts: list[Any]) -> State:
        of_max, of_min, max_to_move = parts
        return self.state(State(int(of_max), int(of_min), bool(max_to_move)))

    def show(self, state: State) -> str:
        return format_board(self.board(state))

    def move_name(self, move: int) -> str:
        return str(move)

    # ---- the board as data, and the parts of a value

    def board(self, state: State) -> Board:
        cells = tuple(1 if state.max_marks >> s & 1 else 2 if state.min_marks >> s & 1 else 0 for s in range(9))
        return Board(cells, 3, 3, MARKS, cell_labels=tuple("012345678"))

    def cell_of(self, move: int) -> int:
        return move

    def clicks(self, state: State) -> dict[int, tuple[int]]:
        return {square: (square,) for square in range(9)}

    def evaluation_parts(self, state: State) -> Iterator[EvaluationPart]:
        for side, sign, marks in (("MAX", 1, state.max_marks), ("MIN", -1, state.min_marks)):
            for line in LINES:
                if marks & line == line:
                    yield EvaluationPart(f"{side} has three in a row", sign, tuple(s for s in range(9) if line >> s & 1))
                    return  # a win is worth 1, also with two lines

    # ---- the end

    def winning_line(self, state: State) -> list[int]:
        full = [line for line in LINES if line in (state.max_marks & line, state.min_marks & line)]
        return [square for square in range(9) if any(line >> square & 1 for line in full)]

    # ---- for searches

    def noisy_moves(self, state: State) -> list[int]:
        """Return the moves that make a line, or take a square where the other side would make one."""
        return [square for square in self.moves(state) if any(_has_line(marks | 1 << square) for marks in state[:2])]

    def wins_only(self) -> "TicTacToe":
        return self


def _has_line(marks: int) -> bool:
    return any(marks & line == line for line in LINES)


def tictactoe() -> TicTacToe:
    """Return the game of noughts and crosses.

    >>> game = tictactoe()
    >>> print(game.show(game.state("402")))
    O . X
    . X .
    . . .
    """
    return TicTacToe()


GAME_TYPES = (GameType("tictactoe", TicTacToe.title, "noughts and crosses", tictactoe),)
