"""Overviews of several searches above each other: the same scale for all, and saved work in its true proportion."""

import re

import pytest

from engine import connect, search
from engine.analysis.alignment import Alignment
from visualizer.drawing.overview.cells import compute_cells, make_view
from visualizer.drawing.overview.strips import PLOT_WIDTH, SAVED, VISITED, SavedByCutoffs, draw_strip, present_classes
from visualizer.drawing.scene import Line
from visualizer.pool.overview_work import DrawOverviews
from visualizer.pool.work_types import SilentListener


@pytest.fixture(scope="module")
def trees():
    return {name: search(connect(), depth=5, algorithm=name) for name in ("minimax", "alphabeta", "pvs")}


def test_the_widths_are_in_proportion_to_the_nodes(trees):
    most = max(map(len, trees.values()))
    for name, tree in trees.items():
        (ground,) = [item for item in draw_strip(tree, name, most).items if isinstance(item, Line)]
        assert ground.points[1][0] - ground.points[0][0] == round(PLOT_WIDTH * len(tree) / most)


def test_saved_work_has_its_true_proportion(trees):
    pair = Alignment(trees["minimax"], trees["alphabeta"])
    colouring = SavedByCutoffs(pair)
    cells = compute_cells(pair.minimax, make_view(pair.minimax, 500), colouring)
    totals = cells.classes.sum(axis=(0, 1))
    assert (totals[VISITED], totals[SAVED]) == (len(pair.alphabeta), pair.only_minimax)
    assert [one.code for one in present_classes(pair.minimax, colouring)] == [VISITED, SAVED]


def test_a_picture_names_all_searches_and_the_work_that_one_saves(trees):
    searches = tuple((f"search by {name}", tree.question) for name, tree in trees.items())
    nodes = tuple(map(len, trees.values()))
    picture = DrawOverviews(searches, nodes)(SilentListener()).decode()
    for name, tree in trees.items():
        assert f">search by {name}: {len(tree):,} nodes<" in picture
    assert "search by minimax, where search by alphabeta goes" in picture
    alone = DrawOverviews(searches[1:], nodes[1:])(SilentListener()).decode()
    assert not re.search("where|saved", alone)
