"""The compiled search for Connect boards of at most 64 bits: the compiled counterpart of engine/algorithms.

The machine. A search is a stack of frames, one per ply, and three registers: rows written, level of the current frame, done.
`advance` keeps the current frame in locals and repeats: find the next legal column; write the child's row; a leaf is evaluated
on the spot, an inner node is pushed; when nothing is left to try (or a cutoff happens) the node's row is completed and popped;
then the score is folded into the parent. It returns to Python whenever the table is filled up to `limit` (checked only after a
push, hence the spare rows) and continues from the frames when called again. So a search can be stopped, observed and given more
memory between two calls, and the written rows are a tree at any time.

Evaluations are here too, because numba's cache notices changes only in the file of the function it caches. They are chosen
by an integer, or by the type of the value column: `spread` is the one evaluation in float32, all others are integers.

Bits: see games/connect/rules.py. Every constant is np.uint64: `uint64 + 1` would be an int64, and wrong at bit 63.
"""

from typing import NamedTuple

import numpy as np
from numba import njit, types
from numba.extending import overload

from engine.compiled.numba_compat import CompiledFunction, popcount
from engine.record.columns import CUTOFF, EXHAUSTED, HORIZON, MAXIMIZING, OPEN, TERMINAL

ROWS, LEVEL, DONE = range(3)  # registers
RULE_FIRST, RULE_COUNT = range(2)
WINDOWS, CHAINS, OUTCOME, SPREAD, SCORE = range(5)  # evaluations
NO_QUIRK, NO_FULL_BOARD_TEST, FRESH_ROOT_WINDOWS, AS_TYPED = range(4)  # as published: see games/quirks.py

ZERO, ONE = np.uint64(0), np.uint64(1)
UP, RIGHT, UP_RIGHT, DOWN_RIGHT = range(4)  # directions, as indices of BoardGeometry.shifts


class BoardGeometry(NamedTuple):
    """Geometry and rules, known only at run time, so that one compiled function serves every board.

    Scalars and tuples of scalars only: an array in here would be reference-counted at every call (measured: five times slower).
    """

    cells: np.uint64
    bottom: np.uint64  # the lowest row
    shifts: tuple  # uint64: one step in each direction; 1 where no line fits, since shifting by 64 or more is undefined
    starts: tuple  # uint64: first cells of the lines that fit
    connect: int
    rule: int


class Scoring(NamedTuple):
    """An evaluation as numbers; scalars only, as above."""

    kind: int
    length: int  # of a window
    win: int  # value of a full window; 0: it has a weight like other windows
    must_find_win: bool  # a full window does not always end the game, so the evaluation looks for one
    shifts: tuple  # uint64: as in BoardGeometry, for windows of this length
    starts: tuple
    max_weights: tuple  # int64: windows with 1, 2, 3 or 4 discs of MAX and none of MIN
    min_weights: tuple
    growth: tuple  # int64: windows of another length: weight(n + 1) = growth[0] * weight(n) + growth[1], weight(0) = 0 or 1
    disc: int  # value of a disc in masks[0]
    masks: tuple  # uint64 (12): sets of cells


class KernelRules(NamedTuple):
    depth: int
    maximizing: bool  # at the root
    pruning: bool
    on_equal: bool  # cut when the value equals the bound
    quirk: int
    recording: bool  # False: every node of a level is written to the same row, so that the search alone can be timed


class Frames(NamedTuple):
    """The stack; index = level."""

    own: np.ndarray  # uint64: discs of the side to move
    other: np.ndarray
    node: np.ndarray  # uint64: rows, unsigned because a signed index is tested for being negative
    left: np.ndarray  # uint64: squares still to be tried
    turn: np.ndarray  # uint64: index in the child order
    best: np.ndarray
    alpha: np.ndarray
    beta: np.ndarray


# ---- lines -------------------------------------------------------------------------------------------------------------


@njit(forceinline=True)
def full_windows(discs, length, step):
    """Return the first cells of the windows of `length` that `discs` fill, in the direction of `step`."""
    if length == 4:
        pairs = discs & (discs >> step)
        return pairs & (pairs >> (step + step))
    have = 1
    while have < length:
        grow = min(have, length - have)
        discs &= discs >> (np.uint64(grow) * step)
        have += grow
    return discs


