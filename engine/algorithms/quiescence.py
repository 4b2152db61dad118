"""Quiescence search: beyond the horizon only noisy moves are searched (Beal 1990, A generalised quiescence search algorithm;
the idea is Shannon's, 1950).

A static value is worth little in the middle of an exchange. So at the horizon the side to move may **stand pat**, that is,
accept the static value, or try a noisy move. The game declares which moves are noisy (`noisy_moves`). Standing pat is the
first value that the node compares, as if it were a move, but nothing is called: it does not create a row. The windows are
those of alpha-beta, without probes. Moves are tried in the order of the game, and the table is not used. After the last
extra ply, or without noisy moves, the node returns the static value. Quiet moves are not considered: they are neither
tried nor skipped.
"""

from typing import Any

from engine.algorithms.refutation import is_refuted
from engine.games.capabilities import noisy_moves
from engine.games.protocol import Game, MovesByCode, is_max_to_move, play_move, static_value
from engine.record.columns import CUTOFF, EXHAUSTED, HORIZON, TERMINAL
from engine.record.recorder import NodeCounter, Record

NoisyMoves = dict[int, Any]  # moves by their recorded codes


def find_noisy_moves(game: Game, state: Any, plies: int) -> NoisyMoves:
    """Return the moves that quiescence tries. There are none after its last ply and where the game is over."""
    return noisy_moves(MovesByCode(game, state)) if plies > 0 and not game.is_over(state) else {}


def quiesce(
    game: Game,
    record: Record | NodeCounter,
    node: int,
    state: Any,
    noisy: NoisyMoves,
    plies: int,
    depth: int,
    alpha: float,
    beta: float,
    cut_on_equal: bool,
) -> float:
    """Return the value for MAX of the entered row `node`, at most `plies` deeper, fail-soft as in alpha-beta."""
    static = static_value(game, state, record)
    if not noisy:
        return record.leave(node, TERMINAL if game.is_over(state) else HORIZON, static)
    maximizing = is_max_to_move(game, state)
    better, value = max if maximizing else min, record.stand_pat(node, static)
    for tried, (code, reply) in enumerate(noisy.items()):
        if is_refuted(maximizing, value, alpha, beta, cut_on_equal):
            return record.leave(node, CUTOFF, value, skipped=len(noisy) - tried)
        if maximizing:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        child = play_move(game, state, reply)
        below = record.enter(code, depth + 1, alpha, beta, is_max_to_move(game, child))
        further = find_noisy_moves(game, child, plies - 1)
        value = better(value, quiesce(game, record, below, child, further, plies - 1, depth + 1, alpha, beta, cut_on_equal))
    return record.leave(node, EXHAUSTED, value)
