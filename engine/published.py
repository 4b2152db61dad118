"""The searches of the five reports as their programs really run, quirks and all: what `as_published=True` brings back.

Each quirk is a mistake worth teaching. The text below is alphabeta of engine/algorithms (or minimax, without pruning) with the
three changes marked; the fourth quirk does not change the search at all:

- `no full-board test` (k-tables): the board may be full with plies left. Such a node has no children, and returns what its
  value started with: the least int, -2147483648 (at MIN the greatest). The root window is made of the same two ints.
- `fresh root windows` (threats): every child of the root is searched with the full window, so nothing is pruned between them.
- `as typed` (full-depth): a MIN node's value starts at 0; a won or full board with plies left is worth 0; and after a cutoff
  the node returns the score of its last child instead of its value.
- `doubled links` (long-state): every child of a MIN node is linked twice, and the links are counted: see statistics.py.
"""

from typing import Any

from engine.algorithms.alphabeta import refuted
from engine.game import Game, after_move, max_to_move, static_value
from engine.record import CUTOFF, EXHAUSTED, HORIZON, INFINITY, NONE, TERMINAL, Record, Tally

NO_FULL_BOARD_TEST = "no full-board test"
FRESH_ROOT_WINDOWS = "fresh root windows"
AS_TYPED = "as typed"
DOUBLED_LINKS = "doubled links"

LEAST_INT, GREATEST_INT = -(2**31), 2**31 - 1


def limits(quirk: str) -> tuple[float, float]:
    """The window of the root: what stands for minus and plus infinity."""
    return (LEAST_INT, GREATEST_INT) if quirk == NO_FULL_BOARD_TEST else (-INFINITY, INFINITY)


def as_published(
    game: Game,
    record: Record | Tally,
    state: Any,
    remaining: int,
    quirk: str,
    pruning: bool,
    cut_on_equal: bool = True,
    depth: int = 0,
    move: int = NONE,
    window: tuple[float, float] | None = None,
) -> float:
    """Value of `state` for MAX as the program with this quirk computes it."""
    maximizing = max_to_move(game, state)
    alpha, beta = window or limits(quirk)
    node = record.enter(move, depth, alpha, beta, maximizing)
    if game.is_over(state) and remaining > 0 and quirk == NO_FULL_BOARD_TEST:
        return record.leave(node, TERMINAL, LEAST_INT if maximizing else GREATEST_INT)
    if game.is_over(state) and remaining > 0 and quirk == AS_TYPED:
        return record.leave(node, TERMINAL, 0)
    if game.is_over(state) or remaining == 0:
        return record.leave(node, TERMINAL if game.is_over(state) else HORIZON, static_value(game, state, record))

    low, high = limits(quirk)
    better, value = (max, low) if maximizing else (min, high)
    if quirk == AS_TYPED and not maximizing:
        value = 0
    replies = game.moves(state)
    for tried, reply in enumerate(replies, start=1):
        passed = limits(quirk) if not pruning or (quirk == FRESH_ROOT_WINDOWS and depth == 0) else (alpha, beta)
        child = after_move(game, state, reply)
        score = as_published(game, record, child, remaining - 1, quirk, pruning, cut_on_equal, depth + 1, reply, passed)
        value = better(value, score)
        if pruning and refuted(maximizing, score, alpha, beta, cut_on_equal):
            if quirk == AS_TYPED:
                value = score
            if tried < len(replies):
                return record.leave(node, CUTOFF, value, skipped=len(replies) - tried)
        if maximizing:
            alpha = max(alpha, score)
        else:
            beta = min(beta, score)
    return record.leave(node, EXHAUSTED, value)
