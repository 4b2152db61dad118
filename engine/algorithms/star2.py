"""Star2: Star1 that first probes one move after each outcome (Ballard 1983).

If MAX moves after an outcome, the value of its first move is a lower bound of what the outcome brings; if MIN does, an upper
bound. These bounds replace L and U, so that the interval of a chance node is narrow before any outcome is searched in full.
A probe is a call of its own. The full call after it does not search the first move again.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from engine.algorithms.chance_nodes import CodedOutcome, sum_of_others, sums_after, turn_and_outcomes
from engine.algorithms.refutation import is_refuted
from engine.algorithms.spec import LINK, WEIGHT, WINDOWS, Algorithm, check_recursion_depth
from engine.algorithms.star1 import ALPHABETA_LINES, STAR1_CHANCE_LINES, Star1Search
from engine.algorithms.templates import HORIZON_LINE, TERMINAL_LINE, CodeLine, Pseudocode
from engine.games.protocol import legal_moves, move_codes, play_move
from engine.record.columns import CUTOFF, EXHAUSTED, INFINITY, MAX, PROBE, TABLE

PSEUDOCODE: Pseudocode = [
    CodeLine("search(state, plies, α, β)", {"step": "enter"}, "α = {alpha}, β = {beta}"),
    TERMINAL_LINE,
    HORIZON_LINE,
    CodeLine("  if chance moves, for each outcome with moves:"),
    CodeLine("    score ← search(its first move, plies − 2, …)", {"step": "leave", "status": "probe"}, "probes {value}"),
    CodeLine("    MAX gets at least score, MIN at most", {"step": "return", "side": "chance", "repeated": True}, "{value}"),
    CodeLine("    if that suffices: return the bound", {"step": "cutoff", "side": "chance", "probed": "all"}, "returns {value}"),
    CodeLine("  a move that a probe searched keeps its value", {"step": "table"}, "returns {value}"),
    *STAR1_CHANCE_LINES,
    *ALPHABETA_LINES,
]


class Probe(NamedTuple):
    """The probe of an outcome: its first move was searched."""

    row: int  # of the probe
    child: int  # of its first move
    value: float
    maximizing: bool
    moves: Sequence[Any]


class Star2Search(Star1Search):
    """A Star2 search."""

    def search_outcomes(
        self, node: int, state: Any, remaining: int, alpha: float, beta: float, depth: int, outcomes: list[CodedOutcome]
    ) -> float:
        """Search a chance node: probe the outcomes, then search them as Star1 does, within the bounds of the probes."""
        weights = [p for _, _, p in outcomes]
        lo, hi = [self.low] * len(outcomes), [self.high] * len(outcomes)
        states = [play_move(self.game, state, outcome) for _, outcome, _ in outcomes]
        probes: list[Probe | None] = [None] * len(outcomes)

        for i, (code, _, p) in enumerate(outcomes):
            maximizing, moves = self._side_and_moves(states[i], remaining - 1)
            if len(moves) < 2:
                continue
            if maximizing:
                least = sum_of_others(weights, lo, i)
                B = (beta - least - self.margin) / p
                b = min(self.high, B)
                a = self.low if self.low < b else -INFINITY
                probe = self._probe(states[i], True, moves, remaining, a, b, depth, code, p)
                if probe.value >= B:
                    return self.leave_outcomes(node, max(beta, least + p * probe.value), len(outcomes))
                lo[i] = probe.value
            else:
                most = sum_of_others(weights, hi, i)
                A = (alpha - most + self.margin) / p
                a = max(self.low, A)
                b = self.high if a < self.high else INFINITY
                probe = self._probe(states[i], False, moves, remaining, a, b, depth, code, p)
                if probe.value <= A:
                    return self.leave_outcomes(node, min(alpha, most + p * probe.value), len(outcomes))
                hi[i] = probe.value
            probes[i] = probe

        after_low, after_high = sums_after(weights, lo), sums_after(weights, hi)
        total = 0.0
        for i, (code, _, p) in enumerate(outcomes):
            known = probes[i]
            if known is not None and lo[i] >= hi[i]:
                total = total + p * known.value
                continue
            A = (alpha - total - after_high[i] + self.margin) / p
            B = (beta - total - after_low[i] - self.margin) / p
            a, b = max(lo[i], A), min(hi[i], B)
            if a >= b:
                a, b = (alpha - total - after_high[i]) / p, (beta - total - after_low[i]) / p
            if known is None:
                value = self.search(states[i], remaining - 1, a, b, depth + 1, code, p)
            else:
                value = self._search_after_probe(states[i], remaining - 1, a, b, depth + 1, code, p, known)
            if value >= B:
                return self.leave_outcomes(node, max(beta, total + p * value + after_low[i]), len(outcomes) - i - 1)
            if value <= A:
                return self.leave_outcomes(node, min(alpha, total + p * value + after_high[i]), len(outcomes) - i - 1)
            total = total + p * value
        return self.record.leave(node, EXHAUSTED, total)

    def _side_and_moves(self, state: Any, remaining: int) -> tuple[bool, Sequence[Any]]:
        """Return whether MAX moves after an outcome, and the moves: none if it is over, at the horizon, or chance."""
        if remaining == 0 or self.game.is_over(state):
            return False, ()
        turn, outcomes = turn_and_outcomes(self.game, state, over=False)
        return turn == MAX, () if outcomes else legal_moves(self.game, state)

    def _probe(
        self,
        state: Any,
        maximizing: bool,
        moves: Sequence[Any],
        remaining: int,
        a: float,
        b: float,
        depth: int,
        code: int,
        p: float,
    ) -> Probe:
        """Search the first move after an outcome, as a call of its own."""
        check_recursion_depth(depth + 1)
        row = self.record.enter(code, depth + 1, a, b, maximizing, weight=p)
        child = self.record.next_row
        value = self.search(play_move(self.game, state, moves[0]), remaining - 2, a, b, depth + 2, move_codes(moves)[0])
        self.record.leave(row, PROBE, value, skipped=len(moves) - 1)
        return Probe(row, child, value, maximizing, moves)

    def _search_after_probe(
        self, state: Any, remaining: int, alpha: float, beta: float, depth: int, code: int, p: float, probe: Probe
    ) -> float:
        """Search an outcome in full. The value of its first move is known from the probe."""
        maximizing, replies = probe.maximizing, probe.moves
        node = self.record.enter(code, depth, alpha, beta, maximizing, probe.row, p)
        better, value = (max, -INFINITY) if maximizing else (min, INFINITY)
        for tried, (reply_code, reply) in enumerate(zip(move_codes(replies), replies, strict=True), start=1):
            after = play_move(self.game, state, reply)
            if tried == 1:
                turn, _ = turn_and_outcomes(self.game, after, self.game.is_over(after))
                answer = self.record.enter(reply_code, depth + 1, alpha, beta, turn, probe.child)
                score = self.record.leave(answer, TABLE, probe.value)
            else:
                score = self.search(after, remaining - 1, alpha, beta, depth + 1, reply_code)
            value = better(value, score)
            if tried < len(replies) and is_refuted(maximizing, value, alpha, beta, cut_on_equal=True):
                return self.record.leave(node, CUTOFF, value, skipped=len(replies) - tried)
            if maximizing:
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
        return self.record.leave(node, EXHAUSTED, value)


STAR2 = Algorithm(
    name="star2",
    title="Star2",
    line="Star1 that first probes one move after each outcome",
    run=lambda game, record, state, plies, options: Star2Search(game, record).search(state, plies, -INFINITY, INFINITY),
    code=PSEUDOCODE,
    columns=WINDOWS,
    chance_columns=(WEIGHT, LINK),
    laws=("value", "expectation", "first of equals", "within alpha-beta"),
    backup="expectation",
)
