"""Compute the boards of all rows of a Connect search by replaying its moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from engine.compiled.numba_compat import CompiledRowFunction
from engine.games.capabilities import kernel_board
from engine.games.connect.rules import State
from engine.record.columns import MAXIMIZING

if TYPE_CHECKING:
    from engine.tree.tree import SearchTree

ONE = np.uint64(1)


class BoardColumns(NamedTuple):
    """Connect states as columns; `at(i)` is one of them."""

    max_discs: np.ndarray  # uint64
    min_discs: np.ndarray
    max_to_move: np.ndarray

    def at(self, row: int) -> State:
        return State(int(self.max_discs[row]), int(self.min_discs[row]), bool(self.max_to_move[row]))


def replay_boards(tree: SearchTree, start: int, stop: int) -> BoardColumns:
    """Return the boards of the rows from start to stop, by replaying the moves."""
    replay = _make_replayer(tree)
    replay(tree.path(start))
    of_max, of_min = replay(slice(start, stop))
    return BoardColumns(of_max, of_min, (tree.columns.flags[start:stop] & MAXIMIZING) != 0)


def replay_rows(tree: SearchTree, rows: np.ndarray) -> BoardColumns:
    """Return the boards of some rows. They are in order, and include all rows on the way to each of them."""
    return BoardColumns(*_make_replayer(tree)(rows), (tree.columns.flags[rows] & MAXIMIZING) != 0)


def find_dropped_discs(tree: SearchTree, rows: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the cell that the move to each row filled, row by row from the top, and whether the disc is MAX's.

    The root's entry is undefined. `rows` are in order, and include all rows on the way to each of them.
    """
    game = kernel_board(tree.game)
    of_max, of_min = _make_replayer(tree)(rows)
    column = np.maximum(tree.columns.move[rows], 0).astype(np.int64)
    in_column = (of_max | of_min) >> (column * game.height).astype(np.uint64) & np.uint64((1 << game.rows) - 1)
    cell = (game.rows - np.bitwise_count(in_column).astype(np.int64)) * game.cols + column
    return cell, (tree.columns.flags[rows] & MAXIMIZING) == 0


def _make_replayer(tree: SearchTree) -> Callable[[Any], tuple[np.ndarray, np.ndarray]]:
    """Return a function that gives MAX's and MIN's discs of rows in order. It continues from the rows of its last call."""
    game, root = kernel_board(tree.game), tree.search.root
    owns, others = np.zeros(tree.height + 1, np.uint64), np.zeros(tree.height + 1, np.uint64)
    owns[0], others[0] = (root.max_discs, root.min_discs) if root.max_to_move else (root.min_discs, root.max_discs)
    columns, bottom = np.array(game.column_cells, np.uint64), np.uint64(game.bottom)

    def replay(rows: Any) -> tuple[np.ndarray, np.ndarray]:
        moves, depths = tree.columns.move[rows], tree.columns.depth[rows]
        of_max, of_min = np.empty(len(moves), np.uint64), np.empty(len(moves), np.uint64)
        _fill_discs(moves, depths, columns, bottom, root.max_to_move, owns, others, of_max, of_min)
        return of_max, of_min

    return replay


@CompiledRowFunction
def _fill_discs(moves, depths, columns, bottom, root_is_max, owns, others, of_max, of_min):
    """Fill in MAX's and MIN's discs; `owns[d]` and `others[d]` are the boards of the latest node at depth d, mover first."""
    for row in range(len(moves)):
        depth = np.uint64(depths[row])
        if depth > 0:
            own, other = owns[depth - ONE], others[depth - ONE]
            owns[depth] = other
            others[depth] = own | (((own | other) + bottom) & columns[moves[row]])
        if root_is_max ^ (depth & ONE == ONE):
            of_max[row], of_min[row] = owns[depth], others[depth]
        else:
            of_max[row], of_min[row] = others[depth], owns[depth]
