"""Chomp: a game that the project does not have, as one module that declares all there is to know of it.

A bar of chocolate, the upper left piece is poisoned. A move bites off a piece and all below and to the right of it; who takes the
last piece loses (rule `poison`) or wins (`sweet`). A state is how many pieces are left in each row, and whose turn it is; a move
is the number of a piece, row by row from the top.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.core.errors import BadBoard, UnknownName
from engine.games.boards import EMPTY, NO_SIDE, Board, Piece
from engine.games.capabilities import Phrases
from engine.games.evaluation_parts import EvaluationPart
from engine.games.game_types import ChoiceField, GameType, NumberField
from engine.games.positions import is_max_first, play_moves, read_moves

RULES = {"poison": "who takes the last piece loses", "sweet": "who takes the last piece wins"}
PIECES = (EMPTY, Piece("#", NO_SIDE, "letter"))


class State(NamedTuple):
    left: tuple[int, ...]
    max_to_move: bool


@dataclass(frozen=True)
class Chomp:
    rows: int = 3
    cols: int = 4
    rule: str = "poison"

    default_depth = 3
    single_digits = False
    steady_names = True
    number_kind = "whole"
    how_to_type = "Click on a piece, or type the moves from the start: 6, 1"
    words = Phrases("biting {name}", "by biting {name}", "biting {names} is", "the bites {names} are")

    # ---- the rules

    def start(self) -> State:
        return State((self.cols,) * self.rows, True)

    def moves(self, state: State) -> list[int]:
        return [row * self.cols + column for row, left in enumerate(state.left) for column in range(left)]

    def play(self, state: State, move: int) -> State:
        row, column = divmod(move, self.cols)
        left = tuple(min(size, column) if place >= row else size for place, size in enumerate(state.left))
        return State(left, not state.max_to_move)

    def is_over(self, state: State) -> bool:
        return not any(state.left)

    def maximizing(self, state: State) -> bool:
        return state.max_to_move

    def evaluate(self, state: State) -> int:
        if any(state.left):
            return 0
        return 1 if state.max_to_move == (self.rule == "poison") else -1

    # ---- texts

    @property
    def text(self) -> str:
        return f"chomp:rows={self.rows},cols={self.cols},rule={self.rule}"

    @property
    def name(self) -> str:
        return self.text

    @property
    def title(self) -> str:
        return f"Chomp, {self.rows} × {self.cols}"

    @property
    def square_size(self) -> int | None:
        return self.rows if self.rows == self.cols else None

    def state(self, moves: str = "", first: str = "max") -> State:
        begun = self.start()._replace(max_to_move=is_max_first(first))
        return play_moves(self, begun, read_moves(moves, self.single_digits), moves)

    def state_parts(self, state: State) -> list[Any]:
        return [list(state.left), state.max_to_move]

    def state_of(self, parts: list[Any]) -> State:
        left, max_to_move = parts
        return State(tuple(int(size) for size in left), bool(max_to_move))

    def move_name(self, move: int) -> str:
        row, column = divmod(move, self.cols)
        return f"{'abcdef'[column]}{row + 1}"

    def why_illegal(self, move: int) -> str:
        return f"piece {self.move_name(move)} is eaten" if move in range(self.rows * self.cols) else f"there is no piece {move}"

    def wins_only(self) -> "Chomp":
        return self  # a win is worth 1 as it is

    # ---- the board, and what a value is made of

    def board(self, state: State) -> Board:
        cells = tuple(int(column < left) for left in state.left for column in range(self.cols))
        return Board(cells, self.rows, self.cols, PIECES, labels=tuple("abcdef"[: self.cols]))

    def cell_of(self, move: int) -> int:
        return move

    def evaluation_parts(self, state: State) -> list[EvaluationPart]:
        return [EvaluationPart("the last piece is eaten", self.evaluate(state))] if self.is_over(state) else []


def chomp(rows: int = 3, cols: int = 4, rule: str = "poison") -> Chomp:
    """Chomp on a bar of this size."""
    if not (1 <= rows <= 6 and 1 <= cols <= 6):
        raise BadBoard(f"a bar of {rows} x {cols} pieces: 1 to 6 of each are possible")
    if rule not in RULES:
        raise UnknownName("rule", rule, RULES)
    return Chomp(rows, cols, rule)


GAME_TYPES = (
    GameType(
        "chomp",
        "Chomp",
        "bite off a piece of chocolate and all below and to the right of it",
        chomp,
        fields=(
            NumberField("rows", "Rows of chocolate", 1, 6),
            NumberField("cols", "Columns of chocolate", 1, 6),
            ChoiceField("rule", "Last piece", tuple(RULES), "poison", lines=RULES, list_title="Rules of Chomp (rule=)"),
        ),
        form=(("rows", "cols"), ("rule",)),
        plural="bars of chocolate",
        square=("rows", "cols"),
        sizes="",
    ),
)
