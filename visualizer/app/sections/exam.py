"""The section "Exam sheets" of the page Learn: for teachers."""

import streamlit as st

from engine.learning.exercise import EXERCISE_TYPES
from engine.learning.model import DIFFICULTIES
from visualizer.app.sections.downloads import download_button
from visualizer.app.state.jobs import make_in_pool
from visualizer.drawing.paper import PAPERS
from visualizer.exams.files import FORMATS, render_exam
from visualizer.exams.sheet import DEFAULT_KINDS, MAX_SEED, PROMPTS, Exam
from visualizer.narration.escapes import escape_page_markdown
from visualizer.pool.work_types import CallFunction

MAX_PAGE_TREES, MAX_PAGE_VARIANTS = 6, 40  # of an exam that the server makes: the command line makes more
DEFAULT_EXAM = Exam()
SHEETS_PARAM = "sheets"  # in the address


def is_exam_requested() -> bool:
    """Return True if the URL asks for exam sheets."""
    return SHEETS_PARAM in st.query_params


def open_exams() -> None:
    """Open the section, by setting its URL parameter."""
    st.query_params.from_dict({SHEETS_PARAM: "1"})


def show_exam_section() -> None:
    """Show the options of an exam and its download buttons. Files are made when they are asked for."""
    st.markdown("Exercises on paper: the same trees blank and solved, a variant for each student, and a table of all keys.")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kinds = st.multiselect(
            "Exercises", list(PROMPTS), list(DEFAULT_KINDS), format_func=lambda kind: EXERCISE_TYPES[kind].title, key="exam kinds"
        )
        trees = st.number_input("Trees", 1, MAX_PAGE_TREES, DEFAULT_EXAM.trees, key="exam trees", width=110)
        difficulty = st.number_input(
            "Difficulty", DIFFICULTIES[0], DIFFICULTIES[-1], DEFAULT_EXAM.difficulty, key="exam level", width=110
        )
        variants = st.number_input("Variants", 1, MAX_PAGE_VARIANTS, DEFAULT_EXAM.variants, key="exam variants", width=110)
        seed = st.number_input("Seed", 0, MAX_SEED, 7, key="exam seed", width=110, help="The same seed makes the same trees.")
        paper = st.segmented_control("Paper", list(PAPERS), default=DEFAULT_EXAM.paper, key="exam paper", required=True)
    exam = Exam(int(seed), int(trees), tuple(kinds) or DEFAULT_KINDS, int(difficulty), int(variants), paper=paper)
    for name, label, solved in (("exam", "Sheets", False), ("key", "Key", True)):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{label}**")
            for extension, (*_, said) in FORMATS.items():
                asked = exam, extension, solved
                download_button(
                    name, extension, make_in_pool(("exam", asked), CallFunction(render_exam, asked)), said, f"{name} {extension}"
                )
    st.caption(escape_page_markdown(f"{exam.command} -o exam.pdf -o key.pdf"))
