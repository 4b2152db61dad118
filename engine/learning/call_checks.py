"""Find the wrong calls of a recorded alpha-beta search, using only the record: each row, its window and its children.

A call is wrong in one of four ways: it was entered with another window than its caller had then, it was made although the caller
should have skipped it, it skipped moves without a reason, or its value is not the best that came back to it.
"""

from typing import NamedTuple

from engine.algorithms.refutation import is_refuted
from engine.learning.faulty_searches import OPEN_WINDOW, Window
from engine.learning.row_mapping import list_nodes
from engine.tree.node import Node
from engine.tree.trace import Trace
from engine.tree.tree import SearchTree

WRONG_WINDOW, NEEDLESS_CALL, WRONG_CUTOFF, WRONG_VALUE = "window", "made", "cut", "value"  # what is wrong


class WrongCall(NamedTuple):
    """A call that contradicts the record."""

    row: int
    step: int  # when that is seen, in the trace of the record
    what: str
    window: Window  # that it should have been entered with; of `made` and `cut`, that of the caller then, or of the node itself
    value: float | None = None  # value: that it should have had; made and cut: the best that was known


def find_wrong_calls(tree: SearchTree, cut_on_equal: bool) -> list[WrongCall]:
    """Return all wrong calls, in the order in which they show."""
    trace = Trace(tree)
    found = [WrongCall(0, 0, WRONG_WINDOW, OPEN_WINDOW)] if (tree[0].alpha, tree[0].beta) != OPEN_WINDOW else []
    for node in list_nodes(tree):
        if node.children:
            found += _find_wrong_calls_at(node, trace, cut_on_equal)
    return sorted(found, key=lambda call: call.step)


def _find_wrong_calls_at(node: Node, trace: Trace, cut_on_equal: bool) -> list[WrongCall]:
    """Return what is wrong with the calls that a node made, and with how it was left."""
    found = []
    window, value = (node.alpha, node.beta), None
    for child in node.children:
        if value is not None and is_refuted(node.maximizing, value, *window, cut_on_equal):
            found.append(WrongCall(int(child), trace.enter(child), NEEDLESS_CALL, window, value))
        else:
            if value is not None:
                window = (max(window[0], value), window[1]) if node.maximizing else (window[0], min(window[1], value))
            if (child.alpha, child.beta) != window:
                found.append(WrongCall(int(child), trace.enter(child), WRONG_WINDOW, window))
        value = child.value if value is None else max(value, child.value) if node.maximizing else min(value, child.value)
    if value is not None and node.value != value:
        found.append(WrongCall(int(node), trace.leave(node), WRONG_VALUE, window, value))
    elif value is not None and node.pruned and not is_refuted(node.maximizing, value, *window, cut_on_equal):
        found.append(WrongCall(int(node), trace.leave(node), WRONG_CUTOFF, window, value))
    return found
