"""Every cell of an overview holds exactly the rows of its pixel and depth, counted by brute force."""

from contextlib import contextmanager
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import ALGORITHMS, connect, literal, nim, search
from engine.analysis.statistics import count_node_types
from engine.compiled import index_kernels
from engine.record.columns import CUTOFF, HORIZON, OPEN, TABLE, TERMINAL
from engine.tree.depth_index import ALL_TYPE, CUT_TYPE, OPEN_TYPE, PV_TYPE, DepthIndex
from tests.support.games import ALL_GAMES, TEXTBOOK, literal_trees
from visualizer.drawing.overview import cell_kernels
from visualizer.drawing.overview.bands import share_height
from visualizer.drawing.overview.cells import MAX_CELLS, MAX_PIXELS, NO_ROW, BadRange, compute_cells, make_view
from visualizer.drawing.overview.colourings import COLOURINGS, Colouring, Value, find_colouring
from visualizer.viewer.large_trees.overview_cells import SHARE_UNITS, encode_overview

WINDOWED = sorted(name for name, algorithm in ALGORITHMS.items() if algorithm.windows)
TREES = {
    "textbook": lambda: search(literal(TEXTBOOK)),
    "one node": lambda: search(literal(7)),
    "minimax": lambda: search(connect(), depth=3, algorithm="minimax"),
    "alphabeta": lambda: search(connect(), depth=6),
    "not compiled": lambda: search(nim([2, 3, 1]), compiled=False),
    "stopped": lambda: search(connect(), depth=8, max_nodes=1_777),
    "quiescence": lambda: search(connect(), "33", depth=2, algorithm="alphabeta", quiescence=2),
    **{name: (lambda name=name: search(connect(), depth=4, algorithm=name)) for name in ("pvs", "table", "iterative", "mtdf")},
    "stopped in a pass": lambda: search(connect(), depth=7, algorithm="iterative", max_nodes=900),
}


def class_of(tree, colouring: Colouring, row: int) -> str:
    """Return the label of the class that a row belongs to, from the definitions in words."""
    node = tree[row]
    if colouring.name == "how-left":
        return colouring.list_classes(tree)[[c.code for c in colouring.list_classes(tree)].index(int(tree.status[row]))].label
    if colouring.name == "saved":
        skipped = int(tree.columns.skipped[row])
        return "no cutoff" if skipped == 0 else "7 moves or more" if skipped >= 7 else f"{skipped} move{'s' * (skipped > 1)}"
    if node.status == "open":
        return "not finished"
    if colouring.name == "node-type":
        sign = 1 if node.maximizing else -1
        reach = max if node.maximizing else min
        own, other = (node.alpha, node.beta) if node.maximizing else (node.beta, node.alpha)
        high = node.value != other if not tree.cut_on_equal else True
        if reach(node.value, other) == node.value and high:
            return "CUT: value reached the other side's bound"
        if sign * node.value < sign * own or (tree.cut_on_equal and node.value == own):
            return "ALL: no move improved the window"
        return "PV: value inside the window"
    return ""


def brute_force(tree, view, colouring):
    """Return first, count, reaching, cutoffs and classes by looking at every row, with fractions."""
    shape = view.depths, view.pixels
    first, count, reaching = (np.full(shape, fill) for fill in (NO_ROW, 0, NO_ROW))
    cutoffs, classes = np.zeros(shape, int), np.zeros((*shape, 8), int)
    width = Fraction(view.last_row - view.first_row, view.pixels)
    edges = [view.first_row + pixel * width for pixel in range(view.pixels + 1)]
    code_of = {one.label: one.code for one in colouring.list_classes(tree)}
    for row in range(len(tree)):
        level = int(tree.depth[row]) - view.first_depth
        if not 0 <= level < view.depths:
            continue
        for pixel in range(view.pixels):
            if edges[pixel] <= row < edges[pixel + 1]:
                if count[level, pixel] == 0:
                    first[level, pixel] = row
                count[level, pixel] += 1
                cutoffs[level, pixel] += int(tree.status[row]) == CUTOFF
                if label := class_of(tree, colouring, row):
                    classes[level, pixel, code_of[label]] += 1
            if row < edges[pixel] < int(tree.end[row]):
                assert reaching[level, pixel] == NO_ROW  # at most one
                reaching[level, pixel] = row
    return first, count, reaching, cutoffs, classes


