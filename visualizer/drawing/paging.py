"""Paging: the size of a tree's picture, the greatest depth that fits a page, and parts that fit a page each."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from engine.tree.tree import SearchTree
from visualizer.drawing.tree_drawing import NODE_WIDTH, STUB_WIDTH, lay_out_view, make_node_texts
from visualizer.drawing.view import STUB, View, ViewItems, select_items

MAX_PARTS = 600
MAX_READABLE_ITEMS = 400  # nodes and skipped moves of a picture that is shown as a whole


class PictureSize(NamedTuple):
    """A width and a height in pixels."""

    width: float
    height: float

    def can_hold(self, other: "PictureSize") -> bool:
        """Return True if a picture of the other size fits into this one."""
        return other.width <= self.width and other.height <= self.height


PORTRAIT_PAGE = PictureSize(860, 1100)  # a picture of this size can still be read when it is shrunk onto a page of A4 or letter
LANDSCAPE_PAGE = PictureSize(1300, 800)  # the same for a landscape page
SMALL_PRINT_PAGE = PictureSize(1650, 800)  # a landscape page with the smallest letters that can be read
MAX_SCREEN_SIZE = PictureSize(10_000, float("inf"))  # the widest picture that is worth scrolling


def picture_size(tree: SearchTree, view: View, windows: bool = True, boards: bool = False, frame: bool = True) -> PictureSize:
    """Return the size of the picture that .svg would be. The options are those of .svg."""
    part = select_items(tree, view)
    drawing = lay_out_view(part, make_node_texts(part, windows, boards), frame)
    return PictureSize(drawing.width, drawing.height)


def min_picture_width(part: ViewItems) -> int:
    """Return a lower bound of the picture's width: the items of the widest depth. It needs no layout."""
    wide = np.where(part.kind == STUB, STUB_WIDTH, NODE_WIDTH)
    return int(np.bincount(part.depth, weights=wide).max())


def find_readable_view(tree: SearchTree, view: View | None = None) -> View:
    """Return the view if it is small, else as many plies of it as are readable, else the principal variation."""
    if view is not None and not view.is_whole:
        counts = np.cumsum(np.bincount(select_items(tree, view).depth))
        plies = int(np.searchsorted(counts, MAX_READABLE_ITEMS, side="right")) - 1
        if counts[-1] <= MAX_READABLE_ITEMS:
            return view
        return replace(view, max_depth=plies) if plies >= 1 else replace(view, principal=True, stubs=False)
    if tree.expanded + tree.skipped <= MAX_READABLE_ITEMS:
        return View()
    items = 0
    for row in tree.per_depth:
        items += row["expanded"] + row["skipped"]
        if items > MAX_READABLE_ITEMS:
            depth = row["depth"] - 1
            return View(max_depth=depth) if depth >= 2 else View(principal=True, stubs=False)
    return View()


def find_deepest_view(tree: SearchTree, view: View, room: PictureSize, **style: bool) -> View | None:
    """Return the view down to the greatest depth that fits, or None if not even one ply does."""
    found = None
    for plies in range(1, int(select_items(tree, view).depth.max()) + 1):
        tried = replace(view, max_depth=plies)
        if not room.can_hold(picture_size(tree, tried, **style)):
            break
        found = tried
    return found


def split_into_parts(
    tree: SearchTree, view: View, max_parts: int = MAX_PARTS, page: PictureSize = PORTRAIT_PAGE, **style: bool
) -> list[View]:
    """Return views that together show the whole view and each fit a page: the top, then its subtrees in order.

    Return an empty list if one group of siblings is too wide, if there would be more than `max_parts` parts, or if the view is
    not a plain subtree.
    """
    if page.can_hold(picture_size(tree, view, **style)):
        return [view]
    if view != View(view.root, view.max_depth, stubs=view.stubs):
        return []
    found: list[View] = []
    waiting = [view]
    while waiting:
        whole = waiting.pop()
        part = whole if page.can_hold(picture_size(tree, whole, **style)) else find_deepest_view(tree, whole, page, **style)
        if part is None or len(found) == max_parts:
            return []
        found.append(part)
        if part is not whole:
            waiting += reversed(list(_hidden_views(tree, whole, part)))
    return found


class PaperParts(NamedTuple):
    """The parts of a view on paper. There are none if no page can hold it."""

    views: list[View]
    turned: bool = False  # the pages are landscape


def split_for_paper(tree: SearchTree, view: View, **style: Any) -> PaperParts:
    """Split a view for paper: one part if a page can hold it, else parts on upright pages, else parts on landscape pages."""
    whole = picture_size(tree, view, **style, frame=False)
    if not PORTRAIT_PAGE.can_hold(whole) and LANDSCAPE_PAGE.can_hold(whole):
        return PaperParts([view], turned=True)
    for page in (PORTRAIT_PAGE, LANDSCAPE_PAGE, SMALL_PRINT_PAGE):
        if views := split_into_parts(tree, view, page=page, **style, frame=False):
            return PaperParts(views, turned=page != PORTRAIT_PAGE)
    return PaperParts([])


def number_parts(views: Sequence[View]) -> Iterator[tuple[int, View, dict[int, int]]]:
    """Yield each part with its number, from 1, and a map from the roots of the other parts to their numbers."""
    tops = {view.root: number for number, view in enumerate(views, start=1)}
    for number, view in enumerate(views, start=1):
        yield number, view, {row: other for row, other in tops.items() if other != number}


def _hidden_views(tree: SearchTree, whole: View, part: View) -> Iterator[View]:
    """Yield a view for each node of the part that hides something: nodes, or skipped moves of rows without children."""
    items = select_items(tree, part)
    left = None if whole.max_depth is None else whole.max_depth - (part.max_depth or 0)
    closed = items.hidden > 0
    if whole.stubs:
        closed |= (items.row >= 0) & (tree.columns.skipped[items.row] > 0)
        closed[items.parent[items.kind == STUB]] = False
    for row in items.row[closed]:
        yield replace(whole, root=int(row), max_depth=left)
