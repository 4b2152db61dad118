"""Compiled passes over the columns of a tree, which compute facts about all nodes at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba.extending import register_jitable

from engine.compiled.numba_compat import CompiledRowFunction
from engine.record.columns import CUTOFF, HORIZON, MAXIMIZING, OPEN, STATUS_BITS, TERMINAL, Columns

if TYPE_CHECKING:
    from engine.tree.tree import SearchTree

ONE = np.uint64(1)
UNSET_COST = 2**62


def find_parents(depth: np.ndarray) -> np.ndarray:
    """Return the row of the parent of each row; -1 at the root."""
    parent = np.empty(len(depth), np.int32)
    _fill_parents(depth, parent, np.zeros(int(depth.max()) + 2, np.int32))
    return parent


@CompiledRowFunction
def _fill_parents(depth, parent, last):
    """Fill `parent`; `last[d + 1]` is the latest row at depth d."""
    last[0] = -1
    for row in range(len(depth)):
        parent[row] = last[depth[row]]
        last[depth[row] + 1] = row


def count_rows(columns: Columns, height: int) -> tuple[np.ndarray, np.ndarray]:
    """Count the rows by depth and flags, and the skipped moves by depth."""
    flags, skipped = np.zeros((height + 1, 1 << 8), np.int64), np.zeros(height + 1, np.int64)
    _count_rows(columns.depth, columns.flags, columns.skipped, flags, skipped)
    return flags, skipped


@CompiledRowFunction
def _count_rows(depth, flags, skipped, flag_counts, skipped_counts):
    for row in range(len(depth)):
        level = np.uint64(depth[row])
        flag_counts[level, np.uint64(flags[row])] += 1
        skipped_counts[level] += skipped[row]


def count_moves_of_pruned(columns: Columns) -> np.ndarray:
    """Count the pruned nodes that have tried 0, 1, 2, ... moves. A move with a re-search counts once."""
    counts = np.zeros(min(len(columns.end), 1 << 16), np.int64)
    levels = int(columns.depth.max()) + 2
    _count_moves_of_pruned(
        (columns.depth, columns.move, columns.flags),
        counts,
        np.zeros(levels, np.int64),
        np.zeros(levels, np.int64),
        np.zeros(levels, np.bool_),
    )
    return counts


@CompiledRowFunction
def _count_moves_of_pruned(columns, counts, tried, latest, pruned):
    """Fill `counts`; `tried[d]`, `latest[d]` (its last move) and `pruned[d]` belong to the latest node at depth d."""
    depth, move, flags = columns
    for row in range(len(depth)):
        level = np.int64(depth[row])
        if level > 0 and (tried[level - 1] == 0 or latest[level - 1] != move[row]):
            tried[level - 1] += 1
            latest[level - 1] = move[row]
        if pruned[level]:
            counts[min(tried[level], len(counts) - 1)] += 1
        tried[level] = 0
        pruned[level] = flags[row] & STATUS_BITS == CUTOFF
    for level in range(len(pruned)):
        if pruned[level]:
            counts[min(tried[level], len(counts) - 1)] += 1


@CompiledRowFunction
def count_doubled_links(depth, flags):
    """Return the sum over the nodes of the number of ways to reach them.

    `ways[d + 1]` is that number for a child of the latest node at depth d.
    """
    ways = np.ones(np.int64(depth.max()) + 2, np.int64)
    total = 0
    for row in range(len(depth)):
        here = ways[depth[row]]
        total += here
        ways[depth[row] + 1] = here if flags[row] & MAXIMIZING != 0 else 2 * here
    return total


class AlignedRows(NamedTuple):
    """Two trees of one position, row by row: see alignment.py."""

    row: np.ndarray  # int32: for each node of alpha-beta the row of minimax
    after: np.ndarray  # int32: the first row of minimax after the children that alpha-beta has visited
    different: int  # the first row of alpha-beta that is not in minimax; -1 if all are


def align_trees(minimax: SearchTree, alphabeta: SearchTree) -> AlignedRows:
    """Find every node of alpha-beta in the tree of minimax."""
    rows = len(alphabeta)
    row, after = np.empty(rows, np.int32), np.empty(rows, np.int32)
    levels = alphabeta.height + 2
    pruned_columns, full_columns = alphabeta.columns, minimax.columns
    different = _align_rows(
        (pruned_columns.depth, pruned_columns.move, pruned_columns.flags, pruned_columns.value),
        (full_columns.depth, full_columns.move, full_columns.flags, full_columns.value, full_columns.end),
        np.zeros(levels, np.int64),
        np.zeros(levels, np.int64),
        row,
        after,
    )
    return AlignedRows(row, after, int(different))


@CompiledRowFunction
def _align_rows(pruned_columns, full_columns, coming, latest, row_of, after):
    """Fill `row_of` and `after`, and return the first row of alpha-beta that is not in minimax, or -1.

    `coming[d]` is the row of minimax that the next node at depth d must be, `latest[d]` the last row there of alpha-beta.
    Alpha-beta visits the children of a node in the same order and leaves out the last ones: so a first child is the next row of
    minimax, and any other follows the subtree of the child before it. Leaves are the same leaves with the same value.
    """
    depth, move, flags, value = pruned_columns
    plain_depth, plain_move, plain_flags, plain_value, plain_end = full_columns
    for row in range(len(depth)):
        level = np.int64(depth[row])
        other = coming[level]
        if other >= len(plain_end) or plain_depth[other] != depth[row] or plain_move[other] != move[row]:
            return row
        status = flags[row] & STATUS_BITS
        if status in (TERMINAL, HORIZON) and (plain_flags[other] != flags[row] or plain_value[other] != value[row]):
            return row
        row_of[row] = other
        after[row] = other + 1
        coming[level] = plain_end[other]
        coming[level + 1] = other + 1
        latest[level] = row
        if level > 0:
            after[latest[level - 1]] = plain_end[other]
    return -1


def find_branching(tree: SearchTree) -> tuple[np.ndarray, np.ndarray]:
    """Return the least and the greatest number of children of a node at each depth."""
    levels = tree.height + 1
    smallest, largest = np.full(levels, len(tree), np.int64), np.zeros(levels, np.int64)
    _fill_branching(tree.columns.depth, smallest, largest, np.full(levels + 1, -1, np.int64))
    return smallest, largest


@CompiledRowFunction
def _fill_branching(depth, smallest, largest, children):
    """Fill `smallest` and `largest`; `children[d]` belongs to the latest node at depth d; -1: there is none yet."""
    for row in range(len(depth) + 1):
        level = np.int64(depth[row]) if row < len(depth) else 0
        for left in range(level, len(smallest)):  # nodes at this depth and deeper get no more children
            if children[left] < 0:
                break
            smallest[left] = min(smallest[left], children[left])
            largest[left] = max(largest[left], children[left])
            children[left] = -1
        children[level] = 0
        if level > 0:
            children[level - 1] += 1


def count_best_first(tree: SearchTree) -> tuple[int, int]:
    """Count the nodes and leaves that alpha-beta would visit in a minimax tree with the best child first: see
    minimal_tree.py.
    """
    levels = tree.height + 1
    rows = tuple(np.zeros(levels, np.int64) for _ in range(3))
    numbers = tuple(np.zeros(levels, np.float64) for _ in range(3))
    columns = tree.columns
    nodes, leaves = _search_best_first(columns.end, columns.flags, columns.value, tree.cut_on_equal, rows, numbers)
    return int(nodes), int(leaves)


@CompiledRowFunction
def _search_best_first(end, flags, value, on_equal, rows, numbers):
    """Run alpha-beta on a stack of frames: the node, its best child, the child to try next; the window, the best value so
    far.
    """
    node, best, coming = rows
    alpha, beta, so_far = numbers
    nodes = leaves = 0
    level = 0
    child, low, high = 0, -np.inf, np.inf
    while True:
        nodes += 1
        if end[child] > child + 1:  # go down, to its best child
            maximizing = flags[child] & MAXIMIZING != 0
            node[level], best[level], coming[level] = child, _best_child(child, end, value, maximizing), child + 1
            alpha[level], beta[level], so_far[level] = low, high, -np.inf if maximizing else np.inf
            child = best[level]
            level += 1
            continue
        leaves += 1
        score = np.float64(value[child])
        while True:  # return the score to every ancestor that has no move left
            if level == 0:
                return nodes, leaves
            level -= 1
            if flags[node[level]] & MAXIMIZING != 0:
                score = max(score, so_far[level])
                cut = score > beta[level] or (on_equal and score == beta[level])
                alpha[level] = max(alpha[level], score)
            else:
                score = min(score, so_far[level])
                cut = score < alpha[level] or (on_equal and score == alpha[level])
                beta[level] = min(beta[level], score)
            so_far[level] = score
            if coming[level] == best[level]:
                coming[level] = end[best[level]]
            if not cut and coming[level] < end[node[level]]:
                break
        child, low, high = coming[level], alpha[level], beta[level]
        coming[level] = end[child]
        level += 1


@register_jitable
def _best_child(node, end, value, maximizing):
    """Return the first child with the best value for the side to move."""
    best = node + 1
    child = end[best]
    while child < end[node]:
        if (value[child] > value[best]) if maximizing else (value[child] < value[best]):
            best = child
        child = end[child]
    return best


def smallest_proof_size(tree: SearchTree, inner: int) -> int:
    """Return the least cost that proves the value of a minimax tree: a leaf costs 1, any other node `inner`. See
    minimal_tree.py.
    """
    columns = tree.columns
    return int(
        _sum_smallest_proof(
            columns.depth, columns.flags, columns.value, columns.end, inner, np.zeros((6, tree.height + 2), np.int64)
        )
    )


@CompiledRowFunction
def _sum_smallest_proof(depth, flags, value, end, inner, below):
    """Compute it from the last row to the first.

    `below[:, d]` is the cost of the children at depth d of the next row above: all of them and the cheapest one, to prove "at
    most the root's value", the same for "at least", and the least cost of one more proof.
    """
    all_high, one_high, all_low, one_low, more_low, more_high = below
    goal = value[0]
    one_high[:] = one_low[:] = more_low[:] = more_high[:] = UNSET_COST
    high = low = both = 0
    for row in range(len(depth) - 1, -1, -1):
        level = np.int64(depth[row])
        if end[row] == row + 1:
            high = low = both = 1
        else:
            under = level + 1
            if flags[row] & MAXIMIZING != 0:
                high, low = inner + all_high[under], inner + _zero_if_unset(one_low[under])
                both = high + _zero_if_unset(more_low[under])
            else:
                high, low = inner + _zero_if_unset(one_high[under]), inner + all_low[under]
                both = low + _zero_if_unset(more_high[under])
            all_high[under] = all_low[under] = 0
            one_high[under] = one_low[under] = more_low[under] = more_high[under] = UNSET_COST
        if value[row] <= goal:
            all_high[level] += high
            one_high[level] = min(one_high[level], high)
        if value[row] >= goal:
            all_low[level] += low
            one_low[level] = min(one_low[level], low)
        if value[row] == goal:
            more_low[level] = min(more_low[level], both - high)
            more_high[level] = min(more_high[level], both - low)
    return both


@register_jitable
def _zero_if_unset(cost):
    """Return the cost, or 0 where no child proves the value: the node starts with it."""
    return cost if cost < UNSET_COST else 0


def count_node_types(tree: SearchTree) -> np.ndarray:
    """Count the PV, CUT and ALL nodes of alpha-beta: see statistics.py."""
    columns, counts = tree.columns, np.zeros(3, np.int64)
    _count_node_types(columns.flags, columns.alpha, columns.beta, columns.value, tree.cut_on_equal, counts)
    return counts


@CompiledRowFunction
def _count_node_types(flags, alpha, beta, value, on_equal, counts):
    for row in range(len(flags)):
        if flags[row] & STATUS_BITS == OPEN:
            continue
        above = value[row] > beta[row] or (on_equal and value[row] == beta[row])
        below = value[row] < alpha[row] or (on_equal and value[row] == alpha[row])
        if flags[row] & MAXIMIZING == 0:
            above, below = below, above
        counts[1 if above else 2 if below else 0] += 1
