"""The section "Lessons" of the page Learn: short screens on live trees, each with a question.

The URL holds the screen and the answer, so a link can open any screen. The browser remembers which screens are solved.
"""

from typing import Any

import streamlit as st

from engine import PlyscopeError, Question, SearchTree
from engine.algorithms import find_algorithm
from engine.analysis.alignment import SkippedNodes
from engine.core.parsing import whole_number
from engine.games.capabilities import game_size
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
from visualizer.app.state.url_params import describe_extras, describe_search, search_params
from visualizer.narration.captions import describe_limit
from visualizer.narration.escapes import escape_page_markdown
from visualizer.narration.numbers import format_count
from visualizer.viewer.iterations.iteration_viewer import show_iterations
from visualizer.viewer.lesson_checkmarks import show_card_checkmark, show_lesson_checkmarks
from visualizer.viewer.page_redirect import redirect_to_step
from visualizer.viewer.tree_viewer import PICK_REQUEST, show_viewer
from visualizer.viewer.viewport import find_visible_part

LESSON_PARAM, SCREEN_PARAM, LANGUAGE_PARAM = "lesson", "screen", "language"  # in the URL
ANSWER_PARAM, STEP_PARAM = "answer", "step"  # in the URL
LESSON_STYLE = """<style>
.block-container { max-width: 2600px; }
.st-key-lesson { font-size: 1.05rem; }
.st-key-lesson [data-testid="stMarkdownContainer"] p { margin-bottom: 0.6rem; }
.st-key-lesson [data-testid="stRadio"] p { margin-bottom: 0; } /* the circles are beside their labels */
.st-key-lesson-reply { scroll-margin: 80px 0 90px; } /* the head of the page and the buttons at the foot of a phone */
@media (max-width: 760px) { .st-key-lesson-reply { min-height: 7rem; } } /* the tree below it stays where it is */
@media (pointer: coarse) { .st-key-lesson-keys { display: none; } }
</style>"""


def is_lesson_requested() -> bool:
    """Return True if the URL names a lesson that there is."""
    return st.query_params.get(LESSON_PARAM, "") in load_lessons()


def show_lesson_section() -> None:
    """Show the screen that the URL names, or else the list of lessons."""
    lessons = load_lessons(_choose_language())
    name = st.query_params.get(LESSON_PARAM, "")
    if name and name not in lessons:
        st.warning(escape_page_markdown(f"There is no lesson {name[:40]!r}: choose one below."), icon=":material/link_off:")
    if name not in lessons:
        _show_lesson_list(lessons)
        return
    lesson = lessons[name]
    requested = st.query_params.get(SCREEN_PARAM, "1")
    number = whole_number(requested)
    if number is None or not 1 <= number <= len(lesson.screens):
        warning = f"There is no screen {requested[:20]!r}: this lesson has screens 1-{len(lesson.screens)}. Here is the first."
        st.warning(escape_page_markdown(warning), icon=":material/link_off:")
        number = 1
    _show_screen(lesson, number)


def _choose_language() -> str:
    """Return the language of the URL. Offer a choice if there are several."""
    languages = list_languages()
    requested = st.query_params.get(LANGUAGE_PARAM, DEFAULT_LANGUAGE)
    language = requested if requested in languages else DEFAULT_LANGUAGE
    if len(languages) > 1 and not is_lesson_requested():
        st.session_state["lesson language"] = language
        st.segmented_control("Language", languages, key="lesson language", on_change=_set_language, label_visibility="collapsed")
    return language


def _set_language() -> None:
    st.query_params[LANGUAGE_PARAM] = st.session_state["lesson language"] or DEFAULT_LANGUAGE


def _show_lesson_list(lessons: dict[str, Lesson]) -> None:
    show_lesson_checkmarks([_summarize_lesson(lesson) for lesson in lessons.values()])
    for number, lesson in enumerate(lessons.values(), start=1):
        screens = format_count(len(lesson.screens), "screen")
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", border=True):
            with st.container(gap=None):
                st.markdown(f"**{number}. {escape_page_markdown(lesson.title)}** · {screens}  \n{lesson.about}")
                show_card_checkmark(_summarize_lesson(lesson))
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


