"""Trees and reports on paper: .pdf and .tex print on A4 and letter, in parts where a page cannot hold the picture."""

import io
import re
import shutil

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from engine import compare, connect, literal, nim, preset, search, tictactoe
from engine.core.errors import UnknownName
from tests.support.games import literal_trees
from tests.support.marks import examples, mostly_slow
from tests.support.processes import run
from tests.visualizer.exporters.test_foreign_names import HOSTILE, Named
from visualizer import View, export, report
from visualizer.cli.command_line import plyscope
from visualizer.drawing.paging import number_parts, split_for_paper, split_into_parts
from visualizer.drawing.paper import PAPERS
from visualizer.drawing.part_pages import MARGIN, PART_SCALE, lay_out_pages
from visualizer.drawing.scene import POINTS_PER_PIXEL, Label, right_edge
from visualizer.drawing.tree_drawing import NOTE_FONT
from visualizer.drawing.view import STUB, WHOLE_TREE, select_items
from visualizer.drawing.view_scene import draw_view
from visualizer.exporters import find_exporter
from visualizer.report import latex
from visualizer.report.blocks import Table

pypdf = pytest.importorskip("pypdf", reason="pypdf reads the pages of PDF files: pip install -e .[dev]")

LEAST_POINTS = {False: 6.0, True: 4.3}  # of the smallest letters, on portrait and landscape pages
needs_pdflatex = pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
LARGE = {
    "k-tables": lambda: search(preset("k-tables"), "3", depth=3),
    "minimax": lambda: search(preset("k-tables"), "3", depth=3, algorithm="minimax"),
    "tic-tac-toe": lambda: search(tictactoe(), "402", depth=5, algorithm="mtdf"),
    "quiescence": lambda: search(connect(), "41634065", depth=2, quiescence=4),
    "long names": lambda: search(Named(HOSTILE[:7])),
    "many calls": lambda: search(preset("long-state"), "33", depth=3, algorithm="pvs"),
}


def pages_of(tree, **style):
    data = b"".join(find_exporter("tree.pdf").chunks(tree, **style))
    return pypdf.PdfReader(io.BytesIO(data)).pages


@pytest.mark.parametrize("paper", PAPERS)
def test_a_large_tree_is_printed_in_parts_on_pages_of_paper(paper):
    tree = LARGE["k-tables"]()
    pages = pages_of(tree, paper=paper)
    assert 4 <= len(pages) <= 8
    assert {tuple(map(float, page.mediabox[2:])) for page in pages} == {PAPERS[paper][:2]}
    texts = [page.extract_text() for page in pages]
    count = len(split_into_parts(tree, WHOLE_TREE, frame=False))
    assert [int(number) for text in texts for number in re.findall(rf"Part (\d+) of {count}: ", text)] == list(
        range(1, count + 1)
    )
    assert "value -3, best move 3; 234 nodes expanded" in texts[0]
    for number, text in enumerate(texts, start=1):
        assert f"page {number} of {len(pages)}: part" in text


def test_a_tree_that_fits_is_one_page_of_its_own_size():
    (page,) = pages_of(search(literal([[3, 12, 8], [2, 4, 6]])))
    assert page.mediabox[2:] not in [paper[:2] for paper in PAPERS.values()]
    assert page.mediabox.width < PAPERS["a4"].height


