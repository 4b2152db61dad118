"""The record of a student's search as a tree that steps, exports and compares like any other.

A function with its own loop over the root's moves becomes the root of the tree, although the search did not call it.
Moves are named after the cells that they change on the board; where pieces fall, by their column.
"""

import numpy as np

from engine.checker.recording.wire_format import MAXIMIZING, RETURNED, CallColumns, decompress_columns
from engine.checker.sandbox.worker_protocol import Answer
from engine.core.errors import PlyscopeError
from engine.core.stop_reason import StopReason
from engine.games.capabilities import Phrases
from engine.record.columns import CUTOFF, EXHAUSTED, HORIZON, NONE, OPEN, TERMINAL, Columns, PassNote, pack_flags
from engine.tree.board_parsing import describe_move, do_pieces_fall
from engine.tree.external_tree import ExternalData, build_external_tree
from engine.tree.tree import SearchTree

COLUMN_PHRASES = Phrases("column {name}", "by playing column {name}", "column {names} is", "columns {names} are")
MOVE_PHRASES = Phrases("{name}", "by playing {name}", "{names} is", "{names} are")  # the names are whole: "X 0,2", "move 1"


def build_tree(name: str, answer: Answer) -> SearchTree:
    """Return a recorded run as a tree. `tree.game.sources` has the functions of the program."""
    if answer.rows is None:
        raise PlyscopeError("no call was recorded, so there is no tree")
    seen = decompress_columns(answer.rows)
    if has_extra_root(answer):
        seen = _add_root_row(seen, answer.root.board if answer.root is not None else "")
    children = _list_children(seen.depth)
    windows = bool(np.isfinite(seen.alpha).any() or np.isfinite(seen.beta).any())
    K = int(seen.depth.max()) if any(roles.depth is not None for roles in answer.roles.values()) else None
    move, names = _name_moves(seen, children)
    columns = _build_columns(seen, children, move, windows, K, bool(answer.stopped))
    boards = ExternalData(name, seen.boards, seen.board.tolist(), {}, names)
    roots = np.flatnonzero(seen.depth == 0).tolist()
    passes = tuple(PassNote(row, K, "called again" if row else "called") for row in roots) if len(roots) > 1 else ()
    stopped = StopReason.BROKEN_OFF if answer.stopped else StopReason.NOT_STOPPED
    tree = build_external_tree(columns, boards, "alphabeta" if windows else "minimax", K, answer.seconds, stopped, passes)
    vars(tree.game)["sources"] = answer.sources
    vars(tree.game)["source_sides"] = _find_source_sides(seen, answer)
    by_column = names and all(name.split(" ")[0].isdecimal() for name in names.values())
    vars(tree.game)["words"] = COLUMN_PHRASES if by_column else MOVE_PHRASES
    return tree


def has_extra_root(answer: Answer) -> bool:
    """Return True if the tree has one row above all calls.

    It stands for the loop over the root's moves, or for a caller of the search for different positions.
    """
    if answer.root is not None or answer.rows is None:
        return answer.root is not None
    seen = decompress_columns(answer.rows)
    outer = np.flatnonzero(seen.depth == 0)
    sights = {(seen.boards[seen.board[row]], int(seen.flags[row]) & MAXIMIZING) for row in outer}
    return len(sights) > 1


def _find_source_sides(seen: CallColumns, answer: Answer) -> list[str]:
    """Return who moves in the calls of each source. The last source is the function around the search, if there is one."""
    sides = []
    for number in range(len(answer.sources)):
        maximizing = seen.flags[seen.function == number] & MAXIMIZING
        is_root = answer.root is not None and number == len(answer.sources) - 1
        sides.append("root" if is_root else "both" if len(set(maximizing.tolist())) != 1 else "max" if maximizing[0] else "min")
    return sides


def _add_root_row(seen: CallColumns, board: str) -> CallColumns:
    """Return the columns with one more row above all: the function around the search."""
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
    return CallColumns(**columns, boards=[*seen.boards, board])


