"""Locate mistakes that only waste calls in the record, row by row, and count the wasted calls."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.checker.diagnosis.context import MAX_COMPARED_ROWS, SearchContext
from engine.checker.diagnosis.evidence import Suspicion, format_number
from engine.checker.diagnosis.mistakes import MISSED_CUTOFFS, WIDE_WINDOWS
from engine.checker.diagnosis.node_facts import MAX, MIN, OPEN_WINDOW
from engine.checker.diagnosis.program_view import WatchedProgram, Window
from engine.checker.diagnosis.source_lines import describe_missing_update
from engine.checker.verdict import Finding

MAX_DEPTH = 200  # nested calls
INFINITY = float("inf")


class SidesToMove(NamedTuple):
    """The side to move in each row. `negamax` scores are those of the side to move."""

    maximizing: list[bool]
    negamax: bool

    def value(self, program: WatchedProgram, row: int) -> float | None:
        """Return the value of a row from MAX's side, or None."""
        found = program.values[row]
        return -found if found is not None and self.negamax and not self.maximizing[row] else found

    def window(self, program: WatchedProgram, row: int) -> Window | None:
        """Return the window of a row from MAX's side, or None."""
        found = program.window(row)
        return (-found[1], -found[0]) if found is not None and self.negamax and not self.maximizing[row] else found


def find_loose_windows(
    program: WatchedProgram, sides: SidesToMove, name: str, above: Window, maximizing: bool, children: Sequence[int]
) -> Iterator[Suspicion]:
    """Yield calls of one row whose window is wider than it should be after the earlier calls."""
    alpha, beta = above
    for before, row in zip((None, *children), children, strict=False):
        value = None if before is None else sides.value(program, before)
        if value is not None:
            alpha, beta = (max(alpha, value), beta) if maximizing else (alpha, min(beta, value))
        window = sides.window(program, row)
        if before is None or window is None:
            continue
        low, high = max(window[0], alpha), min(window[1], beta)
        if low < high and (low, high) != window:  # a window that lies elsewhere is another mistake
            yield Suspicion(
                name,
                row,
                f"the window of this call is ({format_number(window[0])}, {format_number(window[1])}), but the moves before "
                f"it have narrowed it to ({format_number(low)}, {format_number(high)})",
            )


def find_missed_cutoffs(program: WatchedProgram, sides: SidesToMove, name: str, row: int) -> Iterator[Suspicion]:
    """Yield calls that a row makes although its score has reached the bound."""
    window = sides.window(program, row)
    if window is None:
        return
    alpha, beta = window
    for child in program.children[row]:
        if alpha >= beta:
            yield Suspicion(
                name,
                child,
                f"this move is searched although alpha = {format_number(alpha)} has reached beta = "
                f"{format_number(beta)} in call {row}",
            )
        value = sides.value(program, child)
        if value is not None:
            alpha, beta = (max(alpha, value), beta) if sides.maximizing[row] else (alpha, min(beta, value))


def count_needed_calls(program: WatchedProgram, sides: SidesToMove, tops: Sequence[int], top_is_max: bool) -> int | None:
    """Return the number of calls that alpha-beta needs, or None if it is unknown.

    `tops` are the calls below one root.
    """
    if any(depth > MAX_DEPTH for depth in program.calls.depth) or any(end < 0 for end in program.calls.end):
        return None

    def search_row(row: int, alpha: float, beta: float) -> tuple[float, int]:
        below = program.children[row]
        if not below:
            return sides.value(program, row) or 0.0, 1
        value, calls = search_children(below, sides.maximizing[row], alpha, beta)
        return value, calls + 1

    def search_children(rows: Sequence[int], maximizing: bool, alpha: float, beta: float) -> tuple[float, int]:
        best, calls = (-INFINITY if maximizing else INFINITY), 0
        for row in rows:
            value, made = search_row(row, alpha, beta)
            calls += made
            best = max(best, value) if maximizing else min(best, value)
            alpha, beta = (max(alpha, best), beta) if maximizing else (alpha, min(beta, best))
            if alpha >= beta:
                break
        return best, calls

    return (
        search_children(tops, top_is_max, -INFINITY, INFINITY)[1]
        if len(tops) > 1
        else search_row(tops[0], -INFINITY, INFINITY)[1]
    )


