"""Comparisons as tables, charts and reports. `python -m tests.visualizer.report.test_report` writes the golden files anew."""

import csv
import dataclasses
import io
import itertools
import json
import re
import shutil
import xml.etree.ElementTree as ElementTree
from functools import partial
from html.parser import HTMLParser

import pytest
from rich.console import Console

from engine import compare, connect, literal, nim, preset, tictactoe
from engine.analysis.comparison_result import Seconds
from tests.engine.analysis.test_comparison import Moody
from tests.support.games import TEXTBOOK, Countdown
from tests.support.paths import TESTS
from tests.support.processes import run
from tests.visualizer.exporters.test_foreign_names import HOSTILE, Named, control_characters
from visualizer import View, report
from visualizer.cli.output.compare_output import fit_columns, make_rich_table
from visualizer.drawing.comparison_chart import Point, build_plots, format_duration
from visualizer.drawing.paging import split_into_parts
from visualizer.drawing.scene import Label, Line, Shape, right_edge
from visualizer.report import content, html, latex, markdown, tables
from visualizer.report.blocks import Command, Heading, Paragraph, Table, Verbatim

GOLDEN = TESTS / "golden" / "reports"
TEXTS = [extension for extension in report.FORMATS if extension not in (".png", ".pdf")]


def make_clock():
    """A clock that advances by one millisecond more at each call, so that all times are known and differ."""
    return (moment * (moment + 1) / 2 / 1000 for moment in itertools.count()).__next__


def compare_textbook():
    return compare(literal(TEXTBOOK), repeat=3, write=len, clock=make_clock(), keep_nodes=report.MAX_FIGURE_NODES)


@pytest.fixture(scope="module")
def k_tables():
    return compare(preset("k-tables"), "3", "1-5", repeat=3, write=len, clock=make_clock(), keep_nodes=report.MAX_FIGURE_NODES)


@pytest.fixture(scope="module")
def hostile_comparison():
    return compare(Named(HOSTILE), None, [1, 2], repeat=1, write=len, keep_nodes=report.MAX_FIGURE_NODES)


@pytest.fixture(autouse=True)
def _one_version(monkeypatch):
    monkeypatch.setattr(content, "version", lambda package: "1.2.3")


@pytest.mark.parametrize("extension", TEXTS)
def test_golden_reports(extension):
    assert report.render_comparison(compare_textbook(), extension).decode() == (GOLDEN / f"textbook{extension}").read_text(
        "utf-8"
    )


@pytest.mark.parametrize(("extension", "begins"), [(".png", b"\x89PNG"), (".pdf", b"%PDF")])
def test_charts_are_drawn(extension, begins, k_tables):
    picture = report.render_comparison(k_tables, extension)
    assert picture.startswith(begins)
    if extension == ".png":  # two pixels for one
        size = [int.from_bytes(picture[at : at + 4], "big") for at in (16, 20)]
        scene = report.content.comparison_chart.draw_chart(k_tables, "")
        assert size == pytest.approx([2 * scene.width, 2 * scene.height], abs=4)
        assert len(picture) > 30_000  # lines and words, not an empty sheet


def test_every_game_gives_every_text_format():
    for game in (connect(), tictactoe(), nim([2, 1]), Countdown(), preset("long-state")):
        comparison = compare(game, None, [1, 2], repeat=1, keep_nodes=report.MAX_FIGURE_NODES)
        for extension in TEXTS:
            assert report.render_comparison(comparison, extension)


def test_the_charts_show_the_comparison(k_tables):
    nodes, seconds = build_plots(k_tables)
    minimax, alphabeta, least, published = nodes.series
    assert [point.number for point in minimax.points] == [8, 57, 400, 2801, 19608]
    assert [point.number for point in alphabeta.points] == [8, 44, 234, 840, 4290]
    assert [point.number for point in least.points] == [level.minimal.nodes for level in k_tables.levels]
    assert sorted(point.number for point in published.points) == [234, 400, 4290, 19608]
    row = k_tables.row(2, "alphabeta")
    assert seconds.series[1].points[1] == Point(2, row.recorded.median, row.recorded.minimum, row.recorded.maximum)
    marks = [series.mark for series in nodes.series]
    assert len(set(marks)) == len(marks)  # they differ without colours


