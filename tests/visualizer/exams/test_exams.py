"""Exam sheets: they show the trees of the exercises, nothing overlaps, and untrusted text stays text."""

import io
import re
import shlex
import shutil
from collections import Counter
from html import unescape
from unicodedata import normalize

import numpy as np
import pytest
from fontTools.ttLib import TTFont
from PIL import ImageFont
from streamlit.testing.v1 import AppTest

from engine.core.errors import PlyscopeError
from engine.games.chance_outcomes import format_probability
from engine.learning.exercise import answer_key, grade_answer
from engine.learning.exercise_types.mistake import faulty_search
from tests.support.marks import mostly_slow
from tests.support.processes import MAX_WAIT_SECONDS, run
from visualizer.cli.command_line import plyscope
from visualizer.drawing.paper import PAPERS
from visualizer.drawing.pdf_pages import FONT_FILES, find_unsupported_characters, text_width, to_pdf, wrap_to_width
from visualizer.drawing.scene import POINTS_PER_PIXEL, Label, Line, Scene, Shape
from visualizer.exams.exercise_drawing import MARK_BUILDERS, draw_exercise_tree, draw_legend, node_letter
from visualizer.exams.files import FORMATS, QUIZ_FORMATS, render_exam
from visualizer.exams.pdf import TITLE_SIZE, exam_preview, lay_out_exam
from visualizer.exams.sheet import MAX_VARIANTS, PROMPTS, Exam, exercise_seed
from visualizer.narration.numbers import format_number

pypdf = pytest.importorskip("pypdf", reason="pypdf reads the text of PDF files: pip install -e .[dev]")

EVERY_KIND = tuple(PROMPTS)
SMALL = Exam(seed=7, kinds=EVERY_KIND, trees=len(EVERY_KIND), difficulty=2, variants=2)
HOSTILE = r"""<b>&"x' \input{/etc/passwd} $1$ %_^~# Ü (a) \)"""
FAR = "Závěr źdźbło Контроль Ελληνικά ώρα"


def texts_of(data):
    """Return the text of each page."""
    return [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(data)).pages]


def numbers_in(text):
    return Counter(re.findall(r"[−-]?(?:\d+(?:\.\d+|/\d+)?|∞)", text))


# ---- the trees are those of the exercises


@pytest.mark.parametrize("kind", EVERY_KIND)
@pytest.mark.parametrize("difficulty", mostly_slow([3, 1, 2, 4, 5], 1))
def test_the_file_contains_the_leaves_and_the_key(kind, difficulty):
    exam = Exam(seed=3, kinds=(kind,), trees=1, difficulty=difficulty)
    (task,) = exam.sheets[0]
    exercise = task.exercise
    blank, solved = (" ".join(texts_of(render_exam(exam, ".pdf", solved))) for solved in (False, True))
    blank, solved = (text.replace(task.prompt, "") for text in (blank, solved))
    tree = exercise.full_tree
    leaves = Counter(format_number(tree[row].value) for row in range(len(tree)) if tree[row].is_leaf)
    assert leaves <= numbers_in(blank)
    assert leaves <= numbers_in(solved)
    expected = Counter(key_numbers(exercise))
    assert expected <= numbers_in(solved) - leaves
    extra = numbers_in(blank) - leaves
    if kind in ("values", "expectation", "window", "order"):
        odds = [format_probability(p) for p in tree.weight.tolist() if p < 1]
        legend = ["1/2"] if odds else []
        in_prompt = re.findall(r"\d+", task.prompt)
        allowed = Counter(["1", "10", "10", "1", *in_prompt, *odds, *legend])  # its number, points, the page, and what is drawn
        assert extra <= allowed, "a blank sheet must not contain the key"
    for row in range(len(tree)):
        assert node_letter(row) in blank


def key_numbers(exercise):
    """Return the numbers of the key, one for each box."""
    key = answer_key(exercise)
    if exercise.kind in ("values", "expectation"):
        return [format_number(value) for value in key.values()]
    if exercise.kind in ("window", "backup"):
        return [format_number(bound) for window in key.values() for bound in window]
    if exercise.kind == "order":
        return [str(rank) for order in key.values() for rank in range(1, len(order) + 1)]
    if exercise.kind == "mistake":
        record = faulty_search(exercise)
        return [format_number(bound) for row in range(len(record)) for bound in (record[row].alpha, record[row].beta)]
    if exercise.kind == "ucb":
        tree = exercise.full_tree
        return [text for row in range(len(tree)) for text in (str(tree[row].visits), f"{tree[row].mean:.2f}")]
    return []


