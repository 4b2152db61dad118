"""Connect-M: discs fall into columns. M in a row win (rule `first`) or are counted when the board is full (rule `count`).

A state is two bitboards. One guard bit above each column stays empty, so that a line never runs from one column into the next:

    6 13 20 27 34 41 48     <- guard bits
    5 12 19 26 33 40 47
    4 11 18 25 32 39 46
    3 10 17 24 31 38 45     6 rows x 7 columns
    2  9 16 23 30 37 44
    1  8 15 22 29 36 43
    0  7 14 21 28 35 42     <- row 0; bit = column * (rows + 1) + row
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from engine.core.errors import BadBoard, IllegalMove, UnknownName, short_repr
from engine.core.parsing import is_whole
from engine.games.boards import DISCS, HOLES, Board, format_board
from engine.games.capabilities import FLOAT32, WHOLE, Phrases
from engine.games.connect.board_options import (
    OWN_ORDER,
    ChildOrder,
    format_connect_text,
    parse_options,
    read_child_orders,
    replace_option,
)
from engine.games.connect.evaluations import EVALUATIONS, find_value_bound, make_evaluation
from engine.games.connect.explain import PART_FUNCTIONS
from engine.games.evaluation_parts import EvaluationPart
from engine.games.positions import is_max_first, play_moves, read_moves

RULE_DESCRIPTIONS = {
    "first": "the first side with M in a row wins; a full board is a draw",
    "count": "play until the board is full, then count the lines of each side",
}
MAX_SIDE = 32
MAX_BITS = 64
LONG_PREFIX = "long:"  # before a position of the long-state program, written as its 64-bit integer


class State(NamedTuple):
    max_discs: int
    min_discs: int
    max_to_move: bool


@dataclass(frozen=True)
class Connect:
    """A Connect game: the rules, the child order and the evaluation. A preset also names its published program."""

    rows: int = 6
    cols: int = 7
    connect: int = 4
    rule: str = "first"
    evaluation: str = "segments:power"
    max_order: tuple[int, ...] = ()
    min_order: tuple[int, ...] = ()
    name: str = ""  # the text that read_game turns into this game
    preset: str = ""
    quirk: str = ""  # restored by as_published=True
    searcher_is_max: bool = False  # by default the side that moved first is chosen so that MAX is to move
    default_depth: int = 4
    reads_longs: bool = field(default=False, repr=False)

    # no fields: the same for every board
    words = Phrases("column {name}", "by playing column {name}", "column {names} is", "columns {names} are")
    steady_names = checks_positions = True

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields, without cached properties, for another process."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    # ---- the rules

    def start(self) -> State:
        return State(0, 0, True)

    def moves(self, state: State) -> list[int]:
        if self.is_over(state):
            return []
        playable = self.playable_cells(state.max_discs | state.min_discs)
        order = self.max_order if state.max_to_move else self.min_order
        return [column for column in order if playable & self.column_cells[column]]

    def play(self, state: State, move: int) -> State:
        square = self.playable_cells(state.max_discs | state.min_discs) & self.column_cells[move]
        if not square:
            raise IllegalMove(f"column {move} is full")
        if state.max_to_move:
            return State(state.max_discs | square, state.min_discs, False)
        return State(state.max_discs, state.min_discs | square, True)

    def is_over(self, state: State) -> bool:
        if state.max_discs | state.min_discs == self.cells:
            return True
        return self.rule == "first" and (self.has_line(state.max_discs) or self.has_line(state.min_discs))

    def maximizing(self, state: State) -> bool:
        return state.max_to_move

    def evaluate(self, state: State) -> float:
        return self._evaluation(state.max_discs, state.min_discs)

    # ---- positions, text

    def state(self, moves: str | Iterable[int] | State | int = "", first: str | None = None) -> State:
        """Return the position after the moves; `first` is the side that moved first, "max" or "min"."""
        if isinstance(moves, State):
            return self._validate(moves)
        if self.reads_longs and (is_whole(moves) or (isinstance(moves, str) and moves.startswith(LONG_PREFIX))):
            return self.state_from_long(moves)
        if self.reads_longs and isinstance(moves, str) and moves.startswith("-"):
            raise IllegalMove(f"{moves!r} is not a position: write a 64-bit state as {LONG_PREFIX}{moves[:30]}")
        columns = read_moves(moves, self.single_digits)
        if first is None:
            first = "min" if self.searcher_is_max and len(columns) % 2 else "max"
        return play_moves(self, State(0, 0, is_max_first(first)), columns, moves)

    def _validate(self, state: State) -> State:
        """Check a given state and return it: all discs on the board, at most one in a cell, none in the air."""
        if not (is_whole(state.max_discs) and is_whole(state.min_discs)):
            raise IllegalMove(f"{short_repr(state)} is not a position: the discs of each side are the bits of an int")
        state = State(int(state.max_discs), int(state.min_discs), bool(state.max_to_move))
        occupied = state.max_discs | state.min_discs
        floating = occupied & ~self.bottom & ~(occupied << 1)
        if state.max_discs & state.min_discs or occupied & ~self.cells or occupied < 0 or floating:
            raise IllegalMove(f"{state!r} is not a position on this board of {self.rows} rows x {self.cols} columns")
        return state

    def state_parts(self, state: State) -> list[Any]:
        return list(state)

    def state_of(self, parts: list[Any]) -> State:
        of_max, of_min, max_to_move = parts
        return self.state(State(int(of_max), int(of_min), bool(max_to_move)))

    @property
    def other_positions(self) -> dict[str, str]:
        return {LONG_PREFIX: "Only long-state reads 64-bit states"} if self.reads_longs else {}

    def position_text(self, position: Any) -> str | None:
        return f"{LONG_PREFIX}{position}" if self.reads_longs and is_whole(position) else None

    def why_illegal(self, move: int) -> str:
        return f"column {move} is full" if move in range(self.cols) else f"there is no column {move}"

    def state_from_long(self, written: Any) -> State:
        """Read the 64-bit state of the long-state program: nine bits a column from the top bit; a set disc bit is the user's
        (MIN).

        Bit 63-(9c+r) is the disc in column c, row r; the lowest bit of the column's disc count is bit 61-(9c+6).
        MAX, the agent, is to move: the program evaluates states at that moment.
        """
        try:
            long = int(str(written).removeprefix(LONG_PREFIX)[:30])
        except ValueError:
            raise IllegalMove(f"{written!r} is not a 64-bit state: write it like {LONG_PREFIX}-4496562564508441720") from None
        if not -(2**63) <= long < 2**64:
            raise IllegalMove(f"{long} is not a 64-bit state: it needs more than 64 bits")
        agent = user = 0
        for column in range(7):
            height = long >> 61 - (9 * column + 6) & 7
            if height > 6:
                raise IllegalMove(f"{long} is not a state: column {column} would have {height} discs, and 6 fit")
            for row in range(height):
                disc = 1 << column * 7 + row
                if long >> 63 - (9 * column + row) & 1:
                    user |= disc
                else:
                    agent |= disc
        return State(agent, user, True)

    def show(self, state: State) -> str:
        """Return the board as text, MAX as X and MIN as O, column numbers below."""
        return format_board(self.board(state))

    def move_name(self, move: int) -> str:
        return str(move)

    @property
    def text(self) -> str:
        return self.name

    @property
    def board_title(self) -> str:
        return f"{self.rows} × {self.cols}, {self.connect} in a row"

    @property
    def single_digits(self) -> bool:
        return self.cols <= 10

    # ---- the board as data

    def board(self, state: State) -> Board:
        high, low = state.max_discs, state.min_discs
        cells = tuple(1 if high & bit else 2 if low & bit else 0 for bit in self.cell_bits)
        return Board(cells, self.rows, self.cols, DISCS, HOLES, falls=True, labels=self._column_names)

    def cell_of(self, move: int) -> int:
        return move  # the top cell of the column

    def clicks(self, state: State) -> dict[int, range]:
        return {column: range(column, self.rows * self.cols, self.cols) for column in range(self.cols)}

    def cells_of(self, bits: int) -> tuple[int, ...]:
        """Return the cells of a set of bits."""
        return tuple(cell for cell, bit in enumerate(self.cell_bits) if bit & bits)

    @cached_property
    def cell_bits(self) -> tuple[int, ...]:
        """Return the bit of each cell, row by row from the top."""
        return tuple(1 << column * self.height + row for row in reversed(range(self.rows)) for column in range(self.cols))

    @cached_property
    def _column_names(self) -> tuple[str, ...]:
        return tuple(map(str, range(self.cols)))

    # ---- the parts of a value

    def evaluation_parts(self, state: State) -> Iterator[EvaluationPart]:
        return PART_FUNCTIONS[self.evaluation](self, state)

    @property
    def parts_note(self) -> str:
        return "The original program rounds the sum to 32 bits." if self.evaluation == "spread" else ""

    # ---- the end

    def won_by(self, state: State) -> str:
        """Return the winner by lines. The evaluation may judge a full board differently."""
        of_max, of_min = self.counted_scores(state) or (self.has_line(state.max_discs), self.has_line(state.min_discs))
        return "max" if of_max > of_min else "min" if of_max < of_min else ""

    def counted_scores(self, state: State) -> tuple[int, int] | None:
        return (self.score(state.max_discs), self.score(state.min_discs)) if self.rule == "count" else None

    @property
    def winning_length(self) -> int | None:
        return self.connect if self.rule == "first" else None

    def winning_line(self, state: State) -> tuple[int, ...]:
        bits = 0
        for discs in (state.max_discs, state.min_discs):
            for shift in self.shifts:
                starts = self.full_windows(discs, shift)
                for step in range(self.connect):
                    bits |= starts << step * shift
        return self.cells_of(bits)

    # ---- its text

    @property
    def order_option(self) -> str:
        """Return the child order as the game's text has it."""
        return parse_options(self.name).get("order", OWN_ORDER)

    @property
    def title(self) -> str:
        if self.preset:
            return ""
        board = "" if (self.rows, self.cols) == (6, 7) else f" on {self.rows} rows × {self.cols} columns"
        words = [f"Connect {self.connect}{board}"]
        words += ["lines are counted"] if self.rule == "count" else []
        given = parse_options(self.name)
        words += [f"evaluation {given['evaluation']}"] if "evaluation" in given else []
        words += [f"child order {given['order']}"] if "order" in given else []
        return ", ".join(words)

    # ---- for searches and players

    @property
    def most_moves(self) -> int:
        return self.cols

    @property
    def square_size(self) -> int | None:
        return self.rows if self.rows == self.cols else None

    def kernel_board(self) -> "Connect":
        return self

    @property
    def result_range(self) -> tuple[float, float] | None:
        """Return numbers between which all values lie; None if none are known."""
        bound = find_value_bound(self)
        return None if bound is None else (-float(bound), float(bound))

    @property
    def number_kind(self) -> str:
        return FLOAT32 if self.evaluation == "spread" else WHOLE

    def position_key(self, state: State) -> int:
        """Return MAX's discs and, in each column, a bit above the top disc. The number of discs tells the turn."""
        return state.max_discs + (state.max_discs | state.min_discs) + self.bottom

    def centre_distance(self, move: int) -> int:
        return abs(2 * move - (self.cols - 1))

    def noisy_moves(self, state: State) -> list[int]:
        """Return the moves that make a line, or take a cell where the other side would make one."""
        playable = self.playable_cells(state.max_discs | state.min_discs)
        squares = {column: playable & self.column_cells[column] for column in self.moves(state)}
        return [column for column, square in squares.items() if any(self.can_complete_line(discs, square) for discs in state[:2])]

    def wins_only(self) -> "Connect | None":
        """Return the same game without an evaluation; None under rule `count`, where all games last equally long."""
        if self.rule == "count":
            return None
        return replace(self, evaluation="none", name=replace_option(self.name, "evaluation", "none", bool(self.preset)))

    # ---- geometry

    @cached_property
    def height(self) -> int:
        """Return the number of bits per column."""
        return self.rows + 1

    @cached_property
    def column_cells(self) -> tuple[int, ...]:
        return tuple((1 << self.rows) - 1 << column * self.height for column in range(self.cols))

    @cached_property
    def cells(self) -> int:
        return sum(self.column_cells)

    @cached_property
    def bottom(self) -> int:
        return sum(1 << column * self.height for column in range(self.cols))

    @cached_property
    def shifts(self) -> tuple[int, int, int, int]:
        """Return the bit shifts of one step up, right, up and right, down and right."""
        return 1, self.height, self.height + 1, self.height - 1

    def playable_cells(self, occupied: int) -> int:
        """Return the lowest empty cell of each column that has one."""
        return occupied + self.bottom & self.cells

    def has_line(self, discs: int) -> bool:
        return any(self.full_windows(discs, shift) for shift in self.shifts)

    def can_complete_line(self, discs: int, square: int) -> bool:
        """Return True if one more disc makes a new line."""
        return any(self.full_windows(discs | square, shift) != self.full_windows(discs, shift) for shift in self.shifts)

    def score(self, discs: int) -> int:
        """Return the score of one side under rule `count`: a run of L >= M counts L-M+1, one for each full window."""
        return sum(self.full_windows(discs, shift).bit_count() for shift in self.shifts)

    def full_windows(self, discs: int, shift: int) -> int:
        """Return the first cells of the windows of M that the discs fill."""
        lines = discs
        for step in range(1, self.connect):
            lines &= discs >> step * shift
        return lines

    @cached_property
    def _evaluation(self) -> Any:
        return make_evaluation(self)


