"""How large a picture of a tree gets, how deep it may go to fit somewhere, and in which parts a page can hold all of it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from engine.tree.tree import SearchTree
from visualizer.drawing.tree_drawing import NODE_WIDTH, STUB_WIDTH, draw, texts_of
from visualizer.drawing.view import STUB, Shown, View, shown

MOST_PARTS = 600


class Room(NamedTuple):
    """Width and height in pixels."""

    width: float
    height: float

    def holds(self, other: "Room") -> bool:
        return other.width <= self.width and other.height <= self.height


PAGE = Room(860, 1100)  # what is this large can still be read when it is shrunk onto a page of A4 or letter
TURNED = Room(1300, 800)  # the same of a page that lies on its side
SHRUNK = Room(1650, 800)  # there again, in letters as small as can be read
SCREENS = Room(10_000, float("inf"))  # who would scroll further sideways?


def size(tree: SearchTree, view: View, windows: bool = True, boards: bool = False, frame: bool = True) -> Room:
    """Of the picture that .svg would be; the options are its options."""
    part = shown(tree, view)
    drawing = draw(part, texts_of(part, windows, boards), frame)
    return Room(drawing.width, drawing.height)


def least_width(part: Shown) -> int:
    """What the items of the widest depth need at least; a look at the columns, no layout."""
    wide = np.where(part.kind == STUB, STUB_WIDTH, NODE_WIDTH)
    return int(np.bincount(part.depth, weights=wide).max())


def deepest(tree: SearchTree, view: View, room: Room, **style: bool) -> View | None:
    """The view down to the greatest depth at which there is room for it; None if there is none even for one ply."""
    found = None
    for plies in range(1, int(shown(tree, view).depth.max()) + 1):
        tried = replace(view, max_depth=plies)
        if not room.holds(size(tree, tried, **style)):
            break
        found = tried
    return found


def parts(tree: SearchTree, view: View, most: int = MOST_PARTS, page: Room = PAGE, **style: bool) -> list[View]:
    """Views that together show what the view shows, and that each fit a page: the top, then what hangs below it, in order.

    None where a family of siblings alone is too wide, where it would take too many, or where the view is no plain subtree.
    """
    if page.holds(size(tree, view, **style)):
        return [view]
    if view != View(view.root, view.max_depth, stubs=view.stubs):
        return []
    found: list[View] = []
    waiting = [view]
    while waiting:
        whole = waiting.pop()
        part = whole if page.holds(size(tree, whole, **style)) else deepest(tree, whole, page, **style)
        if part is None or len(found) == most:
            return []
        found.append(part)
        if part is not whole:
            waiting += reversed(list(_below(tree, whole, part)))
    return found


class PaperParts(NamedTuple):
    """The parts of a view on paper; without any, no page can hold it."""

    views: list[View]
    turned: bool = False  # the pages lie on their side


def paper_parts(tree: SearchTree, view: View, **style: Any) -> PaperParts:
    """The view as one part where a page can hold it, else parts that fit upright pages, else pages that lie on their side."""
    whole = size(tree, view, **style, frame=False)
    if not PAGE.holds(whole) and TURNED.holds(whole):
        return PaperParts([view], turned=True)
    for page in (PAGE, TURNED, SHRUNK):
        if views := parts(tree, view, page=page, **style, frame=False):
            return PaperParts(views, turned=page != PAGE)
    return PaperParts([])


def numbered(views: Sequence[View]) -> Iterator[tuple[int, View, dict[int, int]]]:
    """The parts with their numbers, from 1, and for rows that are the tops of other parts the numbers of those."""
    tops = {view.root: number for number, view in enumerate(views, start=1)}
    for number, view in enumerate(views, start=1):
        yield number, view, {row: other for row, other in tops.items() if other != number}


def _below(tree: SearchTree, whole: View, part: View) -> Iterator[View]:
    """What the part hides of the whole: nodes, and skipped moves of rows that have no children."""
    items = shown(tree, part)
    left = None if whole.max_depth is None else whole.max_depth - (part.max_depth or 0)
    closed = items.hidden > 0
    if whole.stubs:
        closed |= (items.row >= 0) & (tree.columns.skipped[items.row] > 0)
        closed[items.parent[items.kind == STUB]] = False
    for row in items.row[closed]:
        yield replace(whole, root=int(row), max_depth=left)
