"""The part of a tree that is shown. `View` describes it; `select_items` returns it as columns that every exporter and
picture reads.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from engine.algorithms.chance_nodes import turn_and_outcomes
from engine.core.errors import PlyscopeError
from engine.core.parsing import is_whole
from engine.games.capabilities import kernel_board
from engine.games.protocol import MovesByCode
from engine.record.columns import MAX, ROOT
from engine.tree.node import Node
from engine.tree.tree import SearchTree

NODE, STUB, COLLAPSED = range(3)  # kinds of items: a node, a move left untried, a node with something hidden below it
ITEM_KIND_NAMES = ("node", "stub", "collapsed")


class BadView(PlyscopeError):
    """A view that does not fit the tree."""


@dataclass(frozen=True)
class View:
    """A part of a tree. The default is the whole tree. All given conditions narrow it together."""

    root: int = ROOT  # only the subtree of this node; 0: the whole search
    max_depth: int | None = None  # down to this many plies below it
    principal: bool = False  # only the principal variation, each node of it with all its siblings
    around: int | None = None  # only the path to this node, its siblings on the way, its children
    first: int | None = None  # only the nodes that were visited first, this many
    collapse: tuple[int, ...] = ()  # nodes whose subtrees are drawn as one node
    stubs: bool = True  # the moves that cutoffs left untried, crossed out
    min_visits: int | None = None  # only nodes with this many visits, in a search that ran in iterations

    def __post_init__(self) -> None:
        rows = (self.collapse,) if is_whole(self.collapse) else tuple(self.collapse)
        object.__setattr__(self, "collapse", rows)

    @property
    def is_whole(self) -> bool:
        """Return True if every expanded node is shown."""
        return View(stubs=self.stubs) == self


WHOLE_TREE = View()


class ViewItems(NamedTuple):
    """The items to show, in pre-order, as read-only columns of one length. Item 0 is the root of the view."""

    tree: SearchTree
    view: View
    row: np.ndarray  # of the tree; -1 for a stub
    parent: np.ndarray  # index of the item above; -1 at item 0, and at the root of every pass
    depth: np.ndarray  # plies below item 0
    kind: np.ndarray  # NODE, STUB, COLLAPSED
    move: np.ndarray  # the move to this item
    turn: np.ndarray  # who moves here: MIN, MAX or chance
    probability: np.ndarray  # of the outcome that leads here; 1 where the parent is not a chance node
    hidden: np.ndarray  # nodes below this one that are hidden with all their descendants
    hidden_cutoffs: np.ndarray  # cutoffs among them

    def __len__(self) -> int:
        return len(self.row)

    @property
    def nodes(self) -> np.ndarray:
        """Return the rows of the tree that are shown."""
        is_node = self.row >= 0
        return self.row if is_node.all() else self.row[is_node]


def select_items(tree: SearchTree, view: View | None = None, every_pass: bool = False) -> ViewItems:
    """Return the items that a view shows of a tree.

    Of a search of several passes the last one is shown, unless the root of another is named or `every_pass` is set. Then
    several items
    have depth 0.
    """
    view = view or WHOLE_TREE
    if view.root == ROOT and not every_pass and (last := int(tree.root)) != ROOT:
        view = replace(view, root=last)
    _check_view(tree, view)
    from engine.compiled.tree_kernels import find_parents

    rows = _select_rows(tree, view)
    base = int(tree.columns.depth[view.root])
    first, last = int(rows[0]), int(rows[-1])
    taken: Any = slice(first, last + 1) if last + 1 - first == len(rows) else rows  # a slice copies nothing
    has_stubs = view.stubs and bool(tree.columns.skipped[taken].any())
    if has_stubs:
        row, depth, of_stub = _insert_stubs(tree, view, rows)
        taken = row
    else:
        row, depth, of_stub = rows, tree.columns.depth[taken], np.empty(0, np.int32)
    if base:
        depth = depth - depth.dtype.type(base)
    kind = np.where(row >= 0, np.uint8(NODE), np.uint8(STUB)) if has_stubs else np.zeros(len(row), np.uint8)
    move = tree.columns.move[taken].astype(np.int32)
    parent = find_parents(depth)
    hidden = hidden_cutoffs = np.broadcast_to(np.int32(0), len(row))
    if not view.is_whole:
        hidden, hidden_cutoffs = _count_hidden(tree, row, parent)
        kind[hidden > 0] = COLLAPSED
    turn = tree.turn[taken]
    probability = tree.weight[taken] if len(tree.columns.weight) else np.broadcast_to(np.float64(1), len(row))
    if has_stubs:
        _fill_in_stubs(tree, row, parent, of_stub, move, turn, probability)
    columns = (row, parent, depth, kind, move, turn, probability, hidden, hidden_cutoffs)
    for column in columns:
        column.flags.writeable = False
    return ViewItems(tree, view, *columns)


def _check_view(tree: SearchTree, view: View) -> None:
    numbers = [("root", view.root), ("around", view.around), ("max_depth", view.max_depth), ("first", view.first)]
    numbers.append(("min_visits", view.min_visits))
    for what, value in (*numbers, *(("collapse", row) for row in view.collapse)):
        if not is_whole(value) and (value is not None or what in ("root", "collapse")):
            raise BadView(f"{what}={value!r}: a whole number is needed")
    for what, row in (("root", view.root), ("around", view.around), *(("collapse", row) for row in view.collapse)):
        if row is not None and not 0 <= row < len(tree):
            raise BadView(f"{what}={row}: the tree has the nodes 0 to {len(tree) - 1}")
    for what, number, minimum in (("max_depth", view.max_depth, 0), ("first", view.first, 1), ("min_visits", view.min_visits, 0)):
        if number is not None and number < minimum:
            raise BadView(f"{what}={number}: a number from {minimum} is needed")
    check_visits(view, tree.algorithm, tree.has_iterations)
    if view.around is not None and not view.root <= view.around < _end_row(tree, view):
        raise BadView(f"around={view.around} is not in the subtree of root={view.root}")


def check_visits(view: View, algorithm: str, has_iterations: bool) -> None:
    """Raise an error if a view counts visits, but the search does not run in iterations."""
    if view.min_visits is not None and not has_iterations:
        raise BadView(f"min_visits={view.min_visits}: {algorithm} does not run in iterations, so its nodes have no visits")


def _select_rows(tree: SearchTree, view: View) -> np.ndarray:
    """Return the shown rows in order. The ancestors of a shown node are shown too, up to the view's root."""
    start, stop = view.root, _end_row(tree, view)
    if view.first is not None:
        stop = min(stop, start + view.first)
    if view == View(view.root, first=view.first, stubs=view.stubs):
        return np.arange(start, stop, dtype=np.int32)
    keep = np.ones(stop - start, np.bool_)
    if view.max_depth is not None:
        keep &= tree.depth[start:stop] <= int(tree.depth[start]) + view.max_depth
    if view.min_visits is not None:
        keep &= tree.visits[start:stop] >= view.min_visits
        keep[0] = True
    for path in _narrowing_paths(tree, view):
        keep &= _mask_rows(_path_with_children(tree, path), start, stop)
    for row in view.collapse:
        keep[max(1, row + 1 - start) : max(0, int(tree.end[row]) - start)] = False  # the view's own root is always shown
    return (np.flatnonzero(keep) + start).astype(np.int32)