@njit(forceinline=True)
def has_line(discs, length, shifts):
    return (
        full_windows(discs, length, shifts[UP])
        | full_windows(discs, length, shifts[RIGHT])
        | full_windows(discs, length, shifts[UP_RIGHT])
        | full_windows(discs, length, shifts[DOWN_RIGHT])
    ) != ZERO


@njit(forceinline=True)
def count_lines(discs, length, shifts, starts):
    """Return the number of full windows: a run of L counts L - length + 1."""
    return (
        popcount(full_windows(discs, length, shifts[UP]) & starts[UP])
        + popcount(full_windows(discs, length, shifts[RIGHT]) & starts[RIGHT])
        + popcount(full_windows(discs, length, shifts[UP_RIGHT]) & starts[UP_RIGHT])
        + popcount(full_windows(discs, length, shifts[DOWN_RIGHT]) & starts[DOWN_RIGHT])
    )


# ---- evaluations (games/connect/evaluations.py defines them) ------------------------------------------------------------


@njit(forceinline=True)
def mark_fours(high, low, step, starts):
    """Return the windows of four in one direction with discs of one side only: with 1, 2, 3 of MAX, with 1, 2, 3 of MIN.

    A window is the bit of its first cell, and its number of discs a two-bit number spread over the words ones and twos.
    """
    skip = step + step
    high_odd, high_pair = high ^ (high >> step), high & (high >> step)
    low_odd, low_pair = low ^ (low >> step), low & (low >> step)
    high_any, low_any = high_odd | high_pair, low_odd | low_pair
    high_free = starts & ~(low_any | (low_any >> skip))
    low_free = starts & ~(high_any | (high_any >> skip))
    high_ones = (high_odd ^ (high_odd >> skip)) & high_free
    high_twos = ((high_pair ^ (high_pair >> skip)) | (high_odd & (high_odd >> skip))) & high_free
    low_ones = (low_odd ^ (low_odd >> skip)) & low_free
    low_twos = ((low_pair ^ (low_pair >> skip)) | (low_odd & (low_odd >> skip))) & low_free
    return (
        high_ones & ~high_twos,
        high_twos & ~high_ones,
        high_ones & high_twos,
        low_ones & ~low_twos,
        low_twos & ~low_ones,
        low_ones & low_twos,
    )


@njit(forceinline=True)
def weigh_fours(high, low, shifts, starts, of_max, of_min):
    up = mark_fours(high, low, shifts[UP], starts[UP])
    right = mark_fours(high, low, shifts[RIGHT], starts[RIGHT])
    rising = mark_fours(high, low, shifts[UP_RIGHT], starts[UP_RIGHT])
    falling = mark_fours(high, low, shifts[DOWN_RIGHT], starts[DOWN_RIGHT])
    return (
        of_max[0] * (popcount(up[0]) + popcount(right[0]) + popcount(rising[0]) + popcount(falling[0]))
        + of_max[1] * (popcount(up[1]) + popcount(right[1]) + popcount(rising[1]) + popcount(falling[1]))
        + of_max[2] * (popcount(up[2]) + popcount(right[2]) + popcount(rising[2]) + popcount(falling[2]))
        + of_min[0] * (popcount(up[3]) + popcount(right[3]) + popcount(rising[3]) + popcount(falling[3]))
        + of_min[1] * (popcount(up[4]) + popcount(right[4]) + popcount(rising[4]) + popcount(falling[4]))
        + of_min[2] * (popcount(up[5]) + popcount(right[5]) + popcount(rising[5]) + popcount(falling[5]))
    )


@njit
def weigh_windows(high, low, step, starts, length, growth):
    """Return the same for windows of another length, window by window and with the same weights for both sides."""
    pattern = ZERO
    for i in range(length):
        pattern |= ONE << (np.uint64(i) * step)
    total = 0
    while starts != ZERO:
        first = starts & (~starts + ONE)
        starts ^= first
        window = pattern * first
        of_max, of_min = popcount(high & window), popcount(low & window)
        if (of_max == 0) == (of_min == 0) or of_max + of_min == length:
            continue
        weight = 1 if growth[1] == 0 else 0
        for _ in range(of_max + of_min):
            weight = growth[0] * weight + growth[1]
        total += weight if of_min == 0 else -weight
    return total