@pytest.mark.parametrize("depths", ["1", "1-6", "2,end"])
def test_nothing_is_drawn_outside_the_picture(depths):
    comparison = compare(nim([3, 2, 2]), None, depths, repeat=2, clock=make_clock())
    scene = content.comparison_chart.draw_chart(
        comparison, "a title that is longer than the picture is wide, so that it must be cut somewhere, " * 3
    )
    for item in scene.items:
        points = [(item.x, item.y)] if isinstance(item, Label) else item.points
        assert isinstance(item, (Line, Shape, Label))
        for x, y in points:
            assert 0 <= x <= scene.width
            assert 0 <= y <= scene.height
        if isinstance(item, Label):
            assert right_edge(item) <= scene.width
            assert item.x - item.width * {"start": 0, "middle": 0.5, "end": 1}[item.anchor] >= 0


def test_published_numbers_stand_beside_ours(k_tables):
    text = report.render_comparison(k_tables, ".md").decode()
    assert "| 3 | minimax | 400 | = 400 |" in text
    assert "| 5 | alpha-beta | 4,290 | = 4,290 |" in text
    assert "4 of 4 node counts published in the student report behind the preset k-tables are reproduced" in text


def test_a_published_number_that_is_not_ours_is_marked(k_tables):
    row = k_tables.rows[4]
    wrong = [*k_tables.rows[:4], row._replace(expanded=399), *k_tables.rows[5:]]
    changed = compare(preset("k-tables"), "3", [1], repeat=1)
    changed.rows = wrong
    assert "≠ 400" in [cell for cells in tables.results_table(changed).rows for cell in cells]


def test_the_most_valuable_cutoffs_with_boards_and_reasons(k_tables):
    level = content.find_savings_level(k_tables)
    assert level.depth == 5
    text = report.render_comparison(k_tables, ".md").decode()
    for saving in level.savings[: content.MAX_LISTED_CUTOFFS]:
        assert f"{saving.saved:,} nodes saved" in text
        assert f"step {saving.step:,}" in text
        assert saving.node.board in text
    assert " skipped." in text


def test_a_tree_too_wide_for_a_page_is_in_parts(k_tables):
    trees = [k_tables.trees[2, name] for name in ("minimax", "alphabeta")]
    views = [split_into_parts(tree, View(), frame=False) for tree in trees]
    assert [len(one) for one in views] == [8, 8]
    page, text = (report.render_comparison(k_tables, extension).decode() for extension in (".html", ".tex"))
    assert page.count('class="part"') == text.count("\\begin{forest}") == text.count("\\plypart{Part") == 16
    for column in range(7):
        heading = f"Part {column + 2} of 8: after {column}"
        assert page.count(f"<p>{heading}</p>") == text.count(f"\\plypart{{{heading}}}") == 2


def test_a_family_too_wide_for_a_page_is_text():
    comparison = compare(nim([50]), None, [1], repeat=1, keep_nodes=report.MAX_FIGURE_NODES)
    page = report.render_comparison(comparison, ".html").decode()
    assert "The tree is shown as text: a picture would be wider than a page." in page
    assert (
        "The tree is shown as text: a picture would be wider than a page."
        in report.render_comparison(comparison, ".tex").decode()
    )
    assert "└── 50 from heap 0  MIN  depth 1" in page


def test_disagreements_come_first():
    blocks = list(content.build_report(compare(Moody(), None, [2], repeat=1)))
    assert isinstance(blocks[0], Heading)
    assert isinstance(blocks[1], Paragraph)
    assert blocks[1].strong
    assert "do not agree" in blocks[1].text


def test_close_values_look_different():
    comparison = compare(Moody(), None, [2], repeat=1)
    comparison.rows = [row._replace(value=value) for row, value in zip(comparison.rows, (1.0, 1.0000001), strict=True)]
    problem = next(content.list_problems(comparison)).text
    assert "says 1," in problem
    assert "says 1.0000001," in problem