def _narrowing_paths(tree: SearchTree, view: View) -> Iterator[list[int]]:
    """Yield the paths that the view is narrowed to. Their nodes are shown with all their children."""
    if view.principal:
        yield principal_rows(tree, principal_root(tree, view))
    if view.around is not None:
        path = tree.path(view.around)
        yield path[path.index(view.root) :] if view.root in path else path


def _is_open(tree: SearchTree, view: View, rows: np.ndarray) -> np.ndarray:
    """Return for each row True if the view shows its children. A node that stood pat may have none."""
    childless = tree.columns.end[rows] == rows + 1
    would = ~np.isin(rows, view.collapse)
    if view.max_depth is not None:
        would &= tree.depth[rows] < int(tree.depth[view.root]) + view.max_depth
    for path in _narrowing_paths(tree, view):
        would &= np.isin(rows, path)
    return np.where(childless, would, np.isin(rows + 1, rows, assume_unique=True))


def _end_row(tree: SearchTree, view: View) -> int:
    """Return one past the last row that the view can show."""
    return len(tree) if view.root == ROOT else int(tree.end[view.root])


def principal_root(tree: SearchTree, view: View) -> int:
    """Return the node from which the principal variation of a view starts."""
    return int(tree.root) if view.root == ROOT else view.root


