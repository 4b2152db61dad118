"""Which rows of a tree have equal positions, as a column for the browser: what is equal is what a table would take for equal."""

from typing import Any, NamedTuple

import numpy as np

from engine.core.errors import BadGame
from engine.games.capabilities import kernel_board, table_key
from engine.tree.tree import SearchTree
from visualizer.drawing.view import walk
from visualizer.viewer.viewport import VisiblePart, shown_rows

MOST_DRAWN = 2_000  # positions of the browser's graph (assets/model/merged_layout.js)
MOST_REPLAYED = 50_000  # rows whose states are asked for one by one


class Positions(NamedTuple):
    """The different positions, numbered as they are first met."""

    of_row: np.ndarray
    keys: list[Any]


def equal_positions(tree: SearchTree, part: VisiblePart | None = None) -> Positions | None:
    """Those of the shown rows; None where there are too many to replay, or where states cannot be told apart."""
    if tree.compiled:
        return _numbered(_compiled_keys(tree, part))
    rows, parents = shown_rows(tree, part)
    if len(rows) > MOST_REPLAYED:
        return None
    try:
        return _replayed(tree, rows, parents)
    except BadGame:
        return None


def _compiled_keys(tree: SearchTree, part: VisiblePart | None) -> np.ndarray:
    """The keys of a Connect board, block by block: of a large tree only few rows are shown."""
    rows, board = np.arange(len(tree)) if part is None else part.rows, kernel_board(tree.game)
    keys = []
    for block in tree.blocks():
        own = rows[np.searchsorted(rows, block.start) : np.searchsorted(rows, block.stop)] - block.start
        if len(own):
            keys.append(board.position_key(tree.states(block.start, block.stop))[own])
    return np.concatenate(keys)


def _numbered(keys: np.ndarray) -> Positions:
    different, first, of_row = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return Positions(rank[of_row], different[order].tolist())


def _replayed(tree: SearchTree, rows: np.ndarray, parents: np.ndarray) -> Positions:
    numbers: dict[Any, int] = {}
    of_row = np.empty(len(rows), np.int32)
    path: list[int] = []  # the moves that lead to the row
    depths, moves = tree.columns.depth[rows].tolist(), tree.columns.move[rows].tolist()
    for place, state, _ in walk(tree, rows, parents):
        del path[max(0, depths[place] - 1) :]
        if depths[place]:
            path.append(moves[place])
        of_row[place] = numbers.setdefault(table_key(tree.game, state, tuple(path)), len(numbers))
    return Positions(of_row, list(numbers))
