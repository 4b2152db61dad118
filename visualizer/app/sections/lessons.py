"""The section "Lessons" of the page Learn: short screens on live trees, each with a question.

Only the URL holds the screen and the answer, so anybody can open any screen at any time. The browser remembers which screens
were solved.
"""

from typing import Any

import streamlit as st

from engine import PlyscopeError
from engine.core.parsing import whole_number
from engine.learning.exercise import EXERCISE_TYPES
from engine.learning.model import Exercise
from visualizer.app.sections.exercises import open_exercises, show_exercise
from visualizer.app.sections.lesson_answers import (
    remove_proofs,
    reply_to_node,
    reply_to_number,
    right_choice,
    right_nodes,
    right_number,
)
from visualizer.app.sections.lesson_facts import find_step, question_from_params, read_number
from visualizer.app.sections.lesson_files import DEFAULT_LANGUAGE, Lesson, Screen, list_languages, load_lessons
from visualizer.app.state.background_search import poll_tree, spared_nodes
from visualizer.app.state.url_params import describe_search, search_params
from visualizer.narration.escapes import escape_page_markdown
from visualizer.narration.numbers import format_count, format_number
from visualizer.viewer.lesson_checkmarks import show_lesson_checkmarks
from visualizer.viewer.page_redirect import redirect_to_step
from visualizer.viewer.tree_viewer import PICK_REQUEST, show_viewer
from visualizer.viewer.viewport import find_visible_part

LESSON_PARAM, SCREEN_PARAM, LANGUAGE_PARAM, ANSWER_PARAM, STEP_PARAM = (
    "lesson",
    "screen",
    "language",
    "answer",
    "step",
)  # in the address
LESSON_STYLE = """<style>
.block-container { max-width: 2600px; }
.st-key-lesson { font-size: 1.05rem; }
.st-key-lesson [data-testid="stMarkdownContainer"] p { margin-bottom: 0.6rem; }
</style>"""


def is_lesson_requested() -> bool:
    """Return True if the URL asks for a lesson."""
    return bool(st.query_params.get(LESSON_PARAM))


def show_lesson_section() -> None:
    """Show the screen that the URL names, or else the list of lessons."""
    known = load_lessons(_choose_language())
    name = st.query_params.get(LESSON_PARAM, "")
    if name and name not in known:
        st.warning(escape_page_markdown(f"There is no lesson {name[:40]!r}. Here are all of them."), icon=":material/link_off:")
    if name not in known:
        _show_lesson_list(known)
        return
    lesson = known[name]
    wanted = st.query_params.get(SCREEN_PARAM, "1")
    place = whole_number(wanted)
    if place is None or not 1 <= place <= len(lesson.screens):
        st.warning(
            escape_page_markdown(
                f"There is no screen {wanted[:20]!r}: this lesson has {len(lesson.screens)}. Here is the first."
            ),
            icon=":material/link_off:",
        )
        place = 1
    _show_screen(lesson, place)


def _choose_language() -> str:
    """Return the language of the URL. Offer a choice if there are several."""
    there = list_languages()
    wanted = st.query_params.get(LANGUAGE_PARAM, DEFAULT_LANGUAGE)
    shown = wanted if wanted in there else DEFAULT_LANGUAGE
    if len(there) > 1 and not is_lesson_requested():
        st.session_state["spoken"] = shown
        st.segmented_control("Language", there, key="spoken", on_change=_set_language, label_visibility="collapsed")
    return shown


def _set_language() -> None:
    st.query_params[LANGUAGE_PARAM] = st.session_state["spoken"] or DEFAULT_LANGUAGE


def _show_lesson_list(known: dict[str, Lesson]) -> None:
    show_lesson_checkmarks([_summarize_lesson(lesson) for lesson in known.values()])
    for place, lesson in enumerate(known.values(), start=1):
        screens = format_count(len(lesson.screens), "screen")
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", border=True):
            st.markdown(f"**{place}. {escape_page_markdown(lesson.title)}** · {screens}  \n{lesson.about}")
            st.button(
                "Open",
                key=f"open {lesson.name}",
                icon=":material/school:",
                on_click=_open_screen,
                args=(lesson.name, 1),
                type="primary",
            )


def _summarize_lesson(lesson: Lesson) -> tuple[str, str, int]:
    return lesson.name, lesson.title, len(lesson.screens)


def _open_screen(name: str, place: int) -> None:
    """Open another screen, or the list. Nothing but the language stays in the URL."""
    language = {LANGUAGE_PARAM: st.query_params[LANGUAGE_PARAM]} if LANGUAGE_PARAM in st.query_params else {}
    st.query_params.from_dict({**language, **({LESSON_PARAM: name, SCREEN_PARAM: str(place)} if name else {})})


def _show_screen(lesson: Lesson, place: int) -> None:
    st.html(LESSON_STYLE)
    screen = lesson.screens[place - 1]
    _show_navigation(lesson, place)
    marks = st.container()
    if screen.exercise is not None:
        st.markdown(f"#### {escape_page_markdown(screen.title)}\n{remove_proofs(screen.text.text)}")
        _show_exercise_fragment(screen.exercise, (lesson.name, place))
        solved = False  # its card marks it
    else:
        solved = _show_question(screen, f"lesson {lesson.name} {place}")
    with marks:
        show_lesson_checkmarks([_summarize_lesson(lesson)], (lesson.name, place), solved)


@st.fragment
def _show_exercise_fragment(exercise: Exercise, screen: tuple[str, int]) -> None:
    show_exercise(exercise, screen)


