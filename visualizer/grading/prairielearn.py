"""PrairieLearn's results.json of an external grader: https://docs.prairielearn.com/externalGrading/."""

from base64 import b64encode
from typing import Any

from engine.checker.recorded_tree import build_tree, has_extra_root
from engine.checker.run_file import run_title
from visualizer.api import to_svg
from visualizer.grading.grade import GradedResult, ProgramGrade, format_points
from visualizer.narration.check_messages import find_tree_row
from visualizer.report.check_page import find_readable_view

MAX_PICTURE_BYTES = 300_000  # the whole file may have 1 MB


def build_results(grade: ProgramGrade) -> dict[str, Any]:
    """Return the content of results.json. A program that is not judged is not gradable: it costs no points, no attempt."""
    if not grade.is_judged and grade.points:
        errors = [line for result in grade.results for line in result.output.splitlines()]
        return {"gradable": False, "message": grade.headline, "format_errors": [grade.headline, *errors]}
    picture = draw_first_wrong_call(grade)
    return {
        "gradable": True,
        "score": grade.points / grade.max_points if grade.max_points else 1.0,
        "message": f"{grade.headline} ({format_points(grade)} points)",
        "output": "",
        "images": [] if picture is None else [picture],
        "tests": [_build_test(result) for result in grade.results],
    }


def _build_test(result: GradedResult) -> dict[str, Any]:
    return {
        "name": result.name,
        "description": result.status.value,
        "points": result.points,
        "max_points": result.max_points,
        "message": result.output.partition("\n")[0],
        "output": result.output,
    }


def draw_first_wrong_call(grade: ProgramGrade) -> dict[str, str] | None:
    """Return a picture of the first certain finding: its call and the calls below it. None if it is not in the record."""
    for result in grade.results:
        if result.finding is None or not result.finding.certain or result.checked is None:
            continue
        verdict, answer = result.checked
        row = find_tree_row(result.finding, has_extra_root(answer))
        tree = build_tree(run_title(verdict.file, answer), answer)
        view = find_readable_view(tree, row) if 0 <= row < len(tree) else None
        if view is None:
            continue
        content = to_svg(tree, view).encode()
        if len(content) <= MAX_PICTURE_BYTES:
            return {"label": result.name, "url": f"data:image/svg+xml;base64,{b64encode(content).decode()}"}
    return None
