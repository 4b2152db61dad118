"""The page "Learn": lessons to read and try, exercises to practise, exam sheets for teachers."""

import streamlit as st

from visualizer.app.sections.exam import begin_exams, exams_part, wants_exams
from visualizer.app.sections.exercises import begin_exercises, exercises_part, wants_exercises
from visualizer.app.sections.lessons import lessons_part, wants_lessons
from visualizer.app.state.background_search import get_ready
from visualizer.app.state.navigation_state import come_back, keep_address

LESSONS, EXERCISES, EXAMS = "Lessons", "Exercises", "Exam sheets"


def page() -> None:
    come_back("learn")
    keep_address("learn", without=("step", "view", "cam", "fold", "tab", "node", "best", "lecture", "marks"))
    get_ready()
    if wants_exercises() or wants_exams() or not wants_lessons():
        _choose()
    if wants_exercises():
        exercises_part()
    elif wants_exams():
        exams_part()
    else:
        lessons_part()


def _choose() -> None:
    shown = EXERCISES if wants_exercises() else EXAMS if wants_exams() else LESSONS
    st.session_state["learning"] = shown
    st.segmented_control("Learn by", [LESSONS, EXERCISES, EXAMS], key="learning", on_change=_go, label_visibility="collapsed")


def _go() -> None:
    if st.session_state["learning"] == EXERCISES:
        begin_exercises()
    elif st.session_state["learning"] == EXAMS:
        begin_exams()
    elif st.session_state["learning"] == LESSONS:
        st.query_params.clear()
