"""The nodes of a tree that the browser gets: all of them, or the part of a large tree around one node."""

from typing import NamedTuple

import numpy as np

from engine.record.columns import ROOT
from engine.tree.trace import entering_step, leaving_step
from engine.tree.tree import BLOCK_ROWS, SearchTree
from visualizer.drawing.view import BadView, View

MAX_VISIBLE_NODES = 300_000  # nodes that a browser steps through well


MAX_SKIPPED_MOVES = 1_000_000  # moves skipped by cutoffs that are played out for a picture; those of compiled games cost nothing


def why_not_drawable(tree: SearchTree) -> str:
    """Return the reason why a tree is not drawn, or an empty text if it is.

    A game with thousands of moves has as many stubs at every cutoff.
    """
    if tree.compiled or tree.skipped <= MAX_SKIPPED_MOVES:
        return ""
    return (
        f"The cutoffs of this search skipped {tree.skipped:,} moves, and at most {MAX_SKIPPED_MOVES:,} are drawn: "
        "lower K, or choose a game or a position with fewer moves."
    )


class VisiblePart(NamedTuple):
    """Rows of a tree, in order. A node has all its children here, or none: then `hidden` is the number of nodes below it."""

    rows: np.ndarray
    hidden: np.ndarray
    levels: int  # of the subtree of the node that is looked at, how many plies are there

    def index_of(self, row: int) -> int | None:
        """Return the index of a tree's row in this part, or None if it was left out."""
        place = int(np.searchsorted(self.rows, row))
        return place if place < len(self.rows) and self.rows[place] == row else None

    def subtree_ends(self, tree: SearchTree) -> np.ndarray:
        """Return one past the last row of each subtree, within the part."""
        return np.searchsorted(self.rows, tree.columns.end[self.rows]).astype(np.int32)


def visible_rows(tree: SearchTree, part: VisiblePart | None) -> tuple[np.ndarray, np.ndarray]:
    """Return the visible rows, and the index of each one's parent among them; -1 at the root of a pass."""
    if part is None:
        return np.arange(len(tree)), tree.parent
    from engine.compiled.tree_kernels import find_parents

    return part.rows, find_parents(tree.columns.depth[part.rows])  # every parent is among them


def find_visible_part(tree: SearchTree, focus: int = ROOT, most: int = MAX_VISIBLE_NODES) -> VisiblePart | None:
    """Return the part of a large tree around one node, or None if the whole tree is small enough.

    It has the path to the node with all moves on the way, and below the node as many plies as `most` nodes allow. The
    roots of all passes are in it.
    """
    if len(tree) <= most:
        return None
    focus = int(tree.root) if focus == ROOT else focus
    down_to = np.cumsum(_count_by_ply(tree, focus)) + len(_rows_beside_path(tree, focus))  # nodes by plies shown
    return _part_around(tree, focus, max(0, int(np.searchsorted(down_to, most, side="right")) - 1))


def find_part_of_view(tree: SearchTree, view: View) -> VisiblePart | None:
    """Return the part of a tree that a view shows, or None for the whole tree. The path to the root of the view is in it."""
    check_view_is_part(view)
    if view.is_whole:
        return None
    if not 0 <= view.root < len(tree):
        raise BadView(f"there is no node {view.root}: the tree has the nodes 0 to {len(tree) - 1:,}")
    focus = int(tree.root) if view.root == ROOT else view.root
    height = int(_plies_below(tree, focus).max())
    return _part_around(tree, focus, height if view.max_depth is None else min(view.max_depth, height))


def check_view_is_part(view: View) -> None:
    """Raise BadView if a view leaves out some of a node's children: the viewer shows all of them or none."""
    if view != View(view.root, view.max_depth):
        raise BadView("an interactive page shows a whole tree, a subtree (--subtree), or a tree down to a depth (--to-depth)")


def _count_by_ply(tree: SearchTree, focus: int) -> np.ndarray:
    """Count the nodes of a subtree by their plies below its top, in blocks: numpy converts what it counts to 8 bytes each."""
    below, counts = _plies_below(tree, focus), np.zeros(tree.height + 1, np.int64)
    for first in range(0, len(below), BLOCK_ROWS):
        counts += np.bincount(below[first : first + BLOCK_ROWS], minlength=len(counts))
    return np.trim_zeros(counts, "b")


def _part_around(tree: SearchTree, focus: int, levels: int) -> VisiblePart:
    """Return the path to a node with all moves on the way, so many plies below it, and the roots of all passes."""
    inside = np.flatnonzero(_plies_below(tree, focus) <= levels) + focus
    rows = np.unique(np.concatenate([tree.roots, _rows_beside_path(tree, focus), inside])).astype(np.int32)
    sizes = tree.columns.end[rows] - rows
    has_children = np.append(rows[1:] == rows[:-1] + 1, False) & (sizes > 1)  # the first child is the next row
    return VisiblePart(rows, np.where(has_children, 0, sizes - 1).astype(np.uint32), levels)


def _plies_below(tree: SearchTree, focus: int) -> np.ndarray:
    """Return for each node of a subtree how far it is below its root."""
    return tree.depth[focus : int(tree.end[focus])] - tree.depth[focus]


def _rows_beside_path(tree: SearchTree, focus: int) -> list[int]:
    """Return the children of the nodes above a node."""
    return [int(child) for row in tree.path(focus)[:-1] for child in tree.child_rows(row)]


def leave_step(tree: SearchTree, part: VisiblePart | None, row: int) -> int | None:
    """Return the step that leaves a node, in the visible part; None if the node is not visible or was never left."""
    place = row if part is None else part.index_of(row)
    if place is None or tree[row].status == "open":
        return None
    if part is None:
        return tree.timeline.leave(row)
    return leaving_step(int(part.subtree_ends(tree)[place]), tree[row].depth)


def result_step(tree: SearchTree, part: VisiblePart | None, row: int) -> int | None:
    """Return the step that leaves a node, or the one that enters it if it was never left; None if it is not visible."""
    place = row if part is None else part.index_of(row)
    if place is None or tree[row].status != "open":
        return leave_step(tree, part, row)
    return tree.timeline.enter(row) if part is None else entering_step(place, tree[row].depth)


def last_step(tree: SearchTree, part: VisiblePart | None) -> int:
    """Return the number of the last step of the visible part."""
    if part is None:
        return len(tree.timeline) - 1
    return leaving_step(len(part.rows), 0) + bool(tree.notes)
