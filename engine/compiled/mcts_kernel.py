"""The compiled Monte-Carlo tree search for Connect boards: the counterpart of engine/algorithms/monte_carlo.

The machine. Nodes are numbers, in the order in which they were added; `children[node, k]` is the k-th child that was added.
`iterate` runs one iteration after another: it replays the moves on two bitboards while it selects a path, adds a node (PUCT: all
children of a node), plays random moves to the end, and adds the outcome to every node of the path. It returns to Python when it
has done `limit` iterations, when the arrays are full, or when the root is proven, and goes on when it is called again. An
iteration that finds the arrays full changes nothing. The random numbers are those of engine/core/random_numbers.py.

Every constant is np.uint64: `uint64 + 1` would be an int64, and wrong at bit 63.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from engine.compiled import alphabeta_kernel
from engine.compiled.alphabeta_kernel import RULE_FIRST, count_lines, has_line
from engine.compiled.numba_compat import CompiledFunction, CompiledRowFunction, popcount
from engine.core import random_numbers

NODES, ITERATIONS, STATE = range(3)  # registers
RUNNING, FULL, PROVEN = range(3)  # STATE: going on, no room for another node, the root is proven
UCT, PUCT, SOLVER = range(3)  # methods
NOT_OVER = 3  # result of a node that is not over; else its outcome, 0 to 2

ZERO, ONE, HALF = np.uint64(0), np.uint64(1), np.uint64(32)
GAMMA = np.uint64(random_numbers.GAMMA)
FIRST_MULTIPLIER, SECOND_MULTIPLIER = np.uint64(random_numbers.FIRST_MULTIPLIER), np.uint64(random_numbers.SECOND_MULTIPLIER)
FIRST_SHIFT, SECOND_SHIFT, THIRD_SHIFT = np.uint64(30), np.uint64(27), np.uint64(31)


class NodeArrays(NamedTuple):
    """The growing tree; index = number of the node."""

    parent: np.ndarray  # int32
    move: np.ndarray  # int8
    depth: np.ndarray  # uint8
    result: np.ndarray  # uint8: the outcome of a node that is over, or NOT_OVER
    untried: np.ndarray  # uint64: the squares of moves without a child
    born: np.ndarray  # int32
    visits: np.ndarray  # int32
    total: np.ndarray  # int32: half points for MAX
    proven: np.ndarray  # int8
    degree: np.ndarray  # uint8: number of children
    children: np.ndarray  # int32: node x number


class LogArrays(NamedTuple):
    """The log; index = iteration - 1."""

    leaf: np.ndarray  # int32: number of the node
    outcome: np.ndarray  # uint8
    playout: np.ndarray  # uint16
    seed: np.ndarray  # uint64


class Method(NamedTuple):
    """The board and the settings of a search; scalars only."""

    kind: int  # UCT, PUCT or SOLVER
    c: float
    seed: np.uint64  # mixed
    recording: bool  # False: nothing is logged, so that the search alone can be timed
    own: np.uint64  # the root: discs of the side to move
    other: np.uint64
    maximizing: bool


@njit(forceinline=True)
def mix_word(word):
    word = (word ^ (word >> FIRST_SHIFT)) * FIRST_MULTIPLIER
    word = (word ^ (word >> SECOND_SHIFT)) * SECOND_MULTIPLIER
    return word ^ (word >> THIRD_SHIFT)


@njit(forceinline=True)
def draw_below(state, count):
    """Return a number below `count`, drawn with the word that follows from a state."""
    return ((mix_word(state) >> HALF) * np.uint64(count)) >> HALF


@njit(forceinline=True)
def pick_square(squares, index, columns, order, turn, in_order):
    """Return the square with this index, in the child order of the side to move, and its column."""
    if in_order:
        for _ in range(index):
            squares &= squares - ONE
        return squares & (ZERO - squares)
    left = np.int64(index)
    for place in range(order.shape[1]):
        square = squares & columns[order[turn, place]]
        if square != ZERO:
            if left == 0:
                return square
            left -= 1
    return ZERO


@njit(forceinline=True)
def find_column(square, columns):
    for column in range(len(columns)):
        if square & columns[column] != ZERO:
            return column
    return -1


@njit(forceinline=True)
def judge(mover, waiting, maximizing, board):
    """Return the outcome after a move of the side with the discs `mover`, which is MAX if `maximizing`; NOT_OVER if none."""
    if board.rule == RULE_FIRST:
        if has_line(mover, board.connect, board.shifts):
            return 2 if maximizing else 0
        return NOT_OVER if (mover | waiting) != board.cells else 1
    if (mover | waiting) != board.cells:
        return NOT_OVER
    ahead = count_lines(mover, board.connect, board.shifts, board.starts)
    ahead -= count_lines(waiting, board.connect, board.shifts, board.starts)
    if not maximizing:
        ahead = -ahead
    return 2 if ahead > 0 else 0 if ahead < 0 else 1


def _iterate(nodes, log, registers, logs, path, board, columns, order, in_order, method, limit):
    """Run iterations until `limit` of them are done."""
    parent, move, depth, result, untried, born, visits, total, proven, degree, children = nodes
    leaf, outcomes, playouts, seeds = log
    count, room = registers[NODES], len(parent)
    iteration = registers[ITERATIONS]
    while iteration < limit and registers[STATE] == RUNNING:
        iteration += 1
        state = mix_word(method.seed + np.uint64(iteration) * GAMMA)
        seed = state
        own, other, maximizing = method.own, method.other, method.maximizing
        node, plies = 0, 0
        path[0] = 0
        while degree[node] > 0 and (untried[node] == ZERO):  # select
            best, chosen = -math.inf, -1
            here = visits[node]
            for place in range(degree[node]):
                child = children[node, place]
                if method.kind == SOLVER and proven[child] != 0:
                    continue
                times = visits[child]
                judged = child if times > 0 else node
                known = visits[judged]
                points = total[judged] if maximizing else 2 * known - total[judged]
                mean = points / (2 * known)
                if method.kind == PUCT:
                    bonus = method.c * (1 / degree[node]) * math.sqrt(here) / (1 + times)
                else:
                    bonus = method.c * math.sqrt(logs[here] / times)
                if mean + bonus > best:
                    best, chosen = mean + bonus, child
            node = chosen
            square = ((own | other) + board.bottom) & columns[move[node]]
            own, other, maximizing = other, own | square, not maximizing
            plies += 1
            path[plies] = node
        squares = untried[node]
        if squares != ZERO:  # expand
            turn = 1 if maximizing else 0
            added = popcount(squares)
            if method.kind != PUCT:
                state += GAMMA
                squares = pick_square(squares, draw_below(state, added), columns, order, turn, in_order)
                added = 1
            if count + added > room:
                registers[STATE] = FULL
                iteration -= 1
                break
            first = count
            for _ in range(added):
                square = pick_square(squares, 0, columns, order, turn, in_order)
                squares ^= square
                parent[count], move[count], depth[count] = node, find_column(square, columns), plies + 1
                born[count], visits[count], total[count], proven[count], degree[count] = iteration, 0, 0, 0, 0
                result[count] = judge(own | square, other, maximizing, board)
                occupied = own | other | square
                untried[count] = (occupied + board.bottom) & board.cells if result[count] == NOT_OVER else ZERO
                untried[node] ^= square
                children[node, degree[node]] = count
                degree[node] += 1
                count += 1
            if method.kind != PUCT:
                node = first
                square = ((own | other) + board.bottom) & columns[move[node]]
                own, other, maximizing = other, own | square, not maximizing
                plies += 1
                path[plies] = node
            seed = state
        elif method.kind != PUCT:
            seed = state
        played = 0
        outcome = np.int64(result[node])
        while outcome == NOT_OVER:  # simulate
            squares = ((own | other) + board.bottom) & board.cells
            state += GAMMA
            index = draw_below(state, popcount(squares))
            square = pick_square(squares, index, columns, order, 1 if maximizing else 0, in_order)
            own, other = other, own | square
            outcome = np.int64(judge(other, own, maximizing, board))
            maximizing = not maximizing
            played += 1
        for place in range(plies, -1, -1):  # back up
            above = path[place]
            visits[above] += 1
            total[above] += outcome
            if method.kind == SOLVER:
                if result[above] != NOT_OVER:
                    proven[above] = result[above] - 1
                else:
                    won = 1 if method.maximizing == (place % 2 == 0) else -1
                    lost = untried[above] == ZERO and degree[above] > 0
                    verdict = 0
                    for number in range(degree[above]):
                        known_result = proven[children[above, number]]
                        if known_result == won:
                            verdict = won
                        if known_result != -won:
                            lost = False
                    proven[above] = -won if lost else verdict
        if method.recording:
            leaf[iteration - 1], outcomes[iteration - 1] = node, outcome
            playouts[iteration - 1], seeds[iteration - 1] = played, seed
        if method.kind == SOLVER and proven[0] != 0:
            registers[STATE] = PROVEN
    registers[NODES], registers[ITERATIONS] = count, iteration


iterate = CompiledFunction(_iterate, uses=(alphabeta_kernel, random_numbers))


def _restore_nodes(nodes, boards, board, columns, method):
    """Compute what the kernel knows of the nodes of an earlier search: results, untried squares and children.

    Parents come before their children. `boards` is for the discs of each node: those of the side to move, and the other's.
    """
    parent, move, result, untried, degree, children = (
        nodes.parent, nodes.move, nodes.result, nodes.untried, nodes.degree, nodes.children
    )  # fmt: skip
    boards[0, 0], boards[0, 1] = method.own, method.other
    for node in range(1, len(boards)):
        above = parent[node]
        own, other = boards[above, 0], boards[above, 1]
        square = ((own | other) + board.bottom) & columns[move[node]]
        boards[node, 0], boards[node, 1] = other, own | square
        maximizing = method.maximizing == (nodes.depth[above] % 2 == 0)
        result[node] = judge(own | square, other, maximizing, board)
        untried[node] = ((own | other | square) + board.bottom) & board.cells if result[node] == NOT_OVER else ZERO
        untried[above] ^= square
        degree[node] = 0
        children[above, degree[above]] = node
        degree[above] += 1


restore_nodes = CompiledFunction(_restore_nodes, uses=(alphabeta_kernel,))


@CompiledRowFunction
def fill_logs(logs, first):
    """Fill in the natural logarithms from `first` on; that of 0 is not used."""
    for number in range(first, len(logs)):
        logs[number] = math.log(number)


@CompiledRowFunction
def order_nodes(parents, size, row, free):
    """Compute the size of each subtree, and the row of each node in pre-order; `free` is for the row of the next child."""
    for node in range(len(parents)):
        size[node] = 1
    for node in range(len(parents) - 1, 0, -1):
        size[parents[node]] += size[node]
    row[0], free[0] = 0, 1
    for node in range(1, len(parents)):
        above = parents[node]
        row[node] = free[above]
        free[above] += size[node]
        free[node] = row[node] + 1
