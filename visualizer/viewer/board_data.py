"""Boards as the browser reads them (`assets/draw/board.js`): one as it stands, and what every move of a tree changes on it:
a table of the different changes, and for each row which of them it is."""

from typing import Any, NamedTuple

import numpy as np

from engine.games.boards import Board, Change, board_of, declared_board, difference
from engine.games.capabilities import kernel_board
from engine.record.columns import ROOT
from engine.tree.tree import SearchTree
from visualizer.drawing.view import walk
from visualizer.viewer.viewport import VisiblePart, shown_rows


def board_json(board: Board) -> dict[str, Any]:
    """What stands where, and how it is drawn."""
    return board._asdict() | {"pieces": [piece._asdict() for piece in board.pieces]}


class Changes(NamedTuple):
    """Columns; the changes stand one after the other in `cell` and `content`."""

    of_row: np.ndarray  # the number of the change that the move to a row makes; of the root any
    start: np.ndarray  # where each change begins, and where the last one ends
    cell: np.ndarray  # a cell, or heap, that is different afterwards
    content: np.ndarray  # what is there then


def changes(tree: SearchTree, part: VisiblePart | None) -> Changes:
    """The changes in all rows that are shown of a tree whose game has a board."""
    root = tree.search.root
    if tree.compiled and declared_board(tree.game, root) == board_of(kernel_board(tree.game), root):
        return _dropped(tree, part)
    return _compared(tree, part)


def _dropped(tree: SearchTree, part: VisiblePart | None) -> Changes:
    """Where the kernel dropped discs one by one: any cell may be filled by either side."""
    from engine.compiled.connect_replay import dropped_discs

    cell, of_max = dropped_discs(tree, slice(None) if part is None else part.rows)
    count = 2 * len(declared_board(tree.game, tree.search.root).cells)
    code = 2 * cell + ~of_max
    code[ROOT] = 0
    table = np.arange(count, dtype=np.uint32)
    return Changes(code.astype(np.uint32), np.arange(count + 1, dtype=np.uint32), table // 2, table % 2 + 1)


def _compared(tree: SearchTree, part: VisiblePart | None) -> Changes:
    """By comparing the boards of parents and children."""
    rows, parents = shown_rows(tree, part)
    depths = tree.columns.depth[rows].tolist()
    table = _Table(tree.game)
    states: list[Any] = [None] * (tree.height + 1)  # of the latest row at each depth
    of_row = np.zeros(len(rows), np.uint32)
    for place, state, _ in walk(tree, rows, parents):
        depth = depths[place]
        states[depth] = state
        if depth:
            of_row[place] = table.number(states[depth - 1], state)
    start = np.cumsum([0, *map(len, table.numbers)], dtype=np.uint32)
    flat = np.array([pair for change in table.numbers for pair in change], np.uint32).reshape(-1, 2)
    return Changes(of_row, start, flat[:, 0], flat[:, 1])


class _Table:
    """The different changes, in the order in which they were met."""

    def __init__(self, game: Any):
        self.numbers: dict[Change, int] = {}
        self._game = game
        self._known: dict[Any, int] = {}  # by the states before and after: many paths lead to the same

    def number(self, before: Any, after: Any) -> int:
        """The number of the change from one state to the next."""
        try:
            if (before, after) not in self._known:
                self._known[before, after] = self._compared(before, after)
            return self._known[before, after]
        except TypeError:  # states that have no hash
            return self._compared(before, after)

    def _compared(self, before: Any, after: Any) -> int:
        change = difference(declared_board(self._game, before), declared_board(self._game, after))
        return self.numbers.setdefault(change, len(self.numbers))
