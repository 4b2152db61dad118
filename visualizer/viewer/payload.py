"""A search tree as bytes for the browser.

    u32 length of the header, header (JSON, padded with blanks), then the arrays, each padded to 8 bytes

The header lists the arrays with type, offset (from the start of the first array) and length. Its `meta` says what they
mean. The arrays are the columns of the tree, each in the smallest type that keeps every number, and some more:

- `skippedMoves`, `skippedTurns` and `skippedWeights`: the moves that cutoffs skipped, node after node, who moves then (two bits
  each, an index into TURN_NAMES), and the probabilities of skipped outcomes, where chance moves in the game.
- `flags` also holds what a value proves (bits 5 and 6, an index into BOUND_NAMES), and whether the node stood pat (bit 7; the
  number is in `static`).
- `hidden`: a large tree is sent in part; this is the number of nodes below each that were left out.
- `deeper`, in a part where links are recorded: how much deeper the node was searched that each goes back to.
- `saved` and `skippedValues`, where minimax was searched too: one entry for each cutoff, and one for each skipped move.
- `hiddenCutoffs`, `hiddenSkipped` and `hiddenSaved`: one entry for each node that hides others, the sums over its whole subtree,
  itself included.
- `changed`, where the game declares a board (`meta` holds that of the root): the number of the change that the move to each node
  makes. Change k stands in `changedCell` and `changedTo` from `changeStart[k]` to `changeStart[k + 1]`.
- `position`: equal positions have the same number; it is there if they are few enough or links are recorded.
- `slot`: the slot of each position in a table with a limit.

In a small tree of a game without a board `meta` has the text of each state, `states`.

Everything is little-endian. `assets/model/payload.js` reads it.
"""

import json
import struct
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.algorithms.transposition_table import compute_slot
from engine.analysis.alignment import SkippedNodes
from engine.games.boards import Board, cell_of, find_board, format_state, short_move_namer
from engine.games.capabilities import has_leaf_values_only, move_name, move_namer, number_kind
from engine.games.evaluation_parts import can_explain_values
from engine.games.protocol import MovesByCode
from engine.record.columns import BOUND_BITS, BOUND_SHIFT, CUTOFF, MAXIMIZING, NONE, STATUS_BITS
from engine.tree.trace import check_has_calls
from engine.tree.tree import SearchTree
from visualizer.drawing.view import replay_items, untried_columns, untried_moves
from visualizer.narration.pseudocode import narration_json
from visualizer.viewer.board_data import board_json, find_board_changes
from visualizer.viewer.positions import MAX_GRAPH_POSITIONS, PositionNumbers, number_positions
from visualizer.viewer.viewer_params import VIEWER_PARAMS
from visualizer.viewer.viewport import VisiblePart, visible_rows

FORMAT_VERSION = 1
MAX_STATE_TEXTS = 3_000  # nodes: the states of a larger tree are not sent
MAX_STATE_CHARS = 300
ALIGNMENT_BYTES = 8
SMALLER_TYPES = {  # what a type may be replaced by, smallest first
    "int32": ("int8", "int16"),
    "uint16": ("uint8",),
    "uint32": ("uint8", "uint16"),
    "float64": ("float32",),
}


