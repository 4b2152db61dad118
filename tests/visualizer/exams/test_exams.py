"""Exam sheets: the trees on paper are those of the exercises, blank and solved; nothing overlaps; foreign text is only text."""

import io
import re
import shlex
import shutil
from collections import Counter
from html import unescape
from unicodedata import normalize

import pytest
from streamlit.testing.v1 import AppTest

from engine.core.errors import PlyscopeError
from engine.learning.exercise import answer_key, grade_answer
from engine.learning.exercise_types.mistake import faulty_search
from tests.support.marks import mostly_slow
from tests.support.processes import PATIENCE, run
from visualizer.cli.command_line import plyscope
from visualizer.drawing.paper import PAPERS
from visualizer.drawing.pdf_pages import text_width, to_pdf, wrap_to_width
from visualizer.drawing.raster_text import PIXELS_PER_EM, rasterize_text
from visualizer.drawing.scene import POINTS_PER_PIXEL, Label, Line, Scene, Shape
from visualizer.exams.exercise_drawing import draw_exercise_tree, node_letter
from visualizer.exams.files import FORMATS, render_exam
from visualizer.exams.pdf import TITLE_SIZE, lay_out_exam
from visualizer.exams.sheet import PROMPTS, Exam, exercise_seed
from visualizer.narration.numbers import format_number

pypdf = pytest.importorskip("pypdf", reason="pypdf reads the text of PDF files: pip install -e .[dev]")

EVERY_KIND = tuple(PROMPTS)
SMALL = Exam(seed=7, kinds=EVERY_KIND, trees=5, difficulty=2, variants=2)
HOSTILE = r"""<b>&"x' \input{/etc/passwd} $1$ %_^~# Ü (a) \)"""
FAR = "Závěr źdźbło Контроль Ελληνικά ώρα"


def texts_of(data):
    """The text of each page."""
    return [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(data)).pages]


def numbers_in(text):
    return Counter(re.findall(r"[−-]?(?:\d+|∞)", text))


# ---- the trees are those of the exercises


@pytest.mark.parametrize("kind", EVERY_KIND)
@pytest.mark.parametrize("difficulty", mostly_slow([3, 1, 2, 4, 5], 1))
def test_what_is_read_back_from_the_file_are_the_leaves_and_the_key(kind, difficulty):
    exam = Exam(seed=3, kinds=(kind,), trees=1, difficulty=difficulty)
    (task,) = exam.sheets[0]
    exercise = task.exercise
    blank, solved = (" ".join(texts_of(render_exam(exam, ".pdf", solved))) for solved in (False, True))
    blank, solved = (text.replace(task.prompt, "") for text in (blank, solved))
    whole = exercise.full_tree
    leaves = Counter(format_number(whole[row].value) for row in range(len(whole)) if whole[row].is_leaf)
    assert leaves <= numbers_in(blank)
    assert leaves <= numbers_in(solved)
    wanted = Counter(answers(exercise))
    assert wanted <= numbers_in(solved) - leaves
    given = numbers_in(blank) - leaves
    if kind in ("values", "window", "order"):
        allowed = Counter(
            ["1", "10", "10", "1", *re.findall(r"\d+", task.prompt)]
        )  # its number, points, the page, the task itself
        assert given <= allowed, "a blank sheet says nothing of the key"
    for row in range(len(whole)):
        assert node_letter(row) in blank


def answers(exercise):
    """The numbers of the key, one for each frame."""
    given = answer_key(exercise)
    if exercise.kind == "values":
        return [format_number(value) for value in given.values()]
    if exercise.kind == "window":
        return [format_number(bound) for window in given.values() for bound in window]
    if exercise.kind == "order":
        return [str(rank) for order in given.values() for rank in range(1, len(order) + 1)]
    if exercise.kind == "mistake":
        record = faulty_search(exercise)
        return [format_number(bound) for row in range(len(record)) for bound in (record[row].alpha, record[row].beta)]
    return []


def test_what_the_key_crosses_out_is_what_the_search_skips():
    for task in (task for tasks in Exam(kinds=("pruned",), trees=6, difficulty=3).sheets for task in tasks):
        blank, solved = (draw_exercise_tree(task.exercise, solved) for solved in (False, True))
        crosses = sum(isinstance(item, Line) for item in solved.items) - sum(isinstance(item, Line) for item in blank.items)
        assert crosses == 2 * len(answer_key(task.exercise)) > 0
        assert len(task.key.split()) == len(answer_key(task.exercise))


