"""Gradescope's results.json: https://gradescope-autograders.readthedocs.io/en/latest/specs/."""

from typing import Any

from visualizer.grading.grade import GradedResult, ProgramGrade, ResultStatus
from visualizer.grading.rubric import Rubric

STATUSES = {ResultStatus.PASSED: "passed", ResultStatus.FAILED: "failed", ResultStatus.UNSURE: "passed"}


def build_results(grade: ProgramGrade, rubric: Rubric) -> dict[str, Any]:
    """Return the content of results.json."""
    by_hand = "" if grade.is_judged else "\nPlease grade this program by hand."
    return {
        "score": grade.points,
        "output": grade.headline + by_hand,
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": rubric.visibility,
        "stdout_visibility": "hidden",
        "tests": [_build_test(number, result, rubric) for number, result in enumerate(grade.results, start=1)],
        "extra_data": {"judged": grade.is_judged, "max_score": grade.max_points, "isolated": grade.is_isolated},
    }


def _build_test(number: int, result: GradedResult, rubric: Rubric) -> dict[str, Any]:
    finding = result.finding
    return {
        "name": result.name,
        "number": str(number),
        "score": result.points,
        "max_score": result.max_points,
        "status": STATUSES[result.status],
        "output": result.output,
        "visibility": "hidden" if result.is_private else rubric.visibility,
        "tags": [] if finding is None else [finding.name, "certain" if finding.certain else "likely"],
    }
