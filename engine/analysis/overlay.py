"""Overlay any two searches of one position to one depth: the paths of moves that only one of them called, and those that both
did.

A path may be called several times: by a re-search, in another pass, or to ask a table. All its calls count as one path. So the
union of two trees is a tree of paths, and each path has its first and its last call on either side:

    left    0 1 2 3      paths   -  0  00  01  1        both        -  0  00  1
    right   0 1 2 3 4                                   only right  01

Paths are in pre-order. Those of a node are in the order in which the left search called them, then those of the right one
alone.
"""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from engine.analysis.alignment import NotAligned
from engine.tree.tree import SearchTree

NO_ROW = -1


class Side(NamedTuple):
    """One of the two searches, by path. A path that it did not call has 0 calls and the rows -1."""

    tree: SearchTree
    calls: np.ndarray  # number of calls of the path
    first: np.ndarray  # row of the first call
    last: np.ndarray  # row of the last call
    path: np.ndarray  # by row: the path of the call

    @property
    def is_called(self) -> np.ndarray:
        return self.calls > 0

    @property
    def distinct(self) -> int:
        return int(self.is_called.sum())


class Difference(NamedTuple):
    """Moves that only one search made at a path that both called."""

    above: int  # the path where the searches part
    heads: tuple[int, ...]  # the paths that the moves lead to
    left: bool  # True if the left search made them
    paths: int  # these paths and all below, which the other search did not call
    step: int  # the step that first entered one of them
    parting: int  # the step of the other search that last left the path above


