"""A student's search beside ours of the same position: value, move, positions, counts.

Boards are compared cell by cell, whatever signs the program uses and however it turns its board: the turning and the signs are
those under which most positions agree.
"""

from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Any

import numpy as np

from engine.checker.check import CheckedProgram
from engine.checker.diagnosis.first_difference import first_difference, same_sides
from engine.checker.recorded_tree import has_row_above, tree_of
from engine.checker.run_file import title
from engine.checker.verdict import AgainstOurs, Difference
from engine.games.boards import MAX, MIN, board_of
from engine.searcher import search
from engine.tree.board_parsing import cells_of
from engine.tree.tree import SearchTree

Grid = tuple[tuple[int, ...], ...]
MOST_NODES = 2_000_000
MOST_COMPARED = 20_000  # positions
TURNS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "": lambda grid: grid,
    "upside down": np.flipud,
    "columns first": np.transpose,
    "columns first, upside down": lambda grid: np.flipud(np.transpose(grid)),
}


def reference(checked: CheckedProgram, game: Any, moves: str | None, first: str | None) -> None:
    """Add to the verdict what our search of the position says."""
    verdict, answer = checked
    if answer.rows is None:
        return
    theirs = tree_of(title(verdict.file, answer), answer)
    algorithm = "alphabeta" if theirs.windows else "minimax"
    ours = search(game, moves, depth=theirs.height, algorithm=algorithm, first=first, max_nodes=MOST_NODES)
    same = _Matching(theirs, ours)
    verdict.reference = AgainstOurs(
        value_equal=_same_value(theirs, ours),
        move_equal=same.move_equal(),
        nodes=len(theirs),
        reference_nodes=ours.expanded,
        convention=_convention(theirs, ours, answer.root is not None, same),
        difference=same.difference(int(has_row_above(answer))),
    )


def _same_value(theirs: SearchTree, ours: SearchTree) -> bool:
    """The same number, or, where both saw the end of the game everywhere, the same winner."""
    if theirs.root.value == ours.root.value:
        return True
    return _to_the_end(ours) and np.sign(theirs.root.value) == np.sign(ours.root.value)


def _to_the_end(tree: SearchTree) -> bool:
    return bool(tree.leaves == tree.terminals)


def _convention(theirs: SearchTree, ours: SearchTree, has_loop: bool, same: "_Matching") -> str:
    counted = "the root, which is a loop of its own, is counted too" if has_loop else "every call is counted, the root's too"
    sides = "" if same_sides(theirs, ours) else "; MAX there is MIN here (see --first)"
    words = f"{counted}; both look {ours.K} plies ahead{sides}"
    if not same.known:
        return f"{words}; the boards could not be compared"
    alike = f"{same.shared:,} of {same.theirs:,} positions are ours too, and we have {same.ours:,}"
    turned = f"; its board is turned: {same.turn}" if same.turn else ""
    return f"{words}; {alike}{turned}"


class _Matching:
    """How the boards of two trees fit together."""

    def __init__(self, theirs: SearchTree, ours: SearchTree):
        self.trees = theirs, ours
        self.known, self.shared, self.turn = False, 0, ""
        self.found: dict[int, Grid] = {}
        self.mine: dict[Grid, int] = {}
        self.our_grids = dict(_our_grids(ours))
        mine: dict[Grid, int] = {grid: row for row, grid in reversed(self.our_grids.items())}
        rows = [(row, cells) for row in range(min(len(theirs), MOST_COMPARED)) if (cells := cells_of(theirs[row].board))]
        self.theirs, self.ours = len({str(cells) for _, cells in rows}), len(mine)
        if not mine or not rows:
            return
        signs = sorted({cell for _, cells in rows for line in cells for cell in line})
        shape = np.array(next(iter(mine))).shape
        for turn, turned in TURNS.items():
            if turned(np.array(rows[0][1])).shape != shape or len(signs) > 4:
                continue
            for meaning in permutations((0, 1, 2), min(3, len(signs))):
                read = dict(zip(signs, meaning, strict=False))
                self._try(turn, turned, read, rows, mine)

    def _try(self, turn: str, turned: Any, read: dict[str, int], rows: list[Any], mine: dict[Grid, int]) -> None:
        found = {row: _grid(turned(np.array([[read.get(cell, 3) for cell in line] for line in cells]))) for row, cells in rows}
        shared = len(set(found.values()) & mine.keys())
        if found.get(0) in mine and mine[found[0]] == 0 and shared > self.shared:
            self.known, self.shared, self.turn, self.found, self.mine = True, shared, turn, found, mine

    def difference(self, shift: int) -> Difference | None:
        """Where the two part first; `shift` rows of theirs stand before its first call."""
        if not self.known:
            return None
        theirs, ours = self.trees
        found = first_difference(theirs, ours, self.found, self.our_grids, _to_the_end(ours))
        return None if found is None else found._replace(row=found.row - shift)

    def move_equal(self) -> bool | None:
        """Whether the move that the program likes best is one of ours; None where that cannot be seen."""
        theirs, ours = self.trees
        best = theirs.root.best_child
        if not self.known or best is None or ours.root.best_child is None:
            return None
        like_best = {child.move for child in ours.root.children if child.value == ours.root.value}
        row = self.mine.get(self.found.get(int(best), ()))
        return row is not None and ours[row].depth == 1 and ours[row].move in like_best


def _our_grids(tree: SearchTree) -> Iterator[tuple[int, Grid]]:
    sides = {MAX: 1, MIN: 2}
    for row in range(min(len(tree), MOST_COMPARED * 10)):
        board = board_of(tree.game, tree[row].state)
        if board is None or not board.is_grid:
            return
        numbers = [sides.get(board.pieces[cell].side, 0) for cell in board.cells]
        yield row, _grid(np.array(numbers).reshape(board.rows, board.cols))


def _grid(cells: np.ndarray) -> Grid:
    return tuple(map(tuple, cells.tolist()))
