"""Explanations of Connect evaluations: lines, chains and discs, in words and on the board.

The points of the parts add up to the value: exactly if they are whole numbers. `spread` rounds its result to
float32, so its sum agrees up to that rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from engine.games.connect.evaluations import (
    CHAINS_FOUR_POINTS,
    LINES_MAX_WEIGHTS,
    LINES_MIN_WEIGHTS,
    SEGMENTS_WIN,
    THREATS_WEIGHTS,
    THREATS_WIN,
    chain_lines,
    chain_weights,
    count_extensions,
    find_runs,
    is_column,
    spread_measures,
    spread_points,
    spread_shares,
    weigh_window,
    window_masks,
)
from engine.games.evaluation_parts import EvaluationPart

if TYPE_CHECKING:
    from engine.games.connect.rules import Connect, State


def _none_parts(game: Connect, state: State) -> Iterator[EvaluationPart]:
    if game.rule == "first":
        yield from _win_parts(game, state, game.connect, 1)
    elif state.max_discs | state.min_discs == game.cells:
        for side, sign, discs in _side_discs(state):
            for window in window_masks(game.rows, game.cols, game.connect):
                if discs & window == window:
                    yield EvaluationPart(f"{side} has {game.connect} in a row", sign, game.cells_of(window))


def _score_parts(game: Connect, state: State) -> Iterator[EvaluationPart]:
    if game.rule == "first":
        empty = game.rows * game.cols - (state.max_discs | state.min_discs).bit_count()
        for part in _win_parts(game, state, game.connect, (empty + 2) // 2):
            yield part._replace(words=f"{part.words}, with {empty} empty {'cell' if empty == 1 else 'cells'}")
    else:
        yield from _none_parts(game, state)


def _lines_parts(game: Connect, state: State) -> Iterator[EvaluationPart]:
    return _window_parts(game, state, 4, LINES_MAX_WEIGHTS, LINES_MIN_WEIGHTS)


def _segments_power_parts(game: Connect, state: State) -> Iterator[EvaluationPart]:
    return _segments_parts(game, state, tuple(10**n for n in range(1, game.connect + 1)))


def _segments_linear_parts(game: Connect, state: State) -> Iterator[EvaluationPart]:
    return _segments_parts(game, state, tuple(10 * n for n in range(1, game.connect + 1)))


def _segments_parts(game: Connect, state: State, weights: tuple[int, ...]) -> Iterator[EvaluationPart]:
    won = list(_win_parts(game, state, game.connect, SEGMENTS_WIN))
    yield from won or _window_parts(game, state, game.connect, weights, tuple(-weight for weight in weights))


def _threats_parts(game: Connect, state: State) -> Iterator[EvaluationPart]:
    won = list(_win_parts(game, state, 4, THREATS_WIN))
    if won:
        yield from won
    elif state.max_discs | state.min_discs != game.cells:
        yield from _window_parts(game, state, 4, THREATS_WEIGHTS, tuple(-weight for weight in THREATS_WEIGHTS))
        for side, sign, discs in _side_discs(state):
            inner = discs & sum(game.column_cells[1:-1])
            count = inner.bit_count()
            words = f"{count} {'disc' if count == 1 else 'discs'} of {side} outside the two edge columns"
            yield EvaluationPart(words, sign * count, game.cells_of(inner))


def _chains_parts(game: Connect, state: State) -> Iterator[EvaluationPart]:
    weights = chain_weights(game)
    playable = game.playable_cells(state.max_discs | state.min_discs)
    for side, sign, discs in _side_discs(state):
        of_discs = [weight for cell, weight in weights.items() if cell & discs]
        words = f"{side}'s discs, each worth the number of lines of four through its cell: {' + '.join(map(str, of_discs))}"
        yield EvaluationPart(words, sign * sum(of_discs), game.cells_of(discs))
        for line in chain_lines():
            for first, last in find_runs(line, discs):
                if first < len(line) - 1 or is_column(line):
                    points, words = _describe_run(line, first, last, playable)
                    yield EvaluationPart(f"{side} has {words}", sign * points, game.cells_of(sum(line[first : last + 1])))


def _describe_run(line: tuple[int, ...], first: int, last: int, playable: int) -> tuple[int, str]:
    """Return the points and the description of a run."""
    length, free = last - first + 1, count_extensions(line, first, last, playable)
    fours = max(0, length - 3)
    direction = "up a column" if is_column(line) else "along a row" if line[1] == line[0] << 7 else "along a diagonal"
    cells = "1 free cell" if free == 1 else f"{free} free cells"
    words = f"a chain of {length} {direction} with {cells}: {length} × {free}"
    return length * free + CHAINS_FOUR_POINTS * fours, words + (f" + {CHAINS_FOUR_POINTS} × {fours}" if fours else "")


def _spread_parts(game: Connect, state: State) -> Iterator[EvaluationPart]:
    shares = spread_shares(state.max_discs | state.min_discs)
    for side, sign, discs in _side_discs(state):
        fours, centring, connection = spread_measures(game, discs)
        points = spread_points(game, discs, shares)
        words = (
            f"{fours} of 18 fours",
            f"closeness to the centre {centring} of 58",
            f"closeness to each other {connection} of 810",
        )
        for share, what, gained in zip((shares[0], shares[1], shares[1]), words, points, strict=True):
            yield EvaluationPart(f"{side}: {what}, weight {100 * share:.3g} %", sign * gained, game.cells_of(discs))


PART_FUNCTIONS: dict[str, Callable[[Connect, State], Iterator[EvaluationPart]]] = {
    "lines": _lines_parts,
    "segments:power": _segments_power_parts,
    "segments:linear": _segments_linear_parts,
    "spread": _spread_parts,
    "threats": _threats_parts,
    "chains": _chains_parts,
    "none": _none_parts,
    "score": _score_parts,
}


# ---- shared helpers


def _side_discs(state: State) -> tuple[tuple[str, int, int], tuple[str, int, int]]:
    return ("MAX", 1, state.max_discs), ("MIN", -1, state.min_discs)


def _win_parts(game: Connect, state: State, length: int, points: int) -> Iterator[EvaluationPart]:
    """Yield the part of a win: of the first side that has a line, MAX before MIN."""
    for side, sign, discs in _side_discs(state):
        for window in window_masks(game.rows, game.cols, length):
            if discs & window == window:
                yield EvaluationPart(f"{side} has {length} in a row", sign * points, game.cells_of(window))
                return


def _window_parts(
    game: Connect, state: State, length: int, max_weights: tuple[int, ...], min_weights: tuple[int, ...]
) -> Iterator[EvaluationPart]:
    """Yield the lines with discs of one side only."""
    for window in window_masks(game.rows, game.cols, length):
        high, low = state.max_discs & window, state.min_discs & window
        if bool(high) != bool(low):
            side, count = ("MAX", high.bit_count()) if high else ("MIN", low.bit_count())
            words = (
                f"{side} has {count} of {length} cells in a line, the rest empty"
                if count < length
                else f"{side} has {length} in a row"
            )
            yield EvaluationPart(words, weigh_window(high, low, max_weights, min_weights), game.cells_of(window))