def test_the_key_crosses_out_the_nodes_that_the_search_skips():
    for task in (task for tasks in Exam(kinds=("pruned", "chance-cut"), trees=6, difficulty=3).sheets for task in tasks):
        blank, solved = (draw_exercise_tree(task.exercise, solved) for solved in (False, True))
        crosses = sum(isinstance(item, Line) for item in solved.items) - sum(isinstance(item, Line) for item in blank.items)
        assert crosses == 2 * len(answer_key(task.exercise)) > 0
        assert len(task.key.split()) == len(answer_key(task.exercise))


def test_the_key_of_a_selection_names_the_children_by_their_letters():
    for task in Exam(kinds=("ucb",), trees=3, difficulty=3).sheets[0]:
        tree = task.exercise.full_tree
        letters = [node_letter(row) for row in tree.child_rows(0)]
        assert re.findall(r"(\w): \d\.\d\d \+ ", task.remark) == letters
        assert task.key in letters


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


def bounding_boxes(page):
    """Yield the bounding boxes of texts and shapes: left, top, right, bottom."""
    for item in page.items:
        if isinstance(item, Label):
            wide = text_width(item.text, item.size, item.bold)
            left = item.x - wide * {"start": 0, "middle": 0.5, "end": 1}[item.anchor]
            yield "words", (left, item.y - item.size * 0.72, left + wide, item.y + item.size * 0.2)
        elif isinstance(item, Shape) and len(item.points) <= 4:
            xs, ys = zip(*item.points, strict=True)
            yield "shape", (min(xs), min(ys), max(xs), max(ys))


def do_overlap(one, other):
    return one[0] < other[2] - 0.6 and other[0] < one[2] - 0.6 and one[1] < other[3] - 0.6 and other[1] < one[3] - 0.6


def test_no_line_crosses_a_probability():
    exam = Exam(seed=3, kinds=("expectation", "chance-cut"), trees=6, difficulty=3, variants=3)
    for task in (task for tasks in exam.sheets for task in tasks):
        scene = draw_exercise_tree(task.exercise, False)
        boxes = [box for what, box in bounding_boxes(scene) if what == "words"]
        labels = [item for item in scene.items if isinstance(item, Label)]
        probabilities = [box for box, label in zip(boxes, labels, strict=True) if "/" in label.text]
        assert probabilities
        for line in (item for item in scene.items if isinstance(item, Line)):
            (x, y), (far_x, far_y) = line.points
            places = [(x + share * (far_x - x), y + share * (far_y - y)) for share in np.linspace(0, 1, 60)]
            crossed = [
                box for box in probabilities if any(box[0] < at < box[2] and box[1] < down < box[3] for at, down in places)
            ]
            assert crossed == []


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("difficulty", mostly_slow([1, 5, 2, 3, 4], 2))
def test_nothing_overlaps_or_leaves_the_page(paper, difficulty):
    exam = Exam(seed=11, kinds=EVERY_KIND, trees=len(EVERY_KIND), difficulty=difficulty, variants=3, paper=paper)
    width, height = exam.size
    for solved in (False, True):
        for page in lay_out_exam(exam, solved):
            found = list(bounding_boxes(page))
            for what in ("words", "shape"):
                alike = sorted(box for kind, box in found if kind == what)
                for place, one in enumerate(alike):
                    for other in alike[place + 1 :]:
                        if other[0] >= one[2]:
                            break
                        assert not do_overlap(one, other), (what, one, other)
            for _, (left, top, right, bottom) in found:
                assert 30 < left <= right < width / POINTS_PER_PIXEL - 30
                assert 30 < top <= bottom < height / POINTS_PER_PIXEL - 8
    for page in pypdf.PdfReader(io.BytesIO(render_exam(exam, ".pdf", False))).pages:
        assert (float(page.mediabox.width), float(page.mediabox.height)) == pytest.approx((width, height), abs=0.1)


def test_trees_that_are_too_wide_turn_the_paper():
    assert not Exam(kinds=("values",), difficulty=1).is_landscape
    assert Exam(seed=7, kinds=("window",), difficulty=5).is_landscape


# ---- files


@pytest.mark.parametrize("extension", FORMATS)
@pytest.mark.parametrize("solved", [False, True])
def test_untrusted_text_stays_text(extension, solved):
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


def test_titles_in_other_scripts_are_drawn_and_found():
    data = render_exam(Exam(trees=1, kinds=("values",), title=FAR), ".pdf", False)
    page = pypdf.PdfReader(io.BytesIO(data)).pages[0]
    assert page.extract_text().count(FAR) == 2  # above the sheet and below it
    assert len(page.images) == 0
    fonts = [font.get_object()["/DescendantFonts"][0]["/FontDescriptor"] for font in page["/Resources"]["/Font"].values()]
    assert {"/LiberationSans", "/LiberationSansBold"} == {f"/{font['/FontName'].partition('+')[2]}" for font in fonts}
    bold = next(font for font in fonts if font["/FontName"].endswith("Bold"))
    embedded = TTFont(io.BytesIO(bold["/FontFile2"].get_data()))
    outlines = {bytes(glyph.compile(embedded["glyf"])) for glyph in embedded["glyf"].glyphs.values()}
    assert len(outlines) >= len(set(FAR) - {" "})


