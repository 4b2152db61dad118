"""Names of moves and states are untrusted: they stay text in every format."""

import csv
import io
import json
import re
import unicodedata
import xml.etree.ElementTree as ElementTree

import networkx
import pygraphviz
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import search
from tests.support.formats import quick_style
from tests.support.marks import examples
from visualizer import View, export, to_csv, to_dot, to_graphml, to_html, to_json, to_svg, to_tex, to_text
from visualizer.drawing.graphviz_pictures import render_dot
from visualizer.exporters import FORMATS
from visualizer.narration.escapes import escape_csv_cell, escape_dot, escape_latex, escape_xml, sanitize_line

HOSTILE = [
    '<b>bold</b> URL="javascript:alert(1)"',
    '"]; evil [URL="javascript:alert(1)" label="',
    '\\N \\G \\" \\',
    "<script>alert(1)</script>",
    "]]> --> <!-- &amp; &#60; '",
    "</title></svg><svg onload=alert(1)>",
    '=HYPERLINK("http://x","y")',
    "+1+1",
    "-2+3+cmd|' /C calc'!A0",
    "@SUM(A1)",
    "  =1",
    'a,b;c"d',
    "\x1b[31mred\x1b[0m \x07 \x9b2J",
    "line\nbreak\r\ttab\u2028\u2029",
    "\ud800 half \udfff",
    "\x00 zero \ufffe \uffff",
    "\u202eright to left\u2066",
    "\\input{/etc/passwd} $x^2$ #1 %c ~ {} [a] =,",
    "\\end{forest}\\end{document}",
    "é ≥ 漢字 🎲",
    "",
    " ",
    "x" * 5000,
]


class Named:
    """A game of two plies whose moves have the given names; the states are their names too."""

    def __init__(self, names):
        self.names = names
        self.name = names[0]

    def start(self):
        return ("", 0)

    def moves(self, state):
        return [(name, index) for index, name in enumerate(self.names)] if state[1] < 2 else []

    def play(self, state, move):
        return (state[0] + move[0], state[1] + 1)

    def is_over(self, state):
        return state[1] == 2

    def maximizing(self, state):
        return state[1] % 2 == 0

    def evaluate(self, state):
        return len(state[0]) % 7 - 3

    def show(self, state):
        return state[0] or "start"

    def move_name(self, move):
        return move[0]


@pytest.fixture(scope="module")
def hostile_tree():
    return search(Named(HOSTILE))


def control_characters(text, allowed=""):
    return {
        character for character in text if unicodedata.category(character) in ("Cc", "Cs") and character not in allowed + "\n"
    }


@pytest.mark.parametrize("extension", FORMATS)
def test_every_format_takes_hostile_names(hostile_tree, extension, tmp_path):
    path = tmp_path / f"x{extension}"
    view = None if extension == ".parquet" else View(max_depth=1, stubs=False)
    export(hostile_tree, path, view, **quick_style(extension))
    if extension not in (".png", ".pdf", ".parquet", ".gif", ".webp"):
        assert control_characters(path.read_text("utf-8")) == set()


def test_dot_names_are_labels_and_nothing_else(hostile_tree):
    text = to_dot(hostile_tree, boards=True)
    graph = pygraphviz.AGraph(text)
    nodes = hostile_tree.expanded + hostile_tree.skipped
    assert (graph.number_of_nodes(), graph.number_of_edges()) == (nodes, nodes - 1)
    for item in (*graph.nodes(), *graph.edges()):
        assert not item.attr["URL"]
        assert not item.attr["href"]
        assert not (item.attr["label"] or "").startswith("<")
    assert not re.search(r"label=<", text)
    picture = render_dot(to_dot(hostile_tree, View(max_depth=1)).encode(), "svg").decode()
    assert "<a " not in picture
    assert "javascript" not in re.sub(r"<text.*?</text>", "", picture)


def test_xml_formats_stay_well_formed(hostile_tree):
    svg = ElementTree.fromstring(to_svg(hostile_tree, boards=True))
    assert {element.tag.split("}")[1] for element in svg.iter()} <= {
        "svg",
        "title",
        "style",
        "defs",
        "path",
        "g",
        "use",
        "rect",
        "text",
    }
    assert not [name for element in svg.iter() for name in element.attrib if name.startswith("on")]
    page = to_html(hostile_tree)
    assert "<script" not in page
    assert page.count("<svg") == page.count("</svg>")
    graph = networkx.parse_graphml(to_graphml(hostile_tree))
    assert graph.number_of_nodes() == hostile_tree.expanded + hostile_tree.skipped


def test_csv_cells_are_not_formulas(hostile_tree):
    for row in csv.DictReader(io.StringIO(to_csv(hostile_tree, states=True))):
        for name in ("move_name", "state"):
            assert not row[name].lstrip().startswith(("=", "+", "-", "@", "|", "%"))
        assert None not in row
        assert None not in row.values()


def test_json_is_json(hostile_tree):
    names = {node["name"] for node in json.loads(to_json(hostile_tree))["nodes"]}
    assert names == {sanitize_line(name) for name in HOSTILE} | {""}


def test_text_has_one_line_per_node(hostile_tree):
    assert to_text(hostile_tree).count("\n") == hostile_tree.expanded + 3


def test_latex_has_no_foreign_commands(hostile_tree):
    text = to_tex(hostile_tree, View(max_depth=1))
    assert "\\input" not in text
    assert text.count("\\end{forest}") == text.count("\\end{document}") == 1
    assert text.isascii()


@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=40))
@examples(300)
def test_any_text_is_made_safe(text):
    safe = sanitize_line(text)
    safe.encode()
    assert control_characters(safe, "") == set()
    assert "\n" not in safe
    assert ElementTree.fromstring(f'<a b="{escape_xml(text)}">{escape_xml(text)}</a>').text in (safe, None)
    quoted = escape_dot(text)
    assert not re.search(r'(?<!\\)(?:\\\\)*"', quoted)
    assert not quoted.endswith("\\") or len(quoted) - len(quoted.rstrip("\\")) >= 2
    assert (len(quoted) - len(quoted.rstrip("\\"))) % 2 == 0
    assert escape_latex(text).isascii()
    assert not escape_csv_cell(text).startswith(("=", "+", "@"))


@given(st.lists(st.text(alphabet=st.characters(exclude_categories=()), max_size=12), min_size=1, max_size=4))
@examples(40)
def test_any_names_go_through_all_text_formats(names):
    tree = search(Named(names))
    items = tree.expanded + tree.skipped
    graph = pygraphviz.AGraph(to_dot(tree))
    assert graph.number_of_nodes() == items
    for boards in (False, True):
        assert len(ElementTree.fromstring(to_svg(tree, boards=boards)).findall("{*}g[@transform]")) == items
    assert len(json.loads(to_json(tree))["nodes"]) == tree.expanded
    for states in (False, True):
        assert len(list(csv.reader(io.StringIO(to_csv(tree, states=states))))) == tree.expanded + 1
    assert control_characters(to_text(tree, states=True)) == set()
    assert to_text(tree).count("\n") == tree.expanded + 3
    networkx.parse_graphml(to_graphml(tree))
    to_tex(tree)
