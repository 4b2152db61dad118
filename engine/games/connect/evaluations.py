"""The evaluations of Connect boards in plain Python, for boards of any size.

All are for MAX and take the discs of both sides. The first paragraph of each docstring is shown to users. The kernel
has a compiled form of each; tests compare the two. A *window* of L is L consecutive cells of a straight line; a *run*
is a maximal straight sequence of discs of one side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from math import isqrt
from typing import TYPE_CHECKING

import numpy as np

from engine.core.errors import BadEvaluation

if TYPE_CHECKING:
    from engine.games.connect.rules import Connect

Evaluation = Callable[[int, int], float]

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))  # (columns, rows) of one step; the order of Connect.shifts

SEGMENTS_WIN = 1_000_000
THREATS_WIN = 100
THREATS_WEIGHTS = (3, 5, 7)
LINES_MAX_WEIGHTS = (0, 4, 6, 10_000)  # windows with 1, 2, 3, 4 discs of MAX, the rest empty
LINES_MIN_WEIGHTS = (0, -4, -2, -10_000)
CHAINS_FOUR_POINTS = 21


def make_evaluation(game: Connect) -> Evaluation:
    """Return the evaluation of this game as a function of MAX's and MIN's discs."""
    return EVALUATIONS[game.evaluation](game)


def none_evaluation(game: Connect) -> Evaluation:
    """0 until the game ends; then 1 for a win and -1 for a loss, or under the rule count the difference of the scores."""

    def evaluate(high: int, low: int) -> int:
        if game.rule == "first":
            return int(game.has_line(high)) or -int(game.has_line(low))
        return game.score(high) - game.score(low) if high | low == game.cells else 0

    return evaluate


def score_evaluation(game: Connect) -> Evaluation:
    """Only a win counts, and an earlier win counts more: (cells + 2 - discs) // 2. A search to the end finds the solver's score.
    Under the rule count it is the difference of the scores.

    A side that wins at once scores (cells + 1 - discs) // 2 (solver/scores.py), and a won position already has its last disc.
    """
    number_of_cells, outcome = game.rows * game.cols, none_evaluation(game)

    def evaluate(high: int, low: int) -> float:
        worth = (number_of_cells + 2 - (high | low).bit_count()) // 2 if game.rule == "first" else 1
        return worth * outcome(high, low)

    return evaluate


def lines_evaluation(game: Connect) -> Evaluation:
    """Four cells in a line with 2 or 3 discs of one side, the rest empty, count +4 or +6 for MAX and -4 or -2 for MIN;
    four in a row count +10000 or -10000."""
    windows = window_masks(game.rows, game.cols, 4)

    def evaluate(high: int, low: int) -> int:
        return sum(weigh_window(high & window, low & window, LINES_MAX_WEIGHTS, LINES_MIN_WEIGHTS) for window in windows)

    return evaluate


def segments_evaluation(game: Connect, weights: tuple[int, ...]) -> Evaluation:
    """Return an evaluation: M in a row count 1,000,000; otherwise a line of M cells with n discs, all of one side, counts g(n).

    `weights` are g(1), g(2), ...
    """
    windows = window_masks(game.rows, game.cols, game.connect)
    negative = tuple(-weight for weight in weights)

    def evaluate(high: int, low: int) -> int:
        if game.has_line(high):
            return SEGMENTS_WIN
        if game.has_line(low):
            return -SEGMENTS_WIN
        return sum(weigh_window(high & window, low & window, weights, negative) for window in windows)

    return evaluate


def segments_power_evaluation(game: Connect) -> Evaluation:
    """M cells in a line with n discs of one side, the rest empty, count 10^n: 10, 100, 1000. M in a row count 1,000,000 (1M)."""
    return segments_evaluation(game, tuple(10**n for n in range(1, game.connect + 1)))


def segments_linear_evaluation(game: Connect) -> Evaluation:
    """M cells in a line with n discs of one side, the rest empty, count 10 × n. M in a row count 1,000,000 (1M)."""
    return segments_evaluation(game, tuple(10 * n for n in range(1, game.connect + 1)))


def threats_evaluation(game: Connect) -> Evaluation:
    """Four cells in a line with 1, 2 or 3 discs of one side only count 3, 5 or 7; a disc outside the two edge columns counts 1;
    four in a row count 100, a full board 0."""
    windows = window_masks(game.rows, game.cols, 4)
    negative = tuple(-weight for weight in THREATS_WEIGHTS)
    inner = sum(game.column_cells[1:-1])

    def evaluate(high: int, low: int) -> int:
        if any(high & window == window for window in windows):
            return THREATS_WIN
        if any(low & window == window for window in windows):
            return -THREATS_WIN
        if high | low == game.cells:
            return 0
        of_windows = sum(weigh_window(high & window, low & window, THREATS_WEIGHTS, negative) for window in windows)
        return of_windows + (high & inner).bit_count() - (low & inner).bit_count()

    return evaluate


def weigh_window(high: int, low: int, high_weights: tuple[int, ...], low_weights: tuple[int, ...]) -> int:
    """Return the weight of a window that holds the discs `high` and `low`: 0 if it is empty or mixed."""
    if high and not low:
        return high_weights[high.bit_count() - 1]
    if low and not high:
        return low_weights[low.bit_count() - 1]
    return 0


def chains_evaluation(game: Connect) -> Evaluation:
    """A disc counts the lines of four through its cell; a chain counts its length times the free cells it can grow into, plus 21
    for each four in a row in it.

    The lines of four through a cell are its windows, the chain is a run, the free cells are its extensions.
    An extension is a playable cell next to the run, or a playable one next to that: at most two at each end. Up a column it is an
    empty cell above the run, at most two. As in the original, a run that starts on the last cell of a row or of a diagonal (read
    upwards) counts nothing.
    """
    _check_board_is_6x7(game)
    weights = chain_weights(game)

    def evaluate(high: int, low: int) -> int:
        playable = game.playable_cells(high | low)
        total = sum(weight * (bool(high & cell) - bool(low & cell)) for cell, weight in weights.items())
        for line in chain_lines():
            for owner, discs in ((1, high), (-1, low)):
                for first, last in find_runs(line, discs):
                    if first == len(line) - 1 and not is_column(line):
                        continue
                    length = last - first + 1
                    total += owner * (
                        length * count_extensions(line, first, last, playable) + CHAINS_FOUR_POINTS * max(0, length - 3)
                    )
        return total

    return evaluate


def chain_weights(game: Connect) -> dict[int, int]:
    """Return the number of windows of four through each cell."""
    return {cell: sum(bool(cell & window) for window in window_masks(6, 7, 4)) for cell in cell_masks(game)}


def count_extensions(line: tuple[int, ...], first: int, last: int, playable: int) -> int:
    """Count the cells that can be played next to the run from index `first` to `last`, as `chains` counts them."""
    if is_column(line):
        return _count_empty_above(line, last, playable)
    ahead, behind = line[last + 1 : last + 3], line[max(0, first - 2) : first][::-1]
    return _count_playable_prefix(ahead, playable) + _count_playable_prefix(behind, playable)


def is_column(line: tuple[int, ...]) -> bool:
    return line[1] == line[0] << 1


def find_runs(line: tuple[int, ...], discs: int) -> Iterator[tuple[int, int]]:
    """Yield the first and last index of each run of the line."""
    first = None
    for index, cell in enumerate(line):
        if cell & discs:
            first = index if first is None else first
        elif first is not None:
            yield first, index - 1
            first = None
    if first is not None:
        yield first, len(line) - 1


def _count_playable_prefix(cells: tuple[int, ...], playable: int) -> int:
    """Count the playable cells before the first that is not playable."""
    for number, cell in enumerate(cells):
        if not cell & playable:
            return number
    return len(cells)


def _count_empty_above(column: tuple[int, ...], last: int, playable: int) -> int:
    """Count the empty cells above the run that ends at `last`, at most two; 0 if a disc lies on it."""
    above = column[last + 1 :]
    return min(2, len(above)) if above and above[0] & playable else 0


@cache
def chain_lines() -> tuple[tuple[int, ...], ...]:
    """Return the 6 rows, 7 columns and 12 diagonals of length >= 4 of the 6x7 board.

    Cells are bits; diagonals read upwards.
    """
    rows = [[(column, row) for column in range(7)] for row in range(6)]
    columns = [[(column, row) for row in range(6)] for column in range(7)]
    rising = [[(start + row, row) for row in range(6) if 0 <= start + row < 7] for start in range(-5, 7)]
    falling = [[(start - row, row) for row in range(6) if 0 <= start - row < 7] for start in range(12)]
    found = [*rows, *columns, *rising, *falling]
    return tuple(tuple(1 << column * 7 + row for column, row in line) for line in found if len(line) >= 4)


def spread_evaluation(game: Connect) -> Evaluation:
    """Fours in a row, closeness to the centre and closeness of the discs to each other; on a fuller board the fours count more.

    A float32, as in the original.
    Quirk of the original: a negative closeness is replaced by the greatest one.
    """
    _check_board_is_6x7(game)

    def evaluate(high: int, low: int) -> float:
        shares = spread_shares(high | low)
        return float(np.float32(sum(spread_points(game, high, shares)) - sum(spread_points(game, low, shares))))

    return evaluate


def spread_shares(occupied: int) -> tuple[float, float]:
    """Return the weight of fours and the weight of each closeness, which depend on how full the board is."""
    filled = occupied.bit_count() / 42
    if filled <= 0.33:
        return 0.33, 0.33
    score_ratio = min(1.0, 1.3 * filled)
    return score_ratio, (1 - score_ratio) / 2


def spread_points(game: Connect, discs: int, shares: tuple[float, float]) -> tuple[float, float, float]:
    """Return the points of one side for fours, for closeness to the centre and for closeness to each other."""
    score_ratio, other_ratio = shares
    fours, centring, connection = spread_measures(game, discs)
    return score_ratio * ((fours * 100) / 18), other_ratio * ((centring * 100) / 58), other_ratio * ((connection * 100) / 810)


def spread_measures(game: Connect, discs: int) -> tuple[int, int, int]:
    """Return fours, closeness to the centre and closeness to each other of one side's discs."""
    places = [divmod(cell.bit_length() - 1, 7) for cell in cell_masks(game) if cell & discs]
    apart = sum(
        isqrt((column - other) ** 2 + (row - other_row) ** 2)
        for index, (column, row) in enumerate(places)
        for other, other_row in places[:index]
    )
    off_centre = sum(abs(row - 2) + abs(column - 3) for column, row in places)
    connection = 810 - apart if apart <= 810 else 810
    centring = 58 - off_centre if off_centre <= 58 else 58
    fours = sum(discs & window == window for window in window_masks(6, 7, 4))
    return fours, centring, connection


