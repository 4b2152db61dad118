"""Find the first difference between a student's search and ours of the same position."""

from collections.abc import Hashable, Mapping
from typing import NamedTuple

import numpy as np

from engine.checker.verdict import Difference, DifferenceSide
from engine.tree.node import Node
from engine.tree.tree import SearchTree


class _Pair(NamedTuple):
    theirs: Node
    ours: Node


def find_first_difference(
    theirs: SearchTree, ours: SearchTree, boards: Mapping[int, Hashable], our_boards: Mapping[int, Hashable], to_the_end: bool
) -> Difference | None:
    """Return the student's first call that differs from ours, when it is entered or left.

    Return None if everything that can be compared is the same. The boards are those of each row, in one common form. A
    different evaluation does not count: then only positions and winners are compared.
    """
    own_evaluation = False
    sign = 1 if is_same_side(theirs, ours) else -1
    waiting: list[tuple[_Pair, list[int]]] = []

    def enter_pair(row: int, our_row: int) -> None:
        waiting.append((_Pair(theirs[row], ours[our_row]), [int(child) for child in theirs[row].children][::-1]))

    enter_pair(0, 0)
    while waiting:
        pair, left = waiting[-1]
        same = {our_boards.get(int(child)): int(child) for child in reversed(pair.ours.children)}
        if left:
            child = left.pop()
            if child not in boards:
                return None  # beyond the compared rows
            if boards[child] not in same:
                return _note_own_evaluation(own_evaluation, _describe_extra_child(pair, theirs[child]))
            enter_pair(child, same[boards[child]])
            continue
        waiting.pop()
        seen = {boards.get(int(child)) for child in pair.theirs.children}
        if pair.theirs.status == "open":
            return None
        if (missing := next((our for our in pair.ours.children if our_boards.get(int(our)) not in seen), None)) is not None:
            return _note_own_evaluation(own_evaluation, _describe_missing_child(pair, missing))
        if pair.ours.status == "horizon":
            own_evaluation |= pair.theirs.value != sign * pair.ours.value
        elif pair.ours.status == "terminal":
            if np.sign(pair.theirs.value) != sign * np.sign(pair.ours.value):
                return _make_difference(
                    pair, "the game ends with a different winner", _describe_exit(pair.theirs), _describe_exit(pair.ours)
                )
        elif not own_evaluation and not _is_same_value(pair, sign, to_the_end):
            return _make_difference(
                pair, "the same position gets a different value", _describe_exit(pair.theirs), _describe_exit(pair.ours)
            )
    return None


def _note_own_evaluation(own_evaluation: bool, found: Difference) -> Difference:
    """Add a note if the program has its own evaluation: other scores make other cutoffs."""
    return (
        found._replace(what=f"{found.what} (it has its own evaluation, so its cutoffs may differ)") if own_evaluation else found
    )


def is_same_side(theirs: SearchTree, ours: SearchTree) -> bool:
    """Return True if MAX is the same side in both."""
    return theirs.root.maximizing == ours.root.maximizing


def _is_same_value(pair: _Pair, sign: int, to_the_end: bool) -> bool:
    """Return True if the values agree or one is not exact. If both see the end of the game, the winner decides."""
    one, other = pair
    if one.bound != "exact" or other.bound != "exact":
        return True
    return one.value == sign * other.value or (to_the_end and np.sign(one.value) == sign * np.sign(other.value))


def _describe_extra_child(pair: _Pair, child: Node) -> Difference:
    if pair.ours.status in ("terminal", "horizon"):
        why = "the game is over" if pair.ours.status == "terminal" else "our search ends"
        return _make_difference(pair, f"it goes on where {why}", f"it plays {child.move_name}", _describe_exit(pair.ours), child)
    what = "it searches a position that we cut off" if pair.ours.pruned else "it searches a position that we do not reach there"
    return _make_difference(pair, what, f"it plays {child.move_name}", _describe_exit(pair.ours), child)


def _describe_missing_child(pair: _Pair, child: Node) -> Difference:
    if not len(pair.theirs.children):
        return _make_difference(pair, "it stops where we search on", _describe_exit(pair.theirs), f"we play {child.move_name}")
    return _make_difference(
        pair, "it leaves out a position that we search", _describe_exit(pair.theirs), f"we play {child.move_name}", ours=child
    )


def _make_difference(
    pair: _Pair, what: str, words: str, our_words: str, theirs: Node | None = None, ours: Node | None = None
) -> Difference:
    one, other = theirs if theirs is not None else pair.theirs, ours if ours is not None else pair.ours
    return Difference(
        int(one), int(other), what, DifferenceSide(_board_text(one), words), DifferenceSide(_board_text(other), our_words)
    )


def _board_text(node: Node) -> str:
    return str(node.board)


def _describe_exit(node: Node) -> str:
    """Describe how a position is left."""
    sign = {"lower": "at least ", "upper": "at most "}.get(node.bound, "")
    how = {"cutoff": "cut off", "terminal": "the end of the game", "horizon": "depth limit"}.get(
        node.status, "all moves searched"
    )
    return f"value {sign}{node.value:g}; {how}"
