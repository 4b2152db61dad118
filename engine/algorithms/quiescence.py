"""Quiescence: beyond the horizon only noisy moves are searched (Beal 1990, A generalised quiescence search algorithm; the idea is
Shannon's, 1950).

A static value is worth little in the middle of an exchange. So at the horizon the side to move may **stand pat**, which means to
be content with the static value, or try a noisy move: the game says which those are (`noisy_moves`). Standing pat is the first
thing that its value is compared with, as if it were a move, but nothing is called: it is no row. The windows are those of
alpha-beta, without probes; moves are tried in the order of the game, and no table is asked. After so many further plies, or
without noisy moves, the static value is all there is. Quiet moves are not considered: they are neither tried nor skipped.
"""

from typing import Any

from engine.algorithms.refutation import refuted
from engine.games.capabilities import noisy_moves
from engine.games.protocol import Game, Replies, after_move, max_to_move, static_value
from engine.record.columns import CUTOFF, EXHAUSTED, HORIZON, TERMINAL
from engine.record.recorder import Record, Tally

Noisy = dict[int, Any]  # moves, by what is recorded of them


def noisy_replies(game: Game, state: Any, plies: int) -> Noisy:
    """The moves that quiescence looks at: none after its last ply, and where the game is over."""
    return noisy_moves(Replies(game, state)) if plies > 0 and not game.is_over(state) else {}


def quiesce(
    game: Game,
    record: Record | Tally,
    node: int,
    state: Any,
    noisy: Noisy,
    plies: int,
    depth: int,
    alpha: float,
    beta: float,
    cut_on_equal: bool,
) -> float:
    """Value for MAX of the row `node`, which has been entered, at most so many plies further; fail-soft as in alpha-beta."""
    static = static_value(game, state, record)
    if not noisy:
        return record.leave(node, TERMINAL if game.is_over(state) else HORIZON, static)
    maximizing = max_to_move(game, state)
    better, value = max if maximizing else min, record.stand_pat(node, static)
    for tried, (code, reply) in enumerate(noisy.items()):
        if refuted(maximizing, value, alpha, beta, cut_on_equal):
            return record.leave(node, CUTOFF, value, skipped=len(noisy) - tried)
        if maximizing:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        child = after_move(game, state, reply)
        below = record.enter(code, depth + 1, alpha, beta, max_to_move(game, child))
        further = noisy_replies(game, child, plies - 1)
        value = better(value, quiesce(game, record, below, child, further, plies - 1, depth + 1, alpha, beta, cut_on_equal))
    return record.leave(node, EXHAUSTED, value)
