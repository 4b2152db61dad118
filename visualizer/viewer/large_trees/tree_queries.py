"""Answers about a tree of any size, in milliseconds: a view of its overview, the rows around a step, the place of a step.

They are independent of HTTP: tree_delivery.py serves them. Arrays are encoded like payloads (payload.py). The parameters come
from outside, so every one of them is checked and bounded.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from engine.analysis.alignment import SkippedNodes
from engine.core.errors import PlyscopeError
from engine.core.parsing import whole_number
from engine.record.columns import TURN_NAMES
from engine.tree.breakpoints import BREAKPOINTS, Breakpoint, count_stops, next_stop
from engine.tree.trace import STEP_KIND_BY_STATUS, STEP_KINDS
from engine.tree.tree import SearchTree
from visualizer.drawing.overview.cells import make_view
from visualizer.drawing.overview.colourings import HowLeft, find_colouring
from visualizer.viewer.breakdown_data import build_breakdown
from visualizer.viewer.large_trees.overview_cells import encode_overview
from visualizer.viewer.large_trees.tree_blocks import MAX_BLOCK_ROWS, find_block
from visualizer.viewer.payload import build_payload

MAX_DIGITS = 12  # of a number in a query
VALUE_PATTERN = re.compile(r"-?[0-9]{1,12}([.][0-9]{1,20})?")  # of a node


class BadQuery(PlyscopeError):
    """A query with a missing or impossible parameter."""


class Answer(NamedTuple):
    """The answer to a query."""

    data: bytes
    media_type: str = "application/octet-stream"


class Query(NamedTuple):
    """A question about a tree: its parameters, and what the cutoffs of the tree spared if that is known."""

    tree: SearchTree
    parameters: Mapping[str, str]
    spared: SkippedNodes | None = None

    def read_number(self, name: str, default: int | None = None) -> int:
        """Return a parameter that is a whole number from 0."""
        text = self.parameters.get(name)
        if text is None and default is not None:
            return default
        number = None if text is None else whole_number(text, MAX_DIGITS)
        if number is None:
            found = "missing" if text is None else repr(text[:20])
            raise BadQuery(f"the parameter {name} is {found}: give a whole number from 0")
        return number

    def read_row(self, name: str) -> int:
        """Return a parameter that is the number of a node."""
        row = self.read_number(name)
        if row >= len(self.tree):
            raise BadQuery(f"there is no node {row}: the tree has {len(self.tree):,}, from 0")
        return row


def prepare_overview(tree: SearchTree) -> None:
    """Compute what a view of the overview needs: the index by depth. It takes a third of a second for 50 million nodes."""
    tree.depth_index.statuses  # noqa: B018 - cached properties


def prepare_bounds(tree: SearchTree) -> None:
    """Compute the bounds, which all other answers need. It takes half a second for 50 million nodes."""
    tree.bound  # noqa: B018


def prepare_sums(tree: SearchTree) -> None:
    """Compute the running sums, which all other answers need. It takes a quarter of a second for 50 million nodes."""
    tree.row_sums.cutoffs, tree.row_sums.skipped  # noqa: B018


def answer_query(tree: SearchTree, name: str, parameters: Mapping[str, str], spared: SkippedNodes | None = None) -> Answer:
    """Answer the query with this name: one of QUERIES."""
    if name not in QUERIES:
        raise BadQuery(f"there is no query {name[:20]!r}: known are {', '.join(QUERIES)}")
    return QUERIES[name](Query(tree, parameters, spared))


def describe_tree(query: Query) -> Answer:
    """Answer the size of a tree."""
    return encode_json(tree_facts(query.tree))


def tree_facts(tree: SearchTree) -> dict[str, Any]:
    """Return what a browser needs to know about a tree before it asks for more."""
    return {"rows": len(tree), "depths": tree.height + 1, "steps": len(tree.timeline), "turns": _list_turns(tree)}


def _list_turns(tree: SearchTree) -> list[list[str]]:
    """Return who moves at each depth, in the order of TURN_NAMES."""
    return [[TURN_NAMES[turn] for turn in sorted(turns)] for turns in tree.turns_by_depth()]


def view_overview(query: Query) -> Answer:
    """Answer the cells of a view: see overview_cells.py.

    `first` and `last` are the rows, `pixels` the width, `top` and `depths` the depths, `colour` the colouring.
    """
    tree = query.tree
    colouring = find_colouring(query.parameters.get("colour", HowLeft.name), tree)
    view = make_view(
        tree,
        query.read_number("pixels"),
        query.read_number("first", 0),
        query.read_number("last", len(tree)),
        top := query.read_number("top", 0),
        query.read_number("depths", tree.height + 1 - top),
    )
    return Answer(encode_overview(tree, view, colouring))


def show_block(query: Query) -> Answer:
    """Answer the rows around a node, or around the row that a step entered last, as a payload of a part of the tree.

    `row` or `step` says where, `before` and `after` how many rows. `meta` lacks what is the same in all answers.
    """
    tree = query.tree
    before, after = query.read_number("before", 0), query.read_number("after", 0)
    if before + after >= MAX_BLOCK_ROWS:
        raise BadQuery(f"{before:,} rows before and {after:,} after: one answer has less than {MAX_BLOCK_ROWS:,} rows")
    if "row" in query.parameters:
        row = query.read_row("row")
    else:
        trace = tree.timeline
        row = trace.last_entered_row(min(query.read_number("step"), len(trace) - 1))
    part = find_block(tree, row, before, after)
    return Answer(build_payload(tree, part, query.spared, with_positions=False, with_lasting=False))


def find_step(query: Query) -> Answer:
    """Answer where a step is: `step` itself, or the `next` or `previous` step of a `kind`. null: there is none."""
    trace = query.tree.timeline
    step: int | None = query.read_number("step")
    direction, kind = query.parameters.get("direction", ""), query.parameters.get("kind", "")
    if direction not in ("", "next", "previous"):
        raise BadQuery(f"{direction[:20]!r} is not a direction: use next or previous")
    allowed = STEP_KINDS if direction == "next" else tuple(dict.fromkeys(STEP_KIND_BY_STATUS.values()))
    if direction and kind not in allowed:
        raise BadQuery(f"{kind[:20]!r} is not a kind of step: use {', '.join(allowed)}")
    step = min(step or 0, len(trace) - 1)
    if direction:
        step = trace.next(kind, step) if direction == "next" else trace.previous(kind, step)
    if step is None:
        return encode_json(None)
    found = trace[step]
    return encode_json({"step": step, "kind": found.kind, "row": int(found.node)})


def find_stops(query: Query) -> Answer:
    """Answer the next step at which a breakpoint pauses, after `step`; without `step` how many there are, and the first.

    `kind` and `at` are those of a Breakpoint.
    """
    trace, kind, text = query.tree.timeline, query.parameters.get("kind", ""), query.parameters.get("at", "")
    if kind not in BREAKPOINTS:
        raise BadQuery(f"{kind[:20]!r} is not a kind of breakpoint: use {', '.join(BREAKPOINTS)}")
    if not VALUE_PATTERN.fullmatch(text):
        raise BadQuery(f"the parameter at is {text[:20]!r}: give a number")
    stop = Breakpoint(kind, float(text))
    if "step" in query.parameters:
        return encode_json(next_stop(trace, stop, query.read_number("step")))
    count = count_stops(trace, stop)
    return encode_json({"count": count, "first": next_stop(trace, stop, -1) if count else None})


def count_range(query: Query) -> Answer:
    """Answer how many cutoffs and skipped moves the rows from `first` up to `last` have, without `last`, and their steps."""
    tree = query.tree
    first, last = query.read_row("first"), query.read_number("last")
    if not first < last <= len(tree):
        raise BadQuery(f"rows {first} to {last} are not a range of this tree: it has {len(tree):,} rows, from 0")
    ends = np.array([first, last])
    cutoffs, skipped = (int(np.diff(sums.before(ends))[0]) for sums in (tree.row_sums.cutoffs, tree.row_sums.skipped))
    trace = tree.timeline
    end = trace.enter(last) if last < len(tree) else len(trace)
    return encode_json({"nodes": last - first, "cutoffs": cutoffs, "skipped": skipped, "from": trace.enter(first), "to": end - 1})


def explain_value(query: Query) -> Answer:
    """Answer the parts that make up the value of the leaf `row`."""
    row = query.read_row("row")
    if not query.tree[row].is_leaf:
        raise BadQuery(f"node {row} is not a leaf: only the values of leaves have parts")
    return encode_json(build_breakdown(query.tree, row))


def encode_json(value: Any) -> Answer:
    """Return a value as an answer in JSON."""
    return Answer(json.dumps(value, separators=(",", ":"), allow_nan=False).encode(), "application/json")


QUERIES: dict[str, Callable[[Query], Answer]] = {
    "facts": describe_tree,
    "overview": view_overview,
    "block": show_block,
    "step": find_step,
    "stops": find_stops,
    "count": count_range,
    "why": explain_value,
}