def _open_screen(name: str, number: int) -> None:
    """Open another screen, or the list. Only the language stays in the URL."""
    language = {LANGUAGE_PARAM: st.query_params[LANGUAGE_PARAM]} if LANGUAGE_PARAM in st.query_params else {}
    st.query_params.from_dict({**language, **({LESSON_PARAM: name, SCREEN_PARAM: str(number)} if name else {})})


def _show_screen(lesson: Lesson, number: int) -> None:
    st.html(LESSON_STYLE)
    screen = lesson.screens[number - 1]
    _show_navigation(lesson, number)
    checkmarks = st.container()
    if screen.exercise is not None:
        st.markdown(f"#### {escape_page_markdown(screen.title)}\n{remove_proofs(screen.text.text)}")
        _show_exercise_fragment(screen.exercise, (lesson.name, number))
        solved = False  # the exercise card marks it in the browser
    else:
        solved = _show_question(screen, f"lesson {lesson.name} {number}")
    with checkmarks:
        answer = st.query_params.get(ANSWER_PARAM, "")
        show_lesson_checkmarks([_summarize_lesson(lesson)], (lesson.name, number), solved, answer)


@st.fragment
def _show_exercise_fragment(exercise: Exercise, screen: tuple[str, int]) -> None:
    show_exercise(exercise, screen)


def _show_question(screen: Screen, key: str) -> bool:
    """Show a tree and a question about it. Return True if the question is solved."""
    question = question_from_params(screen.search)
    left, right = st.columns([2, 5], gap="medium")
    with left, st.container(key="lesson"):
        st.markdown(f"#### {escape_page_markdown(screen.title)}\n{remove_proofs(screen.text.text)}")
        question_area = st.container()
    with right:
        _show_caption(question)
        tree = poll_tree(question)
        if tree is None:
            return False
        step = whole_number(st.query_params.get(STEP_PARAM, ""))
        if step is None or step >= len(tree.timeline):
            step = find_step(screen.step.text, tree)
        if tree.has_iterations:
            show_iterations(tree, key, step, inLesson=True)
        else:
            _show_calls(screen, tree, spared_nodes(question), step, key)
    with question_area:
        return _ask_question(screen, key)


def _show_calls(screen: Screen, tree: SearchTree, spared: SkippedNodes | None, step: int, key: str) -> None:
    """Show the tree of calls. A click on a node is the answer, if the screen asks for one."""
    is_open = screen.kind != "click" and not _is_right(screen, st.query_params.get(ANSWER_PARAM, ""))
    options: dict[str, str | bool] = {"plain": True, "asks": screen.kind == "click", "view": screen.view, "hideFuture": is_open}
    request, row = show_viewer(tree, find_visible_part(tree), spared, step, key, **options)
    if request == PICK_REQUEST and st.query_params.get(ANSWER_PARAM) != str(row):
        st.query_params[ANSWER_PARAM] = str(row)


