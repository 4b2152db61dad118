"""PDF to be printed: one page of its own size drawn by Graphviz, or the parts of a large tree on pages of paper."""

import re
from collections.abc import Iterator

from engine.tree.tree import SearchTree
from visualizer.drawing.paging import PaperParts, paper_parts
from visualizer.drawing.paper import Paper, find_paper
from visualizer.drawing.part_pages import part_pages
from visualizer.drawing.pdf_pages import to_pdf
from visualizer.drawing.size_limits import check_size
from visualizer.drawing.view import WHOLE, View, shown
from visualizer.exporters import graphviz
from visualizer.narration.captions import title

EXTENSION = ".pdf"
DESCRIPTION = "picture for print, a large tree in parts on pages, up to 3,000 nodes"
MEDIA_TYPE = "application/pdf"
MAX_ITEMS = graphviz.MAX_ITEMS
LEAST_SCALE = 0.6  # of a picture on paper: Graphviz writes letters of 9 points and more
AT_ONCE = 100  # of more it may be parts, which this process draws


def chunks(
    tree: SearchTree, view: View | None = None, windows: bool = True, boards: bool = False, paper: str = "a4"
) -> Iterator[bytes]:
    """The file in one piece. `windows` and `boards` as in dot; `paper`, a4 or letter, is that of a tree in parts."""
    sheet, whole = find_paper(paper), view or WHOLE
    check_size("a .pdf", len(shown(tree, view)), MAX_ITEMS)
    found = PaperParts([]) if boards else paper_parts(tree, whole, windows=windows)
    if len(found.views) < 2:
        picture = b"".join(graphviz.chunks("pdf", tree, view, windows, boards))
        if not found.views or _is_legible(picture, sheet):
            return iter([picture])
    return iter([to_pdf(part_pages(tree, whole, found, sheet, windows), *sheet.sides(found.turned), title(tree))])


def _is_legible(picture: bytes, sheet: Paper) -> bool:
    """Whether a page of its own size can be read when it is printed, upright or on its side."""
    box = re.search(rb"/MediaBox *\[ *0 +0 +([\d.]+) +([\d.]+)", picture)
    if box is None:
        return False
    width, height = map(float, box.groups())
    scales = [min(wide / width, high / height) for wide, high in map(sheet.sides, (False, True))]
    return max(scales) >= LEAST_SCALE