class Overlay:
    """The paths of two trees. Columns are read-only."""

    def __init__(self, left: SearchTree, right: SearchTree):
        for tree, side in ((left, "left"), (right, "right")):
            if not tree.complete:
                raise NotAligned(f"the {side} tree is incomplete ({tree.stopped}), so its skipped nodes are unknown")
        searches = [(tree.game, tree.question.position, tree.question.first, tree.K) for tree in (left, right)]
        if searches[0] != searches[1]:
            raise NotAligned("the two searches must have the same game, position and depth")
        paths = _merge_paths(left, right)
        self.depth, self.move, self.end = paths.depth, paths.move, paths.end
        self.left, self.right = (
            _make_side(tree, path, len(paths.depth)) for tree, path in ((left, paths.left_path), (right, paths.right_path))
        )
        shared = self.left.is_called & self.right.is_called
        turns = [side.tree.maximizing[side.first[shared]] for side in (self.left, self.right)]
        if not np.array_equal(*turns):
            raise NotAligned("the same moves lead to different sides to move: the game changes from search to search")

    def __len__(self) -> int:
        return len(self.depth)

    @cached_property
    def both(self) -> int:
        return int((self.left.is_called & self.right.is_called).sum())

    @property
    def only_left(self) -> int:
        return self.left.distinct - self.both

    @property
    def only_right(self) -> int:
        return self.right.distinct - self.both

    @cached_property
    def parent(self) -> np.ndarray:
        """Return the path above each path; -1 at the root."""
        from engine.compiled import tree_kernels

        return tree_kernels.find_parents(self.depth.astype(self.left.tree.columns.depth.dtype))

    def nearest_called_path(self, path: int, side: Side) -> int:
        """Return the nearest path, this one or above it, that a search called."""
        while side.calls[path] == 0:
            path = int(self.parent[path])
        return path

    def step_at(self, path: int, in_left: bool) -> int:
        """Return the step at which a search first enters a path. If it never does, return the last step at the nearest path
        above.
        """
        side = self.left if in_left else self.right
        if side.calls[path]:
            return side.tree.timeline.enter(int(side.first[path]))
        return side.tree.timeline.leave(int(side.last[self.nearest_called_path(path, side)]))

    @cached_property
    def topmost_differences(self) -> np.ndarray:
        """Return the topmost paths that only one search called, in pre-order."""
        one = self.left.is_called != self.right.is_called
        above = np.concatenate([[False], one[self.parent[1:]]])
        return np.flatnonzero(one & ~above)

    def differences(self, limit: int) -> list[Difference]:
        """Return the differences of the searches, the largest first, at most `limit`.

        >>> from engine import literal, search
        >>> textbook = literal([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
        >>> over = Overlay(search(textbook, algorithm="minimax"), search(textbook))
        >>> over.only_left, over.both, over.only_right, over.differences(1)
        (2, 11, 0, [Difference(above=5, heads=(7, 8), left=True, paths=2, step=17, parting=17)])
        """
        heads, group, sizes = self._difference_groups
        ranked = np.argsort(-sizes, kind="stable")[:limit]
        return [self._make_difference(heads[group == place], int(sizes[place])) for place in ranked]

    @property
    def parting_count(self) -> int:
        """Return the number of differences: places where they part, on either side."""
        return len(self._difference_groups[2])

    @cached_property
    def _difference_groups(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the topmost paths that differ, the group of each (the path above and the side), and the number of paths in
        each group.
        """
        heads = self.topmost_differences
        keys = 2 * self.parent[heads].astype(np.int64) + self.left.is_called[heads]
        _, group = np.unique(keys, return_inverse=True)
        return heads, group, np.bincount(group, self.end[heads] - heads).astype(np.int64)

    def _make_difference(self, heads: np.ndarray, paths: int) -> Difference:
        left = bool(self.left.calls[heads[0]])
        side = self.left if left else self.right
        first = int(heads[np.argmin(side.first[heads])])
        steps = self.step_at(first, left), self.step_at(first, not left)
        return Difference(int(self.parent[first]), tuple(heads.tolist()), left, paths, *steps)

    def moves(self, path: int) -> list[int]:
        """Return the moves that lead to a path."""
        side = self.left if self.left.calls[path] else self.right
        return side.tree[int(side.first[path])].moves


class _PathUnion(NamedTuple):
    """The union of two trees, and the path of every row of each."""

    depth: np.ndarray
    move: np.ndarray
    end: np.ndarray
    left_path: np.ndarray  # by row of the left tree
    right_path: np.ndarray


def _merge_paths(left: SearchTree, right: SearchTree) -> _PathUnion:
    """Merge the paths of two trees level by level: a path is its parent and a move. Then number them in pre-order."""
    trees = (left, right)
    of_row = [np.zeros(len(tree), np.int64) for tree in trees]  # by row: its path among those of its level
    above_of: list[np.ndarray] = [np.zeros(1, np.int64)]  # by level: the path above each path
    move_of: list[np.ndarray] = [np.full(1, NO_ROW, np.int64)]
    for depth in range(1, max(tree.height for tree in trees) + 1):
        rows = [np.flatnonzero(tree.depth == depth) for tree in trees]
        above = np.concatenate([of[tree.parent[at]] for of, tree, at in zip(of_row, trees, rows, strict=True)])
        moves = np.concatenate([tree.move[at].astype(np.int64) for tree, at in zip(trees, rows, strict=True)])
        _, first, path = np.unique(above << 32 | (moves & 0xFFFFFFFF), return_index=True, return_inverse=True)
        order = np.lexsort((first, above[first]))  # children in the order of their first calls, the left search first
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        for of, at, found in zip(of_row, rows, np.split(place[path], [len(rows[0])]), strict=True):
            of[at] = found
        above_of.append(above[first][order])
        move_of.append(moves[first][order])
    sizes = [np.ones(len(above), np.int64) for above in above_of]
    for depth in range(len(sizes) - 1, 0, -1):
        np.add.at(sizes[depth - 1], above_of[depth], sizes[depth])
    starts = [np.zeros(1, np.int64)]
    for depth in range(1, len(sizes)):
        before = np.concatenate([[0], np.cumsum(sizes[depth])[:-1]])  # of all paths of the level
        first = np.searchsorted(above_of[depth], above_of[depth])  # the first sibling of each
        starts.append(starts[depth - 1][above_of[depth]] + 1 + before - before[first])
    at = np.concatenate(starts)
    columns = [np.empty(len(at), np.int32) for _ in range(3)]
    for column, values in zip(
        columns, (_level_of_each_path(starts), np.concatenate(move_of), at + np.concatenate(sizes)), strict=True
    ):
        column[at] = values
        column.flags.writeable = False
    paths = [_path_of_each_row(starts, tree.depth, of) for tree, of in zip(trees, of_row, strict=True)]
    return _PathUnion(*columns, *paths)


def _level_of_each_path(starts: list[np.ndarray]) -> np.ndarray:
    return np.repeat(np.arange(len(starts)), [len(level) for level in starts])


def _path_of_each_row(starts: list[np.ndarray], depth: np.ndarray, of_row: np.ndarray) -> np.ndarray:
    """Return the path of every row."""
    offset = np.concatenate([[0], np.cumsum([len(level) for level in starts])[:-1]])
    return np.concatenate(starts)[offset[depth] + of_row]


def _make_side(tree: SearchTree, path: np.ndarray, paths: int) -> Side:
    first, last = np.full(paths, NO_ROW, np.int32), np.full(paths, NO_ROW, np.int32)
    found, at = np.unique(path, return_index=True)
    first[found] = at
    found, at = np.unique(path[::-1], return_index=True)
    last[found] = len(path) - 1 - at
    return Side(tree, np.bincount(path, minlength=paths), first, last, path.astype(np.int32))
