"""An exercise as one HTML file that grades the answer itself, so that a course page can host it without a server.

The file holds the key. Hints and typical mistakes need the engine, so they stay on the page Learn, and the file says so.
"""

import json
from typing import Any

from engine.learning.exercise import EXERCISE_TYPES, accepted_answers, answer_format, encode_answer
from engine.learning.model import BadAnswer, Exercise, GradedItem
from visualizer.drawing.scene import to_svg
from visualizer.exams.exercise_drawing import MARK_BUILDERS, draw_exercise_tree
from visualizer.narration.call_narration import list_call_events
from visualizer.narration.escapes import escape_xml, sanitize_line
from visualizer.narration.exercise_messages import (
    MARK_POINT_RULE,
    POINT_RULES,
    describe_solution,
    exercise_prompt,
    explain_solution,
)
from visualizer.viewer.exercise_card import exercise_json, find_item_rows
from visualizer.viewer.interactive.page_file import write_page
from visualizer.viewer.interactive.tree_page import MAX_TITLE_CHARS

COMPONENT, HOST = "exercise", "exercise_file"
GRADED_IN_FILES = tuple(name for name, kind in EXERCISE_TYPES.items() if kind.grade_parts is None)


def write_exercise(exercise: Exercise, title: str = "") -> bytes:
    """Return the file of an exercise."""
    if exercise.kind not in GRADED_IN_FILES:
        raise BadAnswer(
            f"a file cannot grade {exercise.kind!r}, which needs a search: choose {', '.join(GRADED_IN_FILES)}, "
            "or open the page Learn"
        )
    kind = EXERCISE_TYPES[exercise.kind]
    words = sanitize_line(title)[:MAX_TITLE_CHARS] or kind.title
    data = {"exercise": exercise_json(exercise), "key": build_key(exercise)}
    packed = {name: json.dumps(value).encode() for name, value in data.items()}
    note = f"Hints and typical mistakes are on the page Learn of Plyscope: exercise {exercise.kind}, seed {exercise.seed}."
    return write_page(COMPONENT, words, note, {}, packed, _draw_static(exercise), HOST).encode()


def _draw_static(exercise: Exercise) -> str:
    """Return the task and, where exams have one, a picture of the tree, to be answered on paper."""
    prompt = f"<p>{escape_xml(exercise_prompt(exercise))}</p>\n"
    return prompt + (to_svg(draw_exercise_tree(exercise, solved=False)) if exercise.kind in MARK_BUILDERS else "")


def build_key(exercise: Exercise) -> dict[str, Any]:
    """Return what the file needs to grade an answer: for each part the right answers, the solution and its reason.

    Parts come in the order in which the search settles them.
    """
    kind, accepted = EXERCISE_TYPES[exercise.kind], accepted_answers(exercise)
    items = [_unanswered_item(exercise, part, accepted) for part in kind.allowed_parts(exercise)]
    items.sort(key=lambda item: float("inf") if item.step is None else item.step)
    form = answer_format(exercise)
    return {
        "rule": MARK_POINT_RULE if form == "mark" else POINT_RULES.get(form, ""),
        "parts": {item.part: _part_key(exercise, item, accepted.get(item.part, [])) for item in items},
        "calls": [event._asdict() for event in list_call_events(exercise)] if form == "call" else [],
    }


def _unanswered_item(exercise: Exercise, part: str, accepted: dict[str, list[Any]]) -> GradedItem:
    expected = accepted[part][0] if part in accepted else None
    return GradedItem(part, None, expected, False, EXERCISE_TYPES[exercise.kind].find_step(exercise, part))


def _part_key(exercise: Exercise, item: GradedItem, accepted: list[Any]) -> dict[str, Any]:
    return {
        "accepted": encode_answer({str(place): value for place, value in enumerate(accepted)}),
        "solution": describe_solution(exercise, item),
        "reason": explain_solution(exercise, item),
        "rows": find_item_rows(exercise, item),
    }
