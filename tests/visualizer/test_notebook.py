"""Notebooks show every result of the engine, whatever was imported."""

import sys
from xml.etree import ElementTree

import pytest
import traitlets

import visualizer.notebook
from engine import PlyscopeError, Trace, compare, connect, literal, preset, search, solve, watch
from engine.analysis.alignment import Alignment
from engine.core.notebook import NoRenderer, find_renderer
from tests.support.processes import run
from visualizer.notebook import INSTALL_COMMAND, NoViewer
from visualizer.viewer import notebook_widget
from visualizer.viewer.breakdown_data import build_breakdown
from visualizer.viewer.notebook_widget import WIDGET_MEDIA_TYPE
from visualizer.viewer.payload import build_payload
from visualizer.viewer.viewport import find_visible_part

HOSTILE = "<img src=x onerror=alert(1)>"


def watched_minimax():
    def minimax(node, maximizing):
        return node if not isinstance(node, list) else (max if maximizing else min)(minimax(n, not maximizing) for n in node)

    with watch(minimax) as seen:
        minimax([[3, 12, 8], [2, 4, 6], [14, 5, 2]], True)
    return seen


TEXTBOOK = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
RESULTS = {
    "tree": (lambda: search(literal(TEXTBOOK)), "<SearchTree tree:[[3,12,8],[2,4,6],[14,5,2]], alphabeta, to the end: 11 nodes>"),
    "trace": (
        lambda: Trace(search(literal(TEXTBOOK))),
        "<Trace of 32 steps: SearchTree tree:[[3,12,8],[2,4,6],[14,5,2]], alphabeta, to the end: 11 nodes>",
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
    assert (bundle.pop(WIDGET_MEDIA_TYPE, None) is not None) == (name == "tree")
    (media_type,) = bundle
    assert media_type == ("image/svg+xml" if name == "tree" else "text/html")
    ElementTree.fromstring(f"<body>{bundle[media_type]}</body>" if name != "tree" else bundle[media_type])
    rich = [media_type, WIDGET_MEDIA_TYPE]
    assert result._repr_mimebundle_(include=["text/plain"]) == result._repr_mimebundle_(exclude=rich) == {"text/plain": text}
    assert (result._repr_svg_() if name == "tree" else result._repr_html_()) == bundle[media_type]


def test_texts_from_outside_are_escaped():
    tree = search(literal({"name": "root", "children": [{"move": HOSTILE, "value": 3}, {"move": "b", "value": 4}]}))
    html = Trace(tree)._repr_html_()
    assert "&lt;img src=x" in html
    assert "<img" not in html


def test_a_tree_is_shown_although_only_the_engine_was_imported(tmp_path):
    code = (
        "from engine import literal, search; tree = search(literal([[3, 12], [2, 4]])); "
        "print(tree._repr_svg_()[:4], sorted(tree._repr_mimebundle_()), tree.view(step=2).step)"
    )
    result = run([sys.executable, "-c", code], cwd=tmp_path)
    assert (result.stdout, result.stderr) == (f"<svg {sorted([WIDGET_MEDIA_TYPE, 'image/svg+xml', 'text/plain'])} 2\n", "")


# ---- the viewer as a widget


@pytest.fixture(scope="module")
def tree():
    return search(literal(TEXTBOOK))


@pytest.fixture(scope="module")
def explained():
    """A search of a game that explains its values."""
    return search(preset("k-tables"), "3", depth=2)


def test_the_payload_is_that_of_the_other_hosts(tree, explained):
    assert explained.view().payload == build_payload(explained, None, minimax_alignment(explained).spared)
    assert tree.view().payload == build_payload(tree, None, minimax_alignment(tree).spared)
    part = find_visible_part(tree, most=4)
    assert tree.view(max_depth=1).payload == build_payload(tree, part, minimax_alignment(tree).spared)


def minimax_alignment(tree):
    return Alignment(search(tree.question.replace(algorithm="minimax")), tree)


def test_the_payload_is_sent_as_binary_data(tree):
    from ipywidgets.widgets.widget import _remove_buffers

    state, paths, buffers = _remove_buffers(tree.view(step=17).get_state())
    assert paths == [["payload"]]
    assert bytes(buffers[0]) == tree.view().payload
    assert (state["step"], state["view"], state["selection"]) == (17, None, None)


def test_the_state_is_read_set_and_observed(tree):
    view, seen = tree.view(step=17, height=420), []
    view.observe(lambda change: seen.append((change.old, change.new)), "step")
    view.set_state({"step": 20, "view": "text", "selection": 5})  # as the browser does
    view.step = 3
    assert (view.step, view.view, view.selection, view.height, seen) == (3, "text", 5, 420, [(17, 20), (20, 3)])
    assert repr(view) == f"<TreeView of {tree!r}, step 3>"


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"step": 32}, "there is no step 32: this view has 0 to 31"),
        ({"step": -1}, "there is no step -1"),
        ({"selection": 11}, "there is no node 11"),
        ({"max_depth": 1, "selection": 2}, "node 2 is not in the part of the tree that is shown"),
        ({"view": "icicle"}, "expected any of"),
        ({"height": 10}, "should not be less than"),
    ],
)
def test_a_wrong_state_is_refused(tree, settings, words):
    with pytest.raises(traitlets.TraitError, match=words):
        tree.view(**settings)


