"""Reports and pages on paper: nothing is clipped, on A4 and on US letter, and trees are drawn large enough to be read."""

import re
import shutil

import pytest

from engine import compare, connect, literal, nim, preset, search, tictactoe
from tests.support.marks import mostly_slow
from tests.support.processes import run
from tests.visualizer.exporters.test_foreign_names import HOSTILE, Named
from visualizer import export, report
from visualizer.drawing.theme import DARK, LIGHT
from visualizer.report import tables

SHEETS = {"A4": (210, 297), "Letter": (216, 279)}  # mm
MARGIN = 12  # mm, as the pages ask for
PIXELS = 96 / 25.4  # of a mm
LEAST_WORDS = 6.0  # px of the smallest letters, about 4.5 points
LONG = [[[number, -number] for number in range(start, start + 40)] for start in (100, 200, 300)]
OVERFLOWING = """() => {
  const wide = document.documentElement.clientWidth;
  const clipped = (e) => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== "visible";
  const seen = [...document.querySelectorAll("body, body *")].filter((e) => e.getClientRects().length);
  return seen.filter((e) => e.getBoundingClientRect().right > wide + 1 || clipped(e))
    .map((e) => `${e.tagName} ${e.getAttribute("class")}: ${e.textContent.slice(0, 60)}`);
}"""
SMALLEST_WORDS = """() => Math.min(...[...document.querySelectorAll(".ply text")]
  .filter((e) => e.getClientRects().length)
  .map((e) => parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().a))"""


def make_comparison(name):
    games = {
        "k-tables": lambda: (preset("k-tables"), "3", "1-6"),
        "tic-tac-toe": lambda: (tictactoe(), "4026", "1-5"),
        "hostile names": lambda: (Named(HOSTILE), None, [1, 2]),
        "long command": lambda: (literal(LONG), None, None),
        "many moves": lambda: (nim([50]), None, [1]),
        "not run": lambda: (connect(), None, [2, 6]),
    }
    game, position, depths = games[name]()
    limits = {"max_nodes": 20_000} if name == "not run" else {}
    return compare(game, position, depths, repeat=3, write=len, keep_nodes=report.MAX_FIGURE_NODES, **limits)


REPORTS = ["k-tables", "tic-tac-toe", "hostile names", "long command", "many moves", "not run"]


def make_tree(name):
    return {
        "textbook": lambda: search(literal([[3, 12, 8], [2, 4, 6], [14, 5, 2]])),
        "in parts": lambda: search(tictactoe(), "4026"),
        "only its top": lambda: search(preset("k-tables"), "3", depth=4),
        "many moves": lambda: search(nim([50]), depth=1),
    }[name]()


def measure_print(browser, page_file, sheet):
    """What does not fit, and the size of the smallest words of its trees."""
    page = browser.new_page(viewport={"width": int((SHEETS[sheet][0] - 2 * MARGIN) * PIXELS), "height": 1000})
    page.emulate_media(media="print")
    page.goto(page_file.as_uri())
    found = page.evaluate(OVERFLOWING), page.evaluate(SMALLEST_WORDS)
    page.close()
    return found


@pytest.mark.parametrize("name", mostly_slow(REPORTS, quick=2))
def test_a_printed_report_holds_everything(browser, name, tmp_path):
    report.write_comparison(make_comparison(name), tmp_path / "report.html")
    for sheet in SHEETS:
        overflowing, words = measure_print(browser, tmp_path / "report.html", sheet)
        assert overflowing == []
        assert words is None or words >= LEAST_WORDS


@pytest.mark.parametrize("name", mostly_slow(["textbook", "in parts", "only its top", "many moves"], quick=2))
def test_a_printed_tree_holds_everything(browser, name, tmp_path):
    export(make_tree(name), tmp_path / "tree.html")
    for sheet in SHEETS:
        overflowing, words = measure_print(browser, tmp_path / "tree.html", sheet)
        assert overflowing == []
        assert words >= LEAST_WORDS or name == "many moves"


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="needs pdftotext")
@pytest.mark.parametrize("sheet", SHEETS)
def test_every_column_and_the_command_are_in_the_pdf(browser, sheet, tmp_path):
    comparison = make_comparison("k-tables")
    report.write_comparison(comparison, tmp_path / "report.html")
    page = browser.new_page()
    page.goto((tmp_path / "report.html").as_uri())
    page.pdf(path=tmp_path / "report.pdf", format=sheet, prefer_css_page_size=True)
    page.close()
    command = ["pdftotext", "-bbox", str(tmp_path / "report.pdf"), "-"]
    text = run(command).stdout
    wide, high = (side * 72 / 25.4 for side in SHEETS[sheet])
    words = re.findall(r'<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">([^<]*)<', text)
    margin = (MARGIN - 1) * 72 / 25.4
    for left, top, right, bottom, word in words:
        assert margin <= float(left), word
        assert float(right) <= wide - margin, word
        assert margin <= float(top), word
        assert float(bottom) <= high - margin, word
    printed_text = " ".join(word for *_, word in words)
    assert report.content.format_command(comparison) in printed_text
    broken = re.compile(r"[\s–-]+")  # lines may end behind a dash
    for table in (
        tables.results_table(comparison),
        tables.minimal_tree_table(comparison),
        tables.cutoffs_table(comparison),
        tables.times_table(comparison),
    ):
        for cells in [table.head, *table.rows]:
            assert set(broken.split(" ".join(cells))) <= {"", *broken.split(printed_text)}


def test_paper_is_never_dark(browser, tmp_path):
    report.write_comparison(make_comparison("tic-tac-toe"), tmp_path / "report.html")
    export(make_tree("in parts"), tmp_path / "tree.html")
    for file in ("report.html", "tree.html"):
        page = browser.new_page(color_scheme="dark")
        page.emulate_media(media="print", color_scheme="dark")
        page.goto((tmp_path / file).as_uri())
        colours = page.evaluate("""() => [getComputedStyle(document.body).color,
          ...[...document.querySelectorAll("svg .ground")].map((e) => getComputedStyle(e).fill)]""")
        assert set(colours) == {css_colour(LIGHT.text), css_colour(LIGHT.background)}
        page.emulate_media(media="screen", color_scheme="dark")
        assert page.evaluate("() => getComputedStyle(document.body).color") == css_colour(DARK.text)
        page.close()


def css_colour(colour):
    return f"rgb({', '.join(str(int(colour[at : at + 2], 16)) for at in (1, 3, 5))})"


@pytest.mark.parametrize("name", ["k-tables", "hostile names", "long command"])
def test_on_a_phone_a_report_scrolls_only_inside_its_tables_and_pictures(browser, name, tmp_path):
    report.write_comparison(make_comparison(name), tmp_path / "report.html")
    page = browser.new_page(viewport={"width": 380, "height": 800})
    page.goto((tmp_path / "report.html").as_uri())
    assert page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
    assert page.evaluate("() => [...document.querySelectorAll('p')].every((e) => e.getBoundingClientRect().right <= 380)")
    page.close()
