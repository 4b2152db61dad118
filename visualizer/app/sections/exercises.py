"""The part "Exercises" of the page Learn: one exercise at a time, graded as soon as it is answered.

Which one is in the address, so a class gets the same tree. What was answered stays in the learner's browser: the server grades
and keeps nothing but the reply that is shown.
"""

from collections.abc import Mapping
from secrets import randbelow
from typing import Any
from uuid import uuid4

import streamlit as st

from engine import PlyscopeError, Trace
from engine.core.parsing import whole_number
from engine.learning.exercise import KINDS, grade, hint, how_answered, make, make_about, plain, read_answer, wrong_items
from engine.learning.model import MOST_SEED, Exercise, Item
from engine.learning.summary import write_summary
from visualizer.app.sections.practice import GAME, STRICT, parameters_of_tree
from visualizer.app.state.large_trees import game_on_page
from visualizer.app.state.navigation_state import keep_address
from visualizer.app.state.notices import fell_back
from visualizer.app.state.url_params import parameters_of
from visualizer.narration.call_narration import events_of
from visualizer.narration.exercise_messages import headline, hint_words, reason, told_together
from visualizer.viewer.exercise_card import exercise_card, name_of, rows_of
from visualizer.viewer.page_redirect import leap_to_step

EXERCISE, SEED, DIFFICULTY = "exercise", "seed", "difficulty"  # in the address
REPLY, LEAP = "exercise reply", "exercise leap"  # in the session
SUMMARY = "plyscope-progress.json"


def wants_exercises() -> bool:
    """Whether the address asks for an exercise."""
    return EXERCISE in st.query_params


def begin_exercises(kind: str = next(iter(KINDS))) -> None:
    """This kind, or else the first, with a tree that nobody has seen yet."""
    st.query_params.from_dict(parameters_of_exercise(make(kind, randbelow(MOST_SEED + 1))))


@st.fragment
def exercises_part() -> None:
    """The exercise that the address names; if it names none, a fresh one."""
    exercise, wrong = read_exercise(st.query_params.to_dict(), randbelow(MOST_SEED + 1))
    if wrong:
        st.warning(fell_back(wrong), icon=":material/link_off:")
    address = parameters_of_exercise(exercise)
    if any(st.query_params.get(name) != text for name, text in address.items()):
        st.query_params.update(address)
    keep_address("learn")
    show_exercise(exercise)


def show_exercise(exercise: Exercise, screen: tuple[str, int] | None = None) -> None:
    """The exercise, to be answered. As a screen of a lesson, which is then named, it is all there is: no other is offered."""
    reply = st.session_state.get(REPLY)
    exercise_card(exercise, reply, {name: HEARING[name](exercise) for name in HEARING}, screen)
    step = st.session_state.pop(LEAP, None)
    if step is not None:
        leap_to_step({**parameters_of(exercise.question), "step": str(step)})


def read_exercise(parameters: Mapping[str, str], usual_seed: int = 1) -> tuple[Exercise, str]:
    """The exercise of an address, and what in it could not be used."""
    seed, difficulty = parameters.get(SEED, str(usual_seed)), parameters.get(DIFFICULTY, "1")
    kind = parameters.get(EXERCISE, next(iter(KINDS)))
    try:
        if GAME in parameters:
            return make_about(kind, game_on_page(parameters[GAME]), parameters.get(STRICT) != "1"), ""
        for name, text in ((SEED, seed), (DIFFICULTY, difficulty)):
            if whole_number(text) is None:
                raise PlyscopeError(f"the {name} {text[:20]!r} is no whole number")
        return make(kind, whole_number(seed) or 0, whole_number(difficulty) or 0), ""
    except PlyscopeError as error:
        return make(kind if kind in KINDS else next(iter(KINDS)), usual_seed), str(error)