def _show_question(screen: Screen, key: str) -> bool:
    """Show a tree and a question about it. Return True if the question is solved."""
    question = question_from_params(screen.search)
    left, right = st.columns([2, 5], gap="medium")
    with left, st.container(key="lesson"):
        st.markdown(f"#### {escape_page_markdown(screen.title)}\n{remove_proofs(screen.text.text)}")
        told = st.container()
        with st.container(horizontal=True):
            if st.button("Open on Step", icon=":material/footprint:", type="tertiary", help="With code, call stack and all keys"):
                redirect_to_step(search_params(question))
    with right:
        st.caption(escape_page_markdown(describe_search(question)))
        tree = poll_tree(question)
        if tree is None:
            return False
        step = whole_number(st.query_params.get(STEP_PARAM, ""))
        if step is None or step > 3 * len(tree) - 3:
            step = find_step(screen.step.text, tree)
        looks: dict[str, str | bool] = {"plain": True, "asks": screen.kind == "click", "view": screen.view}
        wish, row = show_viewer(tree, find_visible_part(tree), spared_nodes(question), step, key, **looks)
    if wish == PICK_REQUEST and st.query_params.get(ANSWER_PARAM) != str(row):
        st.query_params[ANSWER_PARAM] = str(row)
    with told:
        return _ask_question(screen, key)


def _show_navigation(lesson: Lesson, place: int) -> None:
    last = len(lesson.screens)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("All lessons", icon=":material/list:", type="tertiary", on_click=_open_screen, args=("", 0))
        st.markdown(f"**{escape_page_markdown(lesson.title)}**")
        places = list(range(1, last + 1))
        st.session_state["places"] = place
        chosen: dict[str, Any] = {"on_change": _open_chosen_screen, "args": (lesson.name, place)}
        st.segmented_control("Screen", places, key="places", label_visibility="collapsed", **chosen)
        st.button("Back", icon=":material/arrow_back:", disabled=place == 1, on_click=_open_screen, args=(lesson.name, place - 1))
        if place < last:
            st.button(
                "Next", icon=":material/arrow_forward:", type="primary", on_click=_open_screen, args=(lesson.name, place + 1)
            )
        else:
            if lesson.practise:
                kind = lesson.practise
                st.button(
                    "Practise", icon=":material/edit:", help=EXERCISE_TYPES[kind].title, on_click=open_exercises, args=(kind,)
                )
            _offer_next_lesson(lesson)


def _open_chosen_screen(name: str, place: int) -> None:
    _open_screen(name, st.session_state["places"] or place)


def _offer_next_lesson(lesson: Lesson) -> None:
    names = list(load_lessons())
    following = names[names.index(lesson.name) + 1 :] if lesson.name in names else []
    if following:
        st.button("Next lesson", icon=":material/arrow_forward:", type="primary", on_click=_open_screen, args=(following[0], 1))


# ---- the question


def _ask_question(screen: Screen, key: str) -> bool:
    """Show the question, and the reply to the answer in the URL. Return True if the answer is right."""
    st.markdown(f"**{remove_proofs(screen.question.text)}**")
    given = st.query_params.get(ANSWER_PARAM, "")
    try:
        return QUESTION_WIDGETS[screen.kind](screen, key, given)
    except PlyscopeError as error:
        st.error(escape_page_markdown(str(error)), icon=":material/error:")
        return False


def _store_answer(widget: str) -> None:
    chosen = st.session_state[widget]
    st.query_params[ANSWER_PARAM] = "" if chosen is None else str(chosen)[:40]


def _show_verdict(right: bool, words: str) -> bool:
    if right:
        st.success(remove_proofs(words), icon=":material/check_circle:")
    else:
        st.warning(remove_proofs(words), icon=":material/refresh:")
    return right


def _ask_choices(screen: Screen, key: str, given: str) -> bool:
    places = [str(place) for place in range(1, len(screen.choices) + 1)]
    chosen = places.index(given) if given in places else None
    widget = f"choice {key}"
    st.session_state[widget] = None if chosen is None else places[chosen]
    words = {place: remove_proofs(reply.words.text) for place, reply in zip(places, screen.choices, strict=True)}
    answered: dict[str, Any] = {"key": widget, "on_change": _store_answer, "args": (widget,)}
    st.radio("Answer", places, format_func=words.__getitem__, label_visibility="collapsed", **answered)
    return chosen is not None and _show_verdict(chosen == right_choice(screen), screen.choices[chosen].reason.text)


def _ask_number(screen: Screen, key: str, given: str) -> bool:
    widget = f"number {key}"
    st.session_state[widget] = given
    answered: dict[str, Any] = {"key": widget, "on_change": _store_answer, "args": (widget,)}
    st.text_input("Number", max_chars=20, placeholder="A number", label_visibility="collapsed", **answered)
    value = read_number(given)
    if value is not None:
        return _show_verdict(value == right_number(screen), reply_to_number(screen, value).text)
    if given:
        st.info(f"A number is needed, such as {format_number(-3)}.")
    return False


def _ask_node(screen: Screen, key: str, given: str) -> bool:
    row = whole_number(given)
    if row is None:
        st.caption("In the tree; with keys: step there by ← and →, then press Enter.")
        return False
    return _show_verdict(row in right_nodes(screen), reply_to_node(screen, row).text)


QUESTION_WIDGETS = {"choices": _ask_choices, "answer": _ask_number, "click": _ask_node}
