"""One file that steps through a search: what is inside it, how large it is, and what it refuses."""

import base64
import gzip
import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from engine import PlyscopeError, Question, connect, literal, preset, search
from engine.analysis.alignment import align_with_minimax
from tests.support.processes import MAX_WAIT_SECONDS
from tests.visualizer.app.test_pages import APP, tree_viewers
from visualizer import View, export
from visualizer.app.state.url_params import search_key, search_params
from visualizer.viewer.interactive import tree_page
from visualizer.viewer.interactive.page_file import hash_source
from visualizer.viewer.interactive.tree_page import MAX_EXPLAINED_LEAVES, TooLarge, explain_leaves
from visualizer.viewer.payload import build_payload
from visualizer.viewer.viewport import MAX_VISIBLE_NODES, find_part_of_view

TEXTBOOK = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]


class Page(HTMLParser):
    """A page as a browser with JavaScript reads it: scripts, styles, and what its elements would load."""

    CDATA_CONTENT_ELEMENTS = ("script", "style", "noscript")

    def __init__(self, text):
        super().__init__()
        self.scripts, self.styles, self.loaded, self.policy, self.text = [], [], [], "", {}
        self._open = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self._open.append((tag, given))
        if tag == "meta" and given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"]
        self.loaded += [value for name, value in attributes if name in ("src", "href", "action", "data")]

    def handle_endtag(self, tag):
        while self._open and self._open.pop()[0] != tag:
            continue

    def handle_data(self, data):
        if not self._open:
            return
        tag, given = self._open[-1]
        if tag == "script" and given.get("type") == "module":
            self.scripts.append(data)
        elif tag == "script":
            self.text[given["id"]] = data
        elif tag == "style":
            self.styles.append(data)
        elif data.strip():
            self.text.setdefault(tag, data)

    def unpack(self, name):
        return gzip.decompress(base64.b64decode(self.text[name]))


def page_of(tree, view=None, **style):
    return Page(b"".join(tree_page.chunks(tree, view, **style)).decode())


@pytest.fixture(scope="module")
def tree():
    return search(preset("k-tables"), "3", depth=3)


def test_the_file_loads_nothing_and_runs_only_its_own_script(tree):
    page = page_of(tree)
    assert page.loaded == []
    (script,), (style,) = page.scripts, page.styles
    directives = dict(part.split(" ", 1) for part in page.policy.split("; "))
    assert directives["default-src"] == directives["base-uri"] == directives["form-action"] == "'none'"
    assert directives["script-src"] == hash_source(script)
    static = re.findall("<style>(.*?)</style>", page.text["noscript"], re.DOTALL)
    assert directives["style-src"].split() == [hash_source(each) for each in (style, *static)]
    assert len(static) == 1
    for word in ("blob:", "fetch(", "eval(", "new Function", "http://", "https://", "attachShadow"):
        assert word not in script.replace("http://www.w3.org/", "")


def test_every_host_gets_the_same_payload(tree):
    question = Question(preset("k-tables"), "3", 3, "alphabeta")
    app = AppTest.from_file(str(APP), default_timeout=MAX_WAIT_SECONDS)
    for name, text in search_params(question).items():
        app.query_params[name] = text
    app.session_state[f"positions {search_key(question)} 0"] = True  # as the browser asks for them
    message = tree_viewers(app.run())[0].proto.bytes
    on_page = message[: -4 - int.from_bytes(message[-4:], "little")]
    assert page_of(tree).unpack("payload") == on_page == build_payload(tree, None, align_with_minimax(tree).spared)


def test_values_of_the_first_leaves_are_broken_down(tree):
    breakdowns = json.loads(page_of(tree).unpack("breakdowns"))
    assert {int(row) for row in breakdowns} == {row for row in range(len(tree)) if tree[row].is_leaf}
    assert all(each["value"] == str(int(tree[int(row)].value)).replace("-", "−") for row, each in breakdowns.items())
    larger = search(preset("k-tables"), depth=5)
    assert larger.leaves > MAX_EXPLAINED_LEAVES
    assert len(explain_leaves(larger, None)) == MAX_EXPLAINED_LEAVES
    assert explain_leaves(search(literal(TEXTBOOK)), None) == {}


def test_a_title_is_text():
    page = page_of(search(literal(TEXTBOOK)), title="Lecture <script>5</script> & more\n")
    assert page.text["title"].startswith("Lecture <script>5</script> & more")
    assert len(page.scripts) == 1
    assert page_of(search(literal(TEXTBOOK))).text["title"].startswith("Textbook tree")


@pytest.mark.parametrize(("depth", "nodes", "limit"), [(4, 979, 600_000), (7, 62_467, 3_000_000)])
def test_the_file_is_small(depth, nodes, limit):
    tree = search(connect(), depth=depth)
    assert tree.expanded == nodes
    assert len(b"".join(tree_page.chunks(tree))) < limit


def test_a_tree_that_is_too_large_is_refused_and_a_part_of_it_is_offered(tmp_path):
    tree = search(connect(), depth=9)
    with pytest.raises(TooLarge, match="at most 300,000: show 8 plies of it") as refused:
        export(tree, tmp_path / "tree.html", interactive=True)
    assert f"{tree.expanded:,} nodes" in str(refused.value)
    assert len(find_part_of_view(tree, View(max_depth=8)).rows) <= MAX_VISIBLE_NODES < np.count_nonzero(tree.depth <= 9)


def test_a_view_is_a_part_with_the_path_to_it(tree):
    row = int(tree.child_rows(0)[1])
    part = find_part_of_view(tree, View(root=row, max_depth=1))
    assert part.rows.tolist() == sorted({0, *tree.child_rows(0), *tree.child_rows(row)})
    assert (part.hidden > 0).sum() == len(part.rows) - 2
    assert np.array_equal(find_part_of_view(tree, View(max_depth=2)).rows, np.flatnonzero(tree.depth <= 2))
    assert find_part_of_view(tree, View()) is None
    assert "whole search" in page_of(tree, View(max_depth=1)).text["p"]


@pytest.mark.parametrize(
    ("file", "view", "message"),
    [
        ("tree.svg", None, "cannot write an interactive page to 'tree.svg': known formats are .html"),
        ("tree.html", View(principal=True), "a whole tree, a subtree"),
        ("tree.html", View(stubs=False, max_depth=1), "a whole tree, a subtree"),
        ("tree.html", View(root=1000), "there is no node 1000"),
    ],
)
def test_what_cannot_be_interactive_is_refused(tree, tmp_path, file, view, message):
    with pytest.raises(PlyscopeError, match=re.escape(message)):
        export(tree, tmp_path / file, view, interactive=True)
    assert not list(tmp_path.iterdir())
