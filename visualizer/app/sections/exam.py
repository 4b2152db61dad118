"""The section "Exam sheets" of the page Learn: for teachers."""

import streamlit as st

from engine.core.errors import PlyscopeError
from engine.core.file_names import make_file_name
from engine.learning.exercise import EXERCISE_TYPES
from engine.learning.model import DIFFICULTIES
from visualizer.app.sections.downloads import download_button
from visualizer.app.state.jobs import make_in_pool
from visualizer.drawing.paper import PAPERS
from visualizer.exams.files import FORMATS, QUIZ_FORMATS, render_exam
from visualizer.exams.pdf import exam_preview
from visualizer.exams.quiz import QUIZ_PROMPTS
from visualizer.exams.sheet import DEFAULT_KINDS, MAX_POINTS, MAX_SEED, MAX_TITLE_CHARS, MAX_VARIANTS, PROMPTS, Exam
from visualizer.narration.escapes import escape_page_markdown
from visualizer.pool.work_types import CallFunction

MAX_PAGE_TREES = 6  # on the page; the command line allows more
DEFAULT_EXAM = Exam()
SHEETS_PARAM = "sheets"  # in the URL
SHEET, KEY = "Sheet", "Key"
PREVIEW_KEY = "exam preview picture"  # in the session state


def is_exam_requested() -> bool:
    """Return True if the URL asks for exam sheets."""
    return SHEETS_PARAM in st.query_params


def open_exams() -> None:
    """Open the section, by setting its URL parameter."""
    st.query_params.from_dict({SHEETS_PARAM: "1"})


def show_exam_section() -> None:
    """Show the options of an exam, its download buttons and a preview. Files are made on demand."""
    st.markdown("Exercises on paper: sheets to fill in, and a key with the same trees solved and a table of all answers.")
    left, right = st.columns([2, 3], gap="medium")
    with left:
        exam = _ask_for_exam()
        if exam is not None:
            _offer_files(exam)
    if exam is not None:
        with right:
            _show_preview(exam)


def _offer_files(exam: Exam) -> None:
    """Show the download buttons, and the command that makes the same files."""
    rows = [("exam", "Sheets", False, FORMATS), ("key", "Key", True, FORMATS)]
    if set(exam.kinds) <= set(QUIZ_PROMPTS):
        rows.append(("quiz", "Quiz", False, QUIZ_FORMATS))
    for name, label, solved, formats in rows:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{label}**")
            for extension, (*_, description) in formats.items():
                arguments = exam, extension, solved
                download_button(
                    make_file_name(["exam", f"seed{exam.seed}", "key" if solved else ""], extension),
                    make_in_pool(("exam", arguments), CallFunction(render_exam, arguments), "make fewer variants at a time"),
                    description,
                    f"{name} {extension}",
                )
    st.code(f"{exam.command} -o exam.pdf -o key.pdf", language=None, wrap_lines=True)


def _ask_for_exam() -> Exam | None:
    """Ask for the settings of an exam. Return None, with an error message, if they cannot be used."""
    title = st.text_input("Title", DEFAULT_EXAM.title, max_chars=MAX_TITLE_CHARS, key="exam title")
    kinds = st.multiselect(
        "Exercises",
        list(PROMPTS),
        list(DEFAULT_KINDS),
        format_func=lambda kind: EXERCISE_TYPES[kind].title,
        key="exam kinds",
        help="The exercises of a sheet take these types in turn.",
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        trees = st.number_input("Exercises per sheet", 1, MAX_PAGE_TREES, DEFAULT_EXAM.trees, key="exam trees", width=150)
        points = st.number_input("Points per exercise", 1, MAX_POINTS, DEFAULT_EXAM.points, key="exam points", width=150)
        difficulty = st.number_input(
            "Difficulty", DIFFICULTIES[0], DIFFICULTIES[-1], DEFAULT_EXAM.difficulty, key="exam level", width=110
        )
        words = "Sheets with different trees, for example one per student."
        variants = st.number_input("Variants", 1, MAX_VARIANTS, DEFAULT_EXAM.variants, key="exam variants", width=110, help=words)
        seed = st.number_input("Seed", 0, MAX_SEED, 7, key="exam seed", width=110, help="The same seed makes the same trees.")
        paper = st.segmented_control("Paper", list(PAPERS), default=DEFAULT_EXAM.paper, key="exam paper", required=True)
    chosen = tuple(kinds) or DEFAULT_KINDS
    try:
        return Exam(
            int(seed), int(trees), chosen, int(difficulty), int(variants), int(points), paper, title or DEFAULT_EXAM.title
        )
    except PlyscopeError as error:
        st.error(escape_page_markdown(str(error)))
        return None


def _show_preview(exam: Exam) -> None:
    """Show the first page of the first sheet, as the PDF file has it."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("**Preview**")
        shown = st.segmented_control(
            "Preview", [SHEET, KEY], default=SHEET, key="exam preview", required=True, label_visibility="collapsed"
        )
    arguments = exam, shown == KEY
    if st.session_state.get(PREVIEW_KEY, (None,))[0] != arguments:
        with st.spinner("Drawing the first sheet…"):
            made = make_in_pool(("exam preview", arguments), CallFunction(exam_preview, arguments), "choose fewer exercises")()
        st.session_state[PREVIEW_KEY] = arguments, made.decode()
    with st.container(border=True):
        st.image(st.session_state[PREVIEW_KEY][1], width="stretch")
