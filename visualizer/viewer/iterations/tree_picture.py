"""The part of a tree that a picture has room for: the nodes with most visits, and their counts at any time.

The nodes are chosen at certain times only, so that the picture keeps its shape while one steps through the iterations.
"""

from heapq import heappop, heappush
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from engine.record.columns import ROOT, STATUS_BITS, TERMINAL
from engine.tree.tree import SearchTree
from engine.tree.visits import is_max_moving_into

MAX_PICTURE_NODES = 400
FIRST_PICTURE = 32  # iterations; the next picture has twice as many
MAX_CACHED_PICTURES = 6  # of a tree


def picture_time(tree: SearchTree, iteration: int) -> int:
    """Return the time whose picture shows an iteration: the next power of two, or the end of the search.

    >>> from engine import nim, search
    >>> tree = search(nim([2, 1]), algorithm="mcts", iterations=100)
    >>> [picture_time(tree, iteration) for iteration in (1, 32, 33, 90)]
    [32, 32, 64, 100]
    """
    return min(max(1 << max(iteration - 1, 0).bit_length(), FIRST_PICTURE), tree.iterations)


class TreePicture:
    """The nodes that had most visits at a time. `rows` are in the order of choosing: a parent comes before its children."""

    def __init__(self, tree: SearchTree, time: int):
        self.tree, self.time = tree, time
        self.rows = _choose_rows(tree, time)
        starts = np.array(self.rows, np.int32)
        ends = tree.columns.end[starts]
        edges = np.unique(np.concatenate([starts, ends]))  # between them, all rows are below the same nodes of the picture
        self._first, self._last = np.searchsorted(edges, starts), np.searchsorted(edges, ends)
        leaves = tree.log.leaf[:time]
        self._parts = (np.searchsorted(edges, leaves, side="right") - 1).astype(np.int16)
        self._part_count = len(edges)
        self.height = int(tree.columns.depth[leaves].max()) if len(leaves) else 0

    def counts_at(self, iteration: int) -> tuple[list[int], list[float]]:
        """Return visits and totals, in half points for MAX, of all rows after this many iterations."""
        parts = self._parts[:iteration]
        visits = np.bincount(parts, minlength=self._part_count)
        totals = np.bincount(parts, self.tree.log.outcome[:iteration], minlength=self._part_count)
        return self._sum_up(visits), self._sum_up(totals)

    def _sum_up(self, ended: np.ndarray) -> list[Any]:
        """Return sums over the subtrees, given those of the iterations that ended in each part."""
        before = np.concatenate([[0], np.cumsum(ended)])
        return (before[self._last] - before[self._first]).tolist()

    def describe(self) -> dict[str, Any]:
        """Return the nodes as the browser reads them: assets/model/visit_tree.js."""
        columns, place = self.tree.columns, {row: index for index, row in enumerate(self.rows)}
        return {
            "time": self.time,
            "height": self.height,
            "rows": self.rows,
            "parents": [place[int(self.tree[row].parent)] if row != ROOT else -1 for row in self.rows],
            "names": [self.tree[row].move_name for row in self.rows],
            "turns": [self.tree[row].turn for row in self.rows],
            "into": [is_max_moving_into(self.tree[row]) for row in self.rows],
            "visits": self.counts_at(self.time)[0],
            "over": [bool(columns.flags[row] & STATUS_BITS == TERMINAL) for row in self.rows],
            "born": columns.born[self.rows].tolist(),
            "omitted": int((columns.born <= self.time).sum()) - len(self.rows),
        }


def _choose_rows(tree: SearchTree, time: int) -> list[int]:
    """Return the rows with most visits, from the root downwards."""
    moment = tree.at(time)
    chosen: list[int] = []
    heap = [(0, ROOT)]
    while heap and len(chosen) < MAX_PICTURE_NODES:
        row = heappop(heap)[1]
        chosen.append(row)
        for child in tree.child_rows(row):
            if tree.columns.born[child] <= time:
                heappush(heap, (-int(moment.visits[child]), child))
    return chosen


class PictureCache:
    """The last few pictures of each tree."""

    def __init__(self) -> None:
        self._pictures: WeakKeyDictionary[SearchTree, dict[int, TreePicture]] = WeakKeyDictionary()
        self._lock = Lock()

    def find(self, tree: SearchTree, iteration: int) -> TreePicture:
        """Return the picture that shows an iteration."""
        time = picture_time(tree, iteration)
        with self._lock:
            known = self._pictures.setdefault(tree, {})
            if time not in known:
                if len(known) >= MAX_CACHED_PICTURES:
                    del known[next(iter(known))]
                known[time] = TreePicture(tree, time)
            return known[time]


_CACHE = PictureCache()
find_picture = _CACHE.find