def build_payload(
    tree: SearchTree,
    part: VisiblePart | None = None,
    spared: SkippedNodes | None = None,
    *,
    with_positions: bool = True,
    with_lasting: bool = True,
) -> bytes:
    """Return the tree, or a part of it, as the viewer reads it.

    `spared` is what minimax found below the skipped moves. Without `with_positions` the payload has positions only
    where links are recorded; otherwise the viewer asks for them when it needs them. Without `with_lasting`, `meta` lacks what
    is the same for all parts of a tree.
    """
    check_has_calls(tree)
    shown = slice(None) if part is None else part.rows
    arrays = {name: column[shown] for name, column in tree.columns._asdict().items() if len(column)}
    known = arrays["flags"] & ~np.uint8(BOUND_BITS << BOUND_SHIFT)
    arrays["flags"] = known | (tree.bound[shown] << BOUND_SHIFT).astype(np.uint8)
    if part is not None:
        arrays |= {"end": part.subtree_ends(tree), "hidden": part.hidden}
        if "link" in arrays:
            arrays["deeper"] = _extra_link_plies(tree, part.rows)
        arrays["skipped"] = np.where(part.hidden > 0, 0, arrays["skipped"]).astype(arrays["skipped"].dtype)
        if tree.cutoffs:
            arrays |= _hidden_sums(tree, part, spared)
    skipped_moves, skipped_turns, skipped_weights = _skipped_moves(tree, part)
    arrays |= {"skippedMoves": skipped_moves, "skippedTurns": pack_turns(skipped_turns)}
    if "weight" in arrays:
        arrays["skippedWeights"] = skipped_weights
    if spared is not None:
        is_pruned = (arrays["flags"] & STATUS_BITS) == CUTOFF
        arrays["saved"] = spared.nodes[shown][is_pruned].astype(np.uint32)
        arrays["skippedValues"] = spared.values[_skipped_places(tree, part)]
    root = find_board(tree.game, tree.search.root)
    if root is not None:
        changed = find_board_changes(tree, part)
        arrays |= {"changed": changed.of_row, "changeStart": changed.start}
        arrays |= {"changedCell": changed.cell, "changedTo": changed.content}
    positions = number_positions(tree, part)
    few = positions is not None and len(positions.keys) <= MAX_GRAPH_POSITIONS
    if positions is not None and ((few and with_positions) or len(tree.columns.link)):
        arrays["position"] = positions.of_row
        if (slots := _count_slots(tree)) and part is None:
            arrays["slot"] = np.array([compute_slot(key, slots) for key in positions.keys], np.uint32)
    later = few and "position" not in arrays
    has_texts = root is None and part is None and len(tree) <= MAX_STATE_TEXTS and not has_leaf_values_only(tree.game)
    meta = _build_meta(tree, skipped_moves, part, positions, has_texts) | {"positionsLater": later}
    return encode_arrays(arrays, meta | (_build_lasting_meta(tree, root) if with_lasting else {}))


def encode_arrays(arrays: dict[str, np.ndarray], meta: dict[str, Any]) -> bytes:
    """Encode columns and their meaning as bytes. The column `end`, if there is one, has an entry for each node."""
    packed = {name: _shrink_column(column) for name, column in arrays.items()}
    listed, offset = [], 0
    for name, array in packed.items():
        listed.append({"name": name, "dtype": array.dtype.name, "offset": offset, "length": len(array)})
        offset += _padded_size(array.nbytes)
    header = {"version": FORMAT_VERSION, "count": len(packed.get("end", ())), "arrays": listed, "meta": meta}
    text = json.dumps(header, separators=(",", ":"), allow_nan=False).encode()
    text += b" " * (_padded_size(4 + len(text)) - 4 - len(text))
    bodies = (_to_little_endian(array).ljust(_padded_size(array.nbytes), b"\0") for array in packed.values())
    return b"".join([struct.pack("<I", len(text)), text, *bodies])


