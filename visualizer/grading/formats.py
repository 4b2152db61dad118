"""The formats of grades, by name."""

import json
from collections.abc import Callable
from typing import NamedTuple

from engine.core.errors import PlyscopeError
from visualizer.grading import github, gradescope, junit, prairielearn
from visualizer.grading.grade import ProgramGrade
from visualizer.grading.rubric import Rubric


class GradeFormat(NamedTuple):
    """A format of grades."""

    render: Callable[[list[ProgramGrade], Rubric], str]
    has_many: bool  # it holds several programs


def _to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


GRADE_FORMATS = {
    "gradescope": GradeFormat(lambda grades, rubric: _to_json(gradescope.build_results(grades[0], rubric)), False),
    "prairielearn": GradeFormat(lambda grades, rubric: _to_json(prairielearn.build_results(grades[0])), False),
    "junit": GradeFormat(lambda grades, rubric: junit.render_junit(grades), True),
    "github": GradeFormat(lambda grades, rubric: github.render_annotations(grades), True),
}


def check_program_count(name: str, programs: int) -> None:
    """Raise PlyscopeError if a format cannot hold so many programs."""
    if programs > 1 and not GRADE_FORMATS[name].has_many:
        raise PlyscopeError(f"--format {name} holds one program: check one program, or use --format junit")


def render_grades(name: str, grades: list[ProgramGrade], rubric: Rubric) -> str:
    """Return the grades in a format."""
    return GRADE_FORMATS[name].render(grades, rubric)
