"""Local rules for a search trace: each call is compared with the calls that it made.

A trace cannot be run again, so no finding is proved: all are likely.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from engine.checker.diagnosis.evidence import format_number
from engine.checker.verdict import Finding
from engine.tree.trace_builder import TraceColumns

MAX_SHOWN_SCORES = 8
MIN_PATTERN_CALLS = 3  # of a pattern that must hold everywhere


class TraceNode(NamedTuple):
    """A call and the calls that it made, from MAX's side. A move that was searched again counts once, with its last value."""

    row: int
    is_max: bool
    alpha: float
    beta: float
    value: float
    rows: list[int]  # of the calls below
    scores: list[float]

    def better(self, one: float, other: float) -> float:
        return max(one, other) if self.is_max else min(one, other)

    @property
    def best(self) -> float:
        return max(self.scores) if self.is_max else min(self.scores)

    @property
    def worst(self) -> float:
        return min(self.scores) if self.is_max else max(self.scores)

    @property
    def side(self) -> str:
        return "MAX" if self.is_max else "MIN"

    @property
    def bound(self) -> float:
        """Return the other side's bound: a score that reaches it allows a cutoff."""
        return self.beta if self.is_max else self.alpha

    def is_beyond(self, score: float) -> bool:
        """Return True if a score lies beyond the other side's bound."""
        return score > self.beta if self.is_max else score < self.alpha


class RuleHit(NamedTuple):
    """A rule that a call breaks."""

    name: str
    row: int
    sentence: str


Rule = Callable[[TraceNode, TraceColumns], Iterator[RuleHit]]


def find_trace_mistakes(seen: TraceColumns) -> list[Finding]:
    """Return one likely finding for each broken rule, at its first call."""
    hits: dict[str, list[RuleHit]] = defaultdict(list)
    nodes = list(iterate_nodes(seen))
    for hit in _check_values(nodes):
        hits[hit.name].append(hit)
    for node in nodes:
        for rule in NODE_RULES:
            for hit in rule(node, seen):
                hits[hit.name].append(hit)
    for whole_rule in (_check_turns, _check_depths, _check_leaves):
        for hit in whole_rule(seen):
            hits[hit.name].append(hit)
    found = [
        Finding(name, False, of_name[0].row, len({hit.row for hit in of_name}), of_name[0].sentence)
        for name, of_name in hits.items()
    ]
    return sorted(found, key=lambda finding: finding.row)


def iterate_nodes(seen: TraceColumns) -> Iterator[TraceNode]:
    """Yield the calls that made calls, if they and those below have returned."""
    below: dict[int, list[int]] = defaultdict(list)
    for row, parent in enumerate(seen.parent.tolist()):
        if parent >= 0:
            below[parent].append(row)
    for row, rows in below.items():
        scores = seen.value[rows].tolist()
        if math.isnan(seen.value[row]) or seen.calls[row].status == "open" or any(map(math.isnan, scores)):
            continue
        last = {
            seen.calls[child].move if seen.calls[child].move is not None else -child: score
            for child, score in zip(rows, scores, strict=True)
        }
        window = float(seen.alpha[row]), float(seen.beta[row])
        yield TraceNode(row, bool(seen.maximizing[row]), *window, float(seen.value[row]), rows, list(last.values()))


# ---- one call


EXPLANATIONS: dict[str, Callable[[TraceNode], bool]] = {  # of a value that is not the best score
    "sides-swapped": lambda node: node.value == node.worst,
    "returns-last-child": lambda node: node.value == node.scores[-1],
    "sign-lost": lambda node: node.value in (-node.best, -node.worst),
    "starts-at-zero": lambda node: node.value != node.best and node.better(node.value, node.best) == node.value,
    "value-unexplained": lambda node: False,  # if nothing else fits
}


def _check_values(nodes: list[TraceNode]) -> Iterator[RuleHit]:
    """Yield calls whose value is not the best of their scores, nor that score limited to the window.

    If several explanations fit a call, the one that fits the most calls counts.
    """
    votes = {name: sum(fits(node) for node in nodes) for name, fits in EXPLANATIONS.items()}
    for node in nodes:
        if node.value in (node.best, min(max(node.best, node.alpha), node.beta)):
            continue
        fitting = [name for name, fits in EXPLANATIONS.items() if fits(node)]
        name = max(fitting, key=votes.__getitem__, default="value-unexplained")
        shown = ", ".join(format_number(score) for score in node.scores[:MAX_SHOWN_SCORES])
        more = ", …" if len(node.scores) > MAX_SHOWN_SCORES else ""
        words = f"this is a call for {node.side}, its moves score {shown}{more}, but it returns {format_number(node.value)}"
        yield RuleHit(name, node.row, words)


