"""Boards as the browser reads them (`assets/draw/board.js`): the board of the root, and the change that every move makes.

The changes are a table of different changes, and for each row the number of its change.
"""

from typing import Any, NamedTuple

import numpy as np

from engine.games.boards import Board, CellChanges, build_board, changed_cells, find_board
from engine.games.capabilities import kernel_board
from engine.record.columns import ROOT
from engine.tree.tree import SearchTree
from visualizer.drawing.view import replay_items
from visualizer.viewer.viewport import VisiblePart, visible_rows


def board_json(board: Board) -> dict[str, Any]:
    """Return the content of a board, and how it is drawn, as JSON."""
    return board._asdict() | {"pieces": [piece._asdict() for piece in board.pieces]}


class BoardChanges(NamedTuple):
    """The changes of a tree as columns. The changes follow each other in `cell` and `content`."""

    of_row: np.ndarray  # the number of the change that the move to a row makes; of the root any
    start: np.ndarray  # where each change begins, and where the last one ends
    cell: np.ndarray  # a cell, or heap, that is different afterwards
    content: np.ndarray  # what is there then


def find_board_changes(tree: SearchTree, part: VisiblePart | None) -> BoardChanges:
    """Find the changes in all visible rows of a tree whose game has a board."""
    root = tree.search.root
    if tree.compiled and build_board(tree.game, root) == find_board(kernel_board(tree.game), root):
        return _changes_of_kernel(tree, part)
    return _compare_boards(tree, part)


def _changes_of_kernel(tree: SearchTree, part: VisiblePart | None) -> BoardChanges:
    """Return the changes of a tree whose discs the kernel dropped one by one: either side may fill any cell."""
    from engine.compiled.connect_replay import find_dropped_discs

    cell, of_max = find_dropped_discs(tree, slice(None) if part is None else part.rows)
    count = 2 * len(build_board(tree.game, tree.search.root).cells)
    code = 2 * cell + ~of_max
    code[ROOT] = 0
    table = np.arange(count, dtype=np.uint32)
    return BoardChanges(code.astype(np.uint32), np.arange(count + 1, dtype=np.uint32), table // 2, table % 2 + 1)


def _compare_boards(tree: SearchTree, part: VisiblePart | None) -> BoardChanges:
    """Find the changes by comparing the boards of parents and children."""
    rows, parents = visible_rows(tree, part)
    depths = tree.columns.depth[rows].tolist()
    table = _ChangeTable(tree.game)
    states: list[Any] = [None] * (tree.height + 1)  # of the latest row at each depth
    of_row = np.zeros(len(rows), np.uint32)
    for place, state, _ in replay_items(tree, rows, parents):
        depth = depths[place]
        states[depth] = state
        if depth:
            of_row[place] = table.change_number(states[depth - 1], state)
    start = np.cumsum([0, *map(len, table.numbers)], dtype=np.uint32)
    flat = np.array([pair for change in table.numbers for pair in change], np.uint32).reshape(-1, 2)
    return BoardChanges(of_row, start, flat[:, 0], flat[:, 1])


class _ChangeTable:
    """The different changes, numbered in the order in which they are met."""

    def __init__(self, game: Any):
        self.numbers: dict[CellChanges, int] = {}
        self._game = game
        self._known_numbers: dict[Any, int] = {}  # by the states before and after: many paths lead to the same

    def change_number(self, before: Any, after: Any) -> int:
        """Return the number of the change from one state to the next."""
        try:
            if (before, after) not in self._known_numbers:
                self._known_numbers[before, after] = self._find_change(before, after)
            return self._known_numbers[before, after]
        except TypeError:  # states that have no hash
            return self._find_change(before, after)

    def _find_change(self, before: Any, after: Any) -> int:
        change = changed_cells(build_board(self._game, before), build_board(self._game, after))
        return self.numbers.setdefault(change, len(self.numbers))
