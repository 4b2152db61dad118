"""Equal positions of a tree as a column for the browser.

Two positions are equal if a transposition table takes them for equal.
"""

from typing import Any, NamedTuple

import numpy as np

from engine.core.errors import BadGame
from engine.games.capabilities import kernel_board, table_key
from engine.tree.tree import SearchTree
from visualizer.drawing.view import replay_items
from visualizer.viewer.viewport import VisiblePart, visible_rows

MAX_GRAPH_POSITIONS = 2_000  # positions of the browser's graph (assets/model/merged_layout.js)
MAX_REPLAYED_ROWS = 50_000  # rows whose states are asked for one by one


class PositionNumbers(NamedTuple):
    """The different positions, numbered as they are first met."""

    of_row: np.ndarray
    keys: list[Any]


def number_positions(tree: SearchTree, part: VisiblePart | None = None) -> PositionNumbers | None:
    """Number the positions of the visible rows.

    Return None if there are too many rows to replay, or if states cannot be compared.
    """
    if tree.compiled:
        return _number_keys(_compute_keys(tree, part))
    rows, parents = visible_rows(tree, part)
    if len(rows) > MAX_REPLAYED_ROWS:
        return None
    try:
        return _number_by_replay(tree, rows, parents)
    except BadGame:
        return None


def _compute_keys(tree: SearchTree, part: VisiblePart | None) -> np.ndarray:
    """Return the keys of a Connect board: of the rows of a part, or of all rows, block by block."""
    from engine.compiled.connect_replay import replay_rows

    board = kernel_board(tree.game)
    if part is not None:
        return np.asarray(board.position_key(replay_rows(tree, part.rows)))
    return np.concatenate([board.position_key(tree.states(block.start, block.stop)) for block in tree.row_blocks()])


def _number_keys(keys: np.ndarray) -> PositionNumbers:
    different, first, of_row = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return PositionNumbers(rank[of_row], different[order].tolist())


def _number_by_replay(tree: SearchTree, rows: np.ndarray, parents: np.ndarray) -> PositionNumbers:
    numbers: dict[Any, int] = {}
    of_row = np.empty(len(rows), np.int32)
    path: list[int] = []  # the moves that lead to the row
    depths, moves = tree.columns.depth[rows].tolist(), tree.columns.move[rows].tolist()
    for place, state, _ in replay_items(tree, rows, parents):
        del path[max(0, depths[place] - 1) :]
        if depths[place]:
            path.append(moves[place])
        of_row[place] = numbers.setdefault(table_key(tree.game, state, tuple(path)), len(numbers))
    return PositionNumbers(of_row, list(numbers))
