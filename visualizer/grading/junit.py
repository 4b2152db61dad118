"""JUnit XML: the test reports that GitHub Actions, GitLab, Jenkins and others read."""

from visualizer.grading.grade import GradedResult, ProgramGrade, ResultStatus, format_points
from visualizer.narration.escapes import escape_xml


def render_junit(grades: list[ProgramGrade]) -> str:
    """Return the report: a suite for each program, a test case for each result."""
    suites = "".join(map(_render_suite, grades))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites {_format_counts(grades)}>\n{suites}</testsuites>\n'


def _format_counts(grades: list[ProgramGrade]) -> str:
    statuses = [result.status for grade in grades for result in grade.results]
    failures, skipped = statuses.count(ResultStatus.FAILED), statuses.count(ResultStatus.UNSURE)
    return f'tests="{len(statuses)}" failures="{failures}" errors="0" skipped="{skipped}"'


def _render_suite(grade: ProgramGrade) -> str:
    cases = "".join(_render_case(result, grade) for result in grade.results)
    properties = f'<properties><property name="points" value="{escape_xml(format_points(grade))}"/></properties>\n'
    return f'<testsuite name="{escape_xml(grade.file)}" {_format_counts([grade])}>\n{properties}{cases}</testsuite>\n'


def _render_case(result: GradedResult, grade: ProgramGrade) -> str:
    finding = result.finding
    place = f' file="{escape_xml(finding.file)}" line="{finding.line}"' if finding is not None and finding.line else ""
    output = "\n".join(map(escape_xml, result.output.splitlines()))
    message = escape_xml(result.output.partition("\n")[0])
    inner = {
        ResultStatus.PASSED: f"<system-out>{output}</system-out>",
        ResultStatus.FAILED: f'<failure message="{message}">{output}</failure>',
        ResultStatus.UNSURE: f'<skipped message="{message}"/><system-out>{output}</system-out>',
    }[result.status]
    head = f'<testcase name="{escape_xml(result.name)}" classname="{escape_xml(grade.file)}"{place}'
    return f"{head}>{inner}</testcase>\n"
