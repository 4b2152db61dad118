"""Othello (Reversi) on 4 × 4, 6 × 6 or 8 × 8. A state is two sets of discs as bits, and the side to move. Black, MAX, starts.

    a b c d
    0 1 2 3   1
    4 5 6 7   2     bit and number of a cell = row * size + column; a move is the number of its cell,
    8 9 …     3     and `size * size` is a pass, the only move of a side that can flip nothing

A new disc flips the opposing discs in line between it and another disc of its side. The game is over when neither side can
flip anything. Then the side with more discs wins.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from engine.core.errors import BadBoard, IllegalMove
from engine.games.boards import Board, format_board
from engine.games.capabilities import WHOLE, Phrases
from engine.games.evaluation_parts import EvaluationPart
from engine.games.game_types import ChoiceField, GameType, read_whole_number
from engine.games.positions import is_max_first, play_moves, read_moves

SIZES = (4, 6, 8)
DEFAULT_SIZE = 8
PASS_NAME = "pass"  # noqa: S105 - not a password
COLUMN_LETTERS = "abcdefgh"
NAMED_MOVE = re.compile(rf"[{COLUMN_LETTERS}][1-8]|{PASS_NAME}|[0-9]+")
DIRECTIONS = tuple((down, across) for down in (-1, 0, 1) for across in (-1, 0, 1) if (down, across) != (0, 0))
CORNER_VALUE = 10
FINAL_DISC_VALUE = 100  # at the end of the game, so that a win outweighs every estimate


class State(NamedTuple):
    max_discs: int
    min_discs: int
    max_to_move: bool


@dataclass(frozen=True)
class Othello:
    size: int = DEFAULT_SIZE
    default_depth: int = 4

    # no fields: the same for every game
    single_digits = False
    steady_names = checks_positions = typed_names = True
    number_kind = WHOLE
    how_to_type = "Click on a cell, or type the moves from the start: d3,c5"
    words = Phrases("{name}", "by playing {name}", "{names} is", "{names} are")

    @property
    def name(self) -> str:
        return self.text

    @property
    def text(self) -> str:
        return "othello" if self.size == DEFAULT_SIZE else f"othello:size={self.size}"

    @property
    def title(self) -> str:
        return f"Othello {self.size} × {self.size}"

    @property
    def square_size(self) -> int:
        return self.size

    @property
    def pass_move(self) -> int:
        return self.size * self.size

    # ---- the rules

    def start(self) -> State:
        middle = self.size // 2
        dark = [(middle - 1, middle), (middle, middle - 1)]
        light = [(middle - 1, middle - 1), (middle, middle)]
        return State(self._cells(dark), self._cells(light), True)

    def moves(self, state: State) -> list[int]:
        if found := self._placements(state):
            return found
        return [] if self.is_over(state) else [self.pass_move]

    def play(self, state: State, move: int) -> State:
        if move == self.pass_move:
            return state._replace(max_to_move=not state.max_to_move)
        flipped = self._flipped(state, move)
        gained = flipped | 1 << move
        if state.max_to_move:
            return State(state.max_discs | gained, state.min_discs & ~flipped, False)
        return State(state.max_discs & ~flipped, state.min_discs | gained, True)

    def is_over(self, state: State) -> bool:
        return not self._placements(state) and not self._placements(state._replace(max_to_move=not state.max_to_move))

    def maximizing(self, state: State) -> bool:
        return state.max_to_move

    def evaluate(self, state: State) -> int:
        """Return the lead in discs at the end; before that, the lead in corners and in possible moves."""
        return int(sum(part.points for part in self.evaluation_parts(state)))

    def _placements(self, state: State) -> list[int]:
        taken = state.max_discs | state.min_discs
        return [cell for cell in range(self.pass_move) if not taken >> cell & 1 and self._flipped(state, cell)]

    def _flipped(self, state: State, cell: int) -> int:
        """Return the discs that a new disc in an empty cell flips, as bits."""
        own, other = (state.max_discs, state.min_discs) if state.max_to_move else (state.min_discs, state.max_discs)
        flipped = 0
        for line in self._rays[cell]:
            passed = 0
            for bit in line:
                if bit & other:
                    passed |= bit
                    continue
                if bit & own:
                    flipped |= passed
                break
        return flipped

    @cached_property
    def _rays(self) -> list[list[list[int]]]:
        """Return for each cell the lines that lead away from it, as bits of their cells, nearest first."""
        rays = []
        for cell in range(self.size * self.size):
            row, column = divmod(cell, self.size)
            lines = []
            for down, across in DIRECTIONS:
                line = [(row + step * down, column + step * across) for step in range(1, self.size)]
                lines.append([self._cells([place]) for place in line if all(0 <= part < self.size for part in place)])
            rays.append([line for line in lines if len(line) > 1])
        return rays

    def _cells(self, places: Iterable[tuple[int, int]]) -> int:
        return sum(1 << row * self.size + column for row, column in places)

    # ---- positions and words

    def state(self, moves: str | Iterable[int] | State = "", first: str = "max") -> State:
        if isinstance(moves, State):
            if moves.max_discs & moves.min_discs or not 0 <= moves.max_discs | moves.min_discs < 1 << self.pass_move:
                raise IllegalMove(f"{moves} is not a position: each cell of {self.title} has at most one disc")
            return moves
        start = self.start()._replace(max_to_move=is_max_first(first))
        if not is_max_first(first):
            start = State(start.min_discs, start.max_discs, False)
        return play_moves(self, start, self._read_moves(moves), moves)

    def _read_moves(self, moves: Any) -> list[int]:
        """Read moves by number or by name: "19,34", "d3,c5" or "d3c5"."""
        if not isinstance(moves, str):
            return read_moves(moves, self.single_digits)
        pieces = [piece for piece in re.split(r"[\s,]+", moves.strip().lower()) if piece]
        found = [match[0] for piece in pieces for match in NAMED_MOVE.finditer(piece)]
        if "".join(found) != "".join(pieces):
            raise IllegalMove(f"{moves[:60]!r} is not a position: write moves as d3,c5 or pass")
        return [self._read_move(name) for name in found]

    def _read_move(self, name: str) -> int:
        if name == PASS_NAME:
            return self.pass_move
        if name.isdigit():
            return read_moves(name, self.single_digits)[0]
        column, row = COLUMN_LETTERS.index(name[0]), int(name[1]) - 1
        if max(column, row) >= self.size:
            raise IllegalMove(f"there is no cell {name} on {self.title}: choose a1-{self.move_name(self.pass_move - 1)}")
        return row * self.size + column

    def why_illegal(self, move: int) -> str:
        if move not in range(self.pass_move + 1):
            return f"there is no cell {move}"
        return f"{self.move_name(move)} flips no disc" if move < self.pass_move else "a side passes only if it can flip nothing"

    def move_name(self, move: int) -> str:
        if not 0 <= move < self.pass_move:
            return PASS_NAME if move == self.pass_move else str(move)
        return f"{COLUMN_LETTERS[move % self.size]}{move // self.size + 1}"

    def state_parts(self, state: State) -> list[Any]:
        return [str(state.max_discs), str(state.min_discs), state.max_to_move]  # as text: 64 bits do not fit every number

    def state_of(self, parts: list[Any]) -> State:
        of_max, of_min, max_to_move = parts
        return self.state(State(int(of_max), int(of_min), bool(max_to_move)))

    def show(self, state: State) -> str:
        return format_board(self.board(state))

    # ---- the board as data, and the parts of a value

    def board(self, state: State) -> Board:
        cells = tuple(
            1 if state.max_discs >> cell & 1 else 2 if state.min_discs >> cell & 1 else 0 for cell in range(self.pass_move)
        )
        rows = tuple(str(row + 1) for row in range(self.size))
        return Board(cells, self.size, self.size, labels=tuple(COLUMN_LETTERS[: self.size]), row_labels=rows)

    def cell_of(self, move: int) -> int | None:
        return None if move == self.pass_move else move

    def evaluation_parts(self, state: State) -> Iterator[EvaluationPart]:
        over = self.is_over(state)
        corners = (0, self.size - 1, self.pass_move - self.size, self.pass_move - 1)
        for side, sign, discs in (("MAX", 1, state.max_discs), ("MIN", -1, state.min_discs)):
            own = tuple(cell for cell in range(self.pass_move) if discs >> cell & 1)
            if over:
                yield EvaluationPart(
                    f"{side}'s discs at the end, {FINAL_DISC_VALUE} points each", sign * FINAL_DISC_VALUE * len(own), own
                )
                continue
            if held := tuple(cell for cell in corners if discs >> cell & 1):
                yield EvaluationPart(f"{side}'s corners, {CORNER_VALUE} points each", sign * CORNER_VALUE * len(held), held)
            if choices := tuple(self._placements(state._replace(max_to_move=sign > 0))):
                yield EvaluationPart(f"the cells where {side} can place a disc, 1 point each", sign * len(choices), choices)

    # ---- the end

    def wins_only(self) -> None:
        """Return None: the end always comes on a full or blocked board, so no win is faster than another."""

    def counted_scores(self, state: State) -> tuple[int, int]:
        return state.max_discs.bit_count(), state.min_discs.bit_count()


def othello(size: int = DEFAULT_SIZE) -> Othello:
    """Return Othello on a square board.

    >>> game = othello(4)
    >>> print(game.show(game.state("b1")))
    . X . .
    . X X .
    . X O .
    . . . .
    a b c d
    """
    if size not in SIZES:
        raise BadBoard(f"Othello cannot be played on {size!r} rows: choose {', '.join(map(str, SIZES))}")
    return Othello(size)


GAME_TYPES = (
    GameType(
        "othello",
        "Othello",
        "flip the opposing discs between two of yours; most discs at the end win; size= 4, 6 or 8",
        lambda size=str(DEFAULT_SIZE): othello(read_whole_number("size", size)),
        fields=(
            ChoiceField("size", "Rows and columns", tuple(map(str, SIZES)), str(DEFAULT_SIZE), value=lambda game: str(game.size)),
        ),
        form=(("size",),),
        square=("size",),
        sizes="",
    ),
)