def _list_children(depth: np.ndarray) -> list[list[int]]:
    """Return the children of each row, in order."""
    children: list[list[int]] = [[] for _ in depth]
    above: list[int] = []
    for row, level in enumerate(depth.tolist()):
        del above[level:]
        if above:
            children[above[-1]].append(row)
        above.append(row)
    return children


def _name_moves(seen: CallColumns, children: list[list[int]]) -> tuple[np.ndarray, dict[int, str]]:
    """Return a number for the move to each row, and the name of each number.

    The same moves lead to the same position, in every pass. Where a program reaches another position, the move gets another
    name.
    """
    falls = do_pieces_fall(seen.boards)
    numbers: dict[str, int] = {}
    changes: dict[tuple[int, int], str] = {}
    known: dict[tuple[int, str], tuple[int, tuple[str, int]]] = {}  # (place, move) -> next place and its board and side
    place = np.zeros(len(children), np.int64)
    move = np.full(len(children), NONE, np.int32)
    for row, below in enumerate(children):
        for at, child in enumerate(below, start=1):
            boards = int(seen.board[row]), int(seen.board[child])
            if boards not in changes:
                changes[boards] = describe_move(seen.boards[boards[0]], seen.boards[boards[1]], falls)
            plain = name = changes[boards] or f"move {at}"
            sight = seen.boards[boards[1]], int(seen.flags[child]) & MAXIMIZING
            again = 1
            while known.setdefault((int(place[row]), name), (len(known) + 1, sight))[1] != sight:
                again += 1
                name = f"{plain} ({again})"
            place[child] = known[int(place[row]), name][0]
            move[child] = numbers.setdefault(name, len(numbers))
    return move, {number: name for name, number in numbers.items()}


def _build_columns(
    seen: CallColumns, children: list[list[int]], move: np.ndarray, windows: bool, K: int | None, stopped: bool
) -> Columns:
    """Build the columns of the tree: statuses, windows, values and ends."""
    count = len(children)
    value = _fill_values(seen, children)
    end = np.empty(count, np.int32)
    for row in range(count - 1, -1, -1):
        end[row] = end[children[row][-1]] if children[row] else row + 1
    maximizing = (seen.flags & MAXIMIZING) != 0
    open_rows = _open_rows(seen, children) if stopped else set()
    reached = np.where(maximizing, value >= seen.beta, value <= seen.alpha) & windows

    def row_status(row: int) -> int:
        if row in open_rows:
            return OPEN
        if not children[row]:
            return HORIZON if seen.depth[row] == K and row else TERMINAL
        return CUTOFF if reached[row] else EXHAUSTED

    flags = np.array([pack_flags(row_status(row), int(maximizing[row])) for row in range(count)], np.uint8)
    none = np.empty(0, np.float64)
    alpha, beta = (seen.alpha.copy(), seen.beta.copy()) if windows else (none, none)
    return Columns(move, seen.depth.copy(), flags, np.zeros(count, np.uint32), alpha, beta, value, end)


def _fill_values(seen: CallColumns, children: list[list[int]]) -> np.ndarray:
    """Return the value of each row. A row that returned no number gets the best value below it."""
    value = seen.value.copy()
    for row in np.flatnonzero(np.isnan(value))[::-1]:
        below = [value[child] for child in children[row]]
        better = max if seen.flags[row] & MAXIMIZING else min
        value[row] = better(below) if below else 0.0
    return value


def _open_rows(seen: CallColumns, children: list[list[int]]) -> set[int]:
    """Return the rows that were open when the search was stopped: from the last root down, while they had not returned."""
    row = int(np.flatnonzero(seen.depth == 0)[-1])
    path: set[int] = set()
    while not seen.flags[row] & RETURNED:
        path.add(row)
        if not children[row]:
            break
        row = children[row][-1]
    return path