def locate_wasted_calls(search: SearchContext, findings: list[Finding]) -> list[Finding]:
    """Return the findings. Those that only waste calls get their first row, their number and their cost."""
    sides = _find_sides(search) if any(finding.name in MISSED_CUTOFFS | WIDE_WINDOWS for finding in findings) else None
    if sides is None:
        return findings
    located = []
    for finding in findings:
        if finding.name in MISSED_CUTOFFS | WIDE_WINDOWS:
            seen = _find_in_record(search, finding.name, sides)
            if seen:
                row, place = seen[0].row, search.locate_caller(seen[0].row)
                sentence = f"{place}: {seen[0].sentence}" if place else seen[0].sentence
                finding = finding._replace(
                    row=row, times=len(seen), sentence=f"{sentence}{_describe_update(search, finding.name, sides, row)}"
                )
                file, line = search.choose_place(finding.name, search.find_caller(row), [row], _find_own_fold(search, sides, row))
                if line:
                    finding = finding._replace(file=file, line=line)
            finding = _add_cost(search, sides, finding)
        located.append(finding)
    return located


def _find_in_record(search: SearchContext, name: str, sides: SidesToMove) -> list[Suspicion]:
    """Return the suspicions of a mistake in the record, row by row."""
    program = search.program
    if name == "root-fresh-window":
        loops = program.runs_with_loops()[:1]
        is_max = _is_root_max(search)
        return [
            seen
            for _, rows in loops
            for seen in find_loose_windows(program, sides, name, sides.window(program, rows[0]) or OPEN_WINDOW, is_max, rows)
        ]
    rows = [row for row in range(min(len(program.calls), MAX_COMPARED_ROWS)) if program.children[row]]
    if name in MISSED_CUTOFFS:
        return [seen for row in rows for seen in find_missed_cutoffs(program, sides, name, row)]
    windows = [(row, sides.window(program, row)) for row in rows]
    return [
        seen
        for row, window in windows
        if window is not None
        for seen in find_loose_windows(program, sides, name, window, sides.maximizing[row], program.children[row])
    ]


def _find_sides(search: SearchContext) -> SidesToMove | None:
    """Return the side to move in each row, or None if it is unclear somewhere."""
    if search.negamax:
        top = bool(search.roots)
        return SidesToMove([(level + top) % 2 == 0 for level in search.program.calls.depth], True)
    folds = search.known_folds()
    found = [folds.get(search.key(row)) for row in range(len(search.program.calls))]
    clear = all(fold is not None or not below for fold, below in zip(found, search.program.children, strict=True))
    return SidesToMove([fold == MAX for fold in found], False) if clear else None


def _is_root_max(search: SearchContext) -> bool:
    return search.negamax or not search.roots or search.roots[0].fold != MIN


def _describe_update(search: SearchContext, name: str, sides: SidesToMove, row: int) -> str:
    """Return which bound is never updated by the caller of a row, and the statement to add; "" for other mistakes."""
    caller, parent = search.find_caller(row), search.program.calls.parent[row]
    function = search.program.functions.get(caller)
    if name != "window-not-updated" or function is None or parent < 0:
        return ""
    words = describe_missing_update(
        search.read_text(function, caller, [row], _find_own_fold(search, sides, row)), sides.maximizing[parent], search.negamax
    )
    return f": {words}" if words else ""


def _find_own_fold(search: SearchContext, sides: SidesToMove, row: int) -> str:
    """Return whether the caller of a row takes the largest score ("max") or the smallest ("min"), from its own view."""
    parent = search.program.calls.parent[row]
    is_max = search.negamax or (sides.maximizing[parent] if parent >= 0 else _is_root_max(search))
    return "max" if is_max else "min"


def _add_cost(search: SearchContext, sides: SidesToMove, finding: Finding) -> Finding:
    """Return the finding with the number of wasted calls of the whole record. Its experiment may save only some of them."""
    calls = search.program.calls
    tops = [row for row in range(len(calls)) if calls.parent[row] < 0]
    loops = search.program.runs_with_loops()
    if len(tops) > 1 and (len(loops) != 1 or loops[0][1] != tops):
        return finding._replace(cost="")
    needed = count_needed_calls(search.program, sides, tops, _is_root_max(search))
    if needed is None or needed >= len(calls):
        return finding._replace(cost="")
    saved = re.search(r"with ([\d,]+) calls instead of", finding.proof)
    is_part = saved is not None and int(saved[1].replace(",", "")) > needed
    more = f"; a search that wastes nothing makes {needed:,}" if is_part else ""
    return finding._replace(cost=f"{len(calls) - needed:,} of {len(calls):,} calls", proof=f"{finding.proof}{more}")
