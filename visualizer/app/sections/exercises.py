"""The section "Exercises" of the page Learn: one exercise at a time, graded as soon as it is answered.

The URL names the exercise, so everybody who opens it gets the same tree. Answers stay in the learner's browser. The server grades
them and keeps only the reply that is shown.
"""

from collections.abc import Mapping
from secrets import randbelow
from typing import Any
from uuid import uuid4

import streamlit as st

from engine import PlyscopeError
from engine.core.parsing import whole_number
from engine.learning.exercise import (
    EXERCISE_TYPES,
    answer_format,
    encode_answer,
    give_hint,
    grade_answer,
    make_exercise,
    make_user_tree_exercise,
    read_answer,
    wrong_items,
)
from engine.learning.model import MAX_SEED, Exercise, GradedItem
from engine.learning.summary import summary_file_name, write_summary
from visualizer.app.sections.practice import GAME_PARAM, STRICT_PARAM, show_on_step, tree_params
from visualizer.app.state.large_trees import read_page_game
from visualizer.app.state.navigation_state import remember_params
from visualizer.app.state.notices import format_bad_link
from visualizer.narration.call_narration import list_call_events
from visualizer.narration.exercise_messages import (
    describe_solutions,
    explain_right_answer,
    explain_solution,
    format_hint,
    grade_headline,
)
from visualizer.viewer.exercise_card import exercise_id, find_item_rows, show_exercise_card

EXERCISE_PARAM, SEED_PARAM, DIFFICULTY_PARAM = "exercise", "seed", "difficulty"  # in the URL
REPLY_KEY, STEP_KEY = "exercise reply", "exercise leap"  # in the session state


def is_exercise_requested() -> bool:
    """Return True if the URL asks for an exercise."""
    return EXERCISE_PARAM in st.query_params


def open_exercises(kind: str = next(iter(EXERCISE_TYPES))) -> None:
    """Open an exercise of this type with a new random tree."""
    st.query_params.from_dict(exercise_params(make_exercise(kind, randbelow(MAX_SEED + 1))))


@st.fragment
def show_exercise_section() -> None:
    """Show the exercise that the URL names, or a new one."""
    exercise, problem = read_exercise(st.query_params.to_dict(), randbelow(MAX_SEED + 1))
    if problem:
        st.warning(format_bad_link(problem), icon=":material/link_off:")
    params = exercise_params(exercise)
    if any(st.query_params.get(name) != text for name, text in params.items()):
        st.query_params.update(params)
    remember_params("learn")
    show_exercise(exercise)


def show_exercise(exercise: Exercise, screen: tuple[str, int] | None = None) -> None:
    """Show an exercise. As a screen of a lesson (`screen` is its name and number) it offers no other exercise."""
    reply = st.session_state.get(REPLY_KEY)
    show_exercise_card(exercise, reply, {name: MESSAGE_HANDLERS[name](exercise) for name in MESSAGE_HANDLERS}, screen)
    step = st.session_state.pop(STEP_KEY, None)
    if step is not None:
        show_on_step(exercise.search_tree, step)


def read_exercise(parameters: Mapping[str, str], default_seed: int = 1) -> tuple[Exercise, str]:
    """Return the exercise of the URL, and a message if the URL could not be used."""
    seed, difficulty = parameters.get(SEED_PARAM, str(default_seed)), parameters.get(DIFFICULTY_PARAM, "1")
    kind = parameters.get(EXERCISE_PARAM, next(iter(EXERCISE_TYPES)))
    try:
        if GAME_PARAM in parameters:
            return make_user_tree_exercise(kind, read_page_game(parameters[GAME_PARAM]), parameters.get(STRICT_PARAM) != "1"), ""
        for name, text in ((SEED_PARAM, seed), (DIFFICULTY_PARAM, difficulty)):
            if whole_number(text) is None:
                raise PlyscopeError(f"the {name} {text[:20]!r} is not a whole number")
        return make_exercise(kind, whole_number(seed) or 0, whole_number(difficulty) or 0), ""
    except PlyscopeError as error:
        return make_exercise(kind if kind in EXERCISE_TYPES else next(iter(EXERCISE_TYPES)), default_seed), str(error)


