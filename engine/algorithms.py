"""Minimax and alpha-beta as textbooks write them, for any game (Russell and Norvig, chapter on adversarial search).

`record.enter` writes the node down, `record.leave` completes it and gives its value back; the rest is the pseudo-code.
"""

from typing import Any

from engine.errors import BadDepth
from engine.game import Game, after_move, legal_moves, max_to_move, static_value, tried_in_turn
from engine.record import CUTOFF, EXHAUSTED, HORIZON, INFINITY, NONE, TERMINAL, Record, Tally

MAX_DEPTH = 500  # plies: the readable text recurses, and Python's stack is finite


def minimax(game: Game, record: Record | Tally, state: Any, remaining: int, depth: int = 0, move: int = NONE) -> float:
    """Value of `state` for MAX, `remaining` plies deep."""
    maximizing = max_to_move(game, state)
    node = record.enter(move, depth, -INFINITY, INFINITY, maximizing)
    if game.is_over(state):
        return record.leave(node, TERMINAL, static_value(game, state, record))
    if remaining == 0:
        return record.leave(node, HORIZON, static_value(game, state, record))
    check_stack(depth)

    better, value = (max, -INFINITY) if maximizing else (min, INFINITY)
    for _, code, reply in tried_in_turn(game, state, legal_moves(game, state), node):
        value = better(value, minimax(game, record, after_move(game, state, reply), remaining - 1, depth + 1, code))
    return record.leave(node, EXHAUSTED, value)


def alphabeta(
    game: Game,
    record: Record | Tally,
    state: Any,
    remaining: int,
    depth: int = 0,
    move: int = NONE,
    alpha: float = -INFINITY,
    beta: float = INFINITY,
    cut_on_equal: bool = True,
) -> float:
    """Value of `state` for MAX, fail-soft: a value <= alpha is an upper bound, >= beta a lower bound, between them exact."""
    maximizing = max_to_move(game, state)
    node = record.enter(move, depth, alpha, beta, maximizing)
    if game.is_over(state):
        return record.leave(node, TERMINAL, static_value(game, state, record))
    if remaining == 0:
        return record.leave(node, HORIZON, static_value(game, state, record))
    check_stack(depth)

    better, value = (max, -INFINITY) if maximizing else (min, INFINITY)
    replies = legal_moves(game, state)
    for tried, code, reply in tried_in_turn(game, state, replies, node):
        child = after_move(game, state, reply)
        value = better(value, alphabeta(game, record, child, remaining - 1, depth + 1, code, alpha, beta, cut_on_equal))
        if tried < len(replies) and refuted(maximizing, value, alpha, beta, cut_on_equal):
            return record.leave(node, CUTOFF, value, skipped=len(replies) - tried)
        if maximizing:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
    return record.leave(node, EXHAUSTED, value)


def refuted(maximizing: bool, value: float, alpha: float, beta: float, cut_on_equal: bool) -> bool:
    """Whether the other side has something at least as good elsewhere, so that it will never let this node happen."""
    if value == (beta if maximizing else alpha):
        return cut_on_equal
    return value > beta if maximizing else value < alpha


def check_stack(depth: int) -> None:
    if depth >= MAX_DEPTH:
        raise BadDepth(f"the game goes on beyond {MAX_DEPTH} plies: give a smaller depth limit")