def test_the_key_of_the_sheet_is_the_key_of_the_grader():
    for tasks in SMALL.sheets:
        for task in tasks:
            assert grade_answer(task.exercise, answer_key(task.exercise)).solved


def test_blank_and_solved_sheets_have_everything_in_the_same_place():
    for task in SMALL.sheets[0]:
        blank, solved = draw_exercise_tree(task.exercise, False), draw_exercise_tree(task.exercise, True)
        assert set(blank.items) <= set(solved.items)
        assert (blank.width, blank.height) == (solved.width, solved.height)


# ---- variants


def test_variants_differ_and_the_same_seed_makes_the_same_exam():
    exam = Exam(seed=7, variants=30, trees=2, kinds=("values",))
    games = [task.exercise.question.game.text for tasks in exam.sheets for task in tasks]
    assert len(set(games)) == len(games)
    assert render_exam(exam, ".pdf", True) == render_exam(Exam(seed=7, variants=30, trees=2, kinds=("values",)), ".pdf", True)
    titles = [
        item.text
        for page in lay_out_exam(exam, False)
        for item in page.items
        if isinstance(item, Label) and item.size == TITLE_SIZE
    ]
    assert titles == [f"Game trees, variant {variant}" for variant in range(1, 31)]
    pages = pypdf.PdfReader(io.BytesIO(render_exam(exam, ".pdf", True))).pages
    table = re.sub(r"\s", "", pages[0].extract_text())
    for tasks in exam.sheets[:20]:
        for task in tasks:
            assert task.key.replace(" ", "") in table


def test_no_two_exercises_of_an_exam_have_the_same_seed():
    seeds = [exercise_seed(seed, variant, place) for seed in (0, 1, 9999) for variant in range(1, 201) for place in range(1, 13)]
    assert len(set(seeds)) == len(seeds)
    assert max(seeds) < 1_000_000_000


# ---- nothing overlaps


def boxes(page):
    """Of everything with an extent, where it is: left, top, right, bottom."""
    for item in page.items:
        if isinstance(item, Label):
            wide = text_width(item.text, item.size, item.bold)
            left = item.x - wide * {"start": 0, "middle": 0.5, "end": 1}[item.anchor]
            yield "words", (left, item.y - item.size * 0.72, left + wide, item.y + item.size * 0.2)
        elif isinstance(item, Shape) and len(item.points) <= 4:
            xs, ys = zip(*item.points, strict=True)
            yield "shape", (min(xs), min(ys), max(xs), max(ys))


def overlap(one, other):
    return one[0] < other[2] - 0.6 and other[0] < one[2] - 0.6 and one[1] < other[3] - 0.6 and other[1] < one[3] - 0.6


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("difficulty", mostly_slow([1, 5, 2, 3, 4], 2))
def test_nothing_overlaps_or_leaves_the_page(paper, difficulty):
    exam = Exam(seed=11, kinds=EVERY_KIND, trees=5, difficulty=difficulty, variants=3, paper=paper)
    width, height = exam.size
    for solved in (False, True):
        for page in lay_out_exam(exam, solved):
            found = list(boxes(page))
            for what in ("words", "shape"):
                alike = sorted(box for kind, box in found if kind == what)
                for place, one in enumerate(alike):
                    for other in alike[place + 1 :]:
                        if other[0] >= one[2]:
                            break
                        assert not overlap(one, other), (what, one, other)
            for _, (left, top, right, bottom) in found:
                assert 30 < left <= right < width / POINTS_PER_PIXEL - 30
                assert 30 < top <= bottom < height / POINTS_PER_PIXEL - 8
    for page in pypdf.PdfReader(io.BytesIO(render_exam(exam, ".pdf", False))).pages:
        assert (float(page.mediabox.width), float(page.mediabox.height)) == pytest.approx((width, height), abs=0.1)


def test_trees_that_are_too_wide_turn_the_paper():
    assert not Exam(kinds=("values",), difficulty=1).turned
    assert Exam(seed=7, kinds=("window",), difficulty=5).turned


