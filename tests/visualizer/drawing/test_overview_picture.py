"""The picture of a whole search: nothing disappears in it, and every format draws the same."""

import io
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from engine import connect, literal, search
from tests.support.games import TEXTBOOK
from visualizer import export
from visualizer.drawing.overview.bands import draw_steps, share_height
from visualizer.drawing.overview.cells import make_view
from visualizer.drawing.overview.colourings import COLOURINGS
from visualizer.drawing.overview.costliest import MAX_PARTS, find_largest_parts
from visualizer.drawing.overview.picture import LEFT, PLOT_WIDTH, WIDTH, draw_overview
from visualizer.drawing.raster import draw_scene
from visualizer.drawing.scene import Label, StepArea, to_svg
from visualizer.drawing.theme import DARK, LIGHT, overview_colours
from visualizer.drawing.view import BadView, View

MAX_BYTES = 3_000_000
TREES = {
    "textbook": lambda: search(literal(TEXTBOOK)),
    "one node": lambda: search(literal(7)),
    "alphabeta": lambda: search(connect(), depth=7),
    "minimax": lambda: search(connect(), depth=4, algorithm="minimax"),
    "stopped": lambda: search(connect(), depth=8, max_nodes=1_777),
    "mtdf": lambda: search(connect(), depth=5, algorithm="mtdf"),
    "iterative": lambda: search(connect(), depth=5, algorithm="iterative"),
}


def texts_of(scene):
    return " ".join(item.text for item in scene.items if isinstance(item, Label))


def pixels_of(scene, colour):
    """Return the number of pixels of the bars that have exactly this colour."""
    picture = np.asarray(draw_scene(scene, (scene.width, scene.height)))
    wanted = [int(overview_colours(LIGHT)[colour][at : at + 2], 16) for at in (1, 3, 5)]
    bars = picture[90 : 90 + 620, LEFT : LEFT + PLOT_WIDTH]
    legend_top = min(item.y for item in scene.items if isinstance(item, Label) and item.text.startswith("Colour:"))
    return int((bars[: int(legend_top) - 100] == wanted).all(axis=2).sum())


@given(st.lists(st.lists(st.integers(0, 5) | st.integers(0, 10**9), min_size=8, max_size=8), min_size=1), st.integers(8, 40))
def test_heights_add_up_and_no_class_disappears(counts, height):
    counts = np.array(counts, np.int64)
    shares = share_height(counts, height)
    assert ((shares > 0) == (counts > 0)).all()
    assert (shares.sum(axis=1) == np.where(counts.sum(axis=1) > 0, height, 0)).all()


@given(st.lists(st.integers(0, 3), min_size=1, max_size=30))
def test_steps_cover_exactly_the_heights(heights):
    covered = [0] * len(heights)
    for area in draw_steps(np.array(heights), 0, 100, "inner"):
        assert area.points[0][1] == area.points[-1][1] == 100
        for (left, top), (right, same) in zip(area.points[1::2], area.points[2::2], strict=False):
            assert top == same
            for pixel in range(left, right):
                covered[pixel] += 100 - top
    assert covered == heights


@pytest.mark.parametrize("name", TREES)
@pytest.mark.parametrize("colour", COLOURINGS)
def test_every_colouring_draws_every_tree(name, colour):
    tree = TREES[name]()
    if colour == "node-type" and not tree.windows:
        with pytest.raises(Exception, match="no windows"):
            draw_overview(tree, colouring=colour)
        return
    scene = draw_overview(tree, colouring=colour)
    svg = to_svg(scene)
    assert ET.fromstring(svg).get("width") == str(WIDTH) == "2000"
    assert len(svg) < MAX_BYTES
    words = texts_of(scene)
    assert "nodes in the order of visiting" in words
    assert COLOURINGS[colour].title in words
    for depth in tree.per_depth:
        assert f"{depth['expanded']:,}" in words


