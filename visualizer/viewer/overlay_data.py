"""Two trees over each other, as bytes for the browser.

Minimax and alpha-beta: the lengths of both trees, the trees (payload.py), and the rows of alpha-beta in minimax.

Two other searches: the bytes of a tree whose nodes are the paths of both. `flags` and `value` are of the last call
of the left search there, `flagsRight` and `valueRight` of the right one's. `callsLeft` and `callsRight` are the numbers
of calls there, `overLeft` and `overRight` the calls that the search had made when it left its last call there,
`pathsLeft` and `pathsRight` the paths of each of its calls.
"""

import struct
from typing import Any

import numpy as np

from engine.analysis.alignment import Alignment
from engine.analysis.overlay import Overlay, Side
from engine.games.boards import short_move_namer
from engine.games.capabilities import move_name, move_namer
from engine.games.protocol import MovesByCode
from engine.record.columns import BOUND_BITS, BOUND_SHIFT, TURN_BITS, TURN_SHIFT
from engine.tree.tree import SearchTree
from visualizer.narration.captions import BOUND_SIGNS
from visualizer.viewer.payload import build_payload, encode_arrays


def encode_alignment(alignment: Alignment) -> bytes:
    """Encode minimax and alpha-beta."""
    trees = [build_payload(alignment.minimax), build_payload(alignment.alphabeta)]
    rows = alignment.row.astype(np.dtype(np.int32).newbyteorder("<")).tobytes()
    return b"".join([struct.pack("<II", *map(len, trees)), *trees, rows])


def encode_overlay(overlay: Overlay) -> bytes:
    """Encode the paths as the browser reads them."""
    turns = _turn_bits(overlay)
    arrays = {"move": overlay.move, "depth": overlay.depth, "end": overlay.end, "skipped": np.zeros(len(overlay), np.uint8)}
    arrays |= {"skippedMoves": np.zeros(0, np.int32), "skippedTurns": np.zeros(0, np.uint8)}
    if len(overlay.left.tree.columns.weight):
        left, right = (side.tree.columns.weight[side.first] for side in (overlay.left, overlay.right))
        arrays |= {"weight": np.where(overlay.left.is_called, left, right), "skippedWeights": np.zeros(0)}
    for side, name in ((overlay.left, ""), (overlay.right, "Right")):
        arrays |= {
            f"flags{name}": _side_flags(side, turns),
            f"value{name}": np.where(side.is_called, side.tree.value[side.last], 0.0),
        }
    for side, name in ((overlay.left, "Left"), (overlay.right, "Right")):
        over = np.where(side.is_called, side.tree.columns.end[side.last], 0).astype(np.int32)
        arrays |= {f"calls{name}": side.calls.astype(np.uint32), f"paths{name}": side.path, f"over{name}": over}
    return encode_arrays(arrays, _build_meta(overlay))


def _turn_bits(overlay: Overlay) -> np.ndarray:
    """Return the bits of the flags for the side to move, from any search that came there."""
    left, right = (side.tree.columns.flags[side.last] for side in (overlay.left, overlay.right))
    return np.where(overlay.left.is_called, left, right) & (TURN_BITS << TURN_SHIFT)


def _side_flags(side: Side, turns: np.ndarray) -> np.ndarray:
    """Return the flags as in payload.py. Where the search did not come, they hold only the side to move."""
    known = side.tree.columns.flags[side.last] & ~np.uint8(BOUND_BITS << BOUND_SHIFT)
    proved = (side.tree.bound[side.last] << BOUND_SHIFT).astype(np.uint8)
    return np.where(side.is_called, known | proved, turns).astype(np.uint8)


def _build_meta(overlay: Overlay) -> dict[str, Any]:
    tree = overlay.left.tree
    meta = {"windows": False, "infinite": False, "K": tree.K, "words": {"signs": BOUND_SIGNS}, "passes": None, "stopped": ""}
    meta["quiescence"] = max(side.tree.quiescence for side in (overlay.left, overlay.right))
    if move_namer(tree.game) is None:
        return meta | _names_by_state(overlay)
    short = short_move_namer(tree.game)
    codes = np.unique(overlay.move[1:]).tolist()
    return meta | {
        "moveNames": {str(code): move_name(tree.game, code) for code in codes},
        "shortNames": {str(code): short(code) for code in codes} if short else {},
    }


def _names_by_state(overlay: Overlay) -> dict[str, Any]:
    """Return names of moves that depend on the state: by code the first one met, by path those that differ from it."""
    by_code: dict[str, str] = {}
    by_path: dict[str, str] = {}
    of_left, of_right = (_move_names_by_row(side.tree) for side in (overlay.left, overlay.right))
    for path in range(1, len(overlay)):
        first = overlay.left.first[path]
        name = of_left[first] if first >= 0 else of_right[overlay.right.first[path]]
        if by_code.setdefault(str(overlay.move[path]), name) != name:
            by_path[str(path)] = name
    return {"moveNames": by_code, "rowNames": by_path}


def _move_names_by_row(tree: SearchTree) -> list[str]:
    """Return the name of the move to each row."""
    states, names = tree.states(), [""]
    asked: dict[int, tuple[int, MovesByCode]] = {}  # by depth, the latest row there and its moves
    for row in range(1, len(tree)):
        depth, above = int(tree.depth[row]), int(tree.parent[row])
        if depth == 0:
            names.append("")
            continue
        if asked.get(depth, (None,))[0] != above:
            asked[depth] = above, MovesByCode(tree.game, states[above])
        names.append(asked[depth][1].name(int(tree.move[row])))
    return names
