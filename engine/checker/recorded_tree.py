"""The record of a student's search as a tree that steps, exports and compares like any other.

A function with a loop of its own over the first moves is the root of the tree, though it was not called by the search. Moves are
named after what they change on the board.
"""

import numpy as np

from engine.checker.recording.wire_format import MAXIMIZING, RETURNED, SeenColumns, unpacked
from engine.checker.sandbox.worker_protocol import Answer
from engine.core.errors import PlyscopeError
from engine.record.columns import CUTOFF, EXHAUSTED, HORIZON, NONE, OPEN, TERMINAL, Columns, PassNote, flags_of
from engine.record.recorder import BROKEN_OFF
from engine.tree.board_parsing import change_between
from engine.tree.external_tree import Seen, watched_tree
from engine.tree.tree import SearchTree


def tree_of(name: str, answer: Answer) -> SearchTree:
    """What was seen as a tree. Its game knows the functions of the program too: `tree.game.sources`."""
    if answer.rows is None:
        raise PlyscopeError("nothing was seen: there is no tree")
    seen = unpacked(answer.rows)
    if has_row_above(answer):
        seen = _below_a_root(seen, answer.root.board if answer.root is not None else "")
    children = _children(seen.depth)
    windows = bool(np.isfinite(seen.alpha).any() or np.isfinite(seen.beta).any())
    K = int(seen.depth.max()) if any(roles.depth is not None for roles in answer.roles.values()) else None
    move, names = _moves(seen, children)
    columns = _columns(seen, children, move, windows, K, bool(answer.stopped))
    boards = Seen(name, seen.boards, seen.board.tolist(), {}, names)
    roots = np.flatnonzero(seen.depth == 0).tolist()
    passes = tuple(PassNote(row, K, "called again" if row else "called") for row in roots) if len(roots) > 1 else ()
    stopped = BROKEN_OFF if answer.stopped else ""
    tree = watched_tree(columns, boards, "alphabeta" if windows else "minimax", K, answer.seconds, stopped, passes)
    vars(tree.game)["sources"] = answer.sources
    return tree


def has_row_above(answer: Answer) -> bool:
    """Whether the tree has a row that stands above all calls: the loop over the first moves, or what called the search for
    different positions."""
    if answer.root is not None or answer.rows is None:
        return answer.root is not None
    seen = unpacked(answer.rows)
    outer = np.flatnonzero(seen.depth == 0)
    sights = {(seen.boards[seen.board[row]], int(seen.flags[row]) & MAXIMIZING) for row in outer}
    return len(sights) > 1


def _below_a_root(seen: SeenColumns, board: str) -> SeenColumns:
    """One more row above all: the function around the search."""
    first_max = bool(seen.flags[0] & MAXIMIZING)
    outer = seen.depth == 0
    known = seen.value[outer & ~np.isnan(seen.value)]
    value = np.nan if len(known) == 0 else known.min() if first_max else known.max()
    returned = bool((seen.flags[outer] & RETURNED).all())
    first = {
        "depth": 0,
        "function": int(seen.function.max()) + 1,
        "board": len(seen.boards),
        "flags": (0 if first_max else MAXIMIZING) + (RETURNED if returned else 0),
        "value": value,
        "alpha": -np.inf,
        "beta": np.inf,
    }
    columns = {
        name: np.concatenate([[start], getattr(seen, name) + (name == "depth")]).astype(getattr(seen, name).dtype)
        for name, start in first.items()
    }
    return SeenColumns(**columns, boards=[*seen.boards, board])


def _children(depth: np.ndarray) -> list[list[int]]:
    children: list[list[int]] = [[] for _ in depth]
    above: list[int] = []
    for row, level in enumerate(depth.tolist()):
        del above[level:]
        if above:
            children[above[-1]].append(row)
        above.append(row)
    return children


def _moves(seen: SeenColumns, children: list[list[int]]) -> tuple[np.ndarray, dict[int, str]]:
    """A number for the move that led to each row, and what each is called. The same moves lead to the same position, in every
    pass: where a program comes to another one, the move gets another name."""
    numbers: dict[str, int] = {}
    changes: dict[tuple[int, int], str] = {}
    known: dict[
        tuple[int, str], tuple[int, tuple[str, int]]
    ] = {}  # from a place and a move: the next place and what it looks like
    place = np.zeros(len(children), np.int64)
    move = np.full(len(children), NONE, np.int32)
    for row, below in enumerate(children):
        for at, child in enumerate(below, start=1):
            boards = int(seen.board[row]), int(seen.board[child])
            if boards not in changes:
                changes[boards] = change_between(seen.boards[boards[0]], seen.boards[boards[1]])
            plain = name = changes[boards] or f"move {at}"
            sight = seen.boards[boards[1]], int(seen.flags[child]) & MAXIMIZING
            again = 1
            while known.setdefault((int(place[row]), name), (len(known) + 1, sight))[1] != sight:
                again += 1
                name = f"{plain} ({again})"
            place[child] = known[int(place[row]), name][0]
            move[child] = numbers.setdefault(name, len(numbers))
    return move, {number: name for name, number in numbers.items()}


def _columns(
    seen: SeenColumns, children: list[list[int]], move: np.ndarray, windows: bool, K: int | None, stopped: bool
) -> Columns:
    count = len(children)
    value = _values(seen, children)
    end = np.empty(count, np.int32)
    for row in range(count - 1, -1, -1):
        end[row] = end[children[row][-1]] if children[row] else row + 1
    maximizing = (seen.flags & MAXIMIZING) != 0
    open_rows = _last_path(seen, children) if stopped else set()
    reached = np.where(maximizing, value >= seen.beta, value <= seen.alpha) & windows

    def status(row: int) -> int:
        if row in open_rows:
            return OPEN
        if not children[row]:
            return HORIZON if seen.depth[row] == K and row else TERMINAL
        return CUTOFF if reached[row] else EXHAUSTED

    flags = np.array([flags_of(status(row), int(maximizing[row])) for row in range(count)], np.uint8)
    none = np.empty(0, np.float64)
    alpha, beta = (seen.alpha.copy(), seen.beta.copy()) if windows else (none, none)
    return Columns(move, seen.depth.copy(), flags, np.zeros(count, np.uint32), alpha, beta, value, end)


def _values(seen: SeenColumns, children: list[list[int]]) -> np.ndarray:
    """The value of each row; of one that returned no number what follows from those below it."""
    value = seen.value.copy()
    for row in np.flatnonzero(np.isnan(value))[::-1]:
        below = [value[child] for child in children[row]]
        better = max if seen.flags[row] & MAXIMIZING else min
        value[row] = better(below) if below else 0.0
    return value


def _last_path(seen: SeenColumns, children: list[list[int]]) -> set[int]:
    """The rows that were open when the search was stopped: from the last root down, as long as they did not come back."""
    row = int(np.flatnonzero(seen.depth == 0)[-1])
    path: set[int] = set()
    while not seen.flags[row] & RETURNED:
        path.add(row)
        if not children[row]:
            break
        row = children[row][-1]
    return path
