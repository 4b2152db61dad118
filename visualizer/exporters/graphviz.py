"""PNG and PDF, drawn by Graphviz."""

from collections.abc import Iterator

from engine.tree.tree import SearchTree
from visualizer.drawing.graphviz_pictures import render_dot
from visualizer.drawing.size_limits import check_size
from visualizer.drawing.view import View, select_items
from visualizer.exporters import dot

MAX_ITEMS = 3000


def picture_chunks(kind: str, tree: SearchTree, view: View | None, windows: bool, boards: bool) -> Iterator[bytes]:
    """Return the picture in one piece."""
    check_size(f"a .{kind}", len(select_items(tree, view)), MAX_ITEMS)
    graph = b"".join(dot.chunks(tree, view, windows, boards))
    return iter([render_dot(graph, kind)])
