"""Columns as text in bulk: each different number or move is written once, and every node carries the number of its text."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from engine.games.boards import show_state
from engine.games.capabilities import move_name, name_of_code
from engine.games.protocol import Replies
from engine.record.columns import NONE, STANDS_PAT
from engine.tree.tree import SearchTree
from visualizer.drawing.view import STUB, Shown, skipped_columns, walk
from visualizer.narration.numbers import neighbours

NOTHING_ELSEWHERE: Mapping[int, int] = {}  # no other part of the tree shows anything
NEXT_SIGNS = ("-", "+")  # behind the number that an end of a null window is just below, or just above


class Coded(NamedTuple):
    """A column of texts: `texts[codes[i]]` is the text of item i."""

    codes: np.ndarray  # int32
    texts: list[str]

    def text(self, item: int) -> str:
        return self.texts[self.codes[item]]


def numbers(tree: SearchTree, stored: np.ndarray, write: Callable[[float], str]) -> Coded:
    """A stored column of values, alphas or betas, as the public numbers they are."""
    codes, different = distinct(stored)
    return Coded(codes, [write(value) for value in tree._public(different).tolist()])


def window_texts(tree: SearchTree, row: np.ndarray, write: Callable[[float], str]) -> tuple[Coded, Coded]:
    """The columns alpha and beta of some rows."""
    written = ends(tree, row, write)
    alpha, beta = (numbers(tree, column[row], written) for column in (tree.columns.alpha, tree.columns.beta))
    return alpha, beta


def ends(
    tree: SearchTree, row: np.ndarray, write: Callable[[float], str], signs: tuple[str, str] = NEXT_SIGNS
) -> Callable[[float], str]:
    """`write` for the ends of windows: of a null window between two numbers that follow each other, one is written as the other
    with a sign (3 and 3+), as no digits would tell them apart."""
    if tree.columns.alpha.dtype.kind != "f":
        return write
    different = [distinct(column[row])[1] for column in (tree.columns.alpha, tree.columns.beta)]
    beside = neighbours(tree._public(np.concatenate(different)).tolist())

    def written(value: float) -> str:
        near = beside.get(value)
        return write(near.other) + signs[near.above] if near else write(value)

    return written


def static_values(tree: SearchTree, rows: np.ndarray, write: Callable[[float], str]) -> Coded:
    """The static values of rows that stood pat, in a search with quiescence; of the others nothing is written."""
    coded = numbers(tree, tree.columns.static[rows], write)
    return Coded(np.where(tree.columns.flags[rows] & STANDS_PAT, coded.codes, NONE).astype(np.int32), coded.texts)


def distinct(column: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each entry the number of its value among the different values, and those, in the order they come."""
    from visualizer.drawing import view_kernels

    column = np.ascontiguousarray(column)
    bits = column.view(f"i{column.dtype.itemsize}")  # floats by their bits
    codes = np.empty(len(column), np.int32)
    for size in range(10, 33, 2):
        rows = view_kernels.first_seen(bits, codes, size)
        if len(rows) or not len(column):
            break
    return codes, column[rows]


def move_names(view: Shown) -> Coded:
    """What people call the moves of the items; empty at the root of the tree."""
    name = name_of_code(view.tree.game)
    if name is None:
        names = _own_names(view)
        texts: dict[str, int] = {}
        return Coded(np.array([texts.setdefault(name, len(texts)) for name in names], np.int32), list(texts))
    codes, different = distinct(view.move)
    return Coded(codes, ["" if move == NONE else str(name(int(move))) for move in different])


def _own_names(view: Shown) -> list[str]:
    """The names of all moves where they may depend on the state, by replaying the game."""
    game = view.tree.game
    states = {}
    asked: tuple[int, Replies] | None = None  # the node whose skipped moves are named, and its moves
    names = []
    for item, state, move in walk(view.tree, view.row, view.parent):
        states[item] = state
        if view.parent[item] < 0:
            names.append(view.tree[int(view.row[item])].move_name)
        elif view.kind[item] == STUB:
            above = int(view.parent[item])
            if asked is None or asked[0] != above:
                asked = above, Replies(game, states[above])
            names.append(asked[1].name(int(view.move[item])))
        else:
            names.append(move_name(game, move))
    return names


class SkippedNames(NamedTuple):
    """Which moves each item left untried: those of item i are texts[codes[start[i] : start[i] + length[i]]]."""

    start: np.ndarray
    length: np.ndarray
    codes: np.ndarray
    texts: list[str]


def skipped_names(view: Shown) -> SkippedNames:
    """The names of the moves that cutoffs left untried."""
    tree = view.tree
    length = np.where(view.row >= 0, tree.columns.skipped[view.row], 0).astype(np.int32)
    start = np.cumsum(length, dtype=np.int32) - length
    if tree.compiled:
        codes, different = distinct(skipped_columns(tree, view.row[length > 0]))
        return SkippedNames(start, length, codes, [move_name(tree.game, int(move)) for move in different])
    texts: dict[str, int] = {}
    listed = []
    for item, state, _ in walk(tree, view.row, view.parent) if length.any() else ():
        if length[item]:
            replies = Replies(tree.game, state)
            untried = tree.untried(int(view.row[item]), replies)
            listed += [texts.setdefault(replies.name(code), len(texts)) for code in untried]
    return SkippedNames(start, length, np.array(listed, np.int32), list(texts))


def boards(view: Shown) -> list[str]:
    """The state of each item as text, lines and all; empty for a stub."""
    return ["" if state is None else show_state(view.tree.game, state) for _, state, _ in walk(view.tree, view.row, view.parent)]


def hidden_texts(nodes: np.ndarray, cutoffs: np.ndarray) -> Coded:
    """What collapsed nodes hide: "+342 nodes, 3 cutoffs"; empty where that is nothing."""
    pairs, codes = np.unique(nodes.astype(np.int64) << 32 | cutoffs.astype(np.int64), return_inverse=True)
    return Coded(codes.astype(np.int32), [hidden_text(int(pair) >> 32, int(pair) & 0xFFFFFFFF) for pair in pairs])


def with_parts(hidden: Coded, rows: np.ndarray, elsewhere: Mapping[int, int]) -> Coded:
    """The same with the parts of the tree that show what is hidden; the first item is the top of its own part."""
    texts: dict[str, int] = {}
    codes = []
    for item, row in enumerate(rows.tolist()):
        part = f"part {elsewhere[row]}" if item and row in elsewhere else ""
        codes.append(texts.setdefault(", ".join(filter(None, [hidden.text(item), part])), len(texts)))
    return Coded(np.array(codes, np.int32), list(texts))


def hidden_text(nodes: int, cutoffs: int) -> str:
    """
    >>> hidden_text(342, 3), hidden_text(1, 0), hidden_text(0, 0)
    ('+342 nodes, 3 cutoffs', '+1 node', '')
    """
    if not nodes:
        return ""
    text = f"+{nodes} node{'s' if nodes > 1 else ''}"
    return f"{text}, {cutoffs} cutoff{'s' if cutoffs > 1 else ''}" if cutoffs else text