# ---- files


@pytest.mark.parametrize("extension", FORMATS)
@pytest.mark.parametrize("solved", [False, True])
def test_foreign_text_stays_text(extension, solved):
    exam = Exam(trees=1, kinds=("mistake",), title=HOSTILE, variants=2)
    data = render_exam(exam, extension, solved)
    if extension == ".pdf":
        assert "<b>&\"x' \\input{/etc/passwd}" in texts_of(data)[0]
        assert "Ü (a) \\)" in texts_of(data)[0]
    elif extension == ".html":
        text = data.decode()
        assert "<b>" not in text
        assert "<script" not in text
        assert "&lt;b&gt;&amp;" in text
    else:
        text = data.decode()
        assert "\\input{" not in text
        assert r"\textbackslash{}input\{/etc/passwd\}" in text
        assert "Ü" in text
        assert text.count("{") - text.count("\\{") == text.count("}") - text.count("\\}")


def test_titles_in_other_letters_are_seen_and_found():
    data = render_exam(Exam(trees=1, kinds=("values",), title=FAR), ".pdf", False)
    page = pypdf.PdfReader(io.BytesIO(data)).pages[0].get_contents().get_data()
    coded = (b"\xfe\xff" + FAR.encode("utf-16-be")).hex()
    assert f"/ActualText <{coded}>".encode() in page
    assert page.count(b"\nBI /W") == page.count(b"EI Q EMC") == 2  # above the sheet and below it
    picture = rasterize_text(FAR, True)
    assert len(picture.dots) == (picture.columns + 7) // 8 * picture.rows
    assert 0.1 < sum(map(int.bit_count, picture.dots)) / (picture.columns * picture.rows) < 0.5
    assert text_width(FAR, 20, True) == pytest.approx(picture.columns * 20 / PIXELS_PER_EM, rel=0.03)
    assert text_width(normalize("NFD", FAR), 20) == text_width(FAR, 20)
    assert len({rasterize_text(letter, False).dots for letter in "ěźłЖЩяώΩ"}) == 8


def exam_files(folder, typed):
    """The files that a command makes, sheets and keys."""
    folder.mkdir()
    names = [f"{name}{extension}" for extension in FORMATS for name in ("exam", "key")]
    plyscope.main([*typed, *(part for name in names for part in ("-o", str(folder / name)))], standalone_mode=False)
    return {name: (folder / name).read_bytes() for name in names}


@pytest.mark.parametrize("title", ["Game trees", "-o", 'Ann\'s  "final" exam: $HOME `x` \\\\ *'])
def test_the_command_on_a_key_makes_the_same_files(title, tmp_path):
    asked = ["--seed", "4", "--trees", "2", "--kind", "order", "--kind", "values", "--difficulty", "1", "--variants", "2"]
    made = exam_files(tmp_path / "first", ["exam", *asked, "--points", "7", "--paper", "letter", "--title", title])
    page = made["key.html"].decode()
    printed = unescape(re.search("<p>(plyscope exam .*)</p>", page)[1])
    assert "".join(printed.split()) in "".join(texts_of(made["key.pdf"])[0].split())
    program, *words = shlex.split(printed)
    assert program == "plyscope"
    assert exam_files(tmp_path / "again", words) == made


def test_a_long_command_stays_on_the_page():
    exam = Exam(seed=9999, trees=12, kinds=EVERY_KIND, difficulty=1, points=1000, title="W" * 39 + " " + "W" * 39)
    *_, bottom = (item.y for item in lay_out_exam(exam, True)[0].items if isinstance(item, Label) and item.colour == "muted")
    assert bottom <= exam.size[1] / POINTS_PER_PIXEL - 20


def test_html_and_latex_have_the_same_keys():
    page, document = (render_exam(SMALL, extension, True).decode() for extension in (".html", ".tex"))
    for tasks in SMALL.sheets:
        for task in tasks:
            assert f"Key: {task.key}" in page
    assert document.count(r"\begin{tikzpicture}") == SMALL.trees * SMALL.variants == page.count("<svg")