def connect(
    rows: int = 6,
    cols: int = 7,
    connect: int = 4,
    rule: str = "first",
    evaluation: str = "segments:power",
    order: ChildOrder = "left",
) -> Connect:
    """Return a game of Connect-M on any board.

    `order` is the child order: "left" (to right), "centre" (first), a list of all columns (as text "3-2-4-1-5-0-6"), or
    a dict with one for "max" and one for "min" (as text with a slash between).

    >>> game = connect(rows=4, cols=5)
    >>> print(game.show(game.state("2231")))
    . . . . .
    . . . . .
    . . O . .
    . O X X .
    0 1 2 3 4
    """
    for what, number in (("rows", rows), ("columns", cols)):
        if not is_whole(number) or not 1 <= number <= MAX_SIDE:
            raise BadBoard(f"a board cannot have {number!r} {what}: choose 1-{MAX_SIDE}")
    rows, cols = int(rows), int(cols)
    longest = max(rows, cols)
    if longest < 2:
        raise BadBoard("a board of one cell is too small: two in a row must fit")
    if not is_whole(connect) or not 2 <= connect <= longest:
        raise BadBoard(f"connect={connect!r} does not fit on {rows} rows x {cols} columns: choose 2-{longest} in a row")
    connect = int(connect)
    if rule not in RULE_DESCRIPTIONS:
        raise UnknownName("rule", rule, RULE_DESCRIPTIONS)
    if evaluation not in EVALUATIONS:
        raise UnknownName("evaluation", evaluation, EVALUATIONS)
    max_order, min_order = read_child_orders(order, cols)
    name = format_connect_text("connect", rows=rows, cols=cols, connect=connect, rule=rule, evaluation=evaluation, order=order)
    game = Connect(rows, cols, connect, rule, evaluation, max_order, min_order, name)
    make_evaluation(game)  # raises BadEvaluation if it is not defined on this board
    return game
