"""PDF for print: one page of the picture's own size drawn by Graphviz, or a large tree in parts on pages of paper."""

import re
from collections.abc import Iterator

from engine.tree.tree import SearchTree
from visualizer.drawing.paging import PaperParts, split_for_paper
from visualizer.drawing.paper import Paper, find_paper
from visualizer.drawing.part_pages import lay_out_pages
from visualizer.drawing.pdf_pages import to_pdf
from visualizer.drawing.size_limits import check_size
from visualizer.drawing.view import WHOLE_TREE, View, select_items
from visualizer.exporters import graphviz
from visualizer.narration.captions import search_title

EXTENSION = ".pdf"
DESCRIPTION = "picture for print, a large tree in parts on pages, up to 3,000 nodes"
MEDIA_TYPE = "application/pdf"
MAX_ITEMS = graphviz.MAX_ITEMS
MIN_PRINT_SCALE = 0.6  # of a picture on paper: the smallest letters of Graphviz have 9 points
AT_ONCE = 100  # larger trees may be split into parts, which this process draws


def chunks(
    tree: SearchTree, view: View | None = None, windows: bool = True, boards: bool = False, paper: str = "a4"
) -> Iterator[bytes]:
    """Return the file in one piece.

    `windows` and `boards` as in dot. `paper` is the paper of a tree in parts: a4 or letter.
    """
    sheet, whole = find_paper(paper), view or WHOLE_TREE
    check_size("a .pdf", len(select_items(tree, view)), MAX_ITEMS)
    found = PaperParts([]) if boards else split_for_paper(tree, whole, windows=windows)
    if len(found.views) < 2:
        picture = b"".join(graphviz.picture_chunks("pdf", tree, view, windows, boards))
        if not found.views or _is_legible(picture, sheet):
            return iter([picture])
    return iter([to_pdf(lay_out_pages(tree, whole, found, sheet, windows), *sheet.page_size(found.turned), search_title(tree))])


def _is_legible(picture: bytes, sheet: Paper) -> bool:
    """Return True if a page of the picture's size is legible when printed, portrait or landscape."""
    box = re.search(rb"/MediaBox *\[ *0 +0 +([\d.]+) +([\d.]+)", picture)
    if box is None:
        return False
    width, height = map(float, box.groups())
    scales = [min(wide / width, high / height) for wide, high in map(sheet.page_size, (False, True))]
    return max(scales) >= MIN_PRINT_SCALE
