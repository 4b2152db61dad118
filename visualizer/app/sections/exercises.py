"""The section "Exercises" of the page Learn: one exercise at a time, graded as soon as it is answered.

The URL names the exercise, so a class gets the same tree. Answers stay in the learner's browser. The server grades them and
keeps only the reply that is shown.
"""

from collections.abc import Mapping
from secrets import randbelow
from typing import Any
from uuid import uuid4

import streamlit as st

from engine import PlyscopeError, Trace
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
from engine.learning.summary import write_summary
from visualizer.app.sections.practice import GAME_PARAM, STRICT_PARAM, tree_params
from visualizer.app.state.large_trees import read_page_game
from visualizer.app.state.navigation_state import remember_params
from visualizer.app.state.notices import format_bad_link
from visualizer.app.state.url_params import search_params
from visualizer.narration.call_narration import list_call_events
from visualizer.narration.exercise_messages import describe_solutions, explain_solution, format_hint, grade_headline
from visualizer.viewer.exercise_card import exercise_id, find_item_rows, show_exercise_card
from visualizer.viewer.page_redirect import redirect_to_step

EXERCISE_PARAM, SEED_PARAM, DIFFICULTY_PARAM = "exercise", "seed", "difficulty"  # in the address
REPLY_KEY, STEP_KEY = "exercise reply", "exercise leap"  # in the session
SUMMARY_FILE = "plyscope-progress.json"


def is_exercise_requested() -> bool:
    """Return True if the URL asks for an exercise."""
    return EXERCISE_PARAM in st.query_params


def open_exercises(kind: str = next(iter(EXERCISE_TYPES))) -> None:
    """Open an exercise of this type with a new random tree."""
    st.query_params.from_dict(exercise_params(make_exercise(kind, randbelow(MAX_SEED + 1))))


@st.fragment
def show_exercise_section() -> None:
    """Show the exercise that the URL names, or a new one."""
    exercise, wrong = read_exercise(st.query_params.to_dict(), randbelow(MAX_SEED + 1))
    if wrong:
        st.warning(format_bad_link(wrong), icon=":material/link_off:")
    address = exercise_params(exercise)
    if any(st.query_params.get(name) != text for name, text in address.items()):
        st.query_params.update(address)
    remember_params("learn")
    show_exercise(exercise)


def show_exercise(exercise: Exercise, screen: tuple[str, int] | None = None) -> None:
    """Show an exercise. As a screen of a lesson (`screen` is its name and number) it offers no other exercise."""
    reply = st.session_state.get(REPLY_KEY)
    show_exercise_card(exercise, reply, {name: MESSAGE_HANDLERS[name](exercise) for name in MESSAGE_HANDLERS}, screen)
    step = st.session_state.pop(STEP_KEY, None)
    if step is not None:
        redirect_to_step({**search_params(exercise.question), "step": str(step)})


def read_exercise(parameters: Mapping[str, str], usual_seed: int = 1) -> tuple[Exercise, str]:
    """Return the exercise of the URL, and a message if the URL could not be used."""
    seed, difficulty = parameters.get(SEED_PARAM, str(usual_seed)), parameters.get(DIFFICULTY_PARAM, "1")
    kind = parameters.get(EXERCISE_PARAM, next(iter(EXERCISE_TYPES)))
    try:
        if GAME_PARAM in parameters:
            return make_user_tree_exercise(kind, read_page_game(parameters[GAME_PARAM]), parameters.get(STRICT_PARAM) != "1"), ""
        for name, text in ((SEED_PARAM, seed), (DIFFICULTY_PARAM, difficulty)):
            if whole_number(text) is None:
                raise PlyscopeError(f"the {name} {text[:20]!r} is no whole number")
        return make_exercise(kind, whole_number(seed) or 0, whole_number(difficulty) or 0), ""
    except PlyscopeError as error:
        return make_exercise(kind if kind in EXERCISE_TYPES else next(iter(EXERCISE_TYPES)), usual_seed), str(error)


def exercise_params(exercise: Exercise) -> dict[str, str]:
    """Return the URL parameters of an exercise."""
    if exercise.own:
        return {EXERCISE_PARAM: exercise.kind, **tree_params(exercise.question)}
    return {EXERCISE_PARAM: exercise.kind, SEED_PARAM: str(exercise.seed), DIFFICULTY_PARAM: str(exercise.difficulty)}


