"""Where a mistake that only wastes calls shows in the record, row by row, and what it costs."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.checker.diagnosis.context import MOST_COMPARED, Examined
from engine.checker.diagnosis.evidence import Suspicion, number
from engine.checker.diagnosis.node_facts import MAX, MIN, OPEN
from engine.checker.diagnosis.program_view import WatchedProgram, Window
from engine.checker.verdict import Finding

NOT_CUT = {"no-cutoff", "inner-break"}
WASTEFUL = NOT_CUT | {"root-fresh-window", "window-not-passed", "window-not-updated", "bound-loosened"}
DEEPEST = 200  # calls inside of each other
INFINITE = float("inf")


class Movers(NamedTuple):
    """Who is to move in each row; `negamax` scores are those of the side to move."""

    maximizing: list[bool]
    negamax: bool

    def value(self, program: WatchedProgram, row: int) -> float | None:
        found = program.values[row]
        return -found if found is not None and self.negamax and not self.maximizing[row] else found

    def window(self, program: WatchedProgram, row: int) -> Window | None:
        found = program.window(row)
        return (-found[1], -found[0]) if found is not None and self.negamax and not self.maximizing[row] else found


def loose_windows(
    program: WatchedProgram, sides: Movers, name: str, above: Window, maximizing: bool, children: Sequence[int]
) -> Iterator[Suspicion]:
    """Calls of one row whose window is wider than what the calls before them have left of it."""
    alpha, beta = above
    for before, row in zip((None, *children), children, strict=False):
        value = None if before is None else sides.value(program, before)
        if value is not None:
            alpha, beta = (max(alpha, value), beta) if maximizing else (alpha, min(beta, value))
        window = sides.window(program, row)
        if before is not None and window is not None and alpha < beta and (window[0] < alpha or window[1] > beta):
            yield Suspicion(
                name,
                row,
                f"the window of this call is ({number(window[0])}, {number(window[1])}), but the moves before it have left only "
                f"({number(alpha)}, {number(beta)})",
            )


def cuts_not_taken(program: WatchedProgram, sides: Movers, name: str, row: int) -> Iterator[Suspicion]:
    """Calls that a row makes though its score has reached the bound."""
    window = sides.window(program, row)
    if window is None:
        return
    alpha, beta = window
    for child in program.children[row]:
        if alpha >= beta:
            yield Suspicion(
                name,
                child,
                f"this move is searched though alpha = {number(alpha)} has reached beta = {number(beta)} in call {row}",
            )
        value = sides.value(program, child)
        if value is not None:
            alpha, beta = (max(alpha, value), beta) if sides.maximizing[row] else (alpha, min(beta, value))


def calls_needed(program: WatchedProgram, sides: Movers, tops: Sequence[int], top_is_max: bool) -> int | None:
    """How many of the calls alpha-beta makes; `tops` are the calls below one root. None where the record does not tell."""
    if any(depth > DEEPEST for depth in program.calls.depth) or any(end < 0 for end in program.calls.end):
        return None

    def visit(row: int, alpha: float, beta: float) -> tuple[float, int]:
        below = program.children[row]
        if not below:
            return sides.value(program, row) or 0.0, 1
        value, calls = over(below, sides.maximizing[row], alpha, beta)
        return value, calls + 1

    def over(rows: Sequence[int], maximizing: bool, alpha: float, beta: float) -> tuple[float, int]:
        best, calls = (-INFINITE if maximizing else INFINITE), 0
        for row in rows:
            value, made = visit(row, alpha, beta)
            calls += made
            best = max(best, value) if maximizing else min(best, value)
            alpha, beta = (max(alpha, best), beta) if maximizing else (alpha, min(beta, best))
            if alpha >= beta:
                break
        return best, calls

    return over(tops, top_is_max, -INFINITE, INFINITE)[1] if len(tops) > 1 else visit(tops[0], -INFINITE, INFINITE)[1]


def with_rows(search: Examined, findings: list[Finding]) -> list[Finding]:
    """The findings that only waste calls, with the rows where they show and what they cost."""
    sides = _sides_of_rows(search) if any(finding.name in WASTEFUL for finding in findings) else None
    if sides is None:
        return findings
    told = []
    for finding in findings:
        if finding.name in WASTEFUL:
            seen = _on_record(search, finding.name, sides)
            if seen:
                finding = finding._replace(row=seen[0].row, times=len(seen), sentence=seen[0].sentence)
            finding = finding._replace(cost=_cost(search, sides))
        told.append(finding)
    return told


def _on_record(search: Examined, name: str, sides: Movers) -> list[Suspicion]:
    """Where a mistake shows in the record, row by row."""
    program = search.program
    if name == "root-fresh-window":
        loops = program.runs_with_loops()[:1]
        is_max = _root_is_max(search)
        return [
            seen
            for _, rows in loops
            for seen in loose_windows(program, sides, name, sides.window(program, rows[0]) or OPEN, is_max, rows)
        ]
    rows = [row for row in range(min(len(program.calls), MOST_COMPARED)) if program.children[row]]
    if name in NOT_CUT:
        return [seen for row in rows for seen in cuts_not_taken(program, sides, name, row)]
    windows = [(row, sides.window(program, row)) for row in rows]
    return [
        seen
        for row, window in windows
        if window is not None
        for seen in loose_windows(program, sides, name, window, sides.maximizing[row], program.children[row])
    ]


def _sides_of_rows(search: Examined) -> Movers | None:
    """Who is to move in each row; None where that is not clear everywhere."""
    if search.negamax:
        top = bool(search.roots)
        return Movers([(level + top) % 2 == 0 for level in search.program.calls.depth], True)
    folds = search.folds()
    found = [folds.get(search.key(row)) for row in range(len(search.program.calls))]
    clear = all(fold is not None or not below for fold, below in zip(found, search.program.children, strict=True))
    return Movers([fold == MAX for fold in found], False) if clear else None


def _root_is_max(search: Examined) -> bool:
    return search.negamax or not search.roots or search.roots[0].fold != MIN


def _cost(search: Examined, sides: Movers) -> str:
    """What the mistake cost in calls, all of the record counted."""
    calls = search.program.calls
    tops = [row for row in range(len(calls)) if calls.parent[row] < 0]
    loops = search.program.runs_with_loops()
    if len(tops) > 1 and (len(loops) != 1 or loops[0][1] != tops):
        return ""
    needed = calls_needed(search.program, sides, tops, _root_is_max(search))
    return f"{len(calls) - needed:,} of {len(calls):,} calls" if needed is not None and needed < len(calls) else ""