def test_the_kernel_explains_values_of_leaves_and_ignores_all_else(explained):
    view, sent = explained.view(), []
    view.send = sent.append
    leaf = next(int(node) for node in explained if node.is_leaf)
    for content in (
        None,
        "why",
        {},
        {"request": "why"},
        {"request": "open", "node": leaf},
        *({"request": "why", "node": node} for node in (0, -1, len(explained), "1", None, 1.5)),
    ):
        view._handle_custom_msg(content, [])
    assert sent == []
    view._handle_custom_msg({"request": "why", "node": leaf}, [])
    assert sent == [{"breakdown": build_breakdown(explained, leaf)}]


def test_a_view_is_saved_with_its_picture(tree):
    data, metadata = tree.view()._repr_mimebundle_(include=None, exclude=None)
    assert data["image/svg+xml"] == tree._repr_svg_()
    assert data[WIDGET_MEDIA_TYPE]["model_id"]
    assert metadata == {}


def test_without_anywidget_a_picture_says_how_to_get_more(tree, monkeypatch):
    monkeypatch.setattr(visualizer.notebook, "find_spec", lambda name: None)
    bundle = tree._repr_mimebundle_()
    assert bundle.keys() == {"text/plain", "image/svg+xml"}
    assert last_line(bundle["image/svg+xml"]) == f"To step through the search here: {INSTALL_COMMAND}"
    with pytest.raises(NoViewer, match="pip install"):
        tree.view()


def last_line(picture):
    """Return the text below a picture, which has to be inside it."""
    drawing = ElementTree.fromstring(picture)
    text = drawing[-1]
    assert int(drawing.get("width")) > int(text.get("x")) + 6 * len(text.text)
    assert int(drawing.get("height")) > int(text.get("y"))
    return text.text


def test_a_picture_is_not_much_wider_than_a_notebook(explained):
    whole = search(preset("k-tables"), "3", depth=3)
    for tree in (whole, explained):
        width = int(ElementTree.fromstring(tree._repr_svg_()).get("width"))
        assert width <= visualizer.notebook.MAX_PICTURE_SIZE.width
    assert "the whole search: value" in whole._repr_svg_()  # a part of it
    assert "the whole search: value" not in search(literal(TEXTBOOK))._repr_svg_()


def test_a_tree_too_large_for_the_viewer_is_a_picture_and_a_sentence(tree, monkeypatch):
    monkeypatch.setattr(visualizer.notebook, "MAX_VISIBLE_NODES", 10)
    monkeypatch.setattr(visualizer.notebook, "find_visible_part", lambda tree: find_visible_part(tree, most=10))
    bundle = tree._repr_mimebundle_()
    assert bundle.keys() == {"text/plain", "image/svg+xml"}
    assert "at most 10 of these 11 nodes: tree.view(max_depth=1)" in last_line(bundle["image/svg+xml"])
    with pytest.raises(NoViewer, match="at most 10"):
        tree.view()
    assert tree.view(max_depth=1).part is not None


def test_a_slow_game_is_shown_without_the_values_of_skipped_moves(tree, monkeypatch):
    monkeypatch.setattr(notebook_widget, "align_with_minimax", lambda tree, on_progress: None if not on_progress(1) else 1 / 0)
    monkeypatch.setattr(notebook_widget, "MAX_ALIGNMENT_SECONDS", -1)
    assert tree.view().payload == build_payload(tree)


def test_a_missing_renderer_is_named():
    with pytest.raises(NoRenderer, match=r"'cube' is missing in the entry-point group 'plyscope.display'"):
        find_renderer("cube")
    assert issubclass(NoRenderer, PlyscopeError)
