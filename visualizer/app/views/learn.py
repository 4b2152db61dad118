"""The page "Learn": lessons, exercises, and exam sheets for teachers."""

import streamlit as st

from visualizer.app.forms.tree_form import BUILD_ICON
from visualizer.app.sections.exam import is_exam_requested, open_exams, show_exam_section
from visualizer.app.sections.exercises import is_exercise_requested, open_exercises, show_exercise_section
from visualizer.app.sections.lessons import is_lesson_requested, show_lesson_section
from visualizer.app.state.background_search import warm_up_search
from visualizer.app.state.navigation_state import remember_params, restore_page
from visualizer.viewer.page_redirect import redirect_to_page

LESSONS, EXERCISES, EXAMS = "Lessons", "Exercises", "Exam sheets"


def page() -> None:
    """Show the section that the URL asks for."""
    restore_page("learn")
    remember_params("learn", without=("step", "view", "cam", "fold", "tab", "node", "best", "lecture", "marks"))
    warm_up_search()
    if is_exercise_requested() or is_exam_requested() or not is_lesson_requested():
        _choose_section()
    if is_exercise_requested():
        show_exercise_section()
    elif is_exam_requested():
        show_exam_section()
    else:
        show_lesson_section()


def _choose_section() -> None:
    section = EXERCISES if is_exercise_requested() else EXAMS if is_exam_requested() else LESSONS
    st.session_state["learning"] = section
    with st.container(horizontal=True, vertical_alignment="center"):
        st.segmented_control(
            "Learn by", [LESSONS, EXERCISES, EXAMS], key="learning", on_change=_open_chosen_section, label_visibility="collapsed"
        )
        if st.button("Build a tree", icon=BUILD_ICON, type="tertiary", help="Exercises about a tree of your own"):
            game = {name: st.query_params[name] for name in ("game",) if name in st.query_params}
            redirect_to_page("build", game)


def _open_chosen_section() -> None:
    if st.session_state["learning"] == EXERCISES:
        open_exercises()
    elif st.session_state["learning"] == EXAMS:
        open_exams()
    elif st.session_state["learning"] == LESSONS:
        st.query_params.clear()
