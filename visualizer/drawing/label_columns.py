"""The labels of nodes as columns of text: each distinct number or move is written once, and every item has the code of its
text.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from engine.games.boards import format_state
from engine.games.capabilities import move_name, move_namer
from engine.games.chance_outcomes import format_probability, outcome_name
from engine.games.protocol import MovesByCode
from engine.record.columns import CHANCE, COLUMN_SPECS, EXACT, NONE, STANDS_PAT
from engine.tree.tree import SearchTree
from visualizer.drawing.view import STUB, ViewItems, replay_items, untried_columns
from visualizer.narration.numbers import find_adjacent_numbers

NO_OTHER_PARTS: Mapping[int, int] = {}  # no other part of the tree shows anything
ADJACENT_SIGNS = ("-", "+")  # after a number: just below it, just above it


class TextColumn(NamedTuple):
    """A column of texts: `texts[codes[i]]` is the text of item i."""

    codes: np.ndarray  # int32
    texts: list[str]

    def text(self, item: int) -> str:
        return self.texts[self.codes[item]]


def format_numbers(tree: SearchTree, stored: np.ndarray, write: Callable[[float], str]) -> TextColumn:
    """Return the text of a stored column of values, alphas or betas, as the public numbers they stand for."""
    codes, different = encode_distinct(stored)
    return TextColumn(codes, [write(value) for value in tree._public_column(different).tolist()])


def format_windows(tree: SearchTree, row: np.ndarray, write: Callable[[float], str]) -> tuple[TextColumn, TextColumn]:
    """Return the columns alpha and beta of some rows."""
    written = make_bound_writer(tree, row, write)
    alpha, beta = (format_numbers(tree, column[row], written) for column in (tree.columns.alpha, tree.columns.beta))
    return alpha, beta


def make_bound_writer(
    tree: SearchTree, row: np.ndarray, write: Callable[[float], str], signs: tuple[str, str] = ADJACENT_SIGNS
) -> Callable[[float], str]:
    """Return a version of `write` for the ends of windows.

    In a null window between two adjacent numbers, one end is written as the other with a sign (3 and 3+), because no
    number of digits shows the difference.
    """
    if tree.columns.alpha.dtype.kind != "f":
        return write
    different = [encode_distinct(column[row])[1] for column in (tree.columns.alpha, tree.columns.beta)]
    beside = find_adjacent_numbers(tree._public_column(np.concatenate(different)).tolist())

    def written(value: float) -> str:
        near = beside.get(value)
        return write(near.other) + signs[near.above] if near else write(value)

    return written


def exported_columns(tree: SearchTree) -> dict[str, np.ndarray]:
    """Return the optional columns of a tree that are exported as they are, by their names in exports."""
    stored = tree.columns._asdict()
    means = {"mean": tree.mean} if tree.has_iterations else {}
    return means | {
        spec.export_name: stored[name] for name, spec in COLUMN_SPECS.items() if spec.export_name and len(stored[name])
    }


def format_static_values(tree: SearchTree, rows: np.ndarray, write: Callable[[float], str]) -> TextColumn:
    """Return the static values of the rows that stood pat, in a search with quiescence. The other rows have no text."""
    coded = format_numbers(tree, tree.columns.static[rows], write)
    return TextColumn(np.where(tree.columns.flags[rows] & STANDS_PAT, coded.codes, NONE).astype(np.int32), coded.texts)


def encode_distinct(column: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the code of each entry and the distinct values, which are numbered in the order they come."""
    from visualizer.drawing import view_kernels

    column = np.ascontiguousarray(column)
    bits = column.view(f"i{column.dtype.itemsize}")  # floats by their bits
    codes = np.empty(len(column), np.int32)
    for size in range(10, 33, 2):
        rows = view_kernels.number_distinct(bits, codes, size)
        if len(rows) or not len(column):
            break
    return codes, column[rows]


def move_names(view: ViewItems) -> TextColumn:
    """Return the names of the moves of the items. The root of the tree has an empty name."""
    name = move_namer(view.tree.game)
    if name is None:
        names = _replay_move_names(view)
        texts: dict[str, int] = {}
        return TextColumn(np.array([texts.setdefault(name, len(texts)) for name in names], np.int32), list(texts))
    codes, different = encode_distinct(view.move)
    return TextColumn(codes, ["" if move == NONE else str(name(int(move))) for move in different])


def edge_labels(view: ViewItems) -> TextColumn:
    """Return the names of the moves. An outcome of chance has its probability behind it: "roll 3 (1/6)"."""
    names, tree = move_names(view), view.tree
    if not tree.has_chance:
        return names
    is_outcome = (view.parent >= 0) & (view.turn[view.parent] == CHANCE)
    labels = [
        _outcome_label(names.text(item), view.probability[item]) if is_outcome[item] else names.text(item)
        for item in range(len(view))
    ]
    texts = {text: code for code, text in enumerate(dict.fromkeys(labels))}
    return TextColumn(np.array([texts[label] for label in labels], np.int32), list(texts))