def test_a_tree_that_fits_only_by_our_own_layout_is_one_page_of_paper():
    tree = search(tictactoe(), "402", depth=4, algorithm="mtdf")
    assert len(split_for_paper(tree, WHOLE_TREE).views) == 1
    (page,) = pages_of(tree)
    assert tuple(map(float, page.mediabox[2:])) == PAPERS["a4"].page_size(turned=True)
    assert "Part" not in page.extract_text()


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", LARGE)
def test_everything_is_within_the_margins_and_can_be_read(name, paper):
    tree = LARGE[name]()
    found = split_for_paper(tree, WHOLE_TREE)
    assert len(found.views) > 1
    for page in lay_out_pages(tree, WHOLE_TREE, found, PAPERS[paper]):
        sides = tuple(int(side / POINTS_PER_PIXEL) for side in PAPERS[paper][:2])
        assert (page.width, page.height) == (sides[::-1] if found.turned else sides)
        for item in page.items:
            points = ((item.x, item.y),) if isinstance(item, Label) else item.points
            assert all(MARGIN <= x <= page.width - MARGIN + 1 for x, _ in points)
            assert all(MARGIN <= y <= page.height - MARGIN + 1 for _, y in points)
            if isinstance(item, Label):
                assert item.size * POINTS_PER_PIXEL >= LEAST_POINTS[found.turned]
                assert right_edge(item._replace(text=item.text[:1])) <= page.width - MARGIN + 8
    assert LEAST_POINTS[False] <= PART_SCALE * NOTE_FONT * POINTS_PER_PIXEL


@given(literal_trees, st.sampled_from(["alphabeta", "pvs", "mtdf"]))
@examples(40)
def test_a_scene_shows_what_the_view_shows(leaves, algorithm):
    part = select_items(search(literal(leaves), algorithm=algorithm))
    scene = draw_view(part)
    labels = [item.text for item in scene.items if isinstance(item, Label)]
    nodes = int((part.kind != STUB).sum())
    assert sum(text.startswith("[") for text in labels) == nodes
    assert len(labels) == 2 * nodes + len(part) - 1  # values, windows, and the moves of all but the root
    assert all(0 <= x <= scene.width and 0 <= y <= scene.height for item in scene.items for x, y in getattr(item, "points", ()))


@pytest.mark.parametrize("name", LARGE)
def test_every_part_is_named_where_its_top_is_drawn(name):
    tree = LARGE[name]()
    views = split_for_paper(tree, WHOLE_TREE).views
    named = []
    for number, view, elsewhere in number_parts(views):
        labels = [item.text for item in draw_view(select_items(tree, view), True, elsewhere).items if isinstance(item, Label)]
        found = [int(label.removeprefix("part ")) for label in labels if label.startswith("part ")]
        assert all(number < other for other in found)
        named += found
    assert sorted(named) == list(range(2, len(views) + 1))


def test_latex_has_the_same_parts():
    tree = LARGE["k-tables"]()
    text = b"".join(find_exporter("tree.tex").chunks(tree, paper="letter")).decode()
    count = len(split_into_parts(tree, WHOLE_TREE, frame=False))
    assert text.count(r"\begin{forest}") == count
    assert re.findall(r"plypart\{Part (\d+) of", text) == [str(number) for number in range(1, count + 1)]
    assert {int(number) for number in re.findall(r"part (\d+)\}\}", text)} == set(range(2, count + 1))
    assert r"\documentclass[letterpaper]{article}" in text
    small = b"".join(find_exporter("tree.tex").chunks(tree, View(max_depth=1))).decode()
    assert small.count(r"\begin{forest}") == 1
    assert r"\documentclass[a4paper]{article}" in small


def test_what_nobody_could_read_on_paper_is_said(tmp_path):
    for extension in (".pdf", ".tex"):
        path = tmp_path / f"tree{extension}"
        result = CliRunner().invoke(plyscope, ["search", "nim:50", "--depth", "1", "-o", str(path)])
        assert result.exit_code == 0
        assert "too large for paper: --to-depth or --subtree shows less of the tree" in result.stderr
        result = CliRunner().invoke(plyscope, ["search", "k-tables", "--moves", "3", "--paper", "letter", "-o", str(path)])
        assert result.exit_code == 0
        assert "too large" not in result.stderr
    result = CliRunner().invoke(plyscope, ["search", "k-tables", "--moves", "3", "--boards", "-o", str(tmp_path / "boards.pdf")])
    assert "without --boards it is printed on several pages" in result.stderr