def test_searches_that_did_not_run_are_listed():
    comparison = compare(connect(), None, [2, 6], repeat=1, max_nodes=50_000)
    text = report.render_comparison(comparison, ".md").decode()
    assert f"not run, {comparison.row(6, 'minimax').about:,} nodes" in text
    assert str(comparison.row(6, "alphabeta").expanded) in text.replace(",", "")


def test_a_comparison_that_was_stopped_says_so():
    rows = []
    comparison = compare(connect(), None, "1-9", repeat=1, on_row=rows.append, on_progress=lambda progress: len(rows) < 4)
    assert "stopped (cancelled). Finished depths: 1, 2." in report.render_comparison(comparison, ".md").decode()
    assert report.render_comparison(comparison, ".png")
    nothing = compare(connect(), None, "1-9", on_progress=lambda progress: False)
    with pytest.raises(ValueError, match="nothing to draw"):
        report.render_comparison(nothing, ".svg")
    assert "Finished depths: none." in report.render_comparison(nothing, ".md").decode()


def test_a_comparison_of_which_nothing_could_be_run():
    comparison = compare(connect(), None, "end", repeat=1, max_nodes=1000)
    assert [row.expanded for row in comparison.rows] == [None, None]
    for extension in (".md", ".html", ".tex", ".csv", ".json"):
        assert "stopped (node limit) after 1,000 nodes" in report.render_comparison(comparison, extension).decode().replace(
            "{,}", ","
        )
    assert "{longtable}[l]{}" not in report.render_comparison(comparison, ".tex").decode()


@pytest.mark.parametrize(
    ("question", "command"),
    [
        ((preset("k-tables"), "3", "1-3"), "plyscope compare k-tables --moves 3 --depths 1-3 --repeat 1"),
        ((nim([2, 1]), None, "2,end", "alphabeta"), "plyscope compare nim:2,1 --depths 2,end --algorithms alphabeta --repeat 1"),
        ((literal(TEXTBOOK),), "plyscope compare 'tree:[[3,12,8],[2,4,6],[14,5,2]]' --depths 2 --repeat 1"),
        ((Countdown(), None, "1"), ""),
        ((connect(), connect().start(), "1"), ""),
    ],
)
def test_how_to_reproduce(question, command):
    comparison = compare(*question, repeat=1)
    assert content.format_command(comparison) == command
    page = re.sub("</?span>", "", report.render_comparison(comparison, ".html").decode()).replace("&#x27;", "'")
    assert (command or "compare(game, position") in page


def test_options_are_part_of_the_command():
    options = {"cut_on_equal": False, "as_published": True, "max_nodes": 900, "first": "max"}
    command = content.format_command(compare(preset("threats"), "33", "1-2", repeat=2, **options))
    assert command == (
        "plyscope compare threats --moves 33 --first max --depths 1-2 --repeat 2 --strict --as-published --max-nodes 900"
    )


def test_a_terminal_without_room_gets_fewer_columns_but_whole_numbers(k_tables):
    table = tables.results_table(k_tables)
    assert fit_columns(table, 200) == table
    narrow = fit_columns(table, 80)
    assert [name for name in table.head if name not in narrow.head] == ["leaves", "terminals", "moves skipped"]
    assert [row[:8] for row in narrow.rows] == [row[:8] for row in table.rows]


@pytest.mark.parametrize("width", [30, 40, 60, 79, 80, 81, 100, 120, 160])
def test_a_terminal_of_any_width_cuts_no_heading_and_no_number(width, k_tables, hostile_comparison):
    nim_moves = compare(nim([3, 2]), None, [1, 2], repeat=2, write=len, clock=make_clock())
    for comparison in (k_tables, nim_moves, hostile_comparison):
        comparison_tables = (
            tables.results_table(comparison).drop_columns("note"),
            tables.minimal_tree_table(comparison),
            tables.times_table(comparison, narrow=True),
        )
        for table in map(partial(fit_columns, width=width), comparison_tables):
            printed = Console(width=width, file=io.StringIO())
            printed.print(make_rich_table(table, width))
            lines = printed.file.getvalue().splitlines()
            assert max(map(len, lines)) <= width
            words = " ".join(lines).split()
            for name in table.head:
                assert set(name.split()) <= set(words)
            if comparison is not hostile_comparison:  # whose names are of several words, and of wide and narrow characters
                for row in table.rows:
                    assert any(" ".join(row).split() == line.split() for line in lines)


