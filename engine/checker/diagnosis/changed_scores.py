"""Locate mistakes that change scores in the record, row by row, and describe what they changed."""

from collections.abc import Callable, Iterator
from typing import Any

from engine.checker.diagnosis.context import MAX_COMPARED_ROWS, SearchContext
from engine.checker.diagnosis.evidence import format_number, format_scores
from engine.checker.diagnosis.node_facts import MAX, MIN
from engine.checker.diagnosis.sides import side_by_name
from engine.checker.recording.call_recorder import NO_ROW
from engine.checker.recording.state_encoding import is_number
from engine.checker.verdict import Finding

RowSentence = tuple[int, str]  # a row and what is wrong there; the text is empty if the finding's own sentence says it
MAX_DEPTH = 200  # nested calls


def locate_changed_scores(search: SearchContext, finding: Finding) -> Finding:
    """Return the finding with the first row where it shows, how often it does, and what the outermost call returned."""
    show = ROW_FINDERS.get(finding.name)
    rows = [] if show is None else list(show(search))
    if finding.name == "returns-too-soon":
        rows = [(row, "") for row, _ in rows if _is_same_kind(search, row, finding.row)]
    if rows:
        row, sentence = rows[0]
        is_callers = finding.name in CALLER_MISTAKES
        place = search.locate_caller(row) if is_callers else search.locate_function(search.program.row_function(row))
        sentence = f"{place}: {sentence}" if sentence else finding.sentence
        finding = finding._replace(row=row, times=len(rows), sentence=sentence)
    if finding.name == "searched-twice" and rows:
        return finding._replace(
            cost=f"{_count_calls_below(search, sorted(row for row, _ in rows)):,} of {len(search.keys):,} calls"
        )
    return (
        finding._replace(cost=finding.cost or _describe_changed_score(search))
        if finding.name in SCORE_CHANGING_MISTAKES
        else finding
    )


def _is_same_kind(search: SearchContext, row: int, other: int) -> bool:
    """Return True for calls of the same function, and of the same side if the calls name it."""
    key, other_key = search.key(row), search.key(other)
    return key == other_key or (key[0] == other_key[0] and key[1] is None)


def _count_calls_below(search: SearchContext, rows: list[int]) -> int:
    """Return the number of these calls and all below them, each counted once."""
    calls, counted, until = search.program.calls, 0, 0
    for row in rows:
        if row >= until and calls.end[row] != NO_ROW:
            counted, until = counted + calls.end[row] - row, calls.end[row]
    return counted


def _iterate_inner_rows(search: SearchContext) -> Iterator[tuple[int, float, list[float]]]:
    """Yield the rows with several scored moves: row, score, and the scores of the moves from the row's own side."""
    program = search.program
    for row in range(min(len(program.calls), MAX_COMPARED_ROWS)):
        scores = [program.values[child] for child in program.children[row]]
        if len(scores) > 1 and program.values[row] is not None and None not in scores:
            yield row, program.values[row], [-score for score in scores] if search.negamax else scores


def _find_start_rows(search: SearchContext) -> Iterator[RowSentence]:
    starts = {search.key(facts.row): facts.start for facts in search.nodes if facts.start is not None}
    folds = search.known_folds()
    for row, value, scores in _iterate_inner_rows(search):
        fold = MAX if search.negamax else folds.get(search.key(row))
        best = max(scores) if fold == MAX else min(scores)
        if fold is not None and starts.get(search.key(row)) == value and (value > best) == (fold == MAX) and value != best:
            yield (
                row,
                f"its moves score {format_scores(scores)}, but it returns {format_number(value)}, which is better than "
                "any of them",
            )


def _find_last_child_rows(search: SearchContext) -> Iterator[RowSentence]:
    for row, value, scores in _iterate_inner_rows(search):
        if value == scores[-1] and value not in (max(scores), min(scores)):
            yield row, f"its moves score {format_scores(scores)}, and it returns the last score, {format_number(value)}"


