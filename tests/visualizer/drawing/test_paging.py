"""How large pictures are, and the parts in which a page can hold them."""

from engine import nim, preset, search, tictactoe
from visualizer import View
from visualizer.drawing.paging import MOST_PARTS, PAGE, Room, deepest, parts, size
from visualizer.drawing.view import shown


def test_parts_show_every_node_once_as_a_top_or_below_one():
    tree = search(tictactoe(), "4026")
    views = parts(tree, View(), frame=False)
    assert 1 < len(views) <= MOST_PARTS
    tops = {view.root for view in views}
    assert views[0].root == 0
    below = [row for view in views for row in shown(tree, view).nodes.tolist() if row not in tops or row == 0]
    assert sorted(below + sorted(tops - {0})) == list(range(len(tree)))
    for view in views:
        assert PAGE.holds(size(tree, view, frame=False))


def test_parts_keep_the_depth_of_the_view():
    tree = search(tictactoe(), "402", depth=5)
    views = parts(tree, View(max_depth=3), frame=False)
    assert len(views) > 1
    rows = {row for view in views for row in shown(tree, view).nodes.tolist()}
    assert rows == set(shown(tree, View(max_depth=3)).nodes.tolist())


def test_what_cannot_be_taken_apart():
    assert parts(search(nim([50]), depth=1), View()) == []
    assert parts(search(preset("k-tables"), "3", depth=4), View(), 100) == []
    assert parts(search(preset("k-tables"), "3", depth=2), View(first=50)) == []
    tree = search(preset("k-tables"), "3", depth=4)
    assert deepest(tree, View(), Room(860, 1100)) == View(max_depth=1)
    assert deepest(tree, View(), Room(100, 1100)) is None