def parameters_of_exercise(exercise: Exercise) -> dict[str, str]:
    """As parts of an address."""
    if exercise.own:
        return {EXERCISE: exercise.kind, **parameters_of_tree(exercise.question)}
    return {EXERCISE: exercise.kind, SEED: str(exercise.seed), DIFFICULTY: str(exercise.difficulty)}


# ---- what the browser sends: all of it is foreign


def _reply(exercise: Exercise, what: str, **content: Any) -> None:
    st.session_state[REPLY] = {"token": uuid4().hex, "id": name_of(exercise), "what": what, **content}


def graded(exercise: Exercise, answer: Any) -> dict[str, Any]:
    """The grade of an answer in words, for the browser."""
    judged = grade(exercise, answer)
    return {
        "answer": plain(read_answer(exercise, answer)),
        "right": judged.right,
        "total": judged.total,
        "headline": headline(exercise, judged),
        "thought": judged.thought.text if judged.thought else "",
        "rights": [item.part for item in judged.items if item.right],
        "wrongs": [
            {
                "parts": [item.part for item in items],
                "rows": [row for item in items for row in rows_of(exercise, item)],
                "told": told_together(exercise, items),
                "reason": why,
                "step": items[0].step,
            }
            for why, items in _by_reason(exercise, wrong_items(judged)).items()
        ],
        "rows": [row for item in judged.items for row in rows_of(exercise, item)],
        "calls": [event._asdict() for event in events_of(exercise)] if how_answered(exercise) == "call" else [],
    }


def _by_reason(exercise: Exercise, items: list[Item]) -> dict[str, list[Item]]:
    """What is wrong for the same reason is told together."""
    found: dict[str, list[Item]] = {}
    for item in items:
        found.setdefault(reason(exercise, item), []).append(item)
    return found


def _answered(exercise: Exercise, sent: dict[str, Any]) -> None:
    if sent.get("id") == name_of(exercise):
        _reply(exercise, "grade", **graded(exercise, sent.get("answer")))


def _hinted(exercise: Exercise, sent: dict[str, Any]) -> None:
    number = sent.get("number")
    if sent.get("id") == name_of(exercise) and isinstance(number, int):
        given = hint(exercise, sent.get("answer"), number)
        part = given.item.part if given.item else ""
        _reply(exercise, "hint", number=number, words=hint_words(exercise, given), part=part)


def _opened(exercise: Exercise, sent: dict[str, Any]) -> None:
    kind = sent.get("kind", "")
    if exercise.own and sent.get("own") is True:
        other = make_about(kind, exercise.question.game, st.query_params.get(STRICT) != "1")
    else:
        other = make(kind, sent.get("seed", -1), sent.get("difficulty", 0))
    if other.own == exercise.own:
        st.query_params.update(parameters_of_exercise(other))
    else:
        st.query_params.from_dict(parameters_of_exercise(other))  # at once: every change is a place that Back returns to


def _shown(exercise: Exercise, sent: dict[str, Any]) -> None:
    step = sent.get("step")
    if sent.get("id") == name_of(exercise) and isinstance(step, int) and 0 <= step < len(Trace(exercise.searched)):
        st.session_state[LEAP] = step


def _summed_up(exercise: Exercise, sent: dict[str, Any]) -> None:
    learner = sent.get("learner")
    written = write_summary(sent.get("exercises"), learner if isinstance(learner, str) else "")
    _reply(exercise, "summary", text=written.decode(), name=SUMMARY)


def _hearing(hears: Any) -> Any:
    """What is refused is told in a sentence."""

    def on(exercise: Exercise) -> Any:
        def heard(sent: dict[str, Any]) -> None:
            try:
                hears(exercise, sent)
            except PlyscopeError as error:
                _reply(exercise, "refused", words=str(error))

        return heard

    return on


HEARING = {
    "answer": _hearing(_answered),
    "hint": _hearing(_hinted),
    "open": _hearing(_opened),
    "show": _hearing(_shown),
    "summary": _hearing(_summed_up),
}
