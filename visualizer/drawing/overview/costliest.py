"""The largest parts of a search: subtrees, none inside another, that together show where its nodes are."""

import heapq
from typing import NamedTuple

from engine.tree.tree import SearchTree
from visualizer.drawing.overview.cells import OverviewView
from visualizer.narration.captions import describe_path

MAX_PARTS = 10
MIN_SPLIT_ROWS = 11  # smaller subtrees are not split


class SearchPart(NamedTuple):
    """One of the largest subtrees."""

    row: int
    nodes: int
    share: float  # of all nodes shown
    title: str  # the moves that lead to it


def find_largest_parts(tree: SearchTree, view: OverviewView) -> list[SearchPart]:
    """Return up to ten subtrees, the largest first. The largest one is split into its children until there are ten.

    >>> from engine import literal, search
    >>> from visualizer.drawing.overview.cells import make_view
    >>> tree = search(literal([[3, 12, 8], [2, 4, 6], [14, 5, 2]]))
    >>> [(part.title, part.nodes) for part in find_largest_parts(tree, make_view(tree, 100))]
    [('after 0', 4), ('after 2', 4), ('after 1', 2)]
    """
    end, last = tree.columns.end, view.last_row

    def entry(row: int) -> tuple[int, int]:
        return row - min(int(end[row]), last), row

    waiting = [entry(row) for row in _top_rows(tree, view)]
    heapq.heapify(waiting)
    while waiting and len(waiting) < MAX_PARTS and -waiting[0][0] >= MIN_SPLIT_ROWS:
        _, row = heapq.heappop(waiting)
        for child in tree.child_rows(row):
            if child < last:
                heapq.heappush(waiting, entry(child))
    shown = last - view.first_row
    return [
        SearchPart(row, -size, -size / shown, _describe_place(tree, row)) for size, row in heapq.nsmallest(MAX_PARTS, waiting)
    ]


def _top_rows(tree: SearchTree, view: OverviewView) -> list[int]:
    """Return the rows of the view that are not below another one of them."""
    rows, row = [], view.first_row
    while row < view.last_row:
        rows.append(row)
        row = int(tree.columns.end[row])
    return rows


def _describe_place(tree: SearchTree, row: int) -> str:
    """Return the moves to a row, and its pass if there are several."""
    node = tree[row]
    if not tree.notes:
        return describe_path(node)
    number = f"pass {tree.pass_number(row) + 1}"
    return number if node.depth == 0 else f"{number}, {describe_path(node)}"
