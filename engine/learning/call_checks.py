"""Which calls of a recorded alpha-beta are wrong, by nothing but the record: a row, its window and its children.

A call is wrong if it was entered with another window than its caller had then, if it was made although the caller should have
skipped it, if it skipped moves without a reason, or if it came back with another value than the best that it got.
"""

from typing import NamedTuple

from engine.algorithms.refutation import refuted
from engine.learning.faulty_searches import OPEN, Window
from engine.learning.row_mapping import nodes
from engine.tree.node import Node
from engine.tree.trace import Trace
from engine.tree.tree import SearchTree

ENTERED, MADE, CUT, VALUE = "window", "made", "cut", "value"  # what is wrong


class WrongCall(NamedTuple):
    """A call that contradicts the record."""

    row: int
    step: int  # when that is seen, in the trace of the record
    what: str
    window: Window  # that it should have been entered with; of `made` and `cut`, that of the caller then, or of the node itself
    value: float | None = None  # value: that it should have had; made and cut: the best that was known


def wrong_calls(tree: SearchTree, cut_on_equal: bool) -> list[WrongCall]:
    """All of them, the first first."""
    trace = Trace(tree)
    found = [WrongCall(0, 0, ENTERED, OPEN)] if (tree[0].alpha, tree[0].beta) != OPEN else []
    for node in nodes(tree):
        if node.children:
            found += _wrong_at(node, trace, cut_on_equal)
    return sorted(found, key=lambda call: call.step)


def _wrong_at(node: Node, trace: Trace, cut_on_equal: bool) -> list[WrongCall]:
    """What is wrong with the calls that a node made, and with how it was left."""
    found = []
    window, value = (node.alpha, node.beta), None
    for child in node.children:
        if value is not None and refuted(node.maximizing, value, *window, cut_on_equal):
            found.append(WrongCall(int(child), trace.enter(child), MADE, window, value))
        else:
            if value is not None:
                window = (max(window[0], value), window[1]) if node.maximizing else (window[0], min(window[1], value))
            if (child.alpha, child.beta) != window:
                found.append(WrongCall(int(child), trace.enter(child), ENTERED, window))
        value = child.value if value is None else max(value, child.value) if node.maximizing else min(value, child.value)
    if value is not None and node.value != value:
        found.append(WrongCall(int(node), trace.leave(node), VALUE, window, value))
    elif value is not None and node.pruned and not refuted(node.maximizing, value, *window, cut_on_equal):
        found.append(WrongCall(int(node), trace.leave(node), CUT, window, value))
    return found