def test_the_times_of_a_row_have_one_unit(k_tables):
    for narrow in (False, True):
        for row in tables.times_table(k_tables, narrow).rows:
            assert len({unit for cell in row for unit in re.findall(r"\b(?:s|ms|µs)\b", cell)}) == 1


@pytest.mark.parametrize(("seconds", "is_short"), [(0.0009, True), (0.0011, False)])
def test_a_comparison_with_short_times_says_so(seconds, is_short):
    ticks = itertools.count()
    timed = compare(literal(TEXTBOOK), repeat=1, clock=lambda: next(ticks) * seconds)
    assert (content.explain_short_times(timed) == content.SHORT_TIMES_NOTE) == is_short
    assert (content.SHORT_TIMES_NOTE in report.render_comparison(timed, ".md").decode()) == is_short


@pytest.mark.parametrize(("seconds", "overlaps"), [([1, 1, 3, 1, 1, 2], True), ([1, 1, 1.1, 9, 9, 9.1], False)])
def test_times_that_overlap_are_not_compared(seconds, overlaps):
    """The runs of one search differ by 2, the searches by 0; then by 0.1 and by 8."""
    compared = compare(literal(TEXTBOOK), repeat=3)
    rows = [
        row._replace(alone=Seconds(sorted(times)[1], min(times), max(times)))
        for row, times in zip(compared.rows, (seconds[:3], seconds[3:]), strict=True)
    ]
    note = content.explain_overlapping_times(dataclasses.replace(compared, rows=rows))
    assert note.startswith("At K=2 the runs of one search differ") == overlaps
    assert bool(note) == overlaps


def test_ratio_and_time_stand_in_the_main_table(k_tables):
    table = tables.results_table(k_tables)
    assert table.head[:8] == [
        "K",
        "algorithm",
        "expanded",
        "published (k-tables)",
        "of minimax",
        "value",
        "best move",
        "time alone",
    ]
    row = next(row for row in table.rows if row[:2] == ["3", "alpha-beta"])
    assert row[4] == "58.5%"
    assert row[7] == format_duration(k_tables.row(3, "alphabeta").alone.median)


# ---- foreign text


class Balanced(HTMLParser):
    """Checks that every element is closed where it should be, and remembers names and attributes."""

    def __init__(self):
        super().__init__()
        self.open, self.seen, self.attributes = [], set(), []

    def handle_starttag(self, tag, attributes):
        self.seen.add(tag)
        self.attributes += attributes
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.seen.add(tag)
        self.attributes += attributes

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_a_page_with_hostile_names_is_still_only_a_report(hostile_comparison):
    page = report.render_comparison(hostile_comparison, ".html").decode()
    reader = Balanced()
    reader.feed(page)
    assert reader.open == []
    assert not reader.seen & {"script", "a", "b", "iframe", "img", "link", "object"}
    for name, value in reader.attributes:
        assert not name.startswith("on")
        assert name != "src"
        assert name != "href" or value.startswith("#")
    assert control_characters(page) == set()
    assert "default-src 'none'" in page
    assert "://" not in page.replace("http://www.w3.org/2000/svg", "").replace(HOSTILE[6].split('"')[1], "")


@pytest.mark.parametrize("extension", [".svg"])
def test_charts_with_hostile_names_are_well_formed(hostile_comparison, extension):
    picture = ElementTree.fromstring(report.render_comparison(hostile_comparison, extension))
    assert {element.tag.split("}")[1] for element in picture.iter()} <= {"svg", "title", "style", "rect", "text", "path"}
    for kind in (".png", ".pdf"):
        assert report.render_comparison(hostile_comparison, kind)


def test_latex_with_hostile_names_has_no_foreign_commands(hostile_comparison):
    text = report.render_comparison(hostile_comparison, ".tex").decode()
    assert text.isascii()
    assert "\\input" not in text
    assert text.count("\\end{document}") == 1
    assert text.count("\\begin{forest}") == text.count("\\end{forest}") == 0
    assert text.count("The tree is shown as text: a picture would be wider than a page.") == 2


