"""The compiled search of the other windowed algorithms on Connect boards: tables, probes, learned move orders.

The machine. It is that of alphabeta_kernel.py, a stack of frames with the current one in locals and rows that are written as
nodes are entered. Successive calls of `advance` make one pass. Three things are added, each switched on by `SearchMethod`:

Probes. A later move is called with a null window; if its score lies inside the window of its node, the same move is called
again with that window before anything is folded in. The row of the probe has its window, so no frame remembers it.
Tables. A child's entry is looked up before the child is entered. It answers (the child is one row), or its move is tried first.
A node that is left, and a leaf, is stored. An entry is eight int32: the key (two of them, compared whole), lower and upper
bound, the row each comes from, remaining plies + 1 (0: an empty slot), the move. Sixty-four bits of key are all of a board.
Entries are spread over a large memory, and much of the time is spent waiting for them. So they are prefetched: those of all
children when a node is entered, those of the first replies to a move while the move before it is searched.
Orders. `orders` has MIN's and MAX's order of the columns and one row per level, for nodes that try another move first.

Values are whole numbers (int32) only. Every constant is np.uint64: see alphabeta_kernel.py, whose evaluations are compiled in
here.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from engine.compiled import alphabeta_kernel
from engine.compiled.alphabeta_kernel import (
    DONE,
    LEVEL,
    ONE,
    ROWS,
    RULE_FIRST,
    ZERO,
    fold_score,
    has_line,
    static_value,
)
from engine.compiled.numba_compat import CompiledFunction, popcount, prefetch_word
from engine.record.columns import (
    BOUND_SHIFT,
    CUTOFF,
    EXACT,
    EXHAUSTED,
    HORIZON,
    LOWER,
    MAXIMIZING,
    NONE,
    OPEN,
    TABLE,
    TERMINAL,
    UPPER,
)

REGISTERS = 5
BEGIN, USED = 3, 4  # registers besides those of alphabeta_kernel.py: first row of the pass, slots of the table that are filled
ENTRY_INTS = 8  # int32 of an entry of the table
AT_LOWER, AT_UPPER, AT_LOWER_ROW, AT_UPPER_ROW, AT_REMAINING, AT_MOVE = (np.uint64(place) for place in range(2, ENTRY_INTS))
EIGHT, HALF = np.uint64(ENTRY_INTS), np.uint64(32)
SPREAD_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


class SearchMethod(NamedTuple):
    """The type of search; scalars only."""

    depth: int
    maximizing: bool  # at the root
    on_equal: bool  # cut when the value equals the bound
    probing: bool  # later moves first with a null window
    keeping_all: bool  # every board has its own entry; if a slot is taken, the next one is tried
    always: bool  # a new result replaces any other entry
    deeper: bool  # entries with more remaining plies answer, too
    advising: bool  # the move of an entry is tried first
    killers: bool
    history: bool
    lines: bool  # the best line of a pass is kept: the next pass starts with it
    linking: bool  # rows have links
    recording: bool


class LadderFrames(NamedTuple):
    """The stack; index = level = depth + 1. Level 0 is the driver, whose only move is to enter the root."""

    own: np.ndarray  # uint64: discs of the side to move
    other: np.ndarray
    node: np.ndarray
    left: np.ndarray  # uint64: squares still to be tried
    turn: np.ndarray  # uint64: index in the order
    order: np.ndarray  # uint64: row of `orders`
    choice: np.ndarray  # int64: column of the best move so far, or NONE
    best: np.ndarray
    alpha: np.ndarray
    beta: np.ndarray


class LearnedOrders(NamedTuple):
    """The move orders and lines that a search keeps for its later nodes."""

    orders: np.ndarray  # uint8: MIN's order of the columns, MAX's, and one for each level
    killers: np.ndarray  # int64: level x 2, the newer first
    history: np.ndarray  # int64: side x column
    lines: np.ndarray  # int8: level x length, the best line so far below the latest node of the level
    lengths: np.ndarray  # int64: of the lines
    principal: np.ndarray  # int8: the line to begin with


@njit(forceinline=True)
def slot_start(key, slots):
    """Return the start of a key's slot: the upper half of key x SPREAD_MULTIPLIER is its fraction of all slots."""
    return ((((key * SPREAD_MULTIPLIER) >> HALF) * slots) >> HALF) * EIGHT


