"""The part "Lessons" of the page Learn: short screens on live trees, each with a question.

Where one is and what was answered stands in the address and nowhere else, so any screen can be opened at any time, by anybody.
Which screens were solved the browser remembers for itself.
"""

from typing import Any

import streamlit as st

from engine import PlyscopeError
from engine.core.parsing import whole_number
from engine.learning.exercise import KINDS
from engine.learning.model import Exercise
from visualizer.app.sections.exercises import begin_exercises, show_exercise
from visualizer.app.sections.lesson_answers import (
    right_nodes,
    right_number,
    right_reply,
    said_of_node,
    said_of_number,
    shown_text,
)
from visualizer.app.sections.lesson_facts import question_of, read_number, step_at
from visualizer.app.sections.lesson_files import USUAL_LANGUAGE, Lesson, Screen, languages, lessons
from visualizer.app.state.background_search import searched, spared_nodes
from visualizer.app.state.url_params import parameters_of, words_of
from visualizer.narration.escapes import page_markdown
from visualizer.narration.numbers import counted, number
from visualizer.viewer.lesson_checkmarks import lesson_marks
from visualizer.viewer.page_redirect import leap_to_step
from visualizer.viewer.tree_viewer import PICK, viewer
from visualizer.viewer.viewport import part_of

LESSON, SCREEN, LANGUAGE, ANSWER, STEP = "lesson", "screen", "language", "answer", "step"  # in the address
STYLE = """<style>
.block-container { max-width: 2600px; }
.st-key-lesson { font-size: 1.05rem; }
.st-key-lesson [data-testid="stMarkdownContainer"] p { margin-bottom: 0.6rem; }
</style>"""


def wants_lessons() -> bool:
    """Whether the address asks for a lesson."""
    return bool(st.query_params.get(LESSON))


def lessons_part() -> None:
    """The screen that the address names, or else the list of lessons."""
    known = lessons(_language())
    name = st.query_params.get(LESSON, "")
    if name and name not in known:
        st.warning(page_markdown(f"There is no lesson {name[:40]!r}. Here are all of them."), icon=":material/link_off:")
    if name not in known:
        _list(known)
        return
    lesson = known[name]
    wanted = st.query_params.get(SCREEN, "1")
    place = whole_number(wanted)
    if place is None or not 1 <= place <= len(lesson.screens):
        st.warning(
            page_markdown(f"There is no screen {wanted[:20]!r}: this lesson has {len(lesson.screens)}. Here is the first."),
            icon=":material/link_off:",
        )
        place = 1
    _show(lesson, place)


def _language() -> str:
    """The one of the address; where there are several, a choice."""
    there = languages()
    wanted = st.query_params.get(LANGUAGE, USUAL_LANGUAGE)
    shown = wanted if wanted in there else USUAL_LANGUAGE
    if len(there) > 1 and not wants_lessons():
        st.session_state["spoken"] = shown
        st.segmented_control("Language", there, key="spoken", on_change=_speak, label_visibility="collapsed")
    return shown


def _speak() -> None:
    st.query_params[LANGUAGE] = st.session_state["spoken"] or USUAL_LANGUAGE


def _list(known: dict[str, Lesson]) -> None:
    lesson_marks([_counted(lesson) for lesson in known.values()])
    for place, lesson in enumerate(known.values(), start=1):
        screens = counted(len(lesson.screens), "screen")
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", border=True):
            st.markdown(f"**{place}. {page_markdown(lesson.title)}** · {screens}  \n{lesson.about}")
            st.button(
                "Open", key=f"open {lesson.name}", icon=":material/school:", on_click=_go, args=(lesson.name, 1), type="primary"
            )


def _counted(lesson: Lesson) -> tuple[str, str, int]:
    return lesson.name, lesson.title, len(lesson.screens)


def _go(name: str, place: int) -> None:
    """To another screen, or to the list: nothing of this one goes along."""
    language = {LANGUAGE: st.query_params[LANGUAGE]} if LANGUAGE in st.query_params else {}
    st.query_params.from_dict({**language, **({LESSON: name, SCREEN: str(place)} if name else {})})


def _show(lesson: Lesson, place: int) -> None:
    st.html(STYLE)
    screen = lesson.screens[place - 1]
    _steer(lesson, place)
    marks = st.container()
    if screen.exercise is not None:
        st.markdown(f"#### {page_markdown(screen.title)}\n{shown_text(screen.text.text)}")
        _practise(screen.exercise, (lesson.name, place))
        solved = False  # its card marks it
    else:
        solved = _show_question(screen, f"lesson {lesson.name} {place}")
    with marks:
        lesson_marks([_counted(lesson)], (lesson.name, place), solved)


@st.fragment
def _practise(exercise: Exercise, screen: tuple[str, int]) -> None:
    show_exercise(exercise, screen)