@pytest.mark.slow
def test_the_latex_compiles(tmp_path):
    if not shutil.which("pdflatex"):
        pytest.skip("no pdflatex here")
    exam = Exam(seed=3, kinds=EVERY_KIND, trees=5, difficulty=4, title=f"{HOSTILE} Závěr źdźbło")
    (tmp_path / "key.tex").write_bytes(render_exam(exam, ".tex", True))
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "key.tex"]
    done = run(command, cwd=tmp_path)
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Overfull" not in done.stdout


def test_a_file_called_key_has_the_solutions(tmp_path, capsys):
    names = ["exam.pdf", "exam-key.pdf", "Key.html", "exam.tex"]
    outputs = [part for name in names for part in ("-o", str(tmp_path / name))]
    asked = ["--seed", "7", "--trees", "1", "--kind", "values", *outputs, "--key", str(tmp_path / "solved.html")]
    plyscope.main(["exam", *asked], standalone_mode=False)
    assert capsys.readouterr().out.count("wrote") == 5
    assert [("Key:" in " ".join(texts_of((tmp_path / name).read_bytes()))) for name in names[:2]] == [False, True]
    assert "Key:" in (tmp_path / "Key.html").read_text()
    assert "Key:" in (tmp_path / "solved.html").read_text()
    assert "Key:" not in (tmp_path / "exam.tex").read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "nothing to write"),
        (["-o", "exam.docx"], "known formats are .pdf, .html, .tex"),
        (["-o", "no/such/folder/exam.pdf"], "folder"),
        (["-o", "exam.pdf", "--kind", "cut"], "no kind of exercise on paper 'cut'"),
        (["-o", "exam.pdf", "--difficulty", "6"], "difficulty 6 is not possible: give 1 to 5"),
        (["-o", "exam.pdf", "--variants", "0"], "variants 0"),
        (["-o", "exam.pdf", "--seed", "-1"], "seed -1"),
        (["-o", "exam.pdf", "--paper", "a3"], "a4 or letter"),
        (["-o", "exam.pdf", "--title", "x" * 81], "at most 80"),
        (
            ["-o", "x.html", "-o", "x.pdf", "--title", "Ж 漢🙂"],
            "a .pdf cannot show '漢🙂' of the title: leave that out, or write .html",
        ),
        (["-o", "exam.tex", "--title", "Ж"], "a .tex cannot show 'Ж' of the title: leave that out, or write .pdf or .html"),
    ],
)
def test_what_cannot_be_made_is_said_in_a_sentence(arguments, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(PlyscopeError, match=re.escape(said)):  # exit code 2, as with all of them
        plyscope.main(["exam", *arguments], standalone_mode=False)
    assert list(tmp_path.iterdir()) == []


# ---- the page


def test_the_page_offers_sheets_and_keys():
    script = "from visualizer.app.sections import exam\nexam.show_exam_section()"
    page = AppTest.from_string(script, default_timeout=PATIENCE).run()
    assert not page.exception
    assert len(page.get("download_button")) == 2 * len(FORMATS)
    page.number_input(key="exam variants").set_value(30)
    page.number_input(key="exam seed").set_value(12)
    page.multiselect(key="exam kinds").set_value(["mistake"]).run()
    assert "--seed 12 --trees 3 --kind mistake" in page.caption[0].value.replace("\\", "")
    page.multiselect(key="exam kinds").set_value([]).run()  # none means the usual ones
    assert not page.exception


# ---- PDF


def test_a_page_holds_what_was_drawn():
    words = [
        Label(100, 100 + 20 * place, text, size=12) for place, text in enumerate(["α ≤ −3 ≥ β", "(a\\b)", "naïve – ∞", "\x07漢"])
    ]
    sketch = Scene(
        "x", 400, 300, (*words, Line(((0, 0), (10, 10)), "edge", dashed=True), Shape(((0, 0), (9, 0), (0, 9)), "muted"))
    )
    (text,) = texts_of(to_pdf([sketch], 300, 225, "t"))
    assert text.split("\n") == ["α ≤ −3 ≥ β", "(a\\b)", "naïve – ∞", "?"]


def test_lines_break_between_words():
    lines = wrap_to_width("one two three " * 20, 10, 120)
    assert " ".join(lines) == ("one two three " * 20).strip()
    assert all(text_width(line, 10) <= 120 for line in lines)
    assert wrap_to_width("", 10, 50) == [""]