def test_texts_have_the_widths_of_the_font():
    for bold, path in FONT_FILES.items():
        font = ImageFont.truetype(str(path), 2048, layout_engine=ImageFont.Layout.BASIC)
        for letter in f"{FAR}αβ∞≤≥−×–…€(\\W":
            assert text_width(letter, 2048, bold) == pytest.approx(font.getlength(letter), abs=1)
    assert text_width(normalize("NFD", FAR), 20) == text_width(FAR, 20)
    assert find_unsupported_characters(f"{FAR} \x07 漢🙂 שלום") == "漢🙂שלום"  # Hebrew would stand in the wrong order


def exam_files(folder, arguments):
    """Return the files that a command makes, sheets and keys."""
    folder.mkdir()
    names = [f"{name}{extension}" for extension in FORMATS for name in ("exam", "key")]
    plyscope.main([*arguments, *(part for name in names for part in ("-o", str(folder / name)))], standalone_mode=False)
    return {name: (folder / name).read_bytes() for name in names}


@pytest.mark.parametrize("title", ["Game trees", "-o", 'Ann\'s  "final" exam: $HOME `x` \\\\ *'])
def test_the_command_on_a_key_makes_the_same_files(title, tmp_path):
    options = ["--seed", "4", "--trees", "2", "--kind", "order", "--kind", "values", "--difficulty", "1", "--variants", "2"]
    files = exam_files(tmp_path / "first", ["exam", *options, "--points", "7", "--paper", "letter", "--title", title])
    page = files["key.html"].decode()
    printed = unescape(re.search("<p>(plyscope exam .*)</p>", page)[1])
    assert "".join(printed.split()) in "".join(texts_of(files["key.pdf"])[0].split())
    program, *words = shlex.split(printed)
    assert program == "plyscope"
    assert exam_files(tmp_path / "again", words) == files


def test_a_long_command_stays_on_the_page():
    exam = Exam(seed=9999, trees=12, kinds=EVERY_KIND, difficulty=1, points=1000, title="W" * 39 + " " + "W" * 39)
    *_, bottom = (item.y for item in lay_out_exam(exam, True)[0].items if isinstance(item, Label) and item.colour == "muted")
    assert bottom <= exam.size[1] / POINTS_PER_PIXEL - 20


def test_html_and_latex_have_the_same_keys():
    page, document = (render_exam(SMALL, extension, True).decode() for extension in (".html", ".tex"))
    for tasks in SMALL.sheets:
        for task in tasks:
            assert f"Key: {task.key}" in page
    assert document.count(r"\begin{tikzpicture}") == (SMALL.trees + 1) * SMALL.variants == page.count("<svg")


@pytest.mark.slow
def test_the_latex_compiles(tmp_path):
    if not shutil.which("pdflatex"):
        pytest.skip("no pdflatex here")
    exam = Exam(seed=3, kinds=EVERY_KIND, trees=len(EVERY_KIND), difficulty=4, title=f"{HOSTILE} Závěr źdźbło")
    (tmp_path / "key.tex").write_bytes(render_exam(exam, ".tex", True))
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "key.tex"]
    result = run(command, cwd=tmp_path)
    assert result.returncode == 0, result.stdout[-2000:]
    assert "Overfull" not in result.stdout