def _padded_size(size: int) -> int:
    return -(-size // ALIGNMENT_BYTES) * ALIGNMENT_BYTES


def _to_little_endian(array: np.ndarray) -> bytes:
    return array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()


def _shrink_column(column: np.ndarray) -> np.ndarray:
    """Return the same numbers in the smallest type that holds all of them."""
    for name in SMALLER_TYPES.get(column.dtype.name, ()):
        with np.errstate(over="ignore"):
            smaller = column.astype(name)
        if np.array_equal(smaller, column):
            return smaller
    return column


# ---- skipped moves


def pack_turns(turns: np.ndarray) -> np.ndarray:
    """Return the turns with four of them in a byte, the first in the lowest bits."""
    padded = np.zeros(-(-len(turns) // 4) * 4, np.uint8)
    padded[: len(turns)] = turns
    return (padded.reshape(-1, 4) << np.arange(0, 8, 2, dtype=np.uint8)).sum(axis=1).astype(np.uint8)


def _skipped_moves(tree: SearchTree, part: VisiblePart | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the moves that cutoffs skipped, in row order, who moves after them, and their probabilities.

    A part has only those of nodes whose children are in the part.
    """
    cut = _cut_rows(tree, part)
    if tree.compiled:
        is_min = (tree.columns.flags[cut] & MAXIMIZING) == 0
        rows = None if part is None else part.rows
        return untried_columns(tree, cut, rows), np.repeat(is_min, tree.columns.skipped[cut]).astype(np.uint8), np.empty(0)
    rows, parents = visible_rows(tree, part)
    items, is_cut = replay_items(tree, rows, parents) if len(cut) else (), np.isin(rows, cut)
    untried = [move for place, state, _ in items if is_cut[place] for move in untried_moves(tree, int(rows[place]), state)]
    return (
        np.array([move.code for move in untried], tree.columns.move.dtype),
        np.array([move.turn for move in untried], np.uint8),
        np.array([move.probability for move in untried], np.float64),
    )


def _cut_rows(tree: SearchTree, part: VisiblePart | None) -> np.ndarray:
    """Return the rows of the tree where moves were skipped that are shown."""
    if part is None:
        return np.flatnonzero(tree.columns.skipped)
    open_rows = part.rows[part.hidden == 0]
    return open_rows[tree.columns.skipped[open_rows] > 0]


def _skipped_places(tree: SearchTree, part: VisiblePart | None) -> np.ndarray | slice:
    """Return the places of the shown skipped moves among all skipped moves of the tree."""
    if part is None:
        return slice(None)
    rows = _cut_rows(tree, part)
    counts = tree.columns.skipped[rows].astype(np.int64)
    before = np.cumsum(counts) - counts  # shown skipped moves before each row
    return np.repeat(tree.row_sums.skipped.before(rows) - before, counts) + np.arange(counts.sum())


def _hidden_sums(tree: SearchTree, part: VisiblePart, spared: SkippedNodes | None) -> dict[str, np.ndarray]:
    """Sum up what cutoffs spared in every hidden subtree, so that the counts of a part are those of the whole search."""
    summed = {"hiddenCutoffs": tree.row_sums.cutoffs, "hiddenSkipped": tree.row_sums.skipped}
    if spared is not None:
        summed["hiddenSaved"] = tree.row_sums.of_cutoffs(spared.nodes)
    first = part.rows[part.hidden > 0].astype(np.int64)
    end = tree.columns.end[first].astype(np.int64)
    return {name: (sums.before(end) - sums.before(first)).astype(np.uint32) for name, sums in summed.items()}


# ---- what the arrays mean


def _build_lasting_meta(tree: SearchTree, root: Board | None) -> dict[str, Any]:
    """Return what is the same for all parts of a tree."""
    return {
        "algorithm": tree.algorithm,
        "windows": tree.windows,
        "cutOnEqual": tree.cut_on_equal,
        "quirk": tree.quirk,
        "infinite": tree._has_infinities,
        "stopped": tree.stopped,
        "K": tree.K,
        "quiescence": tree.quiescence,
        "words": narration_json(tree),
        "expanded": tree.expanded,
        "numbers": number_kind(tree.game),
        "table": _table_options(tree),
        "valueRange": list(tree.value_range) if len(tree.columns.weight) and tree.value_range else None,
        "board": None if root is None else board_json(root),
        "tellsParts": can_explain_values(tree.game),
        "urlParams": [parameter._asdict() for parameter in VIEWER_PARAMS],
    }


def _build_meta(
    tree: SearchTree, skipped_moves: np.ndarray, part: VisiblePart | None, positions: PositionNumbers | None, has_texts: bool
) -> dict[str, Any]:
    meta: dict[str, Any] = {"passes": _list_passes(tree, part), "positions": None if positions is None else len(positions.keys)}
    is_named_by_state = move_namer(tree.game) is None
    states = tree.states() if is_named_by_state or has_texts else []
    if has_texts:
        meta["states"] = [format_state(tree.game, state)[:MAX_STATE_CHARS] for state in states]
    return meta | (
        _names_and_cells_by_state(tree, part, states)
        if is_named_by_state
        else _names_and_cells_by_code(tree, part, skipped_moves)
    )


def _list_passes(tree: SearchTree, part: VisiblePart | None) -> list[dict[str, Any]] | None:
    """Return the passes whose roots are shown, or None if the search is a single pass that needs no driver."""
    if not tree.notes:
        return None
    places = [one.first if part is None else part.index_of(one.first) for one in tree.passes]
    last = len(places) - 1
    return [
        {"first": place, "number": number, "K": one.K, "why": one.why, "last": number == last}
        for number, (place, one) in enumerate(zip(places, tree.passes, strict=True))
        if place is not None
    ]


def _extra_link_plies(tree: SearchTree, rows: np.ndarray) -> np.ndarray:
    """Return how much deeper the node was searched that each row goes back to, or 0 if it goes back to none.

    That node need not be among these rows.
    """
    plies = np.array([one.K or 0 for one in tree.passes])

    def plies_left(some: np.ndarray) -> np.ndarray:
        return plies[np.searchsorted(tree.roots, some, side="right") - 1] - tree.depth[some]

    link = tree.columns.link[rows]
    return np.where(link == NONE, 0, plies_left(np.maximum(link, 0)) - plies_left(rows)).astype(np.int32)


def _table_options(tree: SearchTree) -> dict[str, Any] | None:
    """Return the options of the search's transposition table, or None if it had none."""
    options = tree.question.options
    if "slots" not in options or not options.get("table", True):
        return None
    return {name: options[name] for name in ("slots", "replace", "draft")}


def _count_slots(tree: SearchTree) -> int:
    table = _table_options(tree)
    return 0 if table is None else table["slots"]


def _names_and_cells_by_code(tree: SearchTree, part: VisiblePart | None, skipped_moves: np.ndarray) -> dict[str, Any]:
    """Return names and cells of the shown moves if a move is the same in every state."""
    blocks = tree.row_blocks() if part is None else [part.rows]
    met = [np.unique(tree.columns.move[block][tree.columns.depth[block] > 0]) for block in blocks]
    codes = np.unique(np.concatenate([*met, np.unique(skipped_moves)])).tolist()
    short = short_move_namer(tree.game)
    return {
        "moveNames": {str(code): move_name(tree.game, code) for code in codes},
        "shortNames": {str(code): short(code) for code in codes} if short else {},
        "moveCells": {str(code): cell_of(tree.game, code) for code in codes},
    }


def _names_and_cells_by_state(tree: SearchTree, part: VisiblePart | None, states: Sequence[Any]) -> dict[str, Any]:
    """Return names and cells of the moves if they depend on the state.

    They are listed by code as first met. Those that differ are listed by row, or by place among the skipped moves.
    """
    names, cells = MoveProperty(), MoveProperty()
    parents = tree.parent
    asked: dict[int, tuple[int, MovesByCode]] = {}  # by depth, the latest row there and its moves

    def replies_at(row: int) -> MovesByCode:
        depth = int(tree.columns.depth[row])
        if asked.get(depth, (None,))[0] != row:
            asked[depth] = row, MovesByCode(tree.game, states[row])
        return asked[depth][1]

    rows = range(len(tree)) if part is None else part.rows.tolist()
    place = 0
    for at, row in enumerate(rows):
        if tree.columns.depth[row] > 0:
            code, above = int(tree.columns.move[row]), replies_at(int(parents[row]))
            names.add_value("row", at, code, above.name(code))
            cells.add_value("row", at, code, cell_of(tree.game, above.moves[code]))
        skips = tree.columns.skipped[row] > 0 and (part is None or part.hidden[at] == 0)
        for code in tree.untried_moves(row, replies_at(row)) if skips else ():
            names.add_value("skipped", place, code, replies_at(row).name(code))
            cells.add_value("skipped", place, code, cell_of(tree.game, replies_at(row).moves[code]))
            place += 1
    return names.to_meta("Names") | cells.to_meta("Cells")


class MoveProperty:
    """One property of moves: a value by code, and the exceptions by place."""

    def __init__(self) -> None:
        self.values_by_code: dict[str, Any] = {}
        self.exceptions: dict[str, dict[str, Any]] = {"row": {}, "skipped": {}}

    def add_value(self, where: str, place: int, code: int, told: Any) -> None:
        """Record the value of a move at a place."""
        if self.values_by_code.setdefault(str(code), told) != told:
            self.exceptions[where][str(place)] = told

    def to_meta(self, what: str) -> dict[str, Any]:
        """Return the values and the exceptions under the keys of `meta`."""
        return {f"move{what}": self.values_by_code, **{f"{where}{what}": told for where, told in self.exceptions.items()}}
