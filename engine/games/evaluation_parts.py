"""Why a position is worth what it is worth: the evaluation taken apart into windows, runs and discs, in words and on the board.

The points of the parts add up to `game.evaluate(state)`: exactly where evaluations are whole numbers; `spread` is rounded to
float32 at its end, so there the sum agrees to that rounding.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from engine.games.connect import Connect, State
from engine.games.connect_evaluations import (
    CHAINS_FOUR,
    LINES_MAX_WEIGHTS,
    LINES_MIN_WEIGHTS,
    SEGMENTS_WIN,
    THREATS_WEIGHTS,
    THREATS_WIN,
    chain_lines,
    chain_weights,
    extensions,
    is_upright,
    runs,
    single_cells,
    spread_measures,
    spread_points,
    spread_shares,
    weigh,
    window_masks,
)
from engine.games.nim import Nim
from engine.games.tictactoe import LINES, TicTacToe

Cell = tuple[int, int]  # column, and row from the bottom


class Part(NamedTuple):
    """One reason for a value."""

    words: str
    points: float  # for MAX
    cells: tuple[Cell, ...]  # where it is on the board


def evaluation_parts(game: Any, state: Any) -> list[Part] | None:
    """The parts of `game.evaluate(state)`, the weightiest first; empty where nothing counts, None where a game does not tell.

    >>> from engine import preset
    >>> game = preset("threats")
    >>> for part in evaluation_parts(game, game.state("0", first="max")):
    ...     print(f"{part.points:+} {part.words}")
    +3 MAX has 1 of 4 in a window, the rest empty
    +3 MAX has 1 of 4 in a window, the rest empty
    +3 MAX has 1 of 4 in a window, the rest empty
    """
    if isinstance(game, Connect):
        parts = CONNECT[game.evaluation](game, state)
    elif isinstance(game, TicTacToe):
        parts = _of_tictactoe(state)
    elif isinstance(game, Nim):
        parts = _of_nim(game, state)
    else:
        return None
    return sorted((part for part in parts if part.points), key=lambda part: -abs(part.points))


# ---- games whose value is who has won


def _of_tictactoe(state: Any) -> Iterator[Part]:
    for side, sign, marks in (("MAX", 1, state.max_marks), ("MIN", -1, state.min_marks)):
        for line in LINES:
            if marks & line == line:
                yield Part(f"{side} has three in a line", sign, _squares(line))
                return  # a win is worth 1, however many lines there are


def _squares(line: int) -> tuple[Cell, ...]:
    return tuple((square % 3, 2 - square // 3) for square in range(9) if line >> square & 1)


def _of_nim(game: Nim, state: Any) -> Iterator[Part]:
    if game.is_over(state):
        yield Part(f"{'MIN' if state.max_to_move else 'MAX'} has taken the last", game.evaluate(state), ())


# ---- Connect boards, by the name of the evaluation


def _none(game: Connect, state: State) -> Iterator[Part]:
    if game.rule == "first":
        yield from _won(game, state, game.connect, 1)
    elif state.max_discs | state.min_discs == game.cells:
        for side, sign, discs in _sides(state):
            for window in window_masks(game.rows, game.cols, game.connect):
                if discs & window == window:
                    yield Part(f"{side} has {game.connect} in a line", sign, cells_of(game, window))


def _lines(game: Connect, state: State) -> Iterator[Part]:
    return _windows(game, state, 4, LINES_MAX_WEIGHTS, LINES_MIN_WEIGHTS)


def _segments_power(game: Connect, state: State) -> Iterator[Part]:
    return _segments(game, state, tuple(10**n for n in range(1, game.connect + 1)))


def _segments_linear(game: Connect, state: State) -> Iterator[Part]:
    return _segments(game, state, tuple(10 * n for n in range(1, game.connect + 1)))


def _segments(game: Connect, state: State, weights: tuple[int, ...]) -> Iterator[Part]:
    won = list(_won(game, state, game.connect, SEGMENTS_WIN))
    yield from won or _windows(game, state, game.connect, weights, tuple(-weight for weight in weights))


def _threats(game: Connect, state: State) -> Iterator[Part]:
    won = list(_won(game, state, 4, THREATS_WIN))
    if won:
        yield from won
    elif state.max_discs | state.min_discs != game.cells:
        yield from _windows(game, state, 4, THREATS_WEIGHTS, tuple(-weight for weight in THREATS_WEIGHTS))
        for side, sign, discs in _sides(state):
            inner = discs & sum(game.column_cells[1:-1])
            count = inner.bit_count()
            words = f"{count} {'disc' if count == 1 else 'discs'} of {side} outside the two edge columns"
            yield Part(words, sign * count, cells_of(game, inner))


def _chains(game: Connect, state: State) -> Iterator[Part]:
    weights = chain_weights(game)
    playable = game.playable(state.max_discs | state.min_discs)
    for side, sign, discs in _sides(state):
        of_discs = [weight for cell, weight in weights.items() if cell & discs]
        words = f"the discs of {side}, each as many as windows of four go through its cell: {' + '.join(map(str, of_discs))}"
        yield Part(words, sign * sum(of_discs), cells_of(game, discs))
        for line in chain_lines():
            for first, last in runs(line, discs):
                if first < len(line) - 1 or is_upright(line):
                    points, words = _run(line, first, last, playable)
                    yield Part(f"{side} has {words}", sign * points, cells_of(game, sum(line[first : last + 1])))


def _run(line: tuple[int, ...], first: int, last: int, playable: int) -> tuple[int, str]:
    """Points and words of a run."""
    length, free = last - first + 1, extensions(line, first, last, playable)
    fours = max(0, length - 3)
    way = "a column" if is_upright(line) else "a row" if line[1] == line[0] << 7 else "a diagonal"
    cells = "1 cell" if free == 1 else f"{free} cells"
    words = f"{length} in {way} with {cells} to go on: {length} × {free}"
    return length * free + CHAINS_FOUR * fours, words + (f" + {CHAINS_FOUR} × {fours}" if fours else "")


def _spread(game: Connect, state: State) -> Iterator[Part]:
    shares = spread_shares(state.max_discs | state.min_discs)
    for side, sign, discs in _sides(state):
        fours, centring, connection = spread_measures(game, discs)
        points = spread_points(game, discs, shares)
        words = (
            f"{fours} of 18 fours",
            f"nearness to the centre {centring} of 58",
            f"nearness to each other {connection} of 810",
        )
        for share, what, gained in zip((shares[0], shares[1], shares[1]), words, points, strict=True):
            yield Part(f"{side}: {what}, weight {100 * share:.3g} %", sign * gained, cells_of(game, discs))


CONNECT: dict[str, Callable[[Connect, State], Iterator[Part]]] = {
    "lines": _lines,
    "segments:power": _segments_power,
    "segments:linear": _segments_linear,
    "spread": _spread,
    "threats": _threats,
    "chains": _chains,
    "none": _none,
}


# ---- what they share


def _sides(state: State) -> tuple[tuple[str, int, int], tuple[str, int, int]]:
    return ("MAX", 1, state.max_discs), ("MIN", -1, state.min_discs)


def _won(game: Connect, state: State, length: int, points: int) -> Iterator[Part]:
    """A win: the first side that has a line, MAX before MIN."""
    for side, sign, discs in _sides(state):
        for window in window_masks(game.rows, game.cols, length):
            if discs & window == window:
                yield Part(f"{side} has {length} in a line", sign * points, cells_of(game, window))
                return


def _windows(
    game: Connect, state: State, length: int, max_weights: tuple[int, ...], min_weights: tuple[int, ...]
) -> Iterator[Part]:
    """Windows with discs of one side only."""
    for window in window_masks(game.rows, game.cols, length):
        high, low = state.max_discs & window, state.min_discs & window
        if bool(high) != bool(low):
            side, count = ("MAX", high.bit_count()) if high else ("MIN", low.bit_count())
            words = (
                f"{side} has {count} of {length} in a window, the rest empty"
                if count < length
                else f"{side} has {length} in a line"
            )
            yield Part(words, weigh(high, low, max_weights, min_weights), cells_of(game, window))


def cells_of(game: Connect, bits: int) -> tuple[Cell, ...]:
    """The cells of a set of bits."""
    return tuple(divmod(cell.bit_length() - 1, game.height) for cell in single_cells(game) if cell & bits)