def _replay_move_names(view: ViewItems) -> list[str]:
    """Return the names of all moves by replaying the game, for games where names may depend on the state."""
    game = view.tree.game
    states = {}
    parent_moves: tuple[int, MovesByCode] | None = None  # the node whose skipped moves are named, and its moves
    names = []
    for item, state, move in replay_items(view.tree, view.row, view.parent):
        states[item] = state
        if view.parent[item] < 0:
            names.append(view.tree[int(view.row[item])].move_name)
        elif view.kind[item] == STUB:
            above = int(view.parent[item])
            if parent_moves is None or parent_moves[0] != above:
                parent_moves = above, MovesByCode(game, states[above])
            names.append(parent_moves[1].name(int(view.move[item])))
        else:
            above_row = view.row[view.parent[item]]
            names.append((outcome_name if view.tree.turn[above_row] == CHANCE else move_name)(game, move))
    return names


class SkippedMoveNames(NamedTuple):
    """The names of the moves that each item left untried: those of item i are texts[codes[start[i] : start[i] + length[i]]]."""

    start: np.ndarray
    length: np.ndarray
    codes: np.ndarray
    texts: list[str]


def skipped_move_names(view: ViewItems) -> SkippedMoveNames:
    """Return the names of the moves that cutoffs left untried."""
    tree = view.tree
    length = np.where(view.row >= 0, tree.columns.skipped[view.row], 0).astype(np.int32)
    start = np.cumsum(length, dtype=np.int32) - length
    if tree.compiled:
        codes, different = encode_distinct(untried_columns(tree, view.row[length > 0]))
        return SkippedMoveNames(start, length, codes, [move_name(tree.game, int(move)) for move in different])
    texts: dict[str, int] = {}
    listed = []
    for item, state, _ in replay_items(tree, view.row, view.parent) if length.any() else ():
        if length[item]:
            replies = MovesByCode(tree.game, state)
            untried = tree.untried_moves(int(view.row[item]), replies)
            listed += [texts.setdefault(_untried_label(replies, code), len(texts)) for code in untried]
    return SkippedMoveNames(start, length, np.array(listed, np.int32), list(texts))


def _untried_label(replies: MovesByCode, code: int) -> str:
    """Return the name of an untried move; that of an outcome with its probability."""
    return _outcome_label(replies.name(code), replies.probability[code]) if replies.probabilities else replies.name(code)


def _outcome_label(name: str, probability: float) -> str:
    return f"{name} ({format_probability(probability)})"


def format_boards(view: ViewItems) -> list[str]:
    """Return the state of each item as text, which may have several lines. A stub has an empty text."""
    return [
        "" if state is None else format_state(view.tree.game, state)
        for _, state, _ in replay_items(view.tree, view.row, view.parent)
    ]


def format_hidden_counts(nodes: np.ndarray, cutoffs: np.ndarray) -> TextColumn:
    """Return the counts that collapsed nodes hide: "+342 nodes, 3 cutoffs", or an empty text where they hide nothing."""
    pairs, codes = np.unique(nodes.astype(np.int64) << 32 | cutoffs.astype(np.int64), return_inverse=True)
    return TextColumn(codes.astype(np.int32), [format_hidden_count(int(pair) >> 32, int(pair) & 0xFFFFFFFF) for pair in pairs])


def add_part_numbers(hidden: TextColumn, rows: np.ndarray, elsewhere: Mapping[int, int]) -> TextColumn:
    """Add the numbers of the parts that show the hidden nodes. Item 0 is the top of its own part and gets none."""
    texts: dict[str, int] = {}
    codes = []
    for item, row in enumerate(rows.tolist()):
        part = f"part {elsewhere[row]}" if item and row in elsewhere else ""
        codes.append(texts.setdefault(", ".join(filter(None, [hidden.text(item), part])), len(texts)))
    return TextColumn(np.array(codes, np.int32), list(texts))


def sign_codes(tree: SearchTree) -> np.ndarray:
    """Return the bound of each row, whose sign stands before the value. A mean of visits proves nothing and has no sign."""
    return np.full(len(tree), EXACT, np.int8) if tree.has_iterations else tree.bound


def choose_value_format(tree: SearchTree, usual: Callable[[float], str]) -> Callable[[float], str]:
    """Return the function that writes the values of a tree in a picture: means with two digits, others as usual."""
    return (lambda value: f"{value:.2f}") if tree.has_iterations else usual


def format_notes(part: ViewItems) -> TextColumn:
    """Return the notes below the items: visits, and the counts that collapsed nodes hide."""
    hidden = format_hidden_counts(part.hidden, part.hidden_cutoffs)
    if not part.tree.has_iterations:
        return hidden
    visits = part.tree.visits[part.row]
    pairs, codes = np.unique(visits.astype(np.int64) << 32 | hidden.codes.astype(np.int64), return_inverse=True)
    texts = [
        ", ".join(filter(None, [f"{count} visit{'s' if count != 1 else ''}", hidden.texts[code]]))
        for count, code in ((int(pair) >> 32, int(pair) & 0xFFFFFFFF) for pair in pairs)
    ]
    return TextColumn(codes.astype(np.int32), texts)


def format_hidden_count(nodes: int, cutoffs: int) -> str:
    """Return the counts of hidden nodes and cutoffs as text.

    >>> format_hidden_count(342, 3), format_hidden_count(1, 0), format_hidden_count(0, 0)
    ('+342 nodes, 3 cutoffs', '+1 node', '')
    """
    if not nodes:
        return ""
    text = f"+{nodes} node{'s' if nodes > 1 else ''}"
    return f"{text}, {cutoffs} cutoff{'s' if cutoffs > 1 else ''}" if cutoffs else text
