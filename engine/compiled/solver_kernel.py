"""The compiled solver of Connect boards: scores of positions, by negamax on two bitboards.

The machine. Like the search kernel it is a stack of frames, one per ply, with the current frame in locals. `advance` enters a
position: it counts it, checks if its score (or a bound that suffices for the window) is known at once, and if not lists its
moves. Then it takes one move after the other: a child is entered, its value comes back, a value beyond the window leaves the
position early. It returns to Python before it would enter more than `limit` positions and continues from the frames when called
again, so solving can be observed and stopped.

Ideas are switched on one by one, so that ablation.py can measure each of them; a solver uses all of them.

A position is `own`, the discs of the side to move, and `mask`, all discs (bits: see games/connect/rules.py). Its key is own +
mask: the sum puts one bit above the discs of each column, so no two positions share it. An entry of the table holds the key
(its quotient by the number of slots; the slot is its remainder), a score and whether that is a lower bound; 0 is an empty
slot.

Every constant is np.uint64: `uint64 + 1` would be an int64, and wrong at bit 63.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from engine.compiled.alphabeta_kernel import DOWN_RIGHT, RIGHT, UP, UP_RIGHT
from engine.compiled.numba_compat import CompiledFunction, popcount

# the root's score is from LOW to HIGH, and the current search probes if it is more than PROBED
REGISTERS = NODES, LEVEL, LOW, HIGH, PROBED, FRESH, DONE = range(7)
SCORE_SHIFT = 64  # added to scores, so that they are stored as positive numbers
ENTRY_BITS = 8  # bits of an entry that are not part of the key

ZERO, ONE, TWO, THREE = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)
KEY_SHIFT, ENTRY_MASK = np.uint64(ENTRY_BITS), np.uint64(2**ENTRY_BITS - 1)


class SolverIdeas(NamedTuple):
    """The ideas that a solver uses. `threats` and the order of columns decide which move is tried first."""

    pruning: bool  # leave a position when its value is beyond the window, which no score of a child can be
    table: bool  # remember upper bounds of scores
    lower: bool  # ... and lower bounds
    halving: bool  # ask "more than this?" with a null window, and bisect the score
    safe: bool  # leave out moves after which the other side wins at once
    threats: bool  # moves that make most threats first


class SolverFrames(NamedTuple):
    """The stack; index = level. All are uint64 or int64."""

    own: np.ndarray
    mask: np.ndarray
    alpha: np.ndarray
    beta: np.ndarray
    left: np.ndarray  # number of moves still to be tried
    moves: np.ndarray  # level x number: the squares, the last of them first
    threats: np.ndarray  # level x number: what they are sorted by


@njit(forceinline=True)
def fourth_cells(discs, step):
    """Return the cells that would make four of three discs in the direction of `step`, both ways, including cells off the
    board.
    """
    two, three = step + step, step + step + step
    behind = (discs << step) & (discs << two)
    ahead = (discs >> step) & (discs >> two)
    return (behind & ((discs << three) | (discs >> step))) | (ahead & ((discs << step) | (discs >> three)))


@njit
def completing_cells(discs, length, step):
    """Return the same for lines of another length: some discs before the cell, the others after it."""
    cells = ZERO
    for behind in range(length):
        found = ~ZERO
        for _ in range(behind):
            found = (found & discs) << step
        rest = ~ZERO
        for _ in range(length - 1 - behind):
            rest = (rest & discs) >> step
        cells |= found & rest
    return cells


@njit(forceinline=True)
def winning_cells(discs, mask, board):
    """Return the empty cells, playable or not, that complete a line of these discs."""
    shifts = board.shifts
    if board.connect == 4:
        step = shifts[UP]
        cells = (discs << step) & (discs << (step + step)) & (discs << (step + step + step))
        cells |= fourth_cells(discs, shifts[RIGHT])
        cells |= fourth_cells(discs, shifts[UP_RIGHT])
        cells |= fourth_cells(discs, shifts[DOWN_RIGHT])
    else:
        cells = completing_cells(discs, board.connect, shifts[UP])
        cells |= completing_cells(discs, board.connect, shifts[RIGHT])
        cells |= completing_cells(discs, board.connect, shifts[UP_RIGHT])
        cells |= completing_cells(discs, board.connect, shifts[DOWN_RIGHT])
    return cells & (board.cells ^ mask)


@njit(forceinline=True)
def find_safe_moves(other, mask, board):
    """Return the squares to play after which the other side, whose discs are `other`, cannot win at once."""
    possible = (mask + board.bottom) & board.cells
    feared = winning_cells(other, mask, board)
    forced = possible & feared
    if forced != ZERO:
        if forced & (forced - ONE) != ZERO:
            return ZERO
        possible = forced
    return possible & ~(feared >> ONE)


@njit(forceinline=True)
def store_bound(table, slots, key, score, is_lower):
    low_bits = np.uint64(score + SCORE_SHIFT) << ONE
    table[key % slots] = ((key // slots) << KEY_SHIFT) | low_bits | np.uint64(is_lower)


@njit(forceinline=True)
def next_probed_score(low, high):
    """Return the next score to ask about: the middle, or half of the bound farther from 0, which only faster wins reach and
    which is known sooner.
    """
    middle = low + (high - low) // 2
    if middle <= 0 and -(-low // 2) < middle:
        return -(-low // 2)
    if middle >= 0 and high // 2 > middle:
        return high // 2
    return middle


@CompiledFunction
def advance(frames, registers, table, board, ideas, order, cells, first_discs, limit):
    """Continue solving until done or until `limit` positions have been entered.

    `order` has the cells of the columns, the last to be tried first; `cells` is the number of cells, `first_discs` that of the
    discs at the root.
    """
    frame_own, frame_mask, frame_alpha, frame_beta, frame_left, frame_moves, frame_threats = frames
    pruning, with_table, lower, halving, safe, threats = ideas
    slots, columns = np.uint64(len(table)), len(order)
    nodes, level = registers[NODES], np.uint64(registers[LEVEL])
    low, high = registers[LOW], registers[HIGH]
    own, mask, alpha, beta = frame_own[level], frame_mask[level], frame_alpha[level], frame_beta[level]
    left, value = ZERO, 0
    if registers[FRESH] == 1:  # an immediate win is found before the root is entered, as parents do for children
        registers[FRESH] = 0
        if safe and (mask + board.bottom) & board.cells & winning_cells(own, mask, board) != ZERO:
            registers[LOW], registers[DONE] = high, 1
            return
    while True:
        if nodes >= limit:
            frame_own[level], frame_mask[level], frame_alpha[level], frame_beta[level] = own, mask, alpha, beta
            registers[NODES], registers[LEVEL], registers[LOW], registers[HIGH] = nodes, np.int64(level), low, high
            return

        # enter a position
        nodes += 1
        discs = first_discs + np.int64(level)
        known = True
        other = own ^ mask
        key = own + mask
        min_score, max_score = -cells, (cells - 1 - discs) // 2  # the known bounds of its score
        if safe:
            possible = find_safe_moves(other, mask, board)
            min_score = -((cells - 2 - discs) // 2)
            if possible == ZERO:
                value = -((cells - discs) // 2)
            elif discs >= cells - 2:
                value = 0
            else:
                known = False
        else:
            possible = (mask + board.bottom) & board.cells
            if possible == ZERO:
                value = 0
            elif possible & winning_cells(own, mask, board) != ZERO:
                value = (cells + 1 - discs) // 2
            else:
                known = False
        if not known and pruning:
            if with_table:
                entry = table[key % slots]
                if entry != ZERO and entry >> KEY_SHIFT == key // slots:
                    score = np.int64((entry & ENTRY_MASK) >> ONE) - SCORE_SHIFT
                    if entry & ONE == ONE:
                        min_score = max(min_score, score)
                    else:
                        max_score = min(max_score, score)
            if alpha < min_score:
                alpha = min_score
                if alpha >= beta:
                    known, value = True, alpha
            if beta > max_score and not known:
                beta = max_score
                if alpha >= beta:
                    known, value = True, beta
        if not known:
            left = ZERO
            for i in range(columns):
                square = possible & order[i]
                if square != ZERO:
                    at = left
                    if threats:
                        new_threats = popcount(winning_cells(own | square, mask, board))
                        while at > ZERO and frame_threats[level, at - ONE] > new_threats:
                            frame_threats[level, at] = frame_threats[level, at - ONE]
                            frame_moves[level, at] = frame_moves[level, at - ONE]
                            at -= ONE
                        frame_threats[level, at] = new_threats
                    frame_moves[level, at] = square
                    left += ONE
            frame_own[level], frame_mask[level], frame_alpha[level], frame_beta[level] = own, mask, alpha, beta

        # leave positions as long as their values are known, then take the next move
        while True:
            if known:
                if level == ZERO:
                    if halving:
                        if value <= registers[PROBED]:
                            high = value
                        else:
                            low = value
                    else:
                        low = high = value
                    break
                level -= ONE
                own, mask, alpha, beta = frame_own[level], frame_mask[level], frame_alpha[level], frame_beta[level]
                left = frame_left[level]
                score = -value
                if score >= beta:
                    if lower:
                        store_bound(table, slots, own + mask, score, True)
                    value = score
                    continue
                if score > alpha:
                    alpha = score
                    frame_alpha[level] = score
                known = False
            if left == ZERO:
                if with_table:
                    store_bound(table, slots, own + mask, alpha, False)
                known, value = True, alpha
                continue
            left -= ONE
            frame_left[level] = left
            square = frame_moves[level, left]
            level += ONE
            own, mask = own ^ mask, mask | square
            if pruning:
                alpha, beta = -beta, -alpha
            else:
                alpha, beta = -cells, cells
            break
        if known:  # the root
            if low >= high:
                registers[NODES], registers[LEVEL], registers[LOW], registers[HIGH], registers[DONE] = nodes, 0, low, high, 1
                return
            own, mask = frame_own[ZERO], frame_mask[ZERO]
            alpha = next_probed_score(low, high)
            beta = alpha + 1
            registers[PROBED] = alpha