@cache
def window_masks(rows: int, cols: int, length: int) -> tuple[int, ...]:
    """Return every window of the board as a set of cells."""
    return tuple(
        sum(1 << (column + i * right) * (rows + 1) + row + i * up for i in range(length))
        for right, up in DIRECTIONS
        for column, row in window_starts(rows, cols, length, right, up)
    )


def window_starts(rows: int, cols: int, length: int, right: int, up: int) -> Iterator[tuple[int, int]]:
    """Yield column and row of the first cell of every window in one direction."""
    for column in range(cols):
        for row in range(rows):
            if column + right * (length - 1) < cols and 0 <= row + up * (length - 1) < rows:
                yield column, row


def cell_masks(game: Connect) -> list[int]:
    return [1 << column * game.height + row for column in range(game.cols) for row in range(game.rows)]


def _check_board_is_6x7(game: Connect) -> None:
    if (game.rows, game.cols) != (6, 7):
        raise BadEvaluation(
            f"the evaluation {game.evaluation!r} is only defined on 6 rows x 7 columns, not on {game.rows} x {game.cols}: "
            "choose segments:power, segments:linear, lines, threats, none or score"
        )


def find_value_bound(game: Connect) -> int | None:
    """Return a number that no value of a board exceeds, for either side; None if none is known."""
    windows = len(window_masks(game.rows, game.cols, game.connect))
    fours = len(window_masks(game.rows, game.cols, 4))
    cells, outcome = game.rows * game.cols, 1 if game.rule == "first" else windows
    return {
        "lines": fours * LINES_MAX_WEIGHTS[-1],
        "segments:power": max(SEGMENTS_WIN, windows * 10**game.connect),
        "segments:linear": max(SEGMENTS_WIN, windows * 10 * game.connect),
        "threats": max(THREATS_WIN, fours * THREATS_WEIGHTS[-1] + cells),
        "none": outcome,
        "score": outcome * ((cells + 2) // 2 if game.rule == "first" else 1),
    }.get(game.evaluation)


FOUR_IN_ROW_EVALUATIONS = ("lines", "spread", "threats", "chains")  # they look for four in a row even if another number wins
EVALUATIONS: dict[str, Callable[[Connect], Evaluation]] = {
    "lines": lines_evaluation,
    "segments:power": segments_power_evaluation,
    "segments:linear": segments_linear_evaluation,
    "spread": spread_evaluation,
    "threats": threats_evaluation,
    "chains": chains_evaluation,
    "none": none_evaluation,
    "score": score_evaluation,
}