@pytest.mark.parametrize("extension", [".svg", ".png", ".pdf"])
def test_export_writes_overviews_in_three_formats(extension, tmp_path):
    target = tmp_path / f"overview{extension}"
    size = export(search(connect(), depth=6), target, overview=True, colour="saved")
    assert size == target.stat().st_size < MAX_BYTES
    if extension == ".png":
        assert Image.open(io.BytesIO(target.read_bytes())).size[0] == WIDTH


def test_export_refuses_other_formats_and_options(tmp_path):
    tree = search(literal(TEXTBOOK))
    with pytest.raises(Exception, match=r"known formats are \.svg, \.png, \.pdf"):
        export(tree, tmp_path / "overview.dot", overview=True)
    with pytest.raises(Exception, match="no option of an overview 'boards'"):
        export(tree, tmp_path / "overview.svg", overview=True, boards=True)
    with pytest.raises(Exception, match="no colouring 'red'"):
        export(tree, tmp_path / "overview.svg", overview=True, colour="red")
    assert not list(tmp_path.iterdir())


def test_a_single_cutoff_among_thousands_of_nodes_is_seen():
    shape = [[9, 9], [4, 5, 6], *([*range(number, number + 60)] for number in range(100, 400))]
    tree, plain = (search(literal(shape), algorithm=algorithm) for algorithm in ("alphabeta", "minimax"))
    assert tree.cutoffs == 1
    assert tree.expanded > 18_000
    assert pixels_of(draw_overview(tree), "accent5") > 0
    assert pixels_of(draw_overview(plain), "accent5") == 0


def test_skipped_moves_are_empty_bars_below_the_node_that_skipped_them():
    def empty_bars(tree, view=None):
        return [item for item in draw_overview(tree, view).items if isinstance(item, StepArea) and item.colour == "ground"]

    tree = search(literal(TEXTBOOK))
    in_legend = 1
    assert len(empty_bars(tree)) == tree.skipped + in_legend
    assert not empty_bars(tree, View(stubs=False))
    assert not empty_bars(search(literal(TEXTBOOK), algorithm="minimax"))


def test_passes_are_named():
    words = texts_of(draw_overview(search(connect(), depth=4, algorithm="iterative")))
    assert "pass 4, K=4" in words


def test_a_view_narrows_the_overview_to_a_subtree_or_the_first_nodes():
    tree = search(connect(), depth=5)
    assert f"{int(tree.end[1]) - 1:,} nodes" not in texts_of(draw_overview(tree, View(root=1)))
    child = texts_of(draw_overview(tree, View(root=1)))
    assert "the whole search:" in child
    assert "0 " not in texts_of(draw_overview(tree, View(max_depth=1))).split("depth")[0]
    assert draw_overview(tree, View(first=50))
    for wrong in (View(principal=True), View(around=3), View(collapse=(1,)), View(root=10**9)):
        with pytest.raises(BadView):
            draw_overview(tree, wrong)


def test_deep_trees_say_what_is_not_drawn():
    deep = 0
    for _ in range(300):
        deep = [deep, 1]
    assert "181 deeper levels are not drawn" in texts_of(draw_overview(search(literal(deep), algorithm="minimax")))


@pytest.mark.parametrize("name", TREES)
def test_the_largest_subtrees_are_apart_and_in_order(name):
    tree = TREES[name]()
    parts = find_largest_parts(tree, make_view(tree, 10))
    assert 1 <= len(parts) <= MAX_PARTS
    assert [part.nodes for part in parts] == sorted((part.nodes for part in parts), reverse=True)
    covered = [row for part in parts for row in range(part.row, part.row + part.nodes)]
    assert len(covered) == len(set(covered)) <= len(tree)
    assert all(part.nodes == int(tree.end[part.row]) - part.row for part in parts)


def test_colours_differ_in_lightness_too():
    def lightness(colour):
        red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
        return 0.299 * red + 0.587 * green + 0.114 * blue

    for palette in (LIGHT, DARK):
        named = overview_colours(palette)
        found = sorted(lightness(named[name]) for name in ("plain", "inner", "accent5", "strong"))
        assert min(np.diff(found)) > 15
