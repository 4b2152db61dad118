"""Notebooks show every result of the engine, whatever was imported."""

import sys
from xml.etree import ElementTree

import pytest

from engine import Trace, compare, connect, literal, preset, search, solve, watch
from tests.support.processes import run

HOSTILE = "<img src=x onerror=alert(1)>"


def watched_minimax():
    def minimax(node, maximizing):
        return node if not isinstance(node, list) else (max if maximizing else min)(minimax(n, not maximizing) for n in node)

    with watch(minimax) as seen:
        minimax([[3, 12, 8], [2, 4, 6], [14, 5, 2]], True)
    return seen


TEXTBOOK = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
RESULTS = {
    "tree": (lambda: search(literal(TEXTBOOK)), "<SearchTree tree:[[3,12,8],[2,4,6],[14,5,2]], alphabeta, K=None: 11 nodes>"),
    "trace": (
        lambda: Trace(search(literal(TEXTBOOK))),
        "<Trace of 32 steps: SearchTree tree:[[3,12,8],[2,4,6],[14,5,2]], alphabeta, K=None: 11 nodes>",
    ),
    "comparison": (
        lambda: compare(preset("k-tables"), "3", depths="1-3", repeat=1),
        "<Comparison of minimax, alphabeta on k-tables, K = 1, 2, 3: 6 of 6 searches done>",
    ),
    "solution": (
        lambda: solve(connect(), "1460263026002213432204"),
        "<Solution of connect4: MAX wins with its 20th disc, in 9 moves, best columns 6>",
    ),
    "watched": (watched_minimax, "<watch minimax: 13 calls recorded>"),
}


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_has_a_readable_repr_and_a_rich_display(name):
    make, text = RESULTS[name]
    result = make()
    bundle = result._repr_mimebundle_()
    assert repr(result) == bundle.pop("text/plain") == text
    (media_type,) = bundle
    assert media_type == ("image/svg+xml" if name == "tree" else "text/html")
    ElementTree.fromstring(f"<body>{bundle[media_type]}</body>" if name != "tree" else bundle[media_type])
    assert (
        result._repr_mimebundle_(include=["text/plain"]) == result._repr_mimebundle_(exclude=[media_type]) == {"text/plain": text}
    )
    assert (result._repr_svg_() if name == "tree" else result._repr_html_()) == bundle[media_type]


def test_texts_from_outside_are_escaped():
    tree = search(literal({"name": "root", "children": [{"move": HOSTILE, "value": 3}, {"move": "b", "value": 4}]}))
    html = Trace(tree)._repr_html_()
    assert "&lt;img src=x" in html
    assert "<img" not in html


def test_a_tree_is_drawn_although_only_the_engine_was_imported(tmp_path):
    code = "from engine import literal, search; print(search(literal([[3, 12], [2, 4]]))._repr_svg_()[:4])"
    result = run([sys.executable, "-c", code], cwd=tmp_path)
    assert (result.stdout, result.stderr) == ("<svg\n", "")