def exercise_params(exercise: Exercise) -> dict[str, str]:
    """Return the URL parameters of an exercise."""
    if exercise.is_user_tree:
        return {EXERCISE_PARAM: exercise.kind, **tree_params(exercise.question)}
    return {EXERCISE_PARAM: exercise.kind, SEED_PARAM: str(exercise.seed), DIFFICULTY_PARAM: str(exercise.difficulty)}


# ---- messages from the browser: all of them are untrusted


def _send_reply(exercise: Exercise, kind: str, **content: Any) -> None:
    st.session_state[REPLY_KEY] = {"token": uuid4().hex, "id": exercise_id(exercise), "kind": kind, **content}


def build_grade_reply(exercise: Exercise, answer: Any) -> dict[str, Any]:
    """Return the grade of an answer with its texts, for the browser."""
    grade = grade_answer(exercise, answer)
    return {
        "answer": encode_answer(read_answer(exercise, answer)),
        "right": grade.right,
        "total": grade.total,
        "headline": grade_headline(exercise, grade),
        "explanation": explain_right_answer(exercise, grade),
        "misconception": grade.misconception.text if grade.misconception else "",
        "right_parts": [item.part for item in grade.items if item.right],
        "corrections": [
            {
                "parts": [item.part for item in items],
                "rows": [row for item in items for row in find_item_rows(exercise, item)],
                "solution": describe_solutions(exercise, items),
                "reason": reason,
                "step": items[0].step,
            }
            for reason, items in _group_by_reason(exercise, wrong_items(grade)).items()
        ],
        "rows": [row for item in grade.items for row in find_item_rows(exercise, item)],
        "calls": [event._asdict() for event in list_call_events(exercise)] if answer_format(exercise) == "call" else [],
    }


def _group_by_reason(exercise: Exercise, items: list[GradedItem]) -> dict[str, list[GradedItem]]:
    """Group wrong items by reason: those with the same reason are explained together."""
    groups: dict[str, list[GradedItem]] = {}
    for item in items:
        groups.setdefault(explain_solution(exercise, item), []).append(item)
    return groups


def _handle_answer(exercise: Exercise, message: dict[str, Any]) -> None:
    if message.get("id") == exercise_id(exercise):
        _send_reply(exercise, "grade", **build_grade_reply(exercise, message.get("answer")))


def _handle_hint(exercise: Exercise, message: dict[str, Any]) -> None:
    number = message.get("number")
    if message.get("id") == exercise_id(exercise) and isinstance(number, int):
        hint = give_hint(exercise, message.get("answer"), number)
        part = hint.item.part if hint.item else ""
        _send_reply(exercise, "hint", number=number, text=format_hint(exercise, hint), part=part)


def _handle_open(exercise: Exercise, message: dict[str, Any]) -> None:
    kind = message.get("kind", "")
    if exercise.is_user_tree and message.get("own") is True:
        other = make_user_tree_exercise(kind, exercise.question.game, st.query_params.get(STRICT_PARAM) != "1")
    else:
        other = make_exercise(kind, message.get("seed", -1), message.get("difficulty", 0))
    if other.is_user_tree == exercise.is_user_tree:
        st.query_params.update(exercise_params(other))
    else:
        st.query_params.from_dict(exercise_params(other))  # one change, so that Back returns to the exercise before


def _handle_show(exercise: Exercise, message: dict[str, Any]) -> None:
    step = message.get("step")
    if message.get("id") == exercise_id(exercise) and isinstance(step, int) and 0 <= step < len(exercise.search_tree.timeline):
        st.session_state[STEP_KEY] = step


def _handle_summary(exercise: Exercise, message: dict[str, Any]) -> None:
    learner = message["learner"] if isinstance(message.get("learner"), str) else ""
    content = write_summary(message.get("exercises"), learner)
    _send_reply(exercise, "summary", text=content.decode(), name=summary_file_name(learner))


def _make_handler(handler: Any) -> Any:
    """Wrap a handler: a PlyscopeError becomes a reply with its message."""

    def bind_exercise(exercise: Exercise) -> Any:
        def handle_message(message: dict[str, Any]) -> None:
            try:
                handler(exercise, message)
            except PlyscopeError as error:
                _send_reply(exercise, "refused", text=str(error))

        return handle_message

    return bind_exercise


MESSAGE_HANDLERS = {
    "answer": _make_handler(_handle_answer),
    "hint": _make_handler(_handle_hint),
    "open": _make_handler(_handle_open),
    "show": _make_handler(_handle_show),
    "summary": _make_handler(_handle_summary),
}
