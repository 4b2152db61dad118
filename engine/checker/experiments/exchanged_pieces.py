"""The same board with the pieces of the two sides exchanged: for the other side it is as good as the old one was."""

from collections import defaultdict
from typing import Any

from engine.checker.diagnosis.program_view import WatchedProgram
from engine.checker.recording.board_cells import flatten_cells, replace_cells
from engine.checker.recording.call_snapshots import CallSnapshot, deep_copy
from engine.checker.recording.observations import observed
from engine.checker.recording.state_encoding import is_number

MIN_CELLS = 9  # of a board
Path = tuple[Any, ...]


@observed
def exchange_pieces(program: WatchedProgram, snapshot: CallSnapshot, state: Any = None) -> dict[str, Any]:
    """Return the state of a call with exchanged pieces, as an argument to change. It is empty if the pieces are not known.

    `state` is given if another state than the call's own is to be changed.
    """
    place, parent = program.role_index(snapshot.number, "state"), program.calls.parent[snapshot.row]
    if place is None or parent < 0:
        return {}
    cells = _exchange_cells(flatten_cells(program.board(parent)), flatten_cells(program.board(snapshot.row)))
    if not cells:
        return {}
    try:
        return {"state": replace_cells(deep_copy(snapshot.arguments[place] if state is None else state, {}), cells)}
    except (TypeError, ValueError, KeyError, IndexError, AttributeError):
        return {}


def _exchange_cells(above: dict[Path, Any], below: dict[Path, Any]) -> dict[Path, Any]:
    """Return the cells of a board that change when its two kinds of pieces are exchanged.

    The board is the first part of the state in which a move has put a piece on an empty square.

    >>> squares = {(row, column): 0 for row in range(3) for column in range(3)}
    >>> _exchange_cells({**squares, (0, 0): 1, "last": 5}, {**squares, (0, 0): 1, (1, 1): 2, "last": 7})
    {(0, 0): 2, (1, 1): 1}
    """
    parts: dict[Any, dict[Path, Any]] = defaultdict(dict)
    for path, cell in below.items():
        if isinstance(path, tuple):
            parts[len(path), *(key for key in path if isinstance(key, str))][path] = cell
    for part in parts.values():
        empty = {repr(above.get(path)): above.get(path) for path, cell in part.items() if above.get(path) != cell}
        if len(part) < MIN_CELLS or len(empty) != 1:
            continue
        nothing = next(iter(empty.values()))
        pieces = list({repr(cell): cell for cell in part.values() if cell != nothing}.values())
        if len(pieces) == 2 and all(is_number(piece) or isinstance(piece, str) for piece in pieces):
            one, other = pieces
            return {path: other if cell == one else one for path, cell in part.items() if cell != nothing}
    return {}
