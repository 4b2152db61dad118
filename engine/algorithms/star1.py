"""Star1: alpha-beta that also cuts at chance nodes (Ballard 1983, The *-minimax search procedure for trees containing chance
nodes).

All values lie in a known range, L to U. So after some outcomes of a chance node its value is known to lie between two
numbers: as if the outcomes that are left brought L, or U. The node is left as soon as this interval is outside the window.
"""

from typing import Any

from engine.algorithms.chance_nodes import CodedOutcome, sums_after, turn_and_outcomes, value_in_range
from engine.algorithms.refutation import is_refuted
from engine.algorithms.spec import WEIGHT, WINDOWS, Algorithm, check_recursion_depth
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
from engine.games.chance_outcomes import has_chance, needed_range
from engine.games.protocol import Game, iterate_moves, legal_moves, play_move
from engine.record.columns import CHANCE, CUTOFF, EXHAUSTED, HORIZON, INFINITY, NONE, TERMINAL
from engine.record.recorder import NodeCounter, Record

RELATIVE_MARGIN = 1e-12  # of the range: sums of doubles are not exact

HIGH, LOW = ({"step": "cutoff", "side": "chance", "fails": end} for end in ("high", "low"))
STAR1_CHANCE_LINES: Pseudocode = [
    CodeLine("  if chance moves:"),
    CodeLine("    sum ← 0"),
    CodeLine("    for each outcome with its probability p:"),
    CodeLine("      least ← later outcomes if all bring L"),
    CodeLine("      most ← later outcomes if all bring U"),
    CodeLine("      A, B ← (α−sum−most)/p, (β−sum−least)/p"),
    CodeLine("      score ← search(outcome, plies − 1, A, B)", {"step": "return", "side": "chance", "decides": True}, "{value}"),
    CodeLine(
        "      if score ≥ B: return sum + p · score + least",
        {"step": "cutoff", "side": "chance", "fails": "high"},
        "returns {value}",
    ),
    CodeLine(
        "      if score ≤ A: return sum + p · score + most",
        {"step": "cutoff", "side": "chance", "fails": "low"},
        "returns {value}",
    ),
    CodeLine("      sum ← sum + p · score", {"step": "return", "side": "chance"}, "{before} + {weight} · {value} = {best}"),
    CodeLine("    return sum", {"step": "leave", "side": "chance"}, "returns {value}"),
]
ALPHABETA_LINES: Pseudocode = [
    CodeLine("  else if MAX is to move:"),
    CodeLine("    value ← −∞"),
    CodeLine("    for each legal move:"),
    CodeLine("      score ← search(after move, plies − 1, α, β)"),
    MAX_VALUE_LINE,
    ALPHA_LINE,
    MAX_CUT_LINE,
    CodeLine("  else, MIN is to move:"),
    CodeLine("    value ← ∞"),
    CodeLine("    for each legal move:"),
    CodeLine("      score ← search(after move, plies − 1, α, β)"),
    MIN_VALUE_LINE,
    BETA_LINE,
    MIN_CUT_LINE,
    LEAVE_LINE,
]
PSEUDOCODE: Pseudocode = [
    CodeLine("search(state, plies, α, β)", {"step": "enter"}, "α = {alpha}, β = {beta}"),
    TERMINAL_LINE,
    HORIZON_LINE,
    *STAR1_CHANCE_LINES,
    *ALPHABETA_LINES,
]


class Star1Search:
    """A Star1 search. Without chance in the game it is alpha-beta, row for row."""

    def __init__(self, game: Game, record: Record | NodeCounter):
        self.game, self.record = game, record
        self.low, self.high = needed_range(game) if has_chance(game) else (-INFINITY, INFINITY)
        self.margin = RELATIVE_MARGIN * max(abs(self.low), abs(self.high)) if has_chance(game) else 0.0

    def search(
        self,
        state: Any,
        remaining: int,
        alpha: float,
        beta: float,
        depth: int = 0,
        move: int = NONE,
        weight: float = 1.0,
    ) -> float:
        """Return the value of `state` for MAX, fail-soft: <= alpha is an upper bound, >= beta a lower bound, between them
        exact.
        """
        game, record = self.game, self.record
        over = game.is_over(state)
        turn, outcomes = turn_and_outcomes(game, state, over)
        node = record.enter(move, depth, alpha, beta, turn, NONE, weight)
        if over or remaining == 0:
            value = value_in_range(game, state, record, self.low, self.high)
            return record.leave(node, TERMINAL if over else HORIZON, value)
        check_recursion_depth(depth)
        if turn == CHANCE:
            return self.search_outcomes(node, state, remaining, alpha, beta, depth, outcomes)
        return self.search_moves(node, state, remaining, alpha, beta, depth, bool(turn))

    def search_moves(
        self, node: int, state: Any, remaining: int, alpha: float, beta: float, depth: int, maximizing: bool
    ) -> float:
        """Search a node of MAX or MIN as alpha-beta does."""
        better, value = (max, -INFINITY) if maximizing else (min, INFINITY)
        replies = legal_moves(self.game, state)
        for tried, code, reply in iterate_moves(self.game, state, replies, node):
            child = play_move(self.game, state, reply)
            value = better(value, self.search(child, remaining - 1, alpha, beta, depth + 1, code))
            if tried < len(replies) and is_refuted(maximizing, value, alpha, beta, cut_on_equal=True):
                return self.record.leave(node, CUTOFF, value, skipped=len(replies) - tried)
            if maximizing:
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
        return self.record.leave(node, EXHAUSTED, value)

    def search_outcomes(
        self, node: int, state: Any, remaining: int, alpha: float, beta: float, depth: int, outcomes: list[CodedOutcome]
    ) -> float:
        """Search a chance node: stop as soon as its value cannot lie inside the window."""
        low, high, margin = self.low, self.high, self.margin
        weights = [p for _, _, p in outcomes]
        after_low, after_high = sums_after(weights, [low] * len(outcomes)), sums_after(weights, [high] * len(outcomes))
        total = 0.0
        for i, (code, outcome, p) in enumerate(outcomes):
            A = (alpha - total - after_high[i] + margin) / p
            B = (beta - total - after_low[i] - margin) / p
            a, b = low if low >= A else A, high if high <= B else B  # max() and min() take longer
            if a >= b:
                a, b = (alpha - total - after_high[i]) / p, (beta - total - after_low[i]) / p
            value = self.search(play_move(self.game, state, outcome), remaining - 1, a, b, depth + 1, code, p)
            if value >= B:
                return self.leave_outcomes(node, max(beta, total + p * value + after_low[i]), len(outcomes) - i - 1)
            if value <= A:
                return self.leave_outcomes(node, min(alpha, total + p * value + after_high[i]), len(outcomes) - i - 1)
            total = total + p * value
        return self.record.leave(node, EXHAUSTED, total)

    def leave_outcomes(self, node: int, bound: float, left: int) -> float:
        """Leave a chance node with a bound: a cutoff if outcomes are left."""
        return self.record.leave(node, CUTOFF if left else EXHAUSTED, bound, left)


STAR1 = Algorithm(
    name="star1",
    title="Star1",
    line="alpha-beta that also cuts at chance nodes",
    run=lambda game, record, state, plies, options: Star1Search(game, record).search(state, plies, -INFINITY, INFINITY),
    code=PSEUDOCODE,
    columns=WINDOWS,
    chance_columns=(WEIGHT,),
    laws=("value", "expectation", "first of equals", "no more", "once", "part of minimax", "within alpha-beta"),
    backup="expectation",
)