def _show_question(screen: Screen, key: str) -> bool:
    """A tree and a question about it; whether that is solved."""
    question = question_of(screen.search)
    left, right = st.columns([2, 5], gap="medium")
    with left, st.container(key="lesson"):
        st.markdown(f"#### {page_markdown(screen.title)}\n{shown_text(screen.text.text)}")
        told = st.container()
        with st.container(horizontal=True):
            if st.button("Open on Step", icon=":material/footprint:", type="tertiary", help="With code, call stack and all keys"):
                leap_to_step(parameters_of(question))
    with right:
        st.caption(page_markdown(words_of(question)))
        tree = searched(question)
        if tree is None:
            return False
        step = whole_number(st.query_params.get(STEP, ""))
        if step is None or step > 3 * len(tree) - 3:
            step = step_at(screen.step.text, tree)
        looks: dict[str, str | bool] = {"plain": True, "asks": screen.kind == "click", "view": screen.view}
        wish, row = viewer(tree, part_of(tree), spared_nodes(question), step, key, **looks)
    if wish == PICK and st.query_params.get(ANSWER) != str(row):
        st.query_params[ANSWER] = str(row)
    with told:
        return _ask(screen, key)


def _steer(lesson: Lesson, place: int) -> None:
    last = len(lesson.screens)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("All lessons", icon=":material/list:", type="tertiary", on_click=_go, args=("", 0))
        st.markdown(f"**{page_markdown(lesson.title)}**")
        places = list(range(1, last + 1))
        st.session_state["places"] = place
        chosen: dict[str, Any] = {"on_change": _chosen, "args": (lesson.name, place)}
        st.segmented_control("Screen", places, key="places", label_visibility="collapsed", **chosen)
        st.button("Back", icon=":material/arrow_back:", disabled=place == 1, on_click=_go, args=(lesson.name, place - 1))
        if place < last:
            st.button("Next", icon=":material/arrow_forward:", type="primary", on_click=_go, args=(lesson.name, place + 1))
        else:
            if lesson.practise:
                kind = lesson.practise
                st.button("Practise", icon=":material/edit:", help=KINDS[kind].title, on_click=begin_exercises, args=(kind,))
            _offer_next_lesson(lesson)


def _chosen(name: str, place: int) -> None:
    _go(name, st.session_state["places"] or place)


def _offer_next_lesson(lesson: Lesson) -> None:
    names = list(lessons())
    following = names[names.index(lesson.name) + 1 :] if lesson.name in names else []
    if following:
        st.button("Next lesson", icon=":material/arrow_forward:", type="primary", on_click=_go, args=(following[0], 1))


# ---- the question


def _ask(screen: Screen, key: str) -> bool:
    """The question, and what is said to the answer in the address; whether that is right."""
    st.markdown(f"**{shown_text(screen.question.text)}**")
    given = st.query_params.get(ANSWER, "")
    try:
        return ASKS[screen.kind](screen, key, given)
    except PlyscopeError as error:
        st.error(page_markdown(str(error)), icon=":material/error:")
        return False


def _answer(widget: str) -> None:
    chosen = st.session_state[widget]
    st.query_params[ANSWER] = "" if chosen is None else str(chosen)[:40]


def _judge(right: bool, words: str) -> bool:
    if right:
        st.success(shown_text(words), icon=":material/check_circle:")
    else:
        st.warning(shown_text(words), icon=":material/refresh:")
    return right


def _ask_choices(screen: Screen, key: str, given: str) -> bool:
    places = [str(place) for place in range(1, len(screen.choices) + 1)]
    chosen = places.index(given) if given in places else None
    widget = f"choice {key}"
    st.session_state[widget] = None if chosen is None else places[chosen]
    words = {place: shown_text(reply.words.text) for place, reply in zip(places, screen.choices, strict=True)}
    answered: dict[str, Any] = {"key": widget, "on_change": _answer, "args": (widget,)}
    st.radio("Answer", places, format_func=words.__getitem__, label_visibility="collapsed", **answered)
    return chosen is not None and _judge(chosen == right_reply(screen), screen.choices[chosen].reason.text)


def _ask_number(screen: Screen, key: str, given: str) -> bool:
    widget = f"number {key}"
    st.session_state[widget] = given
    answered: dict[str, Any] = {"key": widget, "on_change": _answer, "args": (widget,)}
    st.text_input("Number", max_chars=20, placeholder="A number", label_visibility="collapsed", **answered)
    value = read_number(given)
    if value is not None:
        return _judge(value == right_number(screen), said_of_number(screen, value).text)
    if given:
        st.info(f"A number is needed, such as {number(-3)}.")
    return False


def _ask_node(screen: Screen, key: str, given: str) -> bool:
    row = whole_number(given)
    if row is None:
        st.caption("In the tree; with keys: step there by ← and →, then press Enter.")
        return False
    return _judge(row in right_nodes(screen), said_of_node(screen, row).text)


ASKS = {"choices": _ask_choices, "answer": _ask_number, "click": _ask_node}