@njit(forceinline=True)
def windows_value(high, low, winner, full, scoring):
    """Return the value of `lines`, `segments`, `threats`: weights of windows, and of discs in the first mask."""
    length, shifts, starts = scoring.length, scoring.shifts, scoring.starts
    of_max, of_min = scoring.max_weights, scoring.min_weights
    if scoring.win != 0:
        if scoring.must_find_win:
            if has_line(high, length, shifts):
                return scoring.win
            if has_line(low, length, shifts):
                return -scoring.win
        elif winner != 0:
            return winner * scoring.win
        if full:
            return 0
    if length == 4:
        total = weigh_fours(high, low, shifts, starts, of_max, of_min)
    else:
        total = (
            weigh_windows(high, low, shifts[UP], starts[UP], length, scoring.growth)
            + weigh_windows(high, low, shifts[RIGHT], starts[RIGHT], length, scoring.growth)
            + weigh_windows(high, low, shifts[UP_RIGHT], starts[UP_RIGHT], length, scoring.growth)
            + weigh_windows(high, low, shifts[DOWN_RIGHT], starts[DOWN_RIGHT], length, scoring.growth)
        )
    if scoring.win == 0:
        total += of_max[3] * count_lines(high, length, shifts, starts) + of_min[3] * count_lines(low, length, shifts, starts)
    if scoring.disc != 0:
        total += scoring.disc * (popcount(high & scoring.masks[0]) - popcount(low & scoring.masks[0]))
    return total


@njit
def fill_down(discs, ends, step):
    """Return the discs of the runs that end in `ends`, looking along `step`."""
    ends |= discs & (ends >> step)
    discs &= discs >> step
    ends |= discs & (ends >> (step + step))
    discs &= discs >> (step + step)
    return ends | (discs & (ends >> (step << np.uint64(2))))


@njit
def fill_up(discs, ends, step):
    ends |= discs & (ends << step)
    discs &= discs << step
    ends |= discs & (ends << (step + step))
    discs &= discs << (step + step)
    return ends | (discs & (ends << (step << np.uint64(2))))


@njit
def run_extensions(discs, playable, step):
    """Return the sum over the runs of length times extensions, both ways, at most two cells each."""
    ahead, behind = playable >> step, playable << step
    return (
        popcount(fill_down(discs, discs & ahead, step))
        + popcount(fill_down(discs, discs & ahead & (ahead >> step), step))
        + popcount(fill_up(discs, discs & behind, step))
        + popcount(fill_up(discs, discs & behind & (behind << step), step))
    )


@njit
def side_chains_value(discs, playable, shifts, starts, masks):
    """Return one side of `chains`: weights of discs, extended runs, fours.

    Masks: four weight planes, top row, then cells that count and last cells (a run that starts there counts nothing) for rows
    and both diagonals.
    """
    total = popcount(discs & masks[0]) + 2 * popcount(discs & masks[1])
    total += 4 * popcount(discs & masks[2]) + 8 * popcount(discs & masks[3])
    up = shifts[UP]
    total += popcount(fill_down(discs, discs & (playable >> up), up))
    total += popcount(fill_down(discs, discs & ((playable & ~masks[4]) >> up), up))
    right, up_right, down_right = shifts[RIGHT], shifts[UP_RIGHT], shifts[DOWN_RIGHT]
    in_rows = discs & ~(masks[6] & ~(discs << right))
    total += run_extensions(in_rows, playable & masks[5], right)
    rising = discs & masks[7]
    rising &= ~(masks[8] & ~(rising << up_right))
    total += run_extensions(rising, playable & masks[7], up_right)
    falling = discs & masks[9]
    falling &= ~(masks[10] & ~(falling >> down_right))
    total += run_extensions(falling, playable & masks[9], down_right)
    return total + 21 * count_lines(discs, 4, shifts, starts)


@njit
def chains_value(high, low, board, scoring):
    playable = ((high | low) + board.bottom) & board.cells
    shifts, starts, masks = scoring.shifts, scoring.starts, scoring.masks
    return side_chains_value(high, playable, shifts, starts, masks) - side_chains_value(low, playable, shifts, starts, masks)


