"""Two searches of one position over each other, as a Streamlit component: what only one of them called, and what both did.

The bytes are those of a tree (payload.py) whose nodes are the paths of both. `flags` and `value` are of the last call of the left
search there, `flagsRight` and `valueRight` of the right one's. `callsLeft` and `callsRight` say how many calls there were,
`overLeft` and `overRight` how many the search had made when its last call there was left, `pathsLeft` and `pathsRight` where
each of its calls was made.
"""

from typing import Any

import numpy as np

from engine.analysis.overlay import Overlay, Side
from engine.games.boards import short_names
from engine.games.capabilities import move_name, name_of_code
from engine.games.protocol import Replies
from engine.record.columns import BOUND_BITS, BOUND_SHIFT, TURN_BITS, TURN_SHIFT
from engine.tree.tree import SearchTree
from visualizer.narration.captions import SIGNS
from visualizer.viewer.bundle import component, heard, nothing
from visualizer.viewer.delivery import message, send_whole
from visualizer.viewer.payload import packed_bytes


def two_sets(overlay: Overlay, titles: tuple[str, str], key: str, small: bool = False) -> tuple[int, bool] | None:
    """Show both, small ones side by side; `key` names them. The path that is to be opened and whether in the left search, or
    None."""
    name = f"sets {key}"
    settings = {"name": key, "left": titles[0], "right": titles[1], "small": small}
    data = message(name, settings, lambda: packed(overlay))
    answer = component("search_overlay")(key=name, data=data, on_open_change=nothing, on_whole_change=send_whole(name))
    opened = heard(answer, "open", 2 * len(overlay))
    return None if opened is None else (opened // 2, opened % 2 == 0)


def packed(overlay: Overlay) -> bytes:
    """The paths as the browser reads them."""
    turns = _turns(overlay)
    arrays = {"move": overlay.move, "depth": overlay.depth, "end": overlay.end, "skipped": np.zeros(len(overlay), np.uint8)}
    arrays |= {"skippedMoves": np.zeros(0, np.int32), "skippedMax": np.zeros(0, np.uint8)}
    for side, name in ((overlay.left, ""), (overlay.right, "Right")):
        arrays |= {f"flags{name}": _flags(side, turns), f"value{name}": np.where(side.there, side.tree.value[side.last], 0.0)}
    for side, name in ((overlay.left, "Left"), (overlay.right, "Right")):
        over = np.where(side.there, side.tree.columns.end[side.last], 0).astype(np.int32)
        arrays |= {f"calls{name}": side.calls.astype(np.uint32), f"paths{name}": side.path, f"over{name}": over}
    return packed_bytes(arrays, _meta(overlay))


def _turns(overlay: Overlay) -> np.ndarray:
    """The bits of the flags that say who is to move, from whichever search came there."""
    left, right = (side.tree.columns.flags[side.last] for side in (overlay.left, overlay.right))
    return np.where(overlay.left.there, left, right) & (TURN_BITS << TURN_SHIFT)


def _flags(side: Side, turns: np.ndarray) -> np.ndarray:
    """As in payload.py; where the search did not come only the turn."""
    known = side.tree.columns.flags[side.last] & ~np.uint8(BOUND_BITS << BOUND_SHIFT)
    proved = (side.tree.bound[side.last] << BOUND_SHIFT).astype(np.uint8)
    return np.where(side.there, known | proved, turns).astype(np.uint8)


def _meta(overlay: Overlay) -> dict[str, Any]:
    tree = overlay.left.tree
    meta = {"windows": False, "infinite": False, "K": tree.K, "words": {"signs": SIGNS}, "passes": None, "stopped": ""}
    meta["quiescence"] = max(side.tree.quiescence for side in (overlay.left, overlay.right))
    if name_of_code(tree.game) is None:
        return meta | _names_by_state(overlay)
    short = short_names(tree.game)
    codes = np.unique(overlay.move[1:]).tolist()
    return meta | {
        "moveNames": {str(code): move_name(tree.game, code) for code in codes},
        "shortNames": {str(code): short(code) for code in codes} if short else {},
    }


def _names_by_state(overlay: Overlay) -> dict[str, Any]:
    """Names of moves that depend on the state: by code the first that is met, by path those that differ from it."""
    by_code: dict[str, str] = {}
    by_path: dict[str, str] = {}
    of_left, of_right = (_row_names(side.tree) for side in (overlay.left, overlay.right))
    for path in range(1, len(overlay)):
        first = overlay.left.first[path]
        name = of_left[first] if first >= 0 else of_right[overlay.right.first[path]]
        if by_code.setdefault(str(overlay.move[path]), name) != name:
            by_path[str(path)] = name
    return {"moveNames": by_code, "rowNames": by_path}


def _row_names(tree: SearchTree) -> list[str]:
    """What people call the move to each row."""
    states, names = tree.states(), [""]
    asked: dict[int, tuple[int, Replies]] = {}  # by depth, the latest row there and its moves
    for row in range(1, len(tree)):
        depth, above = int(tree.depth[row]), int(tree.parent[row])
        if depth == 0:
            names.append("")
            continue
        if asked.get(depth, (None,))[0] != above:
            asked[depth] = above, Replies(tree.game, states[above])
        names.append(asked[depth][1].name(int(tree.move[row])))
    return names
