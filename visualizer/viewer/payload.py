"""A search tree as bytes for the browser.

    u32 length of the header, header (JSON, padded with blanks), then the arrays, each padded to 8 bytes

The header lists the arrays with type, offset (from the start of the first array) and length, and holds what they mean: `meta`.
The arrays are the columns of the tree in the smallest type that keeps every number, and of the moves that cutoffs left untried,
node after node, `skippedMoves` and `skippedMax` (bits: whether MAX would be to move then). The flags hold what a value proves
too (bits 5 and 6, an index into BOUND_NAMES), and whether the node stood pat (bit 7; the number is in `static`). Of a large tree
only a part is sent, with the column `hidden`: how many nodes below each were left out; and, where links are recorded, `deeper`:
how much deeper the node was searched that each goes back to. Where minimax was searched too, `saved` has an entry for each cutoff
and `skippedValues` one for each skipped move. `hiddenCutoffs`, `hiddenSkipped` and `hiddenSaved` have an entry for each node that
hides others: the sums over its whole subtree, itself included. Where the game declares a board, `meta` holds that of the root,
and `changed` says for each node which of the changes its move makes: change k is what stands in `changedCell` and `changedTo`
from `changeStart[k]` to `changeStart[k + 1]`. Equal positions have the same number in `position`, where they are few enough or
links are recorded; `slot` is that of each position in a table with a limit. Everything is little-endian;
`assets/model/payload.js` reads it.
"""

import json
import struct
from typing import Any

import numpy as np

from engine.algorithms.transposition_table import slot_of
from engine.analysis.alignment import Spared
from engine.games.boards import Board, board_of, cell_of, short_names
from engine.games.capabilities import move_name, name_of_code, number_kind
from engine.games.evaluation_parts import tells_parts
from engine.games.protocol import Replies
from engine.record.columns import BOUND_BITS, BOUND_SHIFT, NONE
from engine.tree.tree import SearchTree
from visualizer.drawing.view import skipped_columns, untried_moves, walk
from visualizer.narration.pseudocode import words_json
from visualizer.viewer.board_data import board_json, changes
from visualizer.viewer.positions import MOST_DRAWN, Positions, equal_positions
from visualizer.viewer.viewport import VisiblePart, shown_rows

VERSION = 1
ALIGNMENT = 8
SMALLER = {  # what a type may be replaced by, smallest first
    "int32": ("int8", "int16"),
    "uint16": ("uint8",),
    "uint32": ("uint8", "uint16"),
    "float64": ("float32",),
}


def payload(
    tree: SearchTree, part: VisiblePart | None = None, spared: Spared | None = None, *, with_positions: bool = True
) -> bytes:
    """The tree, or a part of it, as the viewer reads it; `spared` is what minimax found below the skipped moves. Without
    positions it has them only where links are recorded: else the viewer asks for them when it needs them."""
    arrays = {name: column for name, column in tree.columns._asdict().items() if len(column)}
    known = arrays["flags"] & ~np.uint8(BOUND_BITS << BOUND_SHIFT)
    arrays["flags"] = known | (tree.bound << BOUND_SHIFT).astype(np.uint8)
    if part is not None:
        arrays = {name: column[part.rows] for name, column in arrays.items()}
        arrays |= {"end": part.end(tree), "hidden": part.hidden}
        if "link" in arrays:
            arrays["deeper"] = _plies_deeper(tree, part.rows)
        arrays["skipped"] = np.where(part.hidden > 0, 0, arrays["skipped"]).astype(arrays["skipped"].dtype)
        if tree.cutoffs:
            arrays |= _hidden_sums(tree, part, spared)
    skipped_moves, skipped_max = _skipped_moves(tree, part)
    arrays |= {"skippedMoves": skipped_moves, "skippedMax": np.packbits(skipped_max, bitorder="little")}
    if spared is not None:
        shown = slice(None) if part is None else part.rows
        arrays["saved"] = spared.nodes[shown][tree.pruned[shown]].astype(np.uint32)
        arrays["skippedValues"] = spared.values[np.repeat(_cut_rows(tree, part), tree.columns.skipped)]
    root = board_of(tree.game, tree.search.root)
    if root is not None:
        changed = changes(tree, part)
        arrays |= {"changed": changed.of_row, "changeStart": changed.start}
        arrays |= {"changedCell": changed.cell, "changedTo": changed.content}
    positions = equal_positions(tree, part)
    few = positions is not None and len(positions.keys) <= MOST_DRAWN
    if positions is not None and ((few and with_positions) or len(tree.columns.link)):
        arrays["position"] = positions.of_row
        if (slots := _slots(tree)) and part is None:
            arrays["slot"] = np.array([slot_of(key, slots) for key in positions.keys], np.uint32)
    later = few and "position" not in arrays
    return packed_bytes(arrays, _meta(tree, skipped_moves, part, root, positions) | {"positionsLater": later})


