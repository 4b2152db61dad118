"""Compare a student's search with ours of the same position: value, move, positions, counts.

Boards are compared cell by cell. The signs of the program and the orientation of its board are those with which most
positions agree.
"""

from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Any

import numpy as np

from engine.checker.check import CheckedProgram
from engine.checker.diagnosis.first_difference import find_first_difference, is_same_side
from engine.checker.recorded_tree import build_tree, has_extra_root
from engine.checker.run_file import run_title
from engine.checker.verdict import Difference, ReferenceComparison
from engine.games.boards import MAX, MIN, find_board
from engine.searcher import search
from engine.tree.board_parsing import parse_cells
from engine.tree.tree import SearchTree

Grid = tuple[tuple[int, ...], ...]
MAX_NODES = 2_000_000
MAX_COMPARED_POSITIONS = 20_000  # positions
ORIENTATIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "": lambda grid: grid,
    "upside down": np.flipud,
    "columns first": np.transpose,
    "columns first, upside down": lambda grid: np.flipud(np.transpose(grid)),
}


def add_reference(checked: CheckedProgram, game: Any, moves: str | None, first: str | None) -> None:
    """Search the position ourselves and add the comparison to the verdict."""
    verdict, answer = checked
    if answer.rows is None:
        return
    theirs = build_tree(run_title(verdict.file, answer), answer)
    algorithm = "alphabeta" if theirs.windows else "minimax"
    ours = search(game, moves, depth=theirs.height, algorithm=algorithm, first=first, max_nodes=MAX_NODES)
    same = _BoardMatching(theirs, ours)
    verdict.reference = ReferenceComparison(
        value_equal=_is_same_value(theirs, ours),
        move_equal=same.move_equal(),
        nodes=len(theirs),
        reference_nodes=ours.expanded,
        convention=_describe_convention(theirs, ours, answer.root is not None, same),
        difference=same.difference(int(has_extra_root(answer))),
    )


def _is_same_value(theirs: SearchTree, ours: SearchTree) -> bool:
    """Return True for the same number, or for the same winner if our search reached the end of the game everywhere."""
    if theirs.root.value == ours.root.value:
        return True
    return _is_searched_to_end(ours) and np.sign(theirs.root.value) == np.sign(ours.root.value)


def _is_searched_to_end(tree: SearchTree) -> bool:
    return bool(tree.leaves == tree.terminals)


def _describe_convention(theirs: SearchTree, ours: SearchTree, has_loop: bool, same: "_BoardMatching") -> str:
    counted = "the loop over the first moves counts as the root" if has_loop else "every call counts, including the root"
    sides = "" if is_same_side(theirs, ours) else "; its MAX is our MIN (see --first)"
    words = f"{counted}; both search {ours.K} plies{sides}"
    if not same.known:
        return f"{words}; the boards could not be compared"
    alike = f"{same.shared:,} of its {same.theirs:,} positions are also among our {same.ours:,}"
    turned = f"; its board is stored {same.turn}" if same.turn else ""
    return f"{words}; {alike}{turned}"


class _BoardMatching:
    """The mapping between the boards of two trees."""

    def __init__(self, theirs: SearchTree, ours: SearchTree):
        self.trees = theirs, ours
        self.known, self.shared, self.turn = False, 0, ""
        self.found: dict[int, Grid] = {}
        self.mine: dict[Grid, int] = {}
        self.our_grids = dict(_iterate_our_grids(ours))
        mine: dict[Grid, int] = {grid: row for row, grid in reversed(self.our_grids.items())}
        rows = [
            (row, cells) for row in range(min(len(theirs), MAX_COMPARED_POSITIONS)) if (cells := parse_cells(theirs[row].board))
        ]
        self.theirs, self.ours = len({str(cells) for _, cells in rows}), len(mine)
        if not mine or not rows:
            return
        signs = sorted({cell for _, cells in rows for line in cells for cell in line})
        shape = np.array(next(iter(mine))).shape
        for turn, turned in ORIENTATIONS.items():
            if turned(np.array(rows[0][1])).shape != shape or len(signs) > 4:
                continue
            for meaning in permutations((0, 1, 2), min(3, len(signs))):
                read = dict(zip(signs, meaning, strict=False))
                self._try_mapping(turn, turned, read, rows, mine)

    def _try_mapping(self, turn: str, turned: Any, read: dict[str, int], rows: list[Any], mine: dict[Grid, int]) -> None:
        found = {row: _to_grid(turned(np.array([[read.get(cell, 3) for cell in line] for line in cells]))) for row, cells in rows}
        shared = len(set(found.values()) & mine.keys())
        if found.get(0) in mine and mine[found[0]] == 0 and shared > self.shared:
            self.known, self.shared, self.turn, self.found, self.mine = True, shared, turn, found, mine

    def difference(self, shift: int) -> Difference | None:
        """Return the first difference. `shift` rows of the student's tree stand before its first call."""
        if not self.known:
            return None
        theirs, ours = self.trees
        found = find_first_difference(theirs, ours, self.found, self.our_grids, _is_searched_to_end(ours))
        return None if found is None else found._replace(row=found.row - shift)

    def move_equal(self) -> bool | None:
        """Return True if the program's best move is one of our best moves, or None if that is unknown."""
        theirs, ours = self.trees
        best = theirs.root.best_child
        if not self.known or best is None or ours.root.best_child is None:
            return None
        like_best = {child.move for child in ours.root.children if child.value == ours.root.value}
        row = self.mine.get(self.found.get(int(best), ()))
        return row is not None and ours[row].depth == 1 and ours[row].move in like_best


def _iterate_our_grids(tree: SearchTree) -> Iterator[tuple[int, Grid]]:
    sides = {MAX: 1, MIN: 2}
    for row in range(min(len(tree), MAX_COMPARED_POSITIONS * 10)):
        board = find_board(tree.game, tree[row].state)
        if board is None or not board.is_grid:
            return
        numbers = [sides.get(board.pieces[cell].side, 0) for cell in board.cells]
        yield row, _to_grid(np.array(numbers).reshape(board.rows, board.cols))


def _to_grid(cells: np.ndarray) -> Grid:
    return tuple(map(tuple, cells.tolist()))