def _show_caption(question: Question) -> None:
    """Say above the tree what it shows, and offer it on Step."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(escape_page_markdown(describe_lesson_search(question)))
        words = "Shows the code, the call stack and all controls"
        if st.button("Open on Step", icon=":material/footprint:", type="tertiary", help=words):
            redirect_to_step(search_params(question))


def describe_lesson_search(question: Question) -> str:
    """Return the search of a lesson as one line. Its tree belongs to the lesson, not to the user."""
    size = game_size(question.game)
    if size is None:
        return describe_search(question)
    tree = f"A tree of {format_count(size.nodes, 'node')}"
    limit = [describe_limit(question)] if "iterations" in question.options else []
    return " · ".join([tree, find_algorithm(question.algorithm).title, *limit, *describe_extras(question)])


def _show_navigation(lesson: Lesson, number: int) -> None:
    last = len(lesson.screens)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("All lessons", icon=":material/list:", type="tertiary", on_click=_open_screen, args=("", 0))
        st.markdown(f"**{escape_page_markdown(lesson.title)}**")
        st.session_state["screen number"] = number
        on_change: dict[str, Any] = {"on_change": _open_chosen_screen, "args": (lesson.name, number)}
        st.segmented_control("Screen", list(range(1, last + 1)), key="screen number", label_visibility="collapsed", **on_change)
        st.button(
            "Back", icon=":material/arrow_back:", disabled=number == 1, on_click=_open_screen, args=(lesson.name, number - 1)
        )
        following: dict[str, Any] = {"on_click": _open_screen, "args": (lesson.name, number + 1)}
        st.button("Next", icon=":material/arrow_forward:", type="primary", disabled=number == last, **following)
        if number == last:  # behind the place of Next, where a double click hits nothing
            if lesson.practise:
                kind = lesson.practise
                st.button(
                    "Practise", icon=":material/edit:", help=EXERCISE_TYPES[kind].title, on_click=open_exercises, args=(kind,)
                )
            _offer_next_lesson(lesson)


def _open_chosen_screen(name: str, number: int) -> None:
    _open_screen(name, st.session_state["screen number"] or number)


def _offer_next_lesson(lesson: Lesson) -> None:
    names = list(load_lessons())
    following = names[names.index(lesson.name) + 1 :] if lesson.name in names else []
    if following:
        st.button("Next lesson", icon=":material/arrow_forward:", type="primary", on_click=_open_screen, args=(following[0], 1))


# ---- the question


def _ask_question(screen: Screen, key: str) -> bool:
    """Show the question, and the reply to the answer in the URL. Return True if the answer is right."""
    st.markdown(f"**{remove_proofs(screen.question.text)}**")
    answer = st.query_params.get(ANSWER_PARAM, "")
    widget_area, reply_area = st.container(), st.container(key="lesson-reply")  # where a reply appears, there is room for it
    try:
        with widget_area:
            return QUESTION_WIDGETS[screen.kind](screen, key, answer, reply_area)
    except PlyscopeError as error:
        reply_area.error(escape_page_markdown(str(error)), icon=":material/error:")
        return False


def _is_right(screen: Screen, answer: str) -> bool:
    """Return True if the answer in the URL is the right choice or number."""
    try:
        return (
            answer == str(right_choice(screen) + 1) if screen.kind == "choices" else read_number(answer) == right_number(screen)
        )
    except PlyscopeError:
        return False  # the question says why


def _store_answer(widget: str) -> None:
    chosen = st.session_state[widget]
    st.query_params[ANSWER_PARAM] = "" if chosen is None else str(chosen)[:40]


def _show_reply(reply_area: Any, is_right: bool, text: str) -> bool:
    if is_right:
        reply_area.success(remove_proofs(text), icon=":material/check_circle:")
    else:
        reply_area.warning(remove_proofs(text), icon=":material/refresh:")
    return is_right


def _ask_choices(screen: Screen, key: str, answer: str, reply_area: Any) -> bool:
    numbers = [str(number) for number in range(1, len(screen.choices) + 1)]
    chosen = numbers.index(answer) if answer in numbers else None
    widget = f"choice {key}"
    st.session_state[widget] = None if chosen is None else numbers[chosen]
    labels = {number: remove_proofs(option.answer.text) for number, option in zip(numbers, screen.choices, strict=True)}
    binding: dict[str, Any] = {"key": widget, "on_change": _store_answer, "args": (widget,)}
    st.radio("Answer", numbers, format_func=labels.__getitem__, label_visibility="collapsed", **binding)
    return chosen is not None and _show_reply(reply_area, chosen == right_choice(screen), screen.choices[chosen].reply.text)


def _ask_number(screen: Screen, key: str, answer: str, reply_area: Any) -> bool:
    widget = f"number {key}"
    st.session_state[widget] = answer
    binding: dict[str, Any] = {"key": widget, "on_change": _store_answer, "args": (widget,)}
    with st.container(horizontal=True):
        st.text_input("Number", placeholder="A number", label_visibility="collapsed", **binding)
        st.button("Check", key=f"check {key}")  # leaving the field sends the number, and so does Enter
    value = read_number(answer)
    if value is not None:
        return _show_reply(reply_area, value == right_number(screen), reply_to_number(screen, value).text)
    if answer:
        reply_area.info(escape_page_markdown(f"{answer[:20]!r} is not a number: enter a number such as 7 or -3."))
    return False


def _ask_node(screen: Screen, key: str, answer: str, reply_area: Any) -> bool:
    row = whole_number(answer)
    if row is None:
        st.caption("Click on a node of the tree to answer.")
        with st.container(key="lesson-keys"):
            st.caption("Or use the keys: ← and → to step to the node, then Enter.")
        return False
    return _show_reply(reply_area, row in right_nodes(screen), reply_to_node(screen, row).text)


QUESTION_WIDGETS = {"choices": _ask_choices, "answer": _ask_number, "click": _ask_node}