@contextmanager
def interpreted():
    """Run the kernels as Python."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (index_kernels, cell_kernels):
            for name, kernel in vars(module).copy().items():
                if hasattr(kernel, "function"):
                    patch.setattr(module, name, kernel.function)
        yield


def assert_equal_cells(one, other):
    for mine, theirs in zip(one[1:], other[1:], strict=True):
        np.testing.assert_array_equal(mine, theirs)


@given(st.data(), literal_trees, st.sampled_from(WINDOWED), st.booleans())
def test_cells_of_random_views_equal_a_brute_force_count(data, shape, algorithm, stopped):
    tree = search(literal(shape), algorithm=algorithm, max_nodes=7 if stopped else 100_000)
    first = data.draw(st.integers(0, len(tree) - 1))
    last = data.draw(st.integers(first + 1, len(tree)))
    level = data.draw(st.integers(0, tree.height))
    view = make_view(tree, data.draw(st.integers(1, 40)), first, last, level, data.draw(st.integers(1, tree.height + 1 - level)))
    colouring = COLOURINGS[data.draw(st.sampled_from(sorted(COLOURINGS)))]
    cells = compute_cells(tree, view, colouring)
    expected = brute_force(tree, view, colouring)
    for found, brute in zip(cells[1:5], expected[:4], strict=True):
        np.testing.assert_array_equal(found, brute)
    if not isinstance(colouring, Value):
        np.testing.assert_array_equal(cells.classes, expected[4])
    np.testing.assert_array_equal(cells.classes.sum(axis=2), cells.counts)


@pytest.mark.parametrize("colouring", COLOURINGS.values(), ids=COLOURINGS)
@pytest.mark.parametrize("name", TREES)
def test_compiled_and_interpreted_cells_are_equal(name, colouring):
    if colouring.name == "node-type" and name == "minimax":
        pytest.skip("minimax has no windows")
    tree = TREES[name]()
    rows = len(tree)
    views = [make_view(tree, 50), make_view(tree, 7, rows // 3, rows), make_view(tree, 200, rows // 2, min(rows, rows // 2 + 9))]
    compiled = [compute_cells(tree, view, colouring) for view in views]
    sent = [encode_overview(tree, view, colouring) for view in views]
    with interpreted():
        del tree.depth_index
        for view, cells, encoded in zip(views, compiled, sent, strict=True):
            assert_equal_cells(cells, compute_cells(tree, view, colouring))
            assert encode_overview(tree, view, colouring) == encoded


@given(st.lists(st.tuples(*[st.integers(0, 2_000_000_000)] * 4), min_size=1, max_size=6), st.permutations(range(4)))
def test_shares_in_bytes_are_those_of_the_pictures(counts, order):
    shares = np.zeros((len(counts), 4), np.uint8)
    cell_kernels.share_units(np.array(counts, np.int32), np.array(order), SHARE_UNITS, shares)
    np.testing.assert_array_equal(shares, share_height(np.array(counts)[:, order], SHARE_UNITS))


@pytest.mark.parametrize("pixels", [1, 13, 2000])
@pytest.mark.parametrize("name", TREES)
def test_sums_over_all_cells_equal_the_statistics(name, pixels):
    tree = TREES[name]()
    counts, view = tree.statistics(), make_view(tree, pixels)
    cells = compute_cells(tree, view)
    by_status = cells.classes.sum(axis=(0, 1))
    assert cells.counts.sum() == counts.expanded
    assert cells.cutoffs.sum() == by_status[CUTOFF] == counts.cutoffs
    assert by_status[[TERMINAL, HORIZON]].sum() == counts.leaves
    assert by_status[TERMINAL] == counts.terminals
    assert by_status[TABLE] == counts.table_hits
    assert by_status[OPEN] == int((tree.status == OPEN).sum())
    assert [line["expanded"] for line in tree.per_depth] == cells.counts.sum(axis=1).tolist()
    saved = compute_cells(tree, view, find_colouring("saved")).classes.sum(axis=(0, 1))
    assert saved @ np.arange(8) == counts.skipped  # no node of these trees skips more than seven
    if tree.windows:
        types = compute_cells(tree, view, find_colouring("node-type", tree)).classes.sum(axis=(0, 1))
        assert tuple(types[[PV_TYPE, CUT_TYPE, ALL_TYPE]]) == tuple(count_node_types(tree))
        assert types[OPEN_TYPE] == by_status[OPEN]


def test_values_fall_into_the_ranges_that_their_labels_name():
    tree = search(literal(TEXTBOOK), algorithm="minimax")
    cells, colouring = compute_cells(tree, make_view(tree, 1), find_colouring("value")), find_colouring("value")
    found = {one.label: int(cells.classes[:, :, one.code].sum()) for one in colouring.list_classes(tree)}
    assert found["3, as the root"] == int((tree.value == 3).sum())
    assert sum(found[label] for label in found if label.endswith("or less") or "below 3" in label or "at most" in label) == int(
        (tree.value < 3).sum()
    )
    limits = [float(label.split()[0]) for label in found if label.endswith("or more")]
    assert found[f"{limits[-1]:g} or more"] == int((tree.value >= limits[-1]).sum())


def test_a_single_cutoff_among_many_nodes_is_counted():
    tree = search(literal([[3, *range(4, 500)], [2, 9], [*range(4, 900)]]))
    assert tree.cutoffs == 1
    assert compute_cells(tree, make_view(tree, 3)).cutoffs.sum() == 1


def test_the_index_takes_at_most_twelve_bytes_a_node():
    tree = search(connect(), depth=7)
    for colouring in COLOURINGS.values():
        colouring.count_rows(tree)
    assert tree.depth_index.bytes <= 12 * len(tree)


def test_the_index_lists_every_row_once_by_depth():
    for game, depth in ALL_GAMES.values():
        tree = search(game, depth=depth)
        index = DepthIndex(tree)
        assert sorted(index.rows.tolist()) == list(range(len(tree)))
        keys = [(int(tree.depth[row]), int(row)) for row in index.rows]
        assert keys == sorted(keys)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"pixels": 0}, "not a number of pixels"),
        ({"pixels": MAX_PIXELS + 1}, "not a number of pixels"),
        ({"pixels": 2.5}, "not a number of pixels"),
        ({"pixels": 9, "first_row": 5, "last_row": 5}, "rows 5 to 5"),
        ({"pixels": 9, "first_row": -1}, "rows -1"),
        ({"pixels": 9, "last_row": 12}, "it has 11 rows"),
        ({"pixels": 9, "first_depth": 3}, "depths 3"),
        ({"pixels": 9, "depths": 4}, "depths 0 to 4"),
        ({"pixels": 9, "first_depth": "0"}, "depths '0'"),
    ],
)
def test_ranges_that_a_tree_does_not_have_are_refused(wrong, words):
    with pytest.raises(BadRange, match=words):
        make_view(search(literal(TEXTBOOK)), **wrong)


def test_views_are_bounded():
    tree = search(literal([[0]] * 2))
    deep = 0
    for _ in range(400):
        deep = [deep]
    with pytest.raises(BadRange, match=f"{MAX_CELLS:,} cells"):
        make_view(search(literal(deep)), MAX_PIXELS)
    assert make_view(tree, MAX_PIXELS)
