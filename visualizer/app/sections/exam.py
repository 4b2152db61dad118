"""The part "Exam sheets" of the page Learn: for teachers."""

import streamlit as st

from engine.learning.exercise import KINDS
from engine.learning.model import DIFFICULTIES
from visualizer.app.sections.downloads import download
from visualizer.app.state.jobs import made_elsewhere
from visualizer.drawing.paper import PAPERS
from visualizer.exams.files import FORMATS, render_exam
from visualizer.exams.sheet import MOST_SEED, PROMPTS, USUAL_KINDS, Exam
from visualizer.narration.escapes import page_markdown
from visualizer.pool.work_types import Make

MOST_TREES, MOST_VARIANTS = 6, 40  # of an exam that the server makes: the command line makes more
USUAL = Exam()
SHEETS = "sheets"  # in the address


def wants_exams() -> bool:
    """Whether the address asks for exam sheets."""
    return SHEETS in st.query_params


def begin_exams() -> None:
    st.query_params.from_dict({SHEETS: "1"})


def exams_part() -> None:
    """What is wanted, and the files, which are made when they are asked for."""
    st.markdown("Exercises on paper: the same trees blank and solved, a variant for each student, and a table of all keys.")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kinds = st.multiselect(
            "Exercises", list(PROMPTS), list(USUAL_KINDS), format_func=lambda kind: KINDS[kind].title, key="exam kinds"
        )
        trees = st.number_input("Trees", 1, MOST_TREES, USUAL.trees, key="exam trees", width=110)
        difficulty = st.number_input(
            "Difficulty", DIFFICULTIES[0], DIFFICULTIES[-1], USUAL.difficulty, key="exam level", width=110
        )
        variants = st.number_input("Variants", 1, MOST_VARIANTS, USUAL.variants, key="exam variants", width=110)
        seed = st.number_input("Seed", 0, MOST_SEED, 7, key="exam seed", width=110, help="The same seed makes the same trees.")
        paper = st.segmented_control("Paper", list(PAPERS), default=USUAL.paper, key="exam paper", required=True)
    exam = Exam(int(seed), int(trees), tuple(kinds) or USUAL_KINDS, int(difficulty), int(variants), paper=paper)
    for name, label, solved in (("exam", "Sheets", False), ("key", "Key", True)):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{label}**")
            for extension, (*_, said) in FORMATS.items():
                asked = exam, extension, solved
                download(name, extension, made_elsewhere(("exam", asked), Make(render_exam, asked)), said, f"{name} {extension}")
    st.caption(page_markdown(f"{exam.command} -o exam.pdf -o key.pdf"))
