"""Which nodes of a tree the browser gets: all, or of a large tree the part around one node."""

from typing import NamedTuple

import numpy as np

from engine.record.columns import ROOT
from engine.tree.tree import SearchTree

SHOWN_MOST = 300_000  # nodes that a browser steps through well


SKIPPED_MOST = 1_000_000  # moves skipped by cutoffs that are played out for a picture; those of compiled games cost nothing


def too_many_skipped(tree: SearchTree) -> str:
    """Why a tree is not drawn: a game with thousands of moves has as many stubs at every cutoff. Empty if it is."""
    if tree.compiled or tree.skipped <= SKIPPED_MOST:
        return ""
    return (
        f"The cutoffs of this search skipped {tree.skipped:,} moves, and {SKIPPED_MOST:,} are drawn at most: "
        "lower K, or take a game or a position with fewer moves."
    )


class VisiblePart(NamedTuple):
    """Rows of a tree, in order. Of every node all children are there, or none: then `hidden` says how many nodes are below it."""

    rows: np.ndarray
    hidden: np.ndarray
    levels: int  # of the subtree of the node that is looked at, how many plies are there

    def place(self, row: int) -> int | None:
        """Where a row of the tree stands in the part; None if it was left out."""
        place = int(np.searchsorted(self.rows, row))
        return place if place < len(self.rows) and self.rows[place] == row else None

    def end(self, tree: SearchTree) -> np.ndarray:
        """One past the last row of each subtree, within the part."""
        return np.searchsorted(self.rows, tree.columns.end[self.rows]).astype(np.int32)


def shown_rows(tree: SearchTree, part: VisiblePart | None) -> tuple[np.ndarray, np.ndarray]:
    """The rows that are shown, and where among them the parent of each stands; -1 at the root of a pass."""
    if part is None:
        return np.arange(len(tree)), tree.parent
    parents = tree.parent[part.rows]
    return part.rows, np.where(parents < 0, parents, np.searchsorted(part.rows, parents))


def part_of(tree: SearchTree, focus: int = ROOT, most: int = SHOWN_MOST) -> VisiblePart | None:
    """The part of a large tree around one node: the way to it with all moves on the way, and below it as many plies as `most`
    nodes allow. None if the whole tree is small enough. Of several passes the root of each is there."""
    if len(tree) <= most:
        return None
    if focus == ROOT:
        focus = int(tree.root)
    end = int(tree.end[focus])
    below = tree.depth[focus:end] - tree.depth[focus]
    way = [child for row in tree.path(focus)[:-1] for child in tree.child_rows(row)]
    down_to = np.cumsum(np.bincount(below)) + len(way)  # nodes by the number of plies shown
    levels = max(0, int(np.searchsorted(down_to, most, side="right")) - 1)
    inside = np.flatnonzero(below <= levels) + focus
    rows = np.unique(np.concatenate([tree.roots, way, inside])).astype(np.int32)
    sizes = tree.columns.end[rows] - rows
    has_children = np.append(rows[1:] == rows[:-1] + 1, False) & (sizes > 1)  # the first child is the next row
    return VisiblePart(rows, np.where(has_children, 0, sizes - 1).astype(np.uint32), levels)


def leave_step(tree: SearchTree, part: VisiblePart | None, row: int) -> int | None:
    """The step that leaves a node, in what is shown of the tree; None if the node is not among that, or was never left."""
    place = row if part is None else part.place(row)
    if place is None or tree[row].status == "open":
        return None
    end = tree[row].end if part is None else int(part.end(tree)[place])
    return 3 * end - 2 * tree[row].depth - 2  # as in engine/trace.py