def test_markdown_with_hostile_names_stays_text(hostile_comparison):
    text = report.render_comparison(hostile_comparison, ".md").decode()
    assert control_characters(text) == set()
    outside, inside = [], None
    for line in text.splitlines():
        fence = line.removesuffix("text")
        if inside is None and set(fence) == {"`"} and len(fence) >= 3:
            inside = fence
        elif inside == line:
            inside = None
        elif inside is None:
            outside.append(line)
    assert inside is None
    for line in outside:
        assert "<" not in line.replace("\\<", "")
        assert "](" not in line
        assert "://" not in line.replace("\\://", "")
    tables_only = [line for line in outside if line.startswith("|")]
    assert tables_only
    assert all(line.endswith("|") for line in tables_only)


def test_csv_cells_are_not_formulas_and_json_is_valid(hostile_comparison):
    rows = list(csv.DictReader(io.StringIO(report.render_comparison(hostile_comparison, ".csv").decode())))
    assert len(rows) == 4
    for row in rows:
        assert None not in row
        assert not row["best_move_name"].lstrip().startswith(("=", "+", "-", "@", "|", "%"))
    assert len(json.loads(report.render_comparison(hostile_comparison, ".json"))["rows"]) == 4
    formulas = compare(Named(["=1+1", "@SUM(A1)", "+1"]), None, [1], repeat=1)
    for row in csv.DictReader(io.StringIO(report.render_comparison(formulas, ".csv").decode())):
        assert row["best_move_name"].startswith("'")


@pytest.mark.parametrize("text", HOSTILE)
def test_any_block_of_foreign_text_stays_text(text):
    blocks = [Heading(text), Paragraph(text), Paragraph(text, True), Verbatim(text), Verbatim(f"a\n{text}\n```"), Command(text)]
    blocks.append(Table(text, [text, "b"], [[text, "1"], ["c", text]], (0,)))
    for block in blocks:
        page = Balanced()
        page.feed(html.render_html_block(block))
        assert page.open == []
        assert page.seen <= {"h2", "p", "pre", "span", "div", "table", "thead", "tbody", "tr", "th", "td"}
        rendered = [html.render_html_block(block), markdown.render_markdown_block(block), latex._render_block(block)]
        assert [control_characters(one) for one in rendered] == [set()] * 3
        assert rendered[2].isascii()
        bare = rendered[2].replace("\\\\", "").replace("\\{", "").replace("\\}", "")
        assert bare.count("{") == bare.count("}")
        assert "\\input" not in bare
        if isinstance(block, Verbatim):
            fence = rendered[1].splitlines()[0].removesuffix("text")
            assert rendered[1].splitlines().index(fence) == len(rendered[1].splitlines()) - 1  # only its own end closes it
        if isinstance(block, Table):
            rows = [line for line in rendered[1].splitlines() if line.startswith("|")]
            assert [row.replace("\\\\", "").replace("\\|", "").count("|") for row in rows] == [3] * 4


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
@pytest.mark.parametrize("which", ["k_tables", "hostile_comparison"])
def test_pdflatex_takes_the_report(which, request, tmp_path):
    report.write_comparison(request.getfixturevalue(which), tmp_path / "report.tex")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "report.tex"]
    result = run(command, cwd=tmp_path, errors="replace")
    assert result.returncode == 0, result.stdout[-2000:]
    assert (tmp_path / "report.pdf").stat().st_size > 20_000


def test_bad_targets():
    with pytest.raises(ValueError, match=r"known formats are \.csv, \.json"):
        report.check_target("x.docx")
    with pytest.raises(ValueError, match="there is no folder"):
        report.check_target("nowhere/x.md")


if __name__ == "__main__":
    content.version = lambda package: "1.2.3"
    GOLDEN.mkdir(exist_ok=True)
    for extension in TEXTS:
        (GOLDEN / f"textbook{extension}").write_bytes(report.render_comparison(compare_textbook(), extension))