def packed_bytes(arrays: dict[str, np.ndarray], meta: dict[str, Any]) -> bytes:
    """Columns, and what they mean, as bytes; `end` has an entry for each node."""
    packed = {name: _smallest(column) for name, column in arrays.items()}
    listed, offset = [], 0
    for name, array in packed.items():
        listed.append({"name": name, "dtype": array.dtype.name, "offset": offset, "length": len(array)})
        offset += _padded(array.nbytes)
    header = {"version": VERSION, "count": len(packed["end"]), "arrays": listed, "meta": meta}
    text = json.dumps(header, separators=(",", ":"), allow_nan=False).encode()
    text += b" " * (_padded(4 + len(text)) - 4 - len(text))
    bodies = (_little_endian(array).ljust(_padded(array.nbytes), b"\0") for array in packed.values())
    return b"".join([struct.pack("<I", len(text)), text, *bodies])


def _padded(size: int) -> int:
    return -(-size // ALIGNMENT) * ALIGNMENT


def _little_endian(array: np.ndarray) -> bytes:
    return array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()


def _smallest(column: np.ndarray) -> np.ndarray:
    """The same numbers in the smallest type that holds all of them."""
    for name in SMALLER.get(column.dtype.name, ()):
        with np.errstate(over="ignore"):
            smaller = column.astype(name)
        if np.array_equal(smaller, column):
            return smaller
    return column


# ---- skipped moves


def _skipped_moves(tree: SearchTree, part: VisiblePart | None) -> tuple[np.ndarray, np.ndarray]:
    """The moves that cutoffs left untried, in row order, and whether MAX would be to move after them; of a part only where the
    tried ones are there too."""
    cut = _cut_rows(tree, part)
    if tree.compiled:
        rows = np.flatnonzero(cut)
        return skipped_columns(tree, rows), np.repeat(~tree.maximizing[rows], tree.columns.skipped[rows]).astype(np.uint8)
    rows, parents = shown_rows(tree, part)
    items = walk(tree, rows, parents) if cut.any() else ()
    untried = [pair for place, state, _ in items if cut[rows[place]] for pair in untried_moves(tree, int(rows[place]), state)]
    return np.array([move for move, _ in untried], tree.columns.move.dtype), np.array([side for _, side in untried], np.uint8)


def _cut_rows(tree: SearchTree, part: VisiblePart | None) -> np.ndarray:
    """By row of the tree: whether moves were skipped there, and are shown."""
    cut = tree.columns.skipped > 0
    return cut if part is None else cut & np.isin(np.arange(len(tree)), part.rows[part.hidden == 0])


def _hidden_sums(tree: SearchTree, part: VisiblePart, spared: Spared | None) -> dict[str, np.ndarray]:
    """Sum up what cutoffs spared in every subtree that is hidden, so that the counts of a part are those of the whole search."""
    summed = {"hiddenCutoffs": tree.pruned, "hiddenSkipped": tree.columns.skipped}
    if spared is not None:
        summed["hiddenSaved"] = np.where(tree.pruned, spared.nodes, 0)
    first = part.rows[part.hidden > 0]
    end = tree.columns.end[first]
    sums = {name: np.append(0, np.cumsum(column, dtype=np.int64)) for name, column in summed.items()}
    return {name: (before[end] - before[first]).astype(np.uint32) for name, before in sums.items()}


# ---- what the arrays mean


def _meta(
    tree: SearchTree, skipped_moves: np.ndarray, part: VisiblePart | None, root: Board | None, positions: Positions | None
) -> dict[str, Any]:
    game = tree.game
    meta = {
        "algorithm": tree.algorithm,
        "windows": tree.windows,
        "cutOnEqual": tree.cut_on_equal,
        "quirk": tree.quirk,
        "infinite": tree._infinite,
        "stopped": tree.stopped,
        "K": tree.K,
        "quiescence": tree.quiescence,
        "words": words_json(tree),
        "passes": _passes(tree, part),
        "expanded": tree.expanded,
        "numbers": number_kind(game),
        "table": _table(tree),
        "positions": None if positions is None else len(positions.keys),
        "board": None if root is None else board_json(root),
        "tellsParts": tells_parts(game),
    }
    return meta | (_told_by_state(tree, part) if name_of_code(game) is None else _told_by_code(tree, skipped_moves))


def _passes(tree: SearchTree, part: VisiblePart | None) -> list[dict[str, Any]] | None:
    """The passes whose roots are shown; None where a single one needs no driver."""
    if not tree.notes:
        return None
    places = [one.first if part is None else part.place(one.first) for one in tree.passes]
    last = len(places) - 1
    return [
        {"first": place, "number": number, "K": one.K, "why": one.why, "last": number == last}
        for number, (place, one) in enumerate(zip(places, tree.passes, strict=True))
        if place is not None
    ]


def _plies_deeper(tree: SearchTree, rows: np.ndarray) -> np.ndarray:
    """By how much the node that a row goes back to was searched deeper, which may not be among these; 0 where there is none."""
    left = np.repeat([one.K or 0 for one in tree.passes], np.diff([*tree.roots, len(tree)])) - tree.depth
    link = tree.columns.link[rows]
    return np.where(link == NONE, 0, left[link] - left[rows]).astype(np.int32)


def _table(tree: SearchTree) -> dict[str, Any] | None:
    """How the search kept a table; None if it kept none."""
    options = tree.question.options
    if "slots" not in options or not options.get("table", True):
        return None
    return {name: options[name] for name in ("slots", "replace", "draft")}


def _slots(tree: SearchTree) -> int:
    table = _table(tree)
    return 0 if table is None else table["slots"]


def _told_by_code(tree: SearchTree, skipped_moves: np.ndarray) -> dict[str, Any]:
    """Names and cells of the moves where a move is the same in every state."""
    codes = np.union1d(np.unique(tree.columns.move[tree.columns.depth > 0]), np.unique(skipped_moves)).tolist()
    short = short_names(tree.game)
    return {
        "moveNames": {str(code): move_name(tree.game, code) for code in codes},
        "shortNames": {str(code): short(code) for code in codes} if short else {},
        "moveCells": {str(code): cell_of(tree.game, code) for code in codes},
    }


def _told_by_state(tree: SearchTree, part: VisiblePart | None) -> dict[str, Any]:
    """Names and cells of the moves where they depend on the state: by code the first that is met; by row, and by place among the
    skipped moves, those that differ from it."""
    names, cells = Told(), Told()
    states, parents = tree.states(), tree.parent
    asked: dict[int, tuple[int, Replies]] = {}  # by depth, the latest row there and its moves

    def replies(row: int) -> Replies:
        depth = int(tree.columns.depth[row])
        if asked.get(depth, (None,))[0] != row:
            asked[depth] = row, Replies(tree.game, states[row])
        return asked[depth][1]

    rows = range(len(tree)) if part is None else part.rows.tolist()
    place = 0
    for at, row in enumerate(rows):
        if tree.columns.depth[row] > 0:
            code, above = int(tree.columns.move[row]), replies(int(parents[row]))
            names.note("row", at, code, above.name(code))
            cells.note("row", at, code, cell_of(tree.game, above.moves[code]))
        skips = tree.columns.skipped[row] > 0 and (part is None or part.hidden[at] == 0)
        for code in tree.untried(row, replies(row)) if skips else ():
            names.note("skipped", place, code, replies(row).name(code))
            cells.note("skipped", place, code, cell_of(tree.game, replies(row).moves[code]))
            place += 1
    return names.json("Names") | cells.json("Cells")


class Told:
    """What is told of moves: by code, and where that is not true by their places."""

    def __init__(self) -> None:
        self.by_code: dict[str, Any] = {}
        self.others: dict[str, dict[str, Any]] = {"row": {}, "skipped": {}}

    def note(self, where: str, place: int, code: int, told: Any) -> None:
        if self.by_code.setdefault(str(code), told) != told:
            self.others[where][str(place)] = told

    def json(self, what: str) -> dict[str, Any]:
        return {f"move{what}": self.by_code, **{f"{where}{what}": told for where, told in self.others.items()}}
