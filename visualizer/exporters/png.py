"""PNG, drawn by Graphviz."""

from collections.abc import Iterator

from engine.tree.tree import SearchTree
from visualizer.drawing.view import View
from visualizer.exporters import graphviz

EXTENSION = ".png"
DESCRIPTION = "picture drawn by Graphviz, up to 3,000 nodes"
MEDIA_TYPE = "image/png"
MAX_ITEMS = graphviz.MAX_ITEMS
AT_ONCE = MAX_ITEMS  # another process draws, and this one only waits


def chunks(tree: SearchTree, view: View | None = None, windows: bool = True, boards: bool = False) -> Iterator[bytes]:
    """Return the picture in one piece. `windows` and `boards` as in dot."""
    return graphviz.picture_chunks("png", tree, view, windows, boards)
