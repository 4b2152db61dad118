"""The counts of a search. If it calls no position twice, most of them are the same number."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.algorithms import ALGORITHMS
from engine.record.columns import NONE

if TYPE_CHECKING:
    from engine.tree.tree import SearchTree

INTERPRETED_ROWS = 2_000  # fewer are not worth loading compiled code
BLOCK_SHIFT = 6  # a block has 2**BLOCK_SHIFT rows
BLOCK_BITS = (1 << BLOCK_SHIFT) - 1
FIRST_LENGTH = 1 << 11  # of the arrays in `walk_paths`; a power of 2
SPREAD_MULTIPLIER = 0x9E3779B1  # odd multiplier that spreads large moves over the slots of a hash table
SPREAD_SHIFT = 8  # smaller moves have neighbouring slots, which stay in the processor's cache
STAMP, MOVE, PARENT, HEAD, LAST, SLOT_FIELDS = range(6)  # fields of a slot
MAX_STAMP = 2**31 - 1
SMALL_MOVES = 63  # moves below this have a bit in a word
EXTRA_COUNTS = ("distinct", "evaluations", "table_hits", "researches", "passes")


class Counts(NamedTuple):
    """The counts of one search."""

    expanded: int  # calls, including the root of every pass
    leaves: int
    terminals: int
    cutoffs: int
    skipped: int
    distinct: int | None  # different paths of moves among the calls; None: not counted
    evaluations: int  # static evaluations: of leaves, of rows that stood pat, to order moves, to guess a value
    table_hits: int  # calls that the table answered
    researches: int | None  # calls that repeat a move of the same node; None: not counted
    passes: int

    @property
    def extra_counts(self) -> dict[str, int | None]:
        """Return the additional counts by name; empty if every path was called once."""
        trivial = self.distinct == self.expanded and not self.table_hits and self.evaluations == self.leaves
        return {} if trivial else {name: getattr(self, name) for name in EXTRA_COUNTS}


def count_search(tree: SearchTree, with_repetition: bool = True) -> Counts:
    """Return all counts of a tree."""
    distinct: int | None = None
    again: int | None = None
    if tree.has_iterations or "once" in ALGORITHMS[tree.algorithm].laws:
        distinct, again = tree.expanded, 0
    elif with_repetition:
        distinct, again = count_repetition(tree)
    return Counts(
        tree.expanded,
        tree.leaves,
        tree.terminals,
        tree.cutoffs,
        tree.skipped,
        distinct,
        tree.leaves + tree.stand_pat_calls + tree.other_evaluations,
        tree.table_hits,
        again,
        len(tree.passes),
    )


def count_repetition(tree: SearchTree) -> tuple[int, int]:
    """Count the different paths of moves that lead to a row, and the rows that search a move of their parent again."""
    columns, rows = tree.columns, len(tree)
    mark, walk = (mark_repeats, walk_paths) if rows <= INTERPRETED_ROWS else _compiled()
    repeats, marked_before = np.empty(rows, np.int32), np.empty((rows >> BLOCK_SHIFT) + 2, np.int32)
    found = mark(columns.depth, columns.move, np.zeros(tree.height + 2, np.int64), repeats, marked_before)
    walked = columns.end, columns.move, np.array(tree.roots, np.int32), repeats[:found], marked_before
    length, distinct, again = FIRST_LENGTH, 0, 0
    while distinct == 0:
        distinct, again = walk(*walked, length)
        length *= 16
    return int(distinct), int(again)


@cache
def _compiled() -> tuple[Callable[..., int], Callable[..., tuple[int, int]]]:
    from engine.compiled.numba_compat import CompiledRowFunction

    return CompiledRowFunction(mark_repeats), CompiledRowFunction(walk_paths)


def mark_repeats(depth, move, seen, repeats, marked_before):
    """List the rows whose move may have been called before by the same parent; return their number.

    `seen[d]` has a bit for each move that the latest node at depth d - 1 has called. Moves that share a bit are listed too.
    `marked_before[b]` is the number of listed rows before block b.
    """
    found = 0
    for row in range(len(depth)):
        if row & BLOCK_BITS == 0:
            marked_before[row >> BLOCK_SHIFT] = found
        level = np.int64(depth[row])
        bit = 1 << (np.int64(move[row]) & 31)
        if level == 0:
            seen[0] = 0
        if seen[level] & bit != 0:
            repeats[found] = row
            found += 1
        seen[level] |= bit
        seen[level + 1] = 0
    marked_before[((len(depth) - 1) >> BLOCK_SHIFT) + 1 :] = found
    return found


def walk_paths(end, move, roots, repeats, marked_before, length):
    """Walk down all calls of the same path side by side; return the number of paths and of re-searches. Return
    (0, 0) if arrays of this length do not suffice; growing arrays would make the loops four times slower.

    A set is the rows of one path. `waiting` holds the rows of the sets that are still to be expanded, and set s begins at
    `begins[s]`. A hash table groups the children of a set by move, which makes the sets below it. Each slot has the move, the
    parent of its latest call, and the ends of a list of those calls that have children, which `after` links. Moves that are
    small numbers are counted by bits (`seen` in the set, `seen_here` at the parent), so that leaves never need a slot. A single
    row without repeats in its subtree is not expanded: every row there has its own path. Most of a tree is like that.
    """
    waiting, begins = np.empty(length, np.int32), np.empty(length, np.int64)
    rows, after, used_slots = np.empty(length, np.int32), np.empty(length, np.int32), np.empty(length, np.int32)
    slots, last_slot = np.zeros((2 * length, SLOT_FIELDS), np.int32), 2 * length - 1
    stamp, top, sets, distinct, again = 0, len(roots), 1, np.int64(1), np.int64(0)
    if top > length:
        return 0, 0
    waiting[:top], begins[0] = roots, 0
    while sets > 0:
        sets -= 1
        if stamp == MAX_STAMP:
            slots[:, STAMP] = 0
            stamp = 0
        stamp += 1
        count = groups = entries = 0
        seen = np.int64(0)
        for place in range(begins[sets], top):
            parent = np.int64(waiting[place])
            child, stop = parent + 1, np.int64(end[parent])
            seen_here = np.int64(0)
            while child < stop:
                code, row, child = np.int64(move[child]), child, np.int64(end[child])
                is_small = 0 <= code < SMALL_MOVES
                if is_small:
                    distinct += ~seen >> code & 1
                    again += seen_here >> code & 1
                    seen |= 1 << code
                    seen_here |= 1 << code
                    if child == row + 1:
                        continue
                slot = code + (code >> SPREAD_SHIFT) * SPREAD_MULTIPLIER & last_slot
                while slots[slot, STAMP] == stamp and slots[slot, MOVE] != code:
                    slot = slot + 1 & last_slot
                is_new = slots[slot, STAMP] != stamp
                if is_new:
                    if entries == length:
                        return 0, 0
                    entries += 1
                    slots[slot, STAMP], slots[slot, MOVE], slots[slot, PARENT], slots[slot, HEAD] = stamp, code, NONE, NONE
                if not is_small:
                    distinct += is_new
                    again += slots[slot, PARENT] == parent
                    slots[slot, PARENT] = parent
                if child > row + 1:
                    if count == length:
                        return 0, 0
                    rows[count], after[count] = row, NONE
                    if slots[slot, HEAD] == NONE:
                        slots[slot, HEAD] = count
                        used_slots[groups] = slot
                        groups += 1
                    else:
                        after[slots[slot, LAST]] = count
                    slots[slot, LAST] = count
                    count += 1
        top = begins[sets]
        if top + count > length:
            return 0, 0
        for group in range(groups - 1, -1, -1):  # the first one is on top, so that rows are visited in order
            first, at = top, np.int64(slots[used_slots[group], HEAD])
            while at != NONE:
                waiting[top] = rows[at]
                top += 1
                at = np.int64(after[at])
            if top == first + 1:
                row = np.int64(waiting[first])
                repeat = np.int64(marked_before[(row + 1) >> BLOCK_SHIFT])
                while repeat < len(repeats) and repeats[repeat] <= row:
                    repeat += 1
                if repeat == len(repeats) or repeats[repeat] >= end[row]:
                    distinct += end[row] - row - 1
                    top = first
            if top > first:
                begins[sets] = first
                sets += 1
    return distinct, again