@njit(forceinline=True)
def find_entry(words, halves, key, slots, keeping_all):
    """Return the place of a key's entry, also if it is not stored yet."""
    at = slot_start(key, slots)
    if keeping_all:
        while halves[at + AT_REMAINING] != 0 and words[at >> ONE] != key:
            at += EIGHT
            if at == slots * EIGHT:
                at = ZERO
    return at


@njit(forceinline=True)
def store_entry(words, halves, at, key, remaining, lower, upper, lower_row, upper_row, move, always):
    """Store a result in its slot: it narrows the entry of the same board and remaining plies, or replaces another.

    Return True if the slot was empty.
    """
    known = np.int64(halves[at + AT_REMAINING]) - 1
    if known == remaining and words[at >> ONE] == key:
        if lower > halves[at + AT_LOWER]:
            halves[at + AT_LOWER], halves[at + AT_LOWER_ROW] = lower, lower_row
        if upper < halves[at + AT_UPPER]:
            halves[at + AT_UPPER], halves[at + AT_UPPER_ROW] = upper, upper_row
        halves[at + AT_MOVE] = move
    elif always or known <= remaining:
        words[at >> ONE] = key
        halves[at + AT_LOWER], halves[at + AT_LOWER_ROW] = lower, lower_row
        halves[at + AT_UPPER], halves[at + AT_UPPER_ROW] = upper, upper_row
        halves[at + AT_REMAINING] = remaining + 1
        halves[at + AT_MOVE] = move
        return known < 0
    return False


@njit
def arrange_columns(orders, level, side, first, killers, by_killers, history, by_history):
    """Write the order of a node and return its row: the advised move, then killers, then by history, then the game's order."""
    newer, older = NONE, NONE
    if by_killers:
        newer, older = killers[level, 0], killers[level, 1]
    if first < 0 and newer < 0 and not by_history:
        return side
    row, filled = np.uint64(level + 2), ZERO
    if first >= 0:
        orders[row, filled] = first
        filled += ONE
    if newer >= 0 and newer != first:
        orders[row, filled] = newer
        filled += ONE
    if older >= 0 and older != first:
        orders[row, filled] = older
        filled += ONE
    begin = filled
    for place in range(orders.shape[1]):
        column = np.int64(orders[side, place])
        if column in (first, newer, older):
            continue
        at = filled
        if by_history:
            while at > begin and history[side, orders[row, at - ONE]] < history[side, column]:
                orders[row, at] = orders[row, at - ONE]
                at -= ONE
        orders[row, at] = column
        filled += ONE
    return row


