"""The grade of a checked program: its results, each with points, by a rubric.

Uncertain results never cost points: a likely finding, a condition that could not be judged, a run that was stopped.
"""

import os
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from engine.checker.check import CheckedProgram, check
from engine.checker.recording.wire_format import decompress_columns
from engine.checker.sandbox.launcher import attach_files
from engine.checker.sandbox.program_files import to_utf8_name
from engine.checker.sandbox.worker_protocol import Answer, CheckRequest
from engine.checker.verdict import NOT_RUN, Finding, Verdict
from visualizer.grading.rubric import Rubric, RubricPosition
from visualizer.narration.check_messages import (
    RECORDED_ONLY,
    capitalize_reason,
    describe_doubt,
    describe_failure,
    describe_first_call,
    describe_fix,
    describe_place,
    describe_problem,
    describe_proof,
    describe_verdict,
    find_board,
    finding_title,
    quote_source,
)
from visualizer.narration.escapes import sanitize_line
from visualizer.narration.numbers import format_number

AddReference = Callable[[CheckedProgram, RubricPosition], None]
MAX_OUTPUT_CHARS = 8_000  # of one result


class ResultStatus(StrEnum):
    """The end of a graded test: passed, failed or not judged."""

    PASSED = "passed"
    FAILED = "failed"  # points were lost
    UNSURE = "unsure"  # it could not be judged, or it is only likely: no points were lost


class GradedResult(NamedTuple):
    """One result with its points."""

    name: str
    status: ResultStatus
    points: float
    max_points: float
    output: str
    finding: Finding | None = None
    checked: CheckedProgram | None = None  # the run of the finding
    is_private: bool = False  # for the instructors only, if the system can do that


class ProgramGrade(NamedTuple):
    """The results of one program."""

    file: str  # as typed
    headline: str
    results: list[GradedResult]
    is_judged: bool  # False: it could not be run, or its choice of moves not judged, so it has to be graded by hand
    verdicts: list[Verdict]
    is_isolated: bool = False  # it ran behind the kernel barrier

    @property
    def points(self) -> float:
        return round(sum(result.points for result in self.results), 6)

    @property
    def max_points(self) -> float:
        return round(sum(result.max_points for result in self.results), 6)


def grade_program(
    file: str,
    rubric: Rubric,
    roles: dict[str, str] | None = None,
    add_reference: AddReference | None = None,
    is_isolated: bool = False,
) -> ProgramGrade:
    """Run a program at each position of the rubric and grade it. If `is_isolated`, it runs behind the kernel barrier."""
    runs = []
    for position in rubric.runs:
        request = CheckRequest(file, position.function, position.call, roles or {}, rubric.seconds, isolated=is_isolated)
        checked = _check_safely(request)
        if add_reference is not None and position.game is not None:
            add_reference(checked, position)
        runs.append((position, checked))
    return build_grade(file, rubric, runs)._replace(is_isolated=is_isolated)


def _check_safely(request: CheckRequest) -> CheckedProgram:
    """Check a program. One without any code is a program that cannot be run."""
    request = attach_files(request)
    if not request.files:
        name = to_utf8_name(Path(os.path.abspath(request.file)).name)
        failed = "there is no Python file" if Path(request.file).is_dir() else "the file cannot be read"
        return CheckedProgram(Verdict(name, reason=failed, verdict=NOT_RUN), Answer(failed=failed))
    return check(request)


def build_grade(file: str, rubric: Rubric, runs: list[tuple[RubricPosition, CheckedProgram]]) -> ProgramGrade:
    """Build the grade from the runs of a program."""
    verdicts = [checked.verdict for _, checked in runs]
    ran = [(position, checked) for position, checked in runs if checked.verdict.verdict != NOT_RUN]
    has_code = has_source(file)
    results = [] if not ran else _grade_findings(rubric, ran)
    if not ran:
        share = 1.0 if rubric.not_run == "full" and has_code else 0.0
        results.append(_grade_missing_run(rubric.points, share, runs[0][1], has_code))
    for position, checked in runs:
        results += _grade_conditions(position, checked, rubric.not_run == "full" and has_code)
    results += _list_doubts(verdicts)
    shown = max((checked for _, checked in runs), key=lambda checked: _severity(checked.verdict))
    headline = f"{shown.verdict.file}: {describe_verdict(shown.verdict)}"
    is_judged = any(checked.verdict.is_judged for _, checked in ran)
    return ProgramGrade(file, sanitize_line(headline), results, is_judged, verdicts)