@njit
def side_spread_value(discs, score_ratio, other_ratio, scoring, pairs):
    """Return one side of `spread`.

    The masks are the three planes of the distance from the centre; `pairs` has a row per offset between two cells: the cells
    it can start from, the shift, the distance rounded down.
    """
    masks = scoring.masks
    centring = 58 - (popcount(discs & masks[0]) + 2 * popcount(discs & masks[1]) + 4 * popcount(discs & masks[2]))
    connection = 810
    for i in range(len(pairs)):
        connection -= np.int64(pairs[i, 2]) * popcount(discs & (discs >> pairs[i, 1]) & pairs[i, 0])
    if connection < 0:
        connection = 810
    if centring < 0:
        centring = 58
    return (
        score_ratio * ((count_lines(discs, 4, scoring.shifts, scoring.starts) * 100.0) / 18.0)
        + other_ratio * ((centring * 100.0) / 58.0)
        + other_ratio * ((connection * 100.0) / 810.0)
    )


@njit
def spread_value(high, low, scoring, pairs):
    filled = popcount(high | low) / 42.0
    if filled <= 0.33:
        score_ratio = other_ratio = 0.33
    else:
        score_ratio = min(1.0, 1.3 * filled)
        other_ratio = (1.0 - score_ratio) / 2.0
    mine = side_spread_value(high, score_ratio, other_ratio, scoring, pairs)
    return np.float32(mine - side_spread_value(low, score_ratio, other_ratio, scoring, pairs))


@njit(forceinline=True)
def outcome_value(high, low, winner, full, board):
    if board.rule == RULE_FIRST or not full:
        return winner
    connect, shifts, starts = board.connect, board.shifts, board.starts
    return count_lines(high, connect, shifts, starts) - count_lines(low, connect, shifts, starts)


@njit(forceinline=True)
def score_value(high, low, winner, full, board):
    """Return the value of `score`: an earlier win is worth more; otherwise as `none`."""
    if board.rule == RULE_FIRST:
        return winner * ((popcount(board.cells & ~(high | low)) + 2) >> 1)
    return outcome_value(high, low, winner, full, board)


def static_value(like, high, low, winner, full, board, scoring, pairs):
    """Return the evaluation for MAX, of the type of `like`; `winner` is 1 for MAX, -1 for MIN, 0 for none. Only for
    compiled code.
    """
    raise NotImplementedError


@overload(static_value, jit_options={"forceinline": True})
def _static_value(like, high, low, winner, full, board, scoring, pairs):
    if isinstance(like, types.Float):

        def fraction(like, high, low, winner, full, board, scoring, pairs):
            return spread_value(high, low, scoring, pairs)

        return fraction

    def whole(like, high, low, winner, full, board, scoring, pairs):
        if scoring.kind == WINDOWS:
            return np.int32(windows_value(high, low, winner, full, scoring))
        if scoring.kind == CHAINS:
            return np.int32(chains_value(high, low, board, scoring))
        if scoring.kind == SCORE:
            return np.int32(score_value(high, low, winner, full, board))
        return np.int32(outcome_value(high, low, winner, full, board))

    return whole


@CompiledFunction
def evaluate_position(like, high, low, board, scoring, pairs):
    """Return the evaluation of one position."""
    winner = 0
    if board.rule == RULE_FIRST:
        winner = int(has_line(high, board.connect, board.shifts)) - int(has_line(low, board.connect, board.shifts))
    return static_value(like, high, low, winner, (high | low) == board.cells, board, scoring, pairs)


# ---- the search --------------------------------------------------------------------------------------------------------


@njit(forceinline=True)
def fold_score(score, best, alpha, beta, maximizing, pruning, on_equal):
    """Fold a child's score into its parent: return the new best value and window, and True if the parent is cut."""
    cut = False
    if maximizing:
        if score > best:
            best = score
        if pruning:
            if score > alpha:
                alpha = score
            cut = score > beta or (on_equal and score == beta)
    else:
        if score < best:
            best = score
        if pruning:
            if score < beta:
                beta = score
            cut = score < alpha or (on_equal and score == alpha)
    return best, alpha, beta, cut


