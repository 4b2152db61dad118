"""Minimax as textbooks write it, for any game (Russell and Norvig, chapter on adversarial search).

`record.enter` records the node. `record.leave` completes it and returns its value. The rest is the pseudo-code.
"""

from typing import Any

from engine.algorithms.spec import AS_PUBLISHED, CUT_ON_EQUAL, PLAIN, Algorithm, check_recursion_depth
from engine.algorithms.templates import (
    HORIZON_LINE,
    LEAVE_LINE,
    MAX_VALUE_LINE,
    MIN_VALUE_LINE,
    TERMINAL_LINE,
    CodeLine,
    Pseudocode,
)
from engine.games.protocol import Game, is_max_to_move, iterate_moves, legal_moves, play_move, static_value
from engine.record.columns import EXHAUSTED, HORIZON, INFINITY, NONE, TERMINAL
from engine.record.recorder import NodeCounter, Record

PSEUDOCODE: Pseudocode = [
    CodeLine("minimax(state, plies)", {"step": "enter"}),
    TERMINAL_LINE,
    HORIZON_LINE,
    CodeLine("  if MAX is to move:"),
    CodeLine("    value ← −∞"),
    CodeLine("    for each legal move:"),
    CodeLine("      score ← minimax(after move, plies − 1)"),
    MAX_VALUE_LINE,
    CodeLine("  else, MIN is to move:"),
    CodeLine("    value ← ∞"),
    CodeLine("    for each legal move:"),
    CodeLine("      score ← minimax(after move, plies − 1)"),
    MIN_VALUE_LINE,
    LEAVE_LINE,
]


def minimax(game: Game, record: Record | NodeCounter, state: Any, remaining: int, depth: int = 0, move: int = NONE) -> float:
    """Return the value of `state` for MAX, `remaining` plies deep."""
    maximizing = is_max_to_move(game, state)
    node = record.enter(move, depth, -INFINITY, INFINITY, maximizing)
    if game.is_over(state):
        return record.leave(node, TERMINAL, static_value(game, state, record))
    if remaining == 0:
        return record.leave(node, HORIZON, static_value(game, state, record))
    check_recursion_depth(depth)

    better, value = (max, -INFINITY) if maximizing else (min, INFINITY)
    for _, code, reply in iterate_moves(game, state, legal_moves(game, state), node):
        value = better(value, minimax(game, record, play_move(game, state, reply), remaining - 1, depth + 1, code))
    return record.leave(node, EXHAUSTED, value)


MINIMAX = Algorithm(
    name="minimax",
    title="minimax",
    line="expand everything down to K",
    run=lambda game, record, state, plies, options: minimax(game, record, state, plies),
    code=PSEUDOCODE,
    options=(
        CUT_ON_EQUAL,
        AS_PUBLISHED,
    ),  # minimax cuts nothing: the option is the rule for the minimal tree that is measured in its tree
    laws=("value", "first of equals", "everything", "no more", "once", "part of minimax", "windows nest", "kernel"),
    kernel=PLAIN,
)
