"""Find the wrong calls of a recorded alpha-beta search, using only the record: each row, its window and its children.

A call is wrong in one of four ways: its window differs from that of its caller at that moment, the caller should have skipped it,
it skips moves without a reason, or its value is not the best value of its children.
"""

from typing import NamedTuple

from engine.algorithms.refutation import is_refuted
from engine.learning.faulty_searches import OPEN_WINDOW, Window
from engine.learning.row_mapping import list_nodes
from engine.tree.node import Node
from engine.tree.trace import Trace
from engine.tree.tree import SearchTree

WRONG_WINDOW, NEEDLESS_CALL, WRONG_CUTOFF, WRONG_VALUE = "window", "made", "cut", "value"  # the faults of a call


class WrongCall(NamedTuple):
    """A call that contradicts the record."""

    row: int
    step: int  # of the record's trace, at which the fault shows
    fault: str
    window: Window  # WRONG_WINDOW: the right one. NEEDLESS_CALL: the caller's window. Otherwise the window of the node itself
    value: float | None = None  # WRONG_VALUE: the right one. NEEDLESS_CALL, WRONG_CUTOFF: the best value so far


def find_wrong_calls(tree: SearchTree, cut_on_equal: bool) -> list[WrongCall]:
    """Return all wrong calls, in the order in which they show."""
    trace = tree.timeline
    wrong_calls = [WrongCall(0, 0, WRONG_WINDOW, OPEN_WINDOW)] if (tree[0].alpha, tree[0].beta) != OPEN_WINDOW else []
    for node in list_nodes(tree):
        if node.children:
            wrong_calls += _find_wrong_calls_at(node, trace, cut_on_equal)
    return sorted(wrong_calls, key=lambda call: call.step)


def _find_wrong_calls_at(node: Node, trace: Trace, cut_on_equal: bool) -> list[WrongCall]:
    """Return the faults of the calls that a node made, and of how the search left the node."""
    wrong_calls = []
    window, value = (node.alpha, node.beta), None
    for child in node.children:
        if value is not None and is_refuted(node.maximizing, value, *window, cut_on_equal):
            wrong_calls.append(WrongCall(int(child), trace.enter(child), NEEDLESS_CALL, window, value))
        else:
            if value is not None:
                window = (max(window[0], value), window[1]) if node.maximizing else (window[0], min(window[1], value))
            if (child.alpha, child.beta) != window:
                wrong_calls.append(WrongCall(int(child), trace.enter(child), WRONG_WINDOW, window))
        value = child.value if value is None else max(value, child.value) if node.maximizing else min(value, child.value)
    if value is not None and node.value != value:
        wrong_calls.append(WrongCall(int(node), trace.leave(node), WRONG_VALUE, window, value))
    elif value is not None and node.pruned and not is_refuted(node.maximizing, value, *window, cut_on_equal):
        wrong_calls.append(WrongCall(int(node), trace.leave(node), WRONG_CUTOFF, window, value))
    return wrong_calls
