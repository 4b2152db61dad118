"""PDF, drawn by Graphviz."""

from collections.abc import Iterator

from engine.tree import SearchTree
from visualizer.exporters import pictures
from visualizer.view import View

EXTENSION = ".pdf"
DESCRIPTION = "picture for print drawn by Graphviz, up to 3,000 nodes"
MEDIA_TYPE = "application/pdf"
MAX_ITEMS = pictures.MAX_ITEMS


def chunks(tree: SearchTree, view: View | None = None, windows: bool = True, boards: bool = False) -> Iterator[bytes]:
    """The picture in one piece. `windows` and `boards` as in dot."""
    return pictures.chunks("pdf", tree, view, windows, boards)