def search_pass(table, frames, registers, words, halves, learnt, board, column_cells, scoring, pairs, method, bounds, limit):
    """Continue a pass until done or until `limit` rows are written; at entry_upper 2 x columns x (depth + 1) rows more than that.

    `words` and `halves` are the same memory, the table. If they are None there is no table, and numba leaves out all code for
    it.
    """
    rows, level, begin, used = registers[ROWS], registers[LEVEL], registers[BEGIN], registers[USED]
    low_end, zero, high_end = bounds
    row_move, row_depth, row_flags, row_skipped, row_alpha, row_beta, row_value, row_end, row_link = table
    frame_own, frame_other, frame_node, frame_left, frame_turn, frame_order, frame_choice = frames[:7]
    frame_best, frame_alpha, frame_beta = frames[7:]
    orders, killers, history, lines, lengths, principal = learnt
    cells, bottom, shifts, connect, first_rule = board.cells, board.bottom, board.shifts, board.connect, board.rule == RULE_FIRST
    depth_limit, on_equal, probing, linking, recording = (
        method.depth,
        method.on_equal,
        method.probing,
        method.linking,
        method.recording,
    )
    by_killers, by_history, with_lines = method.killers, method.history, method.lines
    learning = by_killers or by_history
    if words is not None:
        slots = np.uint64(len(words) >> 2)
        keeping_all, always, deeper, advising = method.keeping_all, method.always, method.deeper, method.advising
    maximizing = method.maximizing ^ (level & 1 == 0)
    own, other, node = frame_own[level], frame_other[level], frame_node[level]
    left, turn, order, choice = frame_left[level], frame_turn[level], frame_order[level], frame_choice[level]
    best, alpha, beta = frame_best[level], frame_alpha[level], frame_beta[level]
    cut, probe = False, NONE
    while True:
        if left != ZERO and not cut:  # visit a child
            low, high = alpha, beta
            if level == 0:
                column, square, left = NONE, ZERO, ZERO
            else:
                while True:
                    column = np.int64(orders[order, turn])
                    turn += ONE
                    square = left & column_cells[column]
                    if square != ZERO:
                        break
                left ^= square
                if probing and probe < 0 and choice >= 0:
                    if maximizing:
                        if alpha > low_end:
                            high = min(beta, np.int32(alpha + 1))
                    elif beta < high_end:
                        low = max(alpha, np.int32(beta - 1))
            child = np.uint64(rows) if recording else np.uint64(level)
            mine = own | square
            remaining = depth_limit - level
            advice, link, probe = NONE, probe, NONE
            side = 0 if maximizing else MAXIMIZING
            row_move[child] = column
            row_depth[child] = level
            row_alpha[child], row_beta[child] = low, high
            if with_lines:
                lengths[level + 1] = 0
                if rows - begin == level and level < len(principal):  # only on the first path of a pass
                    advice = np.int64(principal[level])
            rows += 1
            answered = False
            if words is not None:
                key = (mine if maximizing else other) + (mine | other) + bottom
                at = find_entry(words, halves, key, slots, keeping_all)
                known = np.int64(halves[at + AT_REMAINING]) - 1
                if known >= 0 and words[at >> ONE] == key:
                    entry_lower, entry_upper, bound = halves[at + AT_LOWER], halves[at + AT_UPPER], EXACT
                    lower_entry_row, upper_entry_row = np.int64(halves[at + AT_LOWER_ROW]), np.int64(halves[at + AT_UPPER_ROW])
                    if known == remaining or (deeper and known > remaining):
                        if entry_lower == entry_upper:
                            answered, score, link = True, entry_lower, max(lower_entry_row, upper_entry_row)
                        elif entry_lower > high or (on_equal and entry_lower == high):
                            answered, score, link, bound = True, entry_lower, lower_entry_row, LOWER
                        elif entry_upper < low or (on_equal and entry_upper == low):
                            answered, score, link, bound = True, entry_upper, upper_entry_row, UPPER
                    if answered:
                        row_value[child] = score
                        row_flags[child] = TABLE | side | (bound << BOUND_SHIFT)
                        row_skipped[child] = 0
                        row_end[child] = rows
                    elif advising:
                        advice = np.int64(halves[at + AT_MOVE])
                        if link < 0 and advice >= 0:
                            link = max(lower_entry_row, upper_entry_row)
            if linking:
                row_link[child] = link
            if not answered:
                won = first_rule and has_line(mine, connect, shifts)
                full = (mine | other) == cells
                if not (won or full or remaining == 0):
                    frame_left[level], frame_turn[level], frame_choice[level] = left, turn, choice
                    frame_best[level], frame_alpha[level], frame_beta[level] = best, alpha, beta
                    if words is not None and left != ZERO:
                        ahead = turn
                        while True:
                            square = left & column_cells[np.int64(orders[order, ahead])]
                            ahead += ONE
                            if square != ZERO:
                                break
                        taken = own | other | square
                        reply = ((taken + bottom) & cells) & column_cells[np.int64(orders[np.uint64(not maximizing), ZERO])]
                        key = (own | square if maximizing else other | reply) + (taken | reply) + bottom
                        prefetch_word(words, slot_start(key, slots) >> ONE)
                        reply = ((taken + bottom) & cells) & column_cells[np.int64(orders[np.uint64(not maximizing), ONE])]
                        key = (own | square if maximizing else other | reply) + (taken | reply) + bottom
                        prefetch_word(words, slot_start(key, slots) >> ONE)
                    level += 1
                    maximizing = not maximizing
                    own, other, node = other, mine, child
                    left, turn, order, choice = ((mine | own) + bottom) & cells, ZERO, np.uint64(maximizing), NONE
                    best, alpha, beta = low_end if maximizing else high_end, low, high
                    if learning or advice >= 0:
                        order = arrange_columns(orders, level, order, advice, killers, by_killers, history, by_history)
                    if words is not None:
                        squares = left
                        while squares != ZERO:
                            square = squares & (~squares + ONE)
                            squares ^= square
                            key = (own | square if maximizing else other) + (own | other | square) + bottom
                            prefetch_word(words, slot_start(key, slots) >> ONE)
                    frame_own[level], frame_other[level], frame_node[level], frame_order[level] = own, other, node, order
                    row_flags[node] = OPEN | side
                    row_skipped[node] = 0
                    if rows >= limit:
                        frame_left[level], frame_turn[level], frame_choice[level] = left, turn, choice
                        frame_best[level], frame_alpha[level], frame_beta[level] = best, alpha, beta
                        registers[ROWS], registers[LEVEL], registers[USED] = rows, level, used
                        return
                    continue
                if maximizing:
                    score = static_value(zero, mine, other, int(won), full, board, scoring, pairs)
                else:
                    score = static_value(zero, other, mine, -int(won), full, board, scoring, pairs)
                row_value[child] = score
                row_flags[child] = (TERMINAL if won or full else HORIZON) | side
                row_skipped[child] = 0
                row_end[child] = rows
                if words is not None:
                    row = np.int32(child)
                    used += store_entry(words, halves, at, key, remaining, score, score, row, row, NONE, always)
        elif level == 0:  # the root has returned
            registers[ROWS], registers[LEVEL], registers[USED], registers[DONE] = rows, level, used, 1
            return
        else:  # leave the node
            untried = popcount(left)
            score, child, column = best, node, np.int64(row_move[node])
            row_value[node] = score
            row_flags[node] = (CUTOFF if untried else EXHAUSTED) | (MAXIMIZING if maximizing else 0)
            row_skipped[node] = untried
            row_end[node] = rows
            remaining = depth_limit - level + 1
            if learning and untried != 0:
                if by_killers and killers[level, 0] != choice:
                    killers[level, 0], killers[level, 1] = choice, killers[level, 0]
                if by_history:
                    history[np.uint64(maximizing), choice] += remaining * remaining
            if words is not None:
                key = (own if maximizing else other) + (own | other) + bottom
                at = find_entry(words, halves, key, slots, keeping_all)
                lower, upper, lower_row, upper_row = low_end, high_end, np.int32(NONE), np.int32(NONE)
                if score > row_alpha[node]:
                    lower, lower_row = score, np.int32(node)
                if score < row_beta[node]:
                    upper, upper_row = score, np.int32(node)
                used += store_entry(words, halves, at, key, remaining, lower, upper, lower_row, upper_row, choice, always)
            level -= 1
            maximizing = not maximizing
            own, other, node = frame_own[level], frame_other[level], frame_node[level]
            left, turn, order, choice = frame_left[level], frame_turn[level], frame_order[level], frame_choice[level]
            best, alpha, beta = frame_best[level], frame_alpha[level], frame_beta[level]

        # a child's score returns
        cut = False
        if probing and alpha < score and score < beta and (row_alpha[child] > alpha or row_beta[child] < beta):
            probe = np.int64(child)
            left |= ((own | other) + bottom) & cells & column_cells[column]
            turn -= ONE
            continue
        before = best
        best, alpha, beta, cut = fold_score(score, best, alpha, beta, maximizing, True, on_equal)
        if best != before:
            choice = column
        if with_lines and best != before:
            lines[level, 0] = column
            for place in range(lengths[level + 1]):
                lines[level, place + 1] = lines[level + 1, place]
            lengths[level] = lengths[level + 1] + 1


advance = CompiledFunction(search_pass, uses=(alphabeta_kernel,))


@CompiledFunction
def move_entries(old_words, old_halves, words, halves):
    """Move all entries of a part of a table that keeps everything into a larger one."""
    slots = np.uint64(len(words) >> 2)
    for slot in range(len(old_words) >> 2):
        old = np.uint64(slot) * EIGHT
        if old_halves[old + AT_REMAINING] != 0:
            at = find_entry(words, halves, old_words[old >> ONE], slots, True)
            for place in range(ENTRY_INTS):
                halves[at + np.uint64(place)] = old_halves[old + np.uint64(place)]