def test_a_file_called_key_has_the_solutions(tmp_path, capsys):
    names = ["exam.pdf", "exam-key.pdf", "Key.html", "exam.tex"]
    outputs = [part for name in names for part in ("-o", str(tmp_path / name))]
    options = ["--seed", "7", "--trees", "1", "--kind", "values", *outputs, "--key", str(tmp_path / "solved.html")]
    plyscope.main(["exam", *options], standalone_mode=False)
    assert capsys.readouterr().out.count("wrote") == 5
    assert [("Key:" in " ".join(texts_of((tmp_path / name).read_bytes()))) for name in names[:2]] == [False, True]
    assert "Key:" in (tmp_path / "Key.html").read_text()
    assert "Key:" in (tmp_path / "solved.html").read_text()
    assert "Key:" not in (tmp_path / "exam.tex").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no output file"),
        (["-o", "exam.docx"], "known formats are .pdf, .html, .tex"),
        (["-o", "no/such/folder/exam.pdf"], "folder"),
        (["-o", "exam.pdf", "--kind", "cut"], "no kind of exercise on paper 'cut'"),
        (["-o", "exam.pdf", "--difficulty", "6"], "difficulty 6 is not possible: choose 1 to 5"),
        (["-o", "exam.pdf", "--variants", "0"], "variants 0"),
        (["-o", "exam.pdf", "--seed", "-1"], "seed -1"),
        (["-o", "exam.pdf", "--paper", "a3"], "a4 or letter"),
        (["-o", "exam.pdf", "--title", "x" * 81], "at most 80"),
        (
            ["-o", "x.html", "-o", "x.pdf", "--title", "Ж 漢🙂"],
            "a .pdf file cannot show '漢🙂' in the title: remove these letters, or write .html",
        ),
        (
            ["-o", "exam.tex", "--title", "Ж"],
            "a .tex file cannot show 'Ж' in the title: remove these letters, or write .pdf or .html",
        ),
    ],
)
def test_impossible_exams_are_refused_with_a_message(arguments, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(PlyscopeError, match=re.escape(message)):  # exit code 2
        plyscope.main(["exam", *arguments], standalone_mode=False)
    assert list(tmp_path.iterdir()) == []


# ---- the page


def test_the_page_offers_sheets_and_keys():
    script = "from visualizer.app.sections import exam\nexam.show_exam_section()"
    page = AppTest.from_string(script, default_timeout=MAX_WAIT_SECONDS).run()
    assert not page.exception
    assert len(page.get("download_button")) == 2 * len(FORMATS) + len(QUIZ_FORMATS)
    page.number_input(key="exam variants").set_value(30)
    page.number_input(key="exam seed").set_value(12)
    page.multiselect(key="exam kinds").set_value(["mistake"]).run()
    assert "--seed 12 --trees 3 --kind mistake" in page.code[0].value
    page.multiselect(key="exam kinds").set_value([])  # none means the usual ones
    page.number_input(key="exam variants").set_value(MAX_VARIANTS)
    page.number_input(key="exam points").set_value(25)
    page.text_input(key="exam title").set_value("Ann's exam").run()
    assert not page.exception
    assert page.code[0].value.endswith("--variants 200 --points 25 --paper a4 --title 'Ann'\"'\"'s exam' -o exam.pdf -o key.pdf")


def test_the_preview_is_the_first_page_of_the_file():
    exam = Exam(seed=7, variants=3, title="Ann's <exam>", points=25)
    for solved in (False, True):
        first_sheet = next(page for page in lay_out_exam(exam, solved) if any("variant 1" in text for text in texts_in(page)))
        preview = exam_preview(exam, solved).decode()
        assert [unescape(text) for text in re.findall("<text[^>]*>(.*?)</text>", preview)] == texts_in(first_sheet)
        assert "(25 points)" in preview


def texts_in(page):
    return [item.text for item in page.items if isinstance(item, Label)]


@pytest.mark.parametrize("kind", EVERY_KIND)
def test_every_sheet_has_a_legend_of_its_symbols(kind):
    exam = Exam(kinds=(kind,), trees=1)
    legend = {text for text in texts_in(draw_legend(exam.kinds)) if len(text) > 1}
    assert {"MAX to move", "MIN to move", "leaf with its value", "name of a node"} <= legend
    assert ("your answer" in legend) == bool(MARK_BUILDERS[kind](exam.sheets[0][0].exercise).slots)
    assert ("chance" in legend) == exam.sheets[0][0].exercise.full_tree.has_chance
    assert ("never visited" in legend) == (kind in ("window", "mistake"))
    for solved in (False, True):
        assert legend <= set(texts_in(lay_out_exam(exam, solved)[solved]))
        assert all(text in render_exam(exam, ".html", solved).decode() for text in legend - {"α, β"})


# ---- PDF


def test_a_page_contains_the_scene():
    words = [
        Label(100, 100 + 20 * place, text, size=12) for place, text in enumerate(["α ≤ −3 ≥ β", "(a\\b)", "naïve – ∞", "\x07漢"])
    ]
    scene = Scene(
        "x", 400, 300, (*words, Line(((0, 0), (10, 10)), "edge", dashed=True), Shape(((0, 0), (9, 0), (0, 9)), "muted"))
    )
    (text,) = texts_of(to_pdf([scene], 300, 225, "t"))
    assert text.split("\n") == ["α ≤ −3 ≥ β", "(a\\b)", "naïve – ∞", "?"]


def test_lines_break_between_words():
    lines = wrap_to_width("one two three " * 20, 10, 120)
    assert " ".join(lines) == ("one two three " * 20).strip()
    assert all(text_width(line, 10) <= 120 for line in lines)
    assert wrap_to_width("", 10, 50) == [""]