def test_paper_that_is_not_known_is_refused(tmp_path):
    with pytest.raises(UnknownName, match=r"there is no paper 'a5'"):
        export(search(nim([2])), tmp_path / "tree.pdf", paper="a5")
    result = CliRunner().invoke(plyscope, ["search", "nim:2", "--paper", "b5", "-o", str(tmp_path / "tree.txt")])
    assert result.exit_code == 2 or "there is no paper 'b5'" in str(result.exception)


# ---- tables of reports


@given(st.integers(1, 30), st.integers(0, 80), st.integers(1, 14))
@examples(60)
def test_no_table_is_wider_than_the_page(columns, words, digits):
    head = ["K", "algorithm", *(f"column {number}" for number in range(columns))]
    rows = [["1", "w" * words, *["8" * digits] * columns]] * 2
    parts = list(latex._split_table(Table("about it", head, rows, (1,))))
    assert [name for table in parts for name in table.head[2:]] == head[2:]
    assert all(table.head[:2] == head[:2] for table in parts)
    assert [table.caption for table in parts] == [""] * (len(parts) - 1) + ["about it"]
    for table in parts:
        size, fixed = latex._fit_columns(table)
        widths = [max(latex._cell_widths(table, column, latex.TABLE_FONT_POINTS[size])) for column in range(len(table.head))]
        assert (
            sum(fixed.get(at, width) + latex.COLUMN_GAP_POINTS for at, width in enumerate(widths)) <= latex.TEXT_WIDTH_POINTS + 1
        )


# ---- with pdflatex


def compile_latex(folder, name):
    """Return the boxes that run off the page, in points, and the sizes of the pages."""
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", f"{name}.tex"]
    result = run(command, cwd=folder, errors="replace")
    assert result.returncode == 0, result.stdout[-2000:]
    off = [float(points) for points in re.findall(r"Overfull \\hbox \(([\d.]+)pt too wide\)", result.stdout)]
    pages = pypdf.PdfReader(folder / f"{name}.pdf").pages
    return [points for points in off if points > 1], {
        tuple(sorted(round(float(side)) for side in page.mediabox[2:])) for page in pages
    }


REPORTS = {
    "k-tables": lambda: compare(preset("k-tables"), "3", "1-4", repeat=3, write=len, keep_nodes=report.MAX_FIGURE_NODES),
    "many": lambda: compare(
        connect(),
        None,
        "1-3",
        ("minimax", "alphabeta:order=killer-history", "pvs", "mtdf", "engine", "iterative", "table", "aspiration", "sss", "dual"),
        repeat=3,
        write=len,
        keep_nodes=report.MAX_FIGURE_NODES,
    ),
    "hostile names": lambda: compare(Named(HOSTILE), None, [1, 2], repeat=1, keep_nodes=report.MAX_FIGURE_NODES),
    "long names": lambda: compare(
        Named(["W" * 60, "a b c d e f g h", "x"]), None, [1, 2], repeat=1, keep_nodes=report.MAX_FIGURE_NODES
    ),
    "long tree": lambda: compare(
        literal([[[n, -n] for n in range(100 * m, 100 * m + 40)] for m in (1, 2)]), None, None, repeat=1
    ),
    "wide": lambda: compare(nim([50]), None, [1], repeat=1, keep_nodes=report.MAX_FIGURE_NODES),
}


@needs_pdflatex
@pytest.mark.parametrize("name", mostly_slow(list(REPORTS), quick=1))
def test_no_report_runs_off_the_page(name, tmp_path):
    report.write_comparison(REPORTS[name](), tmp_path / "report.tex")
    off, sizes = compile_latex(tmp_path, "report")
    assert off == []
    assert sizes == {(595, 842)}


@needs_pdflatex
@pytest.mark.parametrize("name", mostly_slow(["tic-tac-toe", *(name for name in LARGE if name != "tic-tac-toe")], quick=1))
def test_no_tree_runs_off_the_page(name, tmp_path):
    export(LARGE[name](), tmp_path / "tree.tex", paper="letter")
    off, sizes = compile_latex(tmp_path, "tree")
    assert off == []
    assert sizes == {(612, 792)}
