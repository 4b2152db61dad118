"""Expectiminimax as textbooks write it, for any game with chance (Michie 1966; Russell and Norvig, stochastic games)."""

from typing import Any

from engine.algorithms.chance_nodes import turn_and_outcomes
from engine.algorithms.spec import WEIGHT, Algorithm, check_recursion_depth
from engine.algorithms.templates import (
    HORIZON_LINE,
    LEAVE_LINE,
    MAX_VALUE_LINE,
    MIN_VALUE_LINE,
    SUM_LINE,
    TERMINAL_LINE,
    CodeLine,
    Pseudocode,
)
from engine.games.protocol import Game, iterate_moves, legal_moves, play_move, static_value
from engine.record.columns import CHANCE, EXHAUSTED, HORIZON, INFINITY, NONE, TERMINAL
from engine.record.recorder import NodeCounter, Record

PSEUDOCODE: Pseudocode = [
    CodeLine("expectiminimax(state, plies)", {"step": "enter"}),
    TERMINAL_LINE,
    HORIZON_LINE,
    CodeLine("  if chance moves:"),
    CodeLine("    value ← 0"),
    CodeLine("    for each outcome with its probability p:"),
    CodeLine("      score ← expectiminimax(outcome, plies − 1)"),
    SUM_LINE,
    CodeLine("  else if MAX is to move:"),
    CodeLine("    value ← −∞"),
    CodeLine("    for each legal move:"),
    CodeLine("      score ← expectiminimax(after move, plies − 1)"),
    MAX_VALUE_LINE,
    CodeLine("  else, MIN is to move:"),
    CodeLine("    value ← ∞"),
    CodeLine("    for each legal move:"),
    CodeLine("      score ← expectiminimax(after move, plies − 1)"),
    MIN_VALUE_LINE,
    LEAVE_LINE,
]


def expectiminimax(
    game: Game,
    record: Record | NodeCounter,
    state: Any,
    remaining: int,
    depth: int = 0,
    move: int = NONE,
    weight: float = 1.0,
) -> float:
    """Return the value of `state` for MAX, `remaining` plies deep. `weight` is the probability of the outcome that led here."""
    over = game.is_over(state)
    turn, outcomes = turn_and_outcomes(game, state, over)
    node = record.enter(move, depth, -INFINITY, INFINITY, turn, weight=weight)
    if over:
        return record.leave(node, TERMINAL, static_value(game, state, record))
    if remaining == 0:
        return record.leave(node, HORIZON, static_value(game, state, record))
    check_recursion_depth(depth)

    if turn == CHANCE:
        value = 0.0
        for code, outcome, p in outcomes:
            value += p * expectiminimax(game, record, play_move(game, state, outcome), remaining - 1, depth + 1, code, p)
        return record.leave(node, EXHAUSTED, value)
    better, value = (max, -INFINITY) if turn else (min, INFINITY)
    for _, code, reply in iterate_moves(game, state, legal_moves(game, state), node):
        value = better(value, expectiminimax(game, record, play_move(game, state, reply), remaining - 1, depth + 1, code))
    return record.leave(node, EXHAUSTED, value)


EXPECTIMINIMAX = Algorithm(
    name="expectiminimax",
    title="expectiminimax",
    line="minimax with the average where chance moves",
    run=lambda game, record, state, plies, options: expectiminimax(game, record, state, plies),
    code=PSEUDOCODE,
    chance_columns=(WEIGHT,),
    laws=("value", "expectation", "first of equals", "everything", "no more", "once", "part of minimax", "windows nest"),
    backup="expectation",
)
