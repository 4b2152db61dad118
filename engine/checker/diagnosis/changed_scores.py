"""Where a mistake that changes scores shows in the record, row by row, and what it changed."""

from collections.abc import Callable, Iterator
from typing import Any

from engine.checker.diagnosis.context import MOST_COMPARED, Examined
from engine.checker.diagnosis.evidence import number
from engine.checker.diagnosis.node_facts import MAX, MIN
from engine.checker.diagnosis.sides import meant
from engine.checker.recording.call_recorder import NOTHING
from engine.checker.recording.state_encoding import is_number
from engine.checker.verdict import Finding

Row = tuple[int, str]  # and what is wrong there; empty where the finding's own sentence says it
MOST_NAMED = 6  # scores in a sentence
DEEPEST = 200  # calls inside of each other


def with_shown_rows(search: Examined, finding: Finding) -> Finding:
    """The finding at the first row of the record where it shows, with how often it does and what the outermost call returned."""
    show = SHOWN.get(finding.name)
    rows = [] if show is None else list(show(search))
    if rows:
        row, sentence = rows[0]
        finding = finding._replace(row=row, times=len(rows), sentence=sentence or finding.sentence)
    if finding.name == "searched-twice" and rows:
        return finding._replace(cost=f"{_calls_below(search, sorted(row for row, _ in rows)):,} of {len(search.keys):,} calls")
    return finding._replace(cost=finding.cost or _changed_score(search)) if finding.name in CHANGES_SCORES else finding


def _calls_below(search: Examined, rows: list[int]) -> int:
    """How many calls these are with all below them, each counted once."""
    calls, counted, until = search.program.calls, 0, 0
    for row in rows:
        if row >= until and calls.end[row] != NOTHING:
            counted, until = counted + calls.end[row] - row, calls.end[row]
    return counted


def _inner(search: Examined) -> Iterator[tuple[int, float, list[float]]]:
    """The rows with several scored moves: their score, and those of the moves as they are for the row's own side."""
    program = search.program
    for row in range(min(len(program.calls), MOST_COMPARED)):
        scores = [program.values[child] for child in program.children[row]]
        if len(scores) > 1 and program.values[row] is not None and None not in scores:
            yield row, program.values[row], [-score for score in scores] if search.negamax else scores


def _starts(search: Examined) -> Iterator[Row]:
    starts = {search.key(facts.row): facts.start for facts in search.nodes if facts.start is not None}
    folds = search.folds()
    for row, value, scores in _inner(search):
        fold = MAX if search.negamax else folds.get(search.key(row))
        best = max(scores) if fold == MAX else min(scores)
        if fold is not None and starts.get(search.key(row)) == value and (value > best) == (fold == MAX) and value != best:
            yield row, f"its moves score {_named(scores)}, and it returns {number(value)}: better than any of them"


def _last(search: Examined) -> Iterator[Row]:
    for row, value, scores in _inner(search):
        if value == scores[-1] and value not in (max(scores), min(scores)):
            yield row, f"its moves score {_named(scores)}, and it returns the last of them, {number(value)}"


def _swapped(search: Examined) -> Iterator[Row]:
    wanted = {search.key(facts.row): meant(search, facts) for facts in search.nodes if facts.known and not facts.negated}
    for row, value, scores in _inner(search):
        fold = wanted.get(search.key(row))
        worst, best = (min(scores), max(scores)) if fold == MAX else (max(scores), min(scores))
        if fold is not None and value == worst != best:
            yield row, f"this is a call for {fold.upper()}, its moves score {_named(scores)}, and it returns {number(value)}"


def _same_side(search: Examined) -> Iterator[Row]:
    folds, calls = search.folds(), search.program.calls
    for row in range(min(len(calls), MOST_COMPARED)):
        parent = calls.parent[row]
        fold = folds.get(search.key(parent)) if parent >= 0 else None
        if fold is not None and search.program.children[row] and folds.get(search.key(row)) == fold and not search.negamax:
            yield parent, ""


def _steps(search: Examined, wrong: Callable[[float], bool]) -> Iterator[Row]:
    program = search.program
    for row in range(min(len(program.calls), MOST_COMPARED)):
        parent = program.calls.parent[row]
        above, depth = (program.argument(parent, "depth") if parent >= 0 else None), program.argument(row, "depth")
        if is_number(above) and is_number(depth) and wrong(abs(depth - above)):
            yield row, f"the depth of this call is {number(depth)}, and {number(above)} in the one that made it"


def _again(search: Examined) -> Iterator[Row]:
    program = search.program
    for children in program.children:
        seen: dict[Any, int] = {}
        for child in children:
            if child < len(search.keys):
                key = (search.keys[child], program.window(child), program.argument(child, "depth"))
                if key in seen:
                    yield child, f"this is the move of call {seen[key]}, searched again"
                seen[key] = child


def _one_move(search: Examined) -> Iterator[Row]:
    return ((row, "") for row, children in enumerate(search.program.children) if len(children) == 1)


SHOWN: dict[str, Callable[[Examined], Iterator[Row]]] = {
    "starts-at-zero": _starts,
    "returns-last-child": _last,
    "sides-swapped": _swapped,
    "sides-do-not-alternate": _same_side,
    "depth-by-two": lambda search: _steps(search, lambda step: step == 2),
    "depth-not-reduced": lambda search: _steps(search, lambda step: step == 0),
    "searched-twice": _again,
    "returns-too-soon": _one_move,
}
CHANGES_SCORES = {"starts-at-zero", "returns-last-child", "sides-swapped", "cut-too-early"}


def _named(scores: list[float]) -> str:
    said = ", ".join(number(score) for score in scores[:MOST_NAMED])
    return said if len(scores) <= MOST_NAMED else f"{said} …"


def _changed_score(search: Examined) -> str:
    """What the one outermost call returned, and what its leaves make with max and min in turn; empty where that is the same."""
    program = search.program
    tops = [row for row in range(len(program.calls)) if program.calls.parent[row] < 0]
    folds = search.folds() | {
        search.key(facts.row): side for facts in search.nodes if not search.negamax and (side := meant(search, facts)) is not None
    }
    if search.negamax or len(tops) != 1 or max(program.calls.depth) > DEEPEST:
        return ""

    def right(row: int) -> float | None:
        scores = [right(child) for child in program.children[row]]
        fold = folds.get(search.key(row))
        if not scores:
            return program.values[row]
        known = [score for score in scores if score is not None]
        if fold not in (MAX, MIN) or len(known) < len(scores):
            return None
        return max(known) if fold == MAX else min(known)

    score, value = right(tops[0]), program.values[tops[0]]
    if score is None or value is None or score == value:
        return ""
    return f"the outermost call returns {number(value)}, and its leaves make {number(score)}"