def _list_doubts(verdicts: list[Verdict]) -> list[GradedResult]:
    """Return a result without points if a person should read some lines: they may forge the verdict."""
    doubts = list(dict.fromkeys(line for verdict in verdicts for line in verdict.doubts))
    if not doubts:
        return []
    lines = ["A program can forge its verdict by reaching into the checker. This costs no points.", *map(describe_doubt, doubts)]
    return [
        GradedResult("Lines that an instructor should read", ResultStatus.UNSURE, 0.0, 0.0, _join_lines(lines), is_private=True)
    ]


def has_source(file: str) -> bool:
    """Return True if there is any code: a file or a folder with a Python file or a notebook that is not empty."""
    path = Path(file)
    found = [*path.rglob("*.py"), *path.rglob("*.ipynb")] if path.is_dir() else [path]
    return any(one.is_file() and one.stat().st_size > 0 and one.read_bytes()[:4096].strip() for one in found)


def _severity(verdict: Verdict) -> tuple[bool, int]:
    return any(finding.certain for finding in verdict.findings), len(verdict.findings)


def _grade_missing_run(points: float, share: float, checked: CheckedProgram, has_code: bool) -> GradedResult:
    verdict, answer = checked
    lines = [verdict.reason, *describe_failure(verdict, answer)]
    if has_code:
        lines.append("The program could not be judged, so it has to be graded by hand.")
    status = ResultStatus.UNSURE if share == 1.0 else ResultStatus.FAILED
    name = "The search could not be run" if has_code else "There is no program"
    return GradedResult(name, status, share * points, points, _join_lines(lines))


# ---- findings


def _grade_findings(rubric: Rubric, runs: list[tuple[RubricPosition, CheckedProgram]]) -> list[GradedResult]:
    """Return a result for each finding, and one for everything else. Their points add up to those of the rubric."""
    found: dict[str, tuple[Finding, CheckedProgram]] = {}
    for _, checked in runs:
        for finding in checked.verdict.findings:
            if finding.name not in found or (finding.certain and not found[finding.name][0].certain):
                found[finding.name] = finding, checked
    left, results = rubric.points, []
    for finding, checked in sorted(found.values(), key=lambda one: not one[0].certain):
        cost = min(rubric.find_deduction(finding.name), left) if finding.certain else 0.0
        left -= cost
        place = describe_place(finding)
        name = f"{finding_title(finding.name)}{f' ({place})' if place else ''}"
        status = ResultStatus.FAILED if finding.certain else ResultStatus.UNSURE
        results.append(GradedResult(sanitize_line(name), status, 0.0, cost, describe_finding(finding, checked), finding, checked))
    return [*results, _grade_rest(left, [checked.verdict for _, checked in runs], bool(found))]


def _grade_rest(points: float, verdicts: list[Verdict], has_findings: bool) -> GradedResult:
    calls, positions = sum(verdict.calls for verdict in verdicts), sum(verdict.positions for verdict in verdicts)
    counted = f"{calls:,} calls from {'one position' if positions == 1 else f'{positions} positions'} were checked."
    missing = dict.fromkeys(line for verdict in verdicts for line in verdict.not_looked_at)
    lines = [counted, *(f"Not checked: {line}." for line in missing)]
    if not any(verdict.is_judged for verdict in verdicts):
        reasons = [RECORDED_ONLY if verdict.is_only_recorded else verdict.reason for verdict in verdicts]
        lines = [*(f"{capitalize_reason(reason)}." for reason in dict.fromkeys(reasons)), *lines]
        return GradedResult("Not judged", ResultStatus.UNSURE, points, points, _join_lines(lines))
    name = "Everything else that was checked" if has_findings else "Nothing wrong was found"
    return GradedResult(name, ResultStatus.PASSED, points, points, _join_lines(lines))