def _find_swapped_rows(search: SearchContext) -> Iterator[RowSentence]:
    wanted = {search.key(facts.row): side_by_name(search, facts) for facts in search.nodes if facts.known and not facts.negated}
    for row, value, scores in _iterate_inner_rows(search):
        fold = wanted.get(search.key(row))
        worst, best = (min(scores), max(scores)) if fold == MAX else (max(scores), min(scores))
        if fold is not None and value == worst != best:
            yield (
                row,
                f"this is a call for {fold.upper()}, its moves score {format_scores(scores)}, but it returns "
                f"{format_number(value)}",
            )


def _find_same_side_rows(search: SearchContext) -> Iterator[RowSentence]:
    folds, calls = search.known_folds(), search.program.calls
    for row in range(min(len(calls), MAX_COMPARED_ROWS)):
        parent = calls.parent[row]
        fold = folds.get(search.key(parent)) if parent >= 0 else None
        if fold is not None and search.program.children[row] and folds.get(search.key(row)) == fold and not search.negamax:
            word = "largest" if fold == MAX else "smallest"
            yield parent, f"this call takes the {word} score, and so does call {row} below it: one side moves twice"


def _find_depth_step_rows(search: SearchContext, wrong: Callable[[float], bool]) -> Iterator[RowSentence]:
    program = search.program
    for row in range(min(len(program.calls), MAX_COMPARED_ROWS)):
        parent = program.calls.parent[row]
        above, depth = (program.argument(parent, "depth") if parent >= 0 else None), program.argument(row, "depth")
        if is_number(above) and is_number(depth) and wrong(abs(depth - above)):
            yield row, f"the depth of this call is {format_number(depth)}, and the depth of its caller is {format_number(above)}"


def _find_repeated_rows(search: SearchContext) -> Iterator[RowSentence]:
    program = search.program
    for children in program.children:
        seen: dict[Any, int] = {}
        for child in children:
            if child < len(search.keys):
                key = (search.keys[child], program.window(child), program.argument(child, "depth"))
                if key in seen:
                    yield child, f"this call searches the same move as call {seen[key]}"
                seen[key] = child


def _find_single_child_rows(search: SearchContext) -> Iterator[RowSentence]:
    return ((row, "") for row, children in enumerate(search.program.children) if len(children) == 1)


ROW_FINDERS: dict[str, Callable[[SearchContext], Iterator[RowSentence]]] = {
    "starts-at-zero": _find_start_rows,
    "returns-last-child": _find_last_child_rows,
    "sides-swapped": _find_swapped_rows,
    "sides-do-not-alternate": _find_same_side_rows,
    "depth-by-two": lambda search: _find_depth_step_rows(search, lambda step: step == 2),
    "depth-not-reduced": lambda search: _find_depth_step_rows(search, lambda step: step == 0),
    "searched-twice": _find_repeated_rows,
    "returns-too-soon": _find_single_child_rows,
}
CALLER_MISTAKES = {"depth-by-two", "depth-not-reduced", "searched-twice"}  # the row is a call that should have been different
SCORE_CHANGING_MISTAKES = {"starts-at-zero", "returns-last-child", "sides-swapped", "cut-too-early"}


def _describe_changed_score(search: SearchContext) -> str:
    """Compare the score of the one outermost call with the true value of its leaves. Return "" if they agree."""
    program = search.program
    tops = [row for row in range(len(program.calls)) if program.calls.parent[row] < 0]
    folds = search.known_folds() | {
        search.key(facts.row): side
        for facts in search.nodes
        if not search.negamax and (side := side_by_name(search, facts)) is not None
    }
    if search.negamax or len(tops) != 1 or max(program.calls.depth) > MAX_DEPTH:
        return ""

    def true_value(row: int) -> float | None:
        scores = [true_value(child) for child in program.children[row]]
        fold = folds.get(search.key(row))
        if not scores:
            return program.values[row]
        known = [score for score in scores if score is not None]
        if fold not in (MAX, MIN) or len(known) < len(scores):
            return None
        return max(known) if fold == MAX else min(known)

    score, value = true_value(tops[0]), program.values[tops[0]]
    if score is None or value is None or score == value:
        return ""
    return f"the outermost call returns {format_number(value)}, but the minimax value of its leaves is {format_number(score)}"
