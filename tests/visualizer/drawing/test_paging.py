"""Sizes of pictures, and parts that fit a page."""

from engine import nim, preset, search, tictactoe
from visualizer import View
from visualizer.drawing.paging import MAX_PARTS, PORTRAIT_PAGE, PictureSize, find_deepest_view, picture_size, split_into_parts
from visualizer.drawing.view import select_items


def test_parts_show_every_node_once_as_a_top_or_below_one():
    tree = search(tictactoe(), "4026")
    views = split_into_parts(tree, View(), frame=False)
    assert 1 < len(views) <= MAX_PARTS
    tops = {view.root for view in views}
    assert views[0].root == 0
    below = [row for view in views for row in select_items(tree, view).nodes.tolist() if row not in tops or row == 0]
    assert sorted(below + sorted(tops - {0})) == list(range(len(tree)))
    for view in views:
        assert PORTRAIT_PAGE.can_hold(picture_size(tree, view, frame=False))


def test_parts_keep_the_depth_of_the_view():
    tree = search(tictactoe(), "402", depth=5)
    views = split_into_parts(tree, View(max_depth=3), frame=False)
    assert len(views) > 1
    rows = {row for view in views for row in select_items(tree, view).nodes.tolist()}
    assert rows == set(select_items(tree, View(max_depth=3)).nodes.tolist())


def test_views_that_cannot_be_split():
    assert split_into_parts(search(nim([50]), depth=1), View()) == []
    assert split_into_parts(search(preset("k-tables"), "3", depth=4), View(), 100) == []
    assert split_into_parts(search(preset("k-tables"), "3", depth=2), View(first=50)) == []
    tree = search(preset("k-tables"), "3", depth=4)
    assert find_deepest_view(tree, View(), PictureSize(860, 1100)) == View(max_depth=1)
    assert find_deepest_view(tree, View(), PictureSize(100, 1100)) is None
