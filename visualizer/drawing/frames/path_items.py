"""The items of the path view: the root, and for each node of the path the moves that could be made there, in fixed slots.

`viewer/assets/model/tidy_layout.js` (pathRows, visibleRows, visibleSlots) does the same in the browser.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from engine.games.boards import cell_of, find_board, short_move_namer
from engine.games.chance_outcomes import format_probability
from engine.games.protocol import MovesByCode
from engine.record.columns import NONE, TURN_NAMES
from engine.tree.node import Node
from engine.tree.tree import SearchTree
from visualizer.drawing.view import untried_moves
from visualizer.narration.escapes import sanitize_line
from visualizer.narration.text_width import shorten_name

MAX_FIXED_PLACES = 12  # cells of a board that each have a slot of their own


@dataclass(frozen=True)
class PathItem:
    """A node beside the path, or a move that a cutoff will skip (`row` is NONE)."""

    row: int
    owner: int  # the row of its parent; NONE at the root
    name: str
    turn: str  # who moves there: "max", "min" or "chance"
    short_name: str = ""  # for narrow places; empty if the game declares none
    cell: int | None = None
    slot: int = 0
    slots: int = 1

    @property
    def is_stub(self) -> bool:
        return self.row == NONE


class ShownLevel(NamedTuple):
    """The items of a level that fit, and how many are left out on either side."""

    items: list[PathItem]
    before: int = 0
    after: int = 0


class PathItems:
    """The items of a tree, computed once for each node."""

    def __init__(self, tree: SearchTree, stubs: bool = True):
        self.tree = tree
        self._stubs = stubs
        self._places = _count_places(tree)
        self._short_name = short_move_namer(tree.game)
        self._below: dict[int, list[PathItem]] = {}

    def levels(self, path: Sequence[int], max_levels: int) -> list[list[PathItem]]:
        """Return the levels of a path from its root: at most this many."""
        root = self.tree[path[0]]
        levels = [[PathItem(int(root), NONE, "", root.turn)]]
        for owner in path:
            items = self._items_below(owner)
            if not items or len(levels) == max_levels:
                break
            levels.append(items)
        return levels

    def _items_below(self, owner: int) -> list[PathItem]:
        if owner not in self._below:
            self._below[owner] = self._place_in_slots(self._make_items(self.tree[owner]))
        return self._below[owner]

    def _make_items(self, owner: Node) -> list[PathItem]:
        children = owner.children
        if not children and not owner.skipped:
            return []
        state = owner.state
        replies = MovesByCode(self.tree.game, state)

        def make(row: int, code: int, turn: str, probability: float) -> PathItem:
            name, short = replies.name(code), self._short_name(code) if self._short_name else ""
            cell = cell_of(self.tree.game, replies.moves[code]) if self._places else None
            odds = f" ({format_probability(probability)})" if owner.turn == "chance" else ""
            return PathItem(row, int(owner), shorten_name(sanitize_line(name)) + odds, turn, sanitize_line(short), cell)

        items = [make(int(child), child.move, child.turn, child.probability) for child in children]
        skipped = untried_moves(self.tree, int(owner), state) if owner.skipped and self._stubs else []
        return items + [make(NONE, move.code, TURN_NAMES[move.turn], move.probability) for move in skipped]

    def _place_in_slots(self, items: list[PathItem]) -> list[PathItem]:
        """Give each move a fixed slot if its cells are columns or few. Otherwise, and if a move is searched again, keep the
        order.
        """
        slots = [None if item.cell is None else item.cell % self._places for item in items] if self._places else []
        fixed = bool(slots) and None not in slots and len(set(slots)) == len(slots)
        count = self._places if fixed else len(items)
        placed = [replace(item, slot=slots[at] if fixed else at, slots=count) for at, item in enumerate(items)]  # type: ignore[arg-type]
        return sorted(placed, key=lambda item: item.slot)


def _count_places(tree: SearchTree) -> int:
    """Return the number of fixed slots: columns, or cells if they are few; else 0."""
    board: Any = find_board(tree.game, tree.search.root)
    if board is None:
        return 0
    return board.cols if board.falls else len(board.cells) if len(board.cells) <= MAX_FIXED_PLACES else 0


def choose_shown_levels(level_count: int, depth: int, max_levels: int) -> range:
    """Return the depths of the levels that are shown: those that fit, down to the one below the current depth.

    >>> choose_shown_levels(9, 0, 4), choose_shown_levels(9, 5, 4), choose_shown_levels(9, 8, 4)
    (range(0, 4), range(3, 7), range(5, 9))
    """
    count = min(level_count, max_levels)
    first = min(max(0, depth + 2 - count), level_count - count)
    return range(first, first + count)


def choose_shown_slots(items: list[PathItem], row: int, max_slots: int) -> ShownLevel:
    """Return the items of a level that fit, around the one on the path."""
    slots = items[0].slots
    if slots <= max_slots:
        return ShownLevel(items)
    at = next((item.slot for item in items if item.row == row), 0)
    first = min(max(0, at - max_slots // 2), slots - max_slots)
    seen = [replace(item, slot=item.slot - first, slots=max_slots) for item in items if first <= item.slot < first + max_slots]
    return ShownLevel(seen, first, slots - max_slots - first)
