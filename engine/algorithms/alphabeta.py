"""Alpha-beta as textbooks write it, for any game (Russell and Norvig, chapter on adversarial search)."""

from collections.abc import Mapping
from typing import Any

from engine.algorithms.alphabeta_core import AlphaBetaSearch
from engine.algorithms.pass_runner import run_single_pass
from engine.algorithms.refutation import is_refuted
from engine.algorithms.spec import AS_PUBLISHED, CUT_ON_EQUAL, ORDER, PLAIN, QUIESCENCE, WINDOWS, Algorithm, check_recursion_depth
from engine.algorithms.templates import (
    ALPHA_LINE,
    BETA_LINE,
    HORIZON_LINE,
    LEAVE_LINE,
    MAX_CUT_LINE,
    MAX_VALUE_LINE,
    MIN_CUT_LINE,
    MIN_VALUE_LINE,
    TERMINAL_LINE,
    CodeLine,
    Pseudocode,
)
from engine.games.protocol import Game, is_max_to_move, iterate_moves, legal_moves, play_move, static_value
from engine.record.columns import CUTOFF, EXHAUSTED, HORIZON, INFINITY, NONE, TERMINAL
from engine.record.recorder import NodeCounter, Record

PSEUDOCODE: Pseudocode = [
    CodeLine("alphabeta(state, plies, α, β)", {"step": "enter"}, "α = {alpha}, β = {beta}"),
    TERMINAL_LINE,
    HORIZON_LINE,
    CodeLine("  if MAX is to move:"),
    CodeLine("    value ← −∞"),
    CodeLine("    for each legal move:"),
    CodeLine("      score ← alphabeta(after move, plies − 1, α, β)"),
    MAX_VALUE_LINE,
    ALPHA_LINE,
    MAX_CUT_LINE,
    CodeLine("  else, MIN is to move:"),
    CodeLine("    value ← ∞"),
    CodeLine("    for each legal move:"),
    CodeLine("      score ← alphabeta(after move, plies − 1, α, β)"),
    MIN_VALUE_LINE,
    BETA_LINE,
    MIN_CUT_LINE,
    LEAVE_LINE,
]


def alphabeta(
    game: Game,
    record: Record | NodeCounter,
    state: Any,
    remaining: int,
    depth: int = 0,
    move: int = NONE,
    alpha: float = -INFINITY,
    beta: float = INFINITY,
    cut_on_equal: bool = True,
) -> float:
    """Return the value of `state` for MAX, fail-soft: <= alpha is an upper bound, >= beta a lower bound, between them exact."""
    maximizing = is_max_to_move(game, state)
    node = record.enter(move, depth, alpha, beta, maximizing)
    if game.is_over(state):
        return record.leave(node, TERMINAL, static_value(game, state, record))
    if remaining == 0:
        return record.leave(node, HORIZON, static_value(game, state, record))
    check_recursion_depth(depth)

    better, value = (max, -INFINITY) if maximizing else (min, INFINITY)
    replies = legal_moves(game, state)
    for tried, code, reply in iterate_moves(game, state, replies, node):
        child = play_move(game, state, reply)
        value = better(value, alphabeta(game, record, child, remaining - 1, depth + 1, code, alpha, beta, cut_on_equal))
        if tried < len(replies) and is_refuted(maximizing, value, alpha, beta, cut_on_equal):
            return record.leave(node, CUTOFF, value, skipped=len(replies) - tried)
        if maximizing:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
    return record.leave(node, EXHAUSTED, value)


def run_alphabeta(game: Game, record: Record | NodeCounter, state: Any, plies: int, options: Mapping[str, Any]) -> float:
    """Run the search above. With another move order or quiescence, run that of alphabeta_core.py, which is the same otherwise."""
    if options["order"] == "game" and not options["quiescence"]:
        return alphabeta(game, record, state, plies, cut_on_equal=options["cut_on_equal"])
    return AlphaBetaSearch(game, record, options).run_pass(state, plies)


ALPHABETA = Algorithm(
    name="alphabeta",
    title="alpha-beta",
    line="skip moves that cannot change the result",
    run=run_alphabeta,
    run_passes=run_single_pass,  # by the kernel, with another move order
    code=PSEUDOCODE,
    columns=WINDOWS,
    options=(CUT_ON_EQUAL, AS_PUBLISHED, ORDER, QUIESCENCE),
    laws=("value", "first of equals", "no more", "once", "part of minimax", "within alpha-beta", "windows nest", "kernel"),
    kernel=PLAIN,
)