def _check_windows(node: TraceNode, seen: TraceColumns) -> Iterator[RuleHit]:
    """Yield calls that pass on a window that does not fit the scores so far."""
    if not seen.has_windows:
        return
    best = -math.inf if node.is_max else math.inf
    for child in node.rows:
        alpha, beta = float(seen.alpha[child]), float(seen.beta[child])
        wanted = (max(node.alpha, best), node.beta) if node.is_max else (node.alpha, min(node.beta, best))
        if wanted[0] < wanted[1] and (name := _name_window_mistake(node, (alpha, beta), wanted)):
            passed = f"({format_number(alpha)}, {format_number(beta)})"
            expected = f"({format_number(wanted[0])}, {format_number(wanted[1])})"
            yield RuleHit(name, node.row, f"it passes on the window {passed} where {expected} is known")
            return
        best = node.better(best, float(seen.value[child]))


def _name_window_mistake(node: TraceNode, passed: tuple[float, float], wanted: tuple[float, float]) -> str:
    """Return the mistake, or an empty text. A narrower window is allowed: a probe has one."""
    if passed[0] > passed[1]:
        return "window-swapped"
    if passed == (node.alpha, node.beta) and passed != wanted:
        return "window-not-updated"
    if passed[0] < wanted[0] or passed[1] > wanted[1]:
        return "window-not-passed"
    return ""


def _check_cutoffs(node: TraceNode, seen: TraceColumns) -> Iterator[RuleHit]:
    """Yield calls that go on although a score lies beyond the bound, and cutoffs inside the window."""
    values = seen.value[node.rows].tolist()
    if any(node.is_beyond(value) for value in values[:-1]) and len(node.scores) == len(values):
        yield RuleHit(
            "no-cutoff", node.row, f"a move scores beyond the bound {format_number(node.bound)}, but the next moves are searched"
        )
    call = seen.calls[node.row]
    reached = node.best >= node.beta if node.is_max else node.best <= node.alpha
    if (call.status == "cutoff" or call.skipped) and not reached:
        window = f"({format_number(node.alpha)}, {format_number(node.beta)})"
        yield RuleHit(
            "cut-too-early", node.row, f"it skips moves at the score {format_number(node.best)}, inside its window {window}"
        )


NODE_RULES: tuple[Rule, ...] = (_check_windows, _check_cutoffs)


# ---- the whole trace


def _check_turns(seen: TraceColumns) -> Iterator[RuleHit]:
    """Yield a search in which the side never changes."""
    inner = seen.parent >= 0
    same = seen.maximizing[inner] == seen.maximizing[seen.parent[inner]]
    if len(same) >= MIN_PATTERN_CALLS and same.all():
        side = "MAX" if seen.maximizing[0] else "MIN"
        yield RuleHit("sides-do-not-alternate", int(np.flatnonzero(inner)[0]), f"every call is a call for {side}")


def _check_depths(seen: TraceColumns) -> Iterator[RuleHit]:
    """Yield a search whose depth does not change by one from call to call."""
    depth = [call.depth for call in seen.calls]
    steps = [
        abs(own - above)
        for own, parent in zip(depth, seen.parent.tolist(), strict=True)
        if parent >= 0 and own is not None and (above := depth[parent]) is not None
    ]
    if len(steps) < MIN_PATTERN_CALLS:
        return
    if set(steps) == {0}:
        yield RuleHit("depth-not-reduced", 0, "every call has the depth of the call above it")
    elif set(steps) == {2}:
        yield RuleHit("depth-by-two", 0, "every call changes the depth by two")


def _check_leaves(seen: TraceColumns) -> Iterator[RuleHit]:
    """Yield a leaf that has another value where the same position is a leaf again, equally deep."""
    known: dict[tuple[str, str, int], float] = {}
    for row in np.flatnonzero(seen.is_leaf & ~np.isnan(seen.value)).tolist():
        call, value = seen.calls[row], float(seen.value[row])
        if call.state and call.status in (None, "terminal", "horizon"):
            before = known.setdefault((call.state, call.side, int(seen.depth[row])), value)
            if before != value:
                yield RuleHit(
                    "evaluation-inconsistent",
                    row,
                    f"this leaf scores {format_number(value)}, and {format_number(before)} in an earlier call",
                )
