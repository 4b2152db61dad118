"""The first place where a student's search and ours of the same position part: Compare's pair, theirs and ours."""

from collections.abc import Hashable, Mapping
from typing import NamedTuple

import numpy as np

from engine.checker.verdict import Difference, OneSide
from engine.tree.node import Node
from engine.tree.tree import SearchTree


class _Pair(NamedTuple):
    theirs: Node
    ours: Node


def first_difference(
    theirs: SearchTree, ours: SearchTree, boards: Mapping[int, Hashable], our_boards: Mapping[int, Hashable], to_the_end: bool
) -> Difference | None:
    """The first call of theirs, as it is entered or left, that ours does not have alike; None where all that could be compared
    is the same. The boards are those of each row, in one and the same form. An evaluation of its own is no difference; then only
    positions and winners are compared."""
    own_evaluation = False
    sign = 1 if same_sides(theirs, ours) else -1
    waiting: list[tuple[_Pair, list[int]]] = []

    def entered(row: int, our_row: int) -> None:
        waiting.append((_Pair(theirs[row], ours[our_row]), [int(child) for child in theirs[row].children][::-1]))

    entered(0, 0)
    while waiting:
        pair, left = waiting[-1]
        same = {our_boards.get(int(child)): int(child) for child in reversed(pair.ours.children)}
        if left:
            child = left.pop()
            if child not in boards:
                return None  # beyond what is compared
            if boards[child] not in same:
                return _but(own_evaluation, _only_theirs(pair, theirs[child]))
            entered(child, same[boards[child]])
            continue
        waiting.pop()
        seen = {boards.get(int(child)) for child in pair.theirs.children}
        if pair.theirs.status == "open":
            return None
        if (missing := next((our for our in pair.ours.children if our_boards.get(int(our)) not in seen), None)) is not None:
            return _but(own_evaluation, _only_ours(pair, missing))
        if pair.ours.status == "horizon":
            own_evaluation |= pair.theirs.value != sign * pair.ours.value
        elif pair.ours.status == "terminal":
            if np.sign(pair.theirs.value) != sign * np.sign(pair.ours.value):
                return _difference(pair, "the end of the game has another winner", _left(pair.theirs), _left(pair.ours))
        elif not own_evaluation and not _same_value(pair, sign, to_the_end):
            return _difference(pair, "the same position gets another value", _left(pair.theirs), _left(pair.ours))
    return None


def _but(own_evaluation: bool, found: Difference) -> Difference:
    """Other scores make other cutoffs."""
    return (
        found._replace(what=f"{found.what} (its evaluation is its own, and so may be its cutoffs)") if own_evaluation else found
    )


def same_sides(theirs: SearchTree, ours: SearchTree) -> bool:
    """Whether MAX is the same side in both."""
    return theirs.root.maximizing == ours.root.maximizing


def _same_value(pair: _Pair, sign: int, to_the_end: bool) -> bool:
    """Whether both have the same value, where both are exact; where both see the end of the game, the same winner."""
    one, other = pair
    if one.bound != "exact" or other.bound != "exact":
        return True
    return one.value == sign * other.value or (to_the_end and np.sign(one.value) == sign * np.sign(other.value))


def _only_theirs(pair: _Pair, child: Node) -> Difference:
    if pair.ours.status in ("terminal", "horizon"):
        why = "the game is over there" if pair.ours.status == "terminal" else "we do not look further there"
        return _difference(pair, f"it goes on where {why}", f"it plays {child.move_name}", _left(pair.ours), child)
    what = "it looks at a position that we cut off" if pair.ours.pruned else "it looks at a position that we do not know there"
    return _difference(pair, what, f"it plays {child.move_name}", _left(pair.ours), child)


def _only_ours(pair: _Pair, child: Node) -> Difference:
    if not len(pair.theirs.children):
        return _difference(pair, "it does not look further where we do", _left(pair.theirs), f"we play {child.move_name}")
    return _difference(
        pair, "it leaves out a position that we look at", _left(pair.theirs), f"we play {child.move_name}", ours=child
    )


def _difference(
    pair: _Pair, what: str, words: str, our_words: str, theirs: Node | None = None, ours: Node | None = None
) -> Difference:
    one, other = theirs if theirs is not None else pair.theirs, ours if ours is not None else pair.ours
    return Difference(int(one), int(other), what, OneSide(_text(one), words), OneSide(_text(other), our_words))


def _text(node: Node) -> str:
    return str(node.board)


def _left(node: Node) -> str:
    """How a position is left."""
    sign = {"lower": "at least ", "upper": "at most "}.get(node.bound, "")
    how = {"cutoff": "cut off", "terminal": "the end of the game", "horizon": "not looked further"}.get(
        node.status, "all its moves seen"
    )
    return f"value {sign}{node.value:g}; {how}"