@CompiledFunction
def advance(table, frames, registers, board, column_cells, order, scoring, pairs, rules, bounds, limit):
    """Continue searching until done or until `limit` rows are written; at most columns x (depth + 1) rows more than that.

    `bounds` are minus infinity, zero and plus infinity in the type of the value column.
    """
    rows, level = registers[ROWS], registers[LEVEL]
    low_end, zero, high_end = bounds
    row_move, row_depth, row_flags, row_skipped, row_alpha, row_beta, row_value, row_end = table
    frame_own, frame_other, frame_node, frame_left, frame_turn, frame_best, frame_alpha, frame_beta = frames
    cells, bottom, shifts, connect, first_rule = board.cells, board.bottom, board.shifts, board.connect, board.rule == RULE_FIRST
    depth_limit, pruning, on_equal = rules.depth, rules.pruning, rules.on_equal
    quirk, recording = rules.quirk, rules.recording
    maximizing = rules.maximizing ^ (level & 1 == 1)
    own, other, node = frame_own[level], frame_other[level], frame_node[level]
    left, turn = frame_left[level], frame_turn[level]
    best, alpha, beta = frame_best[level], frame_alpha[level], frame_beta[level]
    cut = False
    while True:
        if left != ZERO and not cut:  # visit a child
            while True:
                column = order[np.uint64(maximizing), turn]
                turn += ONE
                square = left & column_cells[column]
                if square != ZERO:
                    break
            left ^= square
            child = np.uint64(rows) if recording else np.uint64(level + 1)
            rows += 1
            mine = own | square
            row_move[child] = column
            row_depth[child] = level + 1
            if pruning:
                if quirk == FRESH_ROOT_WINDOWS and level == 0:
                    row_alpha[child], row_beta[child] = low_end, high_end
                else:
                    row_alpha[child], row_beta[child] = alpha, beta
            won = first_rule and has_line(mine, connect, shifts)
            full = (mine | other) == cells
            side = 0 if maximizing else MAXIMIZING
            if not (won or full or level + 1 == depth_limit):
                frame_left[level], frame_turn[level] = left, turn
                frame_best[level], frame_alpha[level], frame_beta[level] = best, alpha, beta
                if quirk == FRESH_ROOT_WINDOWS and level == 0:
                    alpha, beta = low_end, high_end
                level += 1
                maximizing = not maximizing
                own, other, node = other, mine, child
                left, turn = ((mine | own) + bottom) & cells, ZERO
                best = low_end if maximizing else high_end
                if quirk == AS_TYPED and not maximizing:
                    best = zero
                frame_own[level], frame_other[level], frame_node[level] = own, other, node
                row_flags[node] = OPEN | side
                row_skipped[node] = 0
                if rows >= limit:
                    frame_left[level], frame_turn[level] = left, turn
                    frame_best[level], frame_alpha[level], frame_beta[level] = best, alpha, beta
                    registers[ROWS], registers[LEVEL] = rows, level
                    return
                continue
            if quirk == AS_TYPED and level + 1 < depth_limit:
                score = zero
            elif quirk == NO_FULL_BOARD_TEST and level + 1 < depth_limit:
                score = high_end if maximizing else low_end
            elif maximizing:
                score = static_value(zero, mine, other, int(won), full, board, scoring, pairs)
            else:
                score = static_value(zero, other, mine, -int(won), full, board, scoring, pairs)
            row_value[child] = score
            row_flags[child] = (TERMINAL if won or full else HORIZON) | side
            row_skipped[child] = 0
            row_end[child] = rows
        else:  # leave the node
            untried = popcount(left)
            if not (quirk == AS_TYPED and cut):
                score = best
            row_value[node] = score
            row_flags[node] = (CUTOFF if untried else EXHAUSTED) | (MAXIMIZING if maximizing else 0)
            row_skipped[node] = untried
            row_end[node] = rows
            if level == 0:
                registers[ROWS], registers[LEVEL], registers[DONE] = rows, level, 1
                return
            level -= 1
            maximizing = not maximizing
            own, other, node = frame_own[level], frame_other[level], frame_node[level]
            left, turn = frame_left[level], frame_turn[level]
            best, alpha, beta = frame_best[level], frame_alpha[level], frame_beta[level]

        best, alpha, beta, cut = fold_score(score, best, alpha, beta, maximizing, pruning, on_equal)