def _mask_rows(rows: list[int], start: int, stop: int) -> np.ndarray:
    keep = np.zeros(stop - start, np.bool_)
    keep[[row - start for row in rows if row < stop]] = True
    return keep


def _path_with_children(tree: SearchTree, path: list[int]) -> list[int]:
    """Return the nodes of a path and all their children."""
    return [path[0], *(child for row in path for child in tree.child_rows(row))]


def principal_rows(tree: SearchTree, row: int = ROOT) -> list[int]:
    """Return the rows of the principal variation from a node on."""
    rows = [row]
    node: Node | None = tree[row]
    while node is not None and (node := node.best_child) is not None:
        rows.append(int(node))
    return rows


def _insert_stubs(tree: SearchTree, view: View, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    from visualizer.drawing import view_kernels

    columns = tree.columns
    skipped = columns.skipped
    if not view.is_whole:  # where the visited children are hidden, the skipped ones are too
        open_rows = rows[_is_open(tree, view, rows)]
        skipped = np.zeros_like(skipped)
        skipped[open_rows] = columns.skipped[open_rows]
    count = len(rows) + int(skipped[rows].sum(dtype=np.int64))
    row, of_stub = np.empty(count, np.int32), np.empty(count, np.int32)
    depth = np.empty(count, np.uint16)
    view_kernels.interleave_stubs(rows, columns.end, columns.depth, skipped, row, depth, of_stub)
    return row, depth, of_stub


def _count_hidden(tree: SearchTree, row: np.ndarray, parent: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return for each item the number of nodes hidden right below it, and of cutoffs among them: all below it, less those
    below its
    shown children.
    """
    first, last = int(row[0]), max(len(tree) if row[0] == ROOT else 0, int(tree.columns.end[row[0]]))
    before = np.concatenate(([0], np.cumsum(tree.columns.skipped[first:last] > 0, dtype=np.int32)))
    is_node = row >= 0
    start = np.where(is_node, row, first)
    end = tree.columns.end[start]
    sizes = np.where(is_node, end - start, 0)
    cutoffs = np.where(is_node, before[end - first] - before[start - first], 0)
    own_cutoffs = np.where(is_node, tree.columns.skipped[row] > 0, False)
    has_parent = parent >= 0
    below = [
        np.bincount(parent[has_parent], weights=counts[has_parent], minlength=len(row)).astype(np.int32)
        for counts in (sizes, cutoffs)
    ]
    hidden = np.where(is_node, sizes - 1 - below[0], 0)
    return hidden.astype(np.int32), (cutoffs - own_cutoffs - below[1]).astype(np.int32)


def _fill_in_stubs(
    tree: SearchTree,
    row: np.ndarray,
    parent: np.ndarray,
    of_stub: np.ndarray,
    move: np.ndarray,
    turn: np.ndarray,
    probability: np.ndarray,
) -> None:
    """Fill in the moves of the stubs, who moves after them, and the probabilities of outcomes. On Connect boards the other
    side moves.
    """
    stubs = np.flatnonzero(row < 0)
    if tree.compiled:
        cut = np.flatnonzero((row >= 0) & (tree.columns.skipped[row] > 0))
        per_node = tree.columns.skipped[row[cut]]
        moves = untried_columns(tree, row[cut])
        starts = np.zeros(len(row), np.int64)
        starts[cut] = np.cumsum(per_node, dtype=np.int64) - per_node
        move[stubs] = moves[starts[parent[stubs]] + of_stub[stubs]]
        turn[stubs] = MAX - turn[parent[stubs]]
        return
    found: dict[int, list[UntriedMove]] = {}
    for item, state, _ in replay_items(tree, row, parent):
        if row[item] >= 0 and tree.columns.skipped[row[item]] > 0:
            found[item] = untried_moves(tree, int(row[item]), state)
    for stub in stubs:
        untried = found[int(parent[stub])][of_stub[stub]]
        move[stub], turn[stub] = untried.code, untried.turn
        if len(tree.columns.weight):
            probability[stub] = untried.probability


class UntriedMove(NamedTuple):
    """A move or an outcome that a cutoff left untried."""

    code: int
    turn: int  # who would move after it
    probability: float  # of an outcome; 1 for a move


def untried_moves(tree: SearchTree, row: int, state: Any) -> list[UntriedMove]:
    """Return the moves that a cutoff left untried in a state."""
    game, replies = tree.game, MovesByCode(tree.game, state)
    probability = replies.probability

    def describe(code: int) -> UntriedMove:
        after = game.play(state, replies.moves[code])
        return UntriedMove(code, turn_and_outcomes(game, after, game.is_over(after))[0], probability.get(code, 1.0))

    return [describe(code) for code in tree.untried_moves(row, replies)]


def untried_columns(tree: SearchTree, cut: np.ndarray, replayed: np.ndarray | None = None) -> np.ndarray:
    """Return the untried columns of pruned nodes of a Connect board, node after node.

    `replayed` are some rows that include the pruned nodes and all rows on the way to them; without them all rows are replayed.
    """
    from engine.compiled.connect_replay import replay_rows
    from visualizer.drawing import view_kernels

    game, skipped = kernel_board(tree.game), tree.columns.skipped
    moves = np.empty(int(skipped[cut].sum(dtype=np.int64)), np.int32)
    orders = np.array(game.max_order, np.int32), np.array(game.min_order, np.int32)
    cells = np.array(game.column_cells, np.uint64)
    at = 0

    def find_untried(rows: np.ndarray, boards: Any, places: np.ndarray) -> int:
        position = boards.max_discs[places], boards.min_discs[places], boards.max_to_move[places]
        recorded = rows, tree.columns.end, tree.columns.move, skipped
        return int(view_kernels.find_untried_columns(*position, *recorded, cells, *orders, moves[at:]))

    if replayed is not None:
        find_untried(cut.astype(np.int64), replay_rows(tree, replayed), np.searchsorted(replayed, cut))
        return moves
    done = 0
    for block in tree.row_blocks():
        upto = int(np.searchsorted(cut, block.stop))
        if upto == done:
            continue
        rows = cut[done:upto]
        first = int(rows[0])
        at += find_untried(rows, tree.states(first, int(rows[-1]) + 1), rows - first)
        done = upto
    return moves


def replay_items(tree: SearchTree, row: np.ndarray, parent: np.ndarray) -> Iterator[tuple[int, Any, Any]]:
    """Yield each item with its state and the move as the game has it: (item, state, move). A stub has the state None.

    The moves are replayed, for games that are not compiled. Rows and parents are as in `ViewItems`; the stubs may still be empty.
    """
    game, columns = tree.game, tree.columns
    states: dict[int, tuple[Any, dict[int, Any]]] = {}
    path: list[int] = []
    for item in range(len(row)):
        above = int(parent[item])
        if row[item] < 0:
            yield item, None, None
            continue
        if above < 0:
            state, move = tree[int(row[item])].state, None
        else:
            while path[-1] != above:
                del states[path.pop()]
            state, replies = states[above]
            move = replies[int(columns.move[row[item]])]
            state = game.play(state, move)
        replies = {}
        if columns.end[row[item]] > row[item] + 1 or columns.skipped[row[item]] > 0:
            replies = MovesByCode(game, state).moves
        path.append(item)
        states[item] = state, replies
        yield item, state, move