# ---- what the browser sends: all of it is foreign


def _send_reply(exercise: Exercise, what: str, **content: Any) -> None:
    st.session_state[REPLY_KEY] = {"token": uuid4().hex, "id": exercise_id(exercise), "what": what, **content}


def build_grade_reply(exercise: Exercise, answer: Any) -> dict[str, Any]:
    """Return the grade of an answer with its texts, for the browser."""
    judged = grade_answer(exercise, answer)
    return {
        "answer": encode_answer(read_answer(exercise, answer)),
        "right": judged.right,
        "total": judged.total,
        "headline": grade_headline(exercise, judged),
        "thought": judged.thought.text if judged.thought else "",
        "rights": [item.part for item in judged.items if item.right],
        "wrongs": [
            {
                "parts": [item.part for item in items],
                "rows": [row for item in items for row in find_item_rows(exercise, item)],
                "told": describe_solutions(exercise, items),
                "reason": why,
                "step": items[0].step,
            }
            for why, items in _group_by_reason(exercise, wrong_items(judged)).items()
        ],
        "rows": [row for item in judged.items for row in find_item_rows(exercise, item)],
        "calls": [event._asdict() for event in list_call_events(exercise)] if answer_format(exercise) == "call" else [],
    }


def _group_by_reason(exercise: Exercise, items: list[GradedItem]) -> dict[str, list[GradedItem]]:
    """Group wrong items by reason: those with the same reason are explained together."""
    found: dict[str, list[GradedItem]] = {}
    for item in items:
        found.setdefault(explain_solution(exercise, item), []).append(item)
    return found


def _handle_answer(exercise: Exercise, sent: dict[str, Any]) -> None:
    if sent.get("id") == exercise_id(exercise):
        _send_reply(exercise, "grade", **build_grade_reply(exercise, sent.get("answer")))


def _handle_hint(exercise: Exercise, sent: dict[str, Any]) -> None:
    number = sent.get("number")
    if sent.get("id") == exercise_id(exercise) and isinstance(number, int):
        given = give_hint(exercise, sent.get("answer"), number)
        part = given.item.part if given.item else ""
        _send_reply(exercise, "hint", number=number, words=format_hint(exercise, given), part=part)


def _handle_open(exercise: Exercise, sent: dict[str, Any]) -> None:
    kind = sent.get("kind", "")
    if exercise.own and sent.get("own") is True:
        other = make_user_tree_exercise(kind, exercise.question.game, st.query_params.get(STRICT_PARAM) != "1")
    else:
        other = make_exercise(kind, sent.get("seed", -1), sent.get("difficulty", 0))
    if other.own == exercise.own:
        st.query_params.update(exercise_params(other))
    else:
        st.query_params.from_dict(exercise_params(other))  # at once: every change is a place that Back returns to


def _handle_show(exercise: Exercise, sent: dict[str, Any]) -> None:
    step = sent.get("step")
    if sent.get("id") == exercise_id(exercise) and isinstance(step, int) and 0 <= step < len(Trace(exercise.search_tree)):
        st.session_state[STEP_KEY] = step


def _handle_summary(exercise: Exercise, sent: dict[str, Any]) -> None:
    learner = sent.get("learner")
    written = write_summary(sent.get("exercises"), learner if isinstance(learner, str) else "")
    _send_reply(exercise, "summary", text=written.decode(), name=SUMMARY_FILE)


def _make_handler(hears: Any) -> Any:
    """Wrap a handler: a PlyscopeError becomes a reply that says what was refused."""

    def bind_exercise(exercise: Exercise) -> Any:
        def handle_message(sent: dict[str, Any]) -> None:
            try:
                hears(exercise, sent)
            except PlyscopeError as error:
                _send_reply(exercise, "refused", words=str(error))

        return handle_message

    return bind_exercise


MESSAGE_HANDLERS = {
    "answer": _make_handler(_handle_answer),
    "hint": _make_handler(_handle_hint),
    "open": _make_handler(_handle_open),
    "show": _make_handler(_handle_show),
    "summary": _make_handler(_handle_summary),
}