def describe_finding(finding: Finding, checked: CheckedProgram) -> str:
    """Return everything about a finding, as lines of plain text."""
    answer = checked.answer
    lines = [describe_problem(finding)]
    if not finding.certain:
        lines.append("This is likely, but not proved. It costs no points.")
    lines += [describe_place(finding), quote_source(finding, answer)]
    if answer.rows is not None:
        columns = decompress_columns(answer.rows)
        lines += [describe_first_call(finding, answer, columns), find_board(finding, columns)]
    return _join_lines([*lines, describe_proof(finding), describe_fix(finding)])


def _join_lines(lines: list[str]) -> str:
    text = "\n".join(sanitize_line(line) for part in lines if part for line in part.splitlines())
    return text[:MAX_OUTPUT_CHARS]


# ---- conditions


def _grade_conditions(position: RubricPosition, checked: CheckedProgram, unsure_is_free: bool) -> list[GradedResult]:
    """Return a result for each condition of a position. A condition that cannot be judged is met."""
    results = []
    for name in position.conditions:
        is_met, output = CONDITIONS[name](position, checked)
        if is_met is None and checked.verdict.verdict == NOT_RUN and not unsure_is_free:
            is_met = False
        status = {True: ResultStatus.PASSED, False: ResultStatus.FAILED, None: ResultStatus.UNSURE}[is_met]
        points = 0.0 if is_met is False else position.points
        title = sanitize_line(f"{position.name}: {CONDITION_TITLES[name].format(getattr(position, name))}")
        results.append(GradedResult(title, status, points, position.points, sanitize_line(output)))
    return results


Judged = tuple[bool | None, str]
CONDITION_TITLES = {
    "max_calls": "at most {:,} calls",
    "min_calls": "at least {:,} calls",
    "same_value": "the same value as our search",
    "same_move": "the same move as our search",
}


def _judge_max_calls(position: RubricPosition, checked: CheckedProgram) -> Judged:
    calls, limit = checked.verdict.rows, position.max_calls or 0
    if calls > limit:
        return False, f"The search made {calls:,} calls."
    is_known = checked.verdict.complete and calls > 1
    return True if is_known else None, f"The search made {calls:,} calls{'' if is_known else ', but it did not come to its end'}."


def _judge_min_calls(position: RubricPosition, checked: CheckedProgram) -> Judged:
    calls, limit = checked.verdict.rows, position.min_calls or 0
    if calls >= limit:
        return True, f"The search made {calls:,} calls."
    is_known = checked.verdict.complete and calls > 1
    return (
        False if is_known else None,
        f"The search made {calls:,} calls{'' if is_known else ', but it did not come to its end'}.",
    )


def _judge_reference(position: RubricPosition, checked: CheckedProgram, field: str) -> Judged:
    ours = checked.verdict.reference
    if ours is None:
        return None, "The search could not be compared with ours."
    equal: Any = getattr(ours, field)
    words = {True: "The same.", False: "It is different.", None: "It could not be compared."}[equal]
    if equal is False and not checked.verdict.complete:
        return None, "The search did not come to its end, so it could not be compared."
    difference = "" if ours.difference is None else f" First difference: {ours.difference.what}."
    return equal, f"{words} {ours.convention}.{difference if equal is False else ''}"


CONDITIONS: dict[str, Callable[[RubricPosition, CheckedProgram], Judged]] = {
    "max_calls": _judge_max_calls,
    "min_calls": _judge_min_calls,
    "same_value": lambda position, checked: _judge_reference(position, checked, "value_equal"),
    "same_move": lambda position, checked: _judge_reference(position, checked, "move_equal"),
}


def format_points(grade: ProgramGrade) -> str:
    """Return the points as text: 7 of 10."""
    return f"{format_number(grade.points)} of {format_number(grade.max_points)}"
