"""A view shows what it says, hides the rest with its counts, and never counts a skipped move as a node."""

import numpy as np
import pytest

from engine import connect, literal, nim, preset, search, tictactoe
from tests.support.games import TEXTBOOK
from visualizer.drawing.view import COLLAPSED, NODE, STUB, BadView, View, principal_rows, select_items

TREES = {
    "textbook": lambda: search(literal([[3, 12, 8], [2, 4, 6], [14, 5, 2]])),
    "k-tables": lambda: search(preset("k-tables"), "3", depth=4),
    "readable": lambda: search(preset("k-tables"), "33", depth=3, compiled=False),
    "full columns": lambda: search(connect(rows=4, cols=4), "000011112", depth=5),
    "nim": lambda: search(nim([2, 3])),
    "tictactoe": lambda: search(tictactoe(), "4021"),
    "minimax": lambda: search(preset("k-tables"), "3", depth=3, algorithm="minimax"),
    "as published": lambda: search(preset("threats"), "33", depth=4, as_published=True),
    "stopped": lambda: search(preset("k-tables"), "3", depth=5, max_nodes=500),
    "one node": lambda: search(literal(7)),
}
VIEWS = [
    View(),
    View(stubs=False),
    View(max_depth=0),
    View(max_depth=1),
    View(max_depth=2, stubs=False),
    View(principal=True),
    View(first=5),
    View(first=1),
]


@pytest.fixture(scope="module", params=TREES)
def sample_tree(request):
    return TREES[request.param]()


def assert_consistent(part):
    """Check the laws of every view."""
    tree = part.tree
    is_node = part.kind != STUB
    assert part.parent[0] == -1
    assert part.depth[0] == 0
    assert (part.row[~is_node] == -1).all()
    assert (np.diff(part.row[is_node]) > 0).all()
    children = np.arange(1, len(part))
    assert (part.parent[1:] < children).all()
    assert (part.depth[1:] == part.depth[part.parent[1:]] + 1).all()
    nodes = np.flatnonzero(is_node)[1:]
    assert (part.row[part.parent[nodes]] == tree.parent[part.row[nodes]]).all()
    assert ((part.kind == COLLAPSED) == (part.hidden > 0)).all()
    root = part.view.root
    assert is_node.sum() + part.hidden.sum() == tree[root].size
    cutoffs = tree.pruned[part.row[is_node]].sum() + part.hidden_cutoffs.sum()
    assert cutoffs == tree.pruned[tree[root].subtree].sum()
    assert (part.move[is_node] == tree.move[part.row[is_node]]).all()
    for item in np.flatnonzero(is_node):
        stubs = [int(part.move[other]) for other in np.flatnonzero((part.parent == item) & (part.kind == STUB))]
        opened = part.row[item] + 1 in part.row  # its visited children are shown, so its skipped ones are too
        assert stubs == (tree[part.row[item]].skipped_moves if part.view.stubs and opened else [])


@pytest.mark.parametrize("view", VIEWS, ids=str)
def test_every_view_accounts_for_every_node_and_cutoff(sample_tree, view):
    assert_consistent(select_items(sample_tree, view))


def test_views_of_a_node(sample_tree):
    row = len(sample_tree) // 2
    assert_consistent(select_items(sample_tree, View(root=row)))
    assert_consistent(select_items(sample_tree, View(around=row)))
    assert_consistent(select_items(sample_tree, View(collapse=(0,))))
    assert_consistent(select_items(sample_tree, View(collapse=(row, len(sample_tree) // 3), max_depth=3)))
    part = select_items(sample_tree, View(around=row, stubs=False))
    path = sample_tree.path(row)
    assert set(part.row) == {0, *(child for on_path in path for child in sample_tree.child_rows(on_path))}


def test_a_depth_hides_what_is_below():
    tree = TREES["k-tables"]()
    part = select_items(tree, View(max_depth=1))
    nodes = part.kind != STUB
    assert part.row[nodes].tolist() == [0, *tree.child_rows(0)]
    assert part.hidden[nodes].tolist() == [0, *(tree[row].size - 1 for row in tree.child_rows(0))]


def test_the_principal_variation_comes_with_its_siblings():
    tree = TREES["k-tables"]()
    part = select_items(tree, View(principal=True, stubs=False))
    line = principal_rows(tree)
    assert line == [int(node) for node in tree.principal_nodes]
    assert set(part.row) == {0, *(child for row in line for child in tree.child_rows(row))}


def test_stubs_stand_behind_the_children_that_were_searched():
    part = select_items(TREES["textbook"]())
    assert part.kind.tolist() == [NODE] * 7 + [STUB] * 2 + [NODE] * 4
    assert part.parent.tolist() == [-1, 0, 1, 1, 1, 0, 5, 5, 5, 0, 9, 9, 9]
    assert part.move.tolist() == [-1, 0, 0, 1, 2, 1, 0, 1, 2, 2, 0, 1, 2]


def test_columns_cannot_be_written():
    part = select_items(TREES["textbook"](), View(max_depth=1))
    for column in part[2:]:
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 1


@pytest.mark.parametrize(
    ("view", "message"),
    [
        (View(root=11), "root=11: the tree has the nodes 0 to 10"),
        (View(around=-1), "around=-1"),
        (View(collapse=(3, 99)), "collapse=99"),
        (View(max_depth=-1), "max_depth=-1: a number from 0"),
        (View(first=0), "first=0: a number from 1"),
        (View(root=1, around=9), "around=9 is not in the subtree of root=1"),
    ],
)
def test_a_part_that_does_not_exist_is_refused(view, message):
    with pytest.raises(BadView, match=message):
        select_items(TREES["textbook"](), view)


def test_the_root_of_a_view_is_shown_even_if_an_ancestor_is_collapsed():
    tree = search(literal(TEXTBOOK))
    assert select_items(tree, View(root=1, collapse=(0,))).row.tolist() == [1]


@pytest.mark.parametrize("view", [View(collapse=(5,)), View(max_depth=1), View(first=6)])
def test_skipped_moves_are_hidden_with_the_visited_ones(view):
    part = select_items(search(literal(TEXTBOOK)), view)
    assert (part.row >= 0).all()


@pytest.mark.parametrize("view", [View(root=None), View(root="1"), View(max_depth=1.5), View(first=True), View(collapse=("x",))])
def test_rows_of_a_view_are_whole_numbers(view):
    with pytest.raises(BadView, match="a whole number is needed"):
        select_items(search(literal(TEXTBOOK)), view)


def test_lists_and_single_rows_can_be_collapsed():
    assert View(collapse=[]).is_whole
    assert View(collapse=5) == View(collapse=[5]) == View(collapse=(5,))
