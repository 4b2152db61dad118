"""Star2: Star1 that first probes one move after each outcome (Ballard 1983).

If MAX moves after an outcome, the value of its first move is a lower bound of what the outcome brings; if MIN does, an upper
bound. These bounds replace L and U, so that the interval of a chance node is narrow before any outcome is searched in full.
A probe is a call of its own. The full call after it does not search the first move again.
"""

from typing import Any, NamedTuple

from engine.algorithms.chance_nodes import CodedOutcome, sum_of_others, sums_after, turn_and_outcomes
from engine.algorithms.refutation import is_refuted
from engine.algorithms.spec import LINK, WEIGHT, WINDOWS, Algorithm, check_recursion_depth
from engine.algorithms.star1 import ALPHABETA_LINES, STAR1_CHANCE_LINES, Star1Search
from engine.algorithms.templates import HORIZON_LINE, TERMINAL_LINE, CodeLine, Pseudocode
from engine.games.protocol import legal_moves, move_codes, play_move
from engine.record.columns import CUTOFF, EXHAUSTED, INFINITY, PROBE, TABLE

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

        def leave(value: float, left: int) -> float:
            return self.record.leave(node, CUTOFF if left else EXHAUSTED, value, left)

        for i, (code, _, p) in enumerate(outcomes):
            replies = self._moves_to_probe(states[i], remaining - 1)
            if not replies:
                continue
            if self._is_max(states[i]):
                least = sum_of_others(weights, lo, i)
                B = (beta - least - self.margin) / p
                b = min(self.high, B)
                probe = self._probe(states[i], replies, remaining, self.low if self.low < b else -INFINITY, b, depth, code, p)
                if probe.value >= B:
                    return leave(max(beta, least + p * probe.value), len(outcomes))
                lo[i] = probe.value
            else:
                most = sum_of_others(weights, hi, i)
                A = (alpha - most + self.margin) / p
                a = max(self.low, A)
                probe = self._probe(states[i], replies, remaining, a, self.high if a < self.high else INFINITY, depth, code, p)
                if probe.value <= A:
                    return leave(min(alpha, most + p * probe.value), len(outcomes))
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
                return leave(max(beta, total + p * value + after_low[i]), len(outcomes) - i - 1)
            if value <= A:
                return leave(min(alpha, total + p * value + after_high[i]), len(outcomes) - i - 1)
            total = total + p * value
        return self.record.leave(node, EXHAUSTED, total)

    def _moves_to_probe(self, state: Any, remaining: int) -> list[Any]:
        """Return the moves after an outcome; empty if it is not probed: over, at the horizon, chance, or with a single move."""
        if remaining == 0 or self.game.is_over(state) or turn_and_outcomes(self.game, state, over=False)[1]:
            return []
        replies = list(legal_moves(self.game, state))
        return replies if len(replies) > 1 else []

    def _is_max(self, state: Any) -> bool:
        return bool(turn_and_outcomes(self.game, state, over=False)[0])

    def _probe(
        self, state: Any, replies: list[Any], remaining: int, a: float, b: float, depth: int, code: int, p: float
    ) -> Probe:
        """Search the first move after an outcome, as a call of its own."""
        check_recursion_depth(depth + 1)
        row = self.record.enter(code, depth + 1, a, b, self._is_max(state), weight=p)
        child = self.record.next_row
        after = play_move(self.game, state, replies[0])
        value = self.search(after, remaining - 2, a, b, depth + 2, move_codes(replies)[0])
        return Probe(row, child, self.record.leave(row, PROBE, value, skipped=len(replies) - 1))

    def _search_after_probe(
        self, state: Any, remaining: int, alpha: float, beta: float, depth: int, code: int, p: float, probe: Probe
    ) -> float:
        """Search an outcome in full. The value of its first move is known from the probe."""
        maximizing = self._is_max(state)
        node = self.record.enter(code, depth, alpha, beta, maximizing, probe.row, p)
        replies = legal_moves(self.game, state)
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
