"""Answers about a tree of any size, in milliseconds: a view of its overview, some of its rows, the place of a step.

They are independent of HTTP: tree_delivery.py serves them. Arrays are encoded like payloads (payload.py). The parameters come
from outside, so every one of them is checked and bounded.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from engine.core.errors import PlyscopeError
from engine.core.parsing import whole_number
from engine.record.columns import BOUND_BITS, BOUND_SHIFT
from engine.tree.trace import STEP_KIND_BY_STATUS, STEP_KINDS, Trace
from engine.tree.tree import SearchTree
from visualizer.drawing.overview.bands import share_height
from visualizer.drawing.overview.cells import compute_cells, make_view
from visualizer.drawing.overview.colourings import HowLeft, find_colouring
from visualizer.viewer.payload import encode_arrays

MAX_ROWS = 4_096  # of one answer
MAX_WIDE_CHILDREN = 4_096  # children beside the path: of a node with more, only those around the path
SHARE_UNITS = 255  # the share of a class in a cell is sent as a byte; a class that occurs has at least 1
MAX_DIGITS = 12  # of a number in a query

Parameters = Mapping[str, str]


class BadQuery(PlyscopeError):
    """A query with a missing or impossible parameter."""


class Answer(NamedTuple):
    """The answer to a query."""

    data: bytes
    media_type: str = "application/octet-stream"


def prepare_tree(tree: SearchTree) -> None:
    """Compute what all answers need: the index by depth, and the bounds. It takes a second for 50 million nodes."""
    tree.depth_index.statuses  # noqa: B018 - cached properties
    tree.bound  # noqa: B018


def answer_query(tree: SearchTree, name: str, parameters: Parameters) -> Answer:
    """Answer the query with this name: one of QUERIES."""
    if name not in QUERIES:
        raise BadQuery(f"there is no query {name[:20]!r}: known are {', '.join(QUERIES)}")
    return QUERIES[name](tree, parameters)


def describe_tree(tree: SearchTree, parameters: Parameters) -> Answer:
    """Answer what a browser needs to know about a tree before it asks for more."""
    return _encode_json(
        {
            "rows": len(tree),
            "depths": tree.height + 1,
            "steps": len(Trace(tree)),
            "roots": tree.roots,
            "perDepth": tree.per_depth,
        }
    )


def view_overview(tree: SearchTree, parameters: Parameters) -> Answer:
    """Answer the cells of a view: first row, count, cutoffs, reaching row and the share of each class.

    `offset` is the first row less the first row that could start in its pixel, which is first + ceil(pixel × rows / pixels).
    `first` and `last` are the rows, `pixels` the width, `top` and `depths` the depths, `colour` the colouring.
    """
    colouring = find_colouring(parameters.get("colour", HowLeft.name), tree)
    view = make_view(
        tree,
        _read_number(parameters, "pixels"),
        _read_number(parameters, "first", 0),
        _read_number(parameters, "last", len(tree)),
        top := _read_number(parameters, "top", 0),
        _read_number(parameters, "depths", tree.height + 1 - top),
    )
    cells, classes = compute_cells(tree, view, colouring), colouring.list_classes(tree)
    totals = cells.classes.sum(axis=(0, 1))
    shown = [one for one in classes if totals[one.code]]
    counts = cells.classes[:, :, [one.code for one in shown]].reshape(-1, len(shown))
    offset = np.where(cells.counts > 0, cells.first - view.edges[:-1], 0).astype(np.int32)
    arrays = {name: getattr(cells, name).ravel() for name in ("counts", "cutoffs", "reaching")}
    arrays["offset"] = offset.ravel()
    arrays["shares"] = share_height(counts.astype(np.int64), SHARE_UNITS).astype(np.uint8).ravel()
    meta = {
        "first": view.first_row,
        "last": view.last_row,
        "pixels": view.pixels,
        "top": view.first_depth,
        "depths": view.depths,
        "colour": colouring.name,
        "classes": [{"label": one.label, "colour": one.colour, "count": int(totals[one.code])} for one in shown],
    }
    return Answer(encode_arrays(arrays, meta))


def list_rows(tree: SearchTree, parameters: Parameters) -> Answer:
    """Answer `count` rows from `first` on, and before them the path to the first with all children of the nodes on it.

    The array `row` has their numbers. The other arrays are the columns of the tree; `flags` also has the bound.
    """
    first = _read_number(parameters, "first")
    count = _read_number(parameters, "count", MAX_ROWS)
    if not 0 <= first < len(tree) or not 1 <= count <= MAX_ROWS:
        raise BadQuery(f"rows {first} and {count} more: the tree has {len(tree):,} rows, and one answer up to {MAX_ROWS:,}")
    rows = np.unique(np.concatenate([_rows_around_path(tree, first), np.arange(first, min(first + count, len(tree)))]))
    arrays = {name: column[rows] for name, column in tree.columns._asdict().items() if len(column)}
    known = arrays["flags"] & ~np.uint8(BOUND_BITS << BOUND_SHIFT)
    arrays["flags"] = known | (tree.bound[rows] << BOUND_SHIFT).astype(np.uint8)
    return Answer(encode_arrays({"row": rows.astype(np.int32), **arrays}, {"infinite": tree._has_infinities}))


def _rows_around_path(tree: SearchTree, row: int) -> np.ndarray:
    """Return the path to a row, with the children of the nodes on it."""
    path = tree.path(row)
    rows = [path]
    for parent, child in zip(path, [*path[1:], None], strict=True):
        children = tree.child_rows(parent)
        if len(children) > MAX_WIDE_CHILDREN:
            middle = 0 if child is None else children.index(child)
            children = children[max(0, middle - MAX_WIDE_CHILDREN // 2) :][:MAX_WIDE_CHILDREN]
        rows.append(children)
    return np.concatenate([np.array(some, np.int64) for some in rows])


def find_step(tree: SearchTree, parameters: Parameters) -> Answer:
    """Answer where a step is: `step` itself, or the `next` or `previous` step of a `kind`. null: there is none."""
    trace = Trace(tree)
    step: int | None = _read_number(parameters, "step")
    direction, kind = parameters.get("direction", ""), parameters.get("kind", "")
    if direction not in ("", "next", "previous"):
        raise BadQuery(f"{direction[:20]!r} is not a direction: use next or previous")
    allowed = STEP_KINDS if direction == "next" else tuple(dict.fromkeys(STEP_KIND_BY_STATUS.values()))
    if direction and kind not in allowed:
        raise BadQuery(f"{kind[:20]!r} is not a kind of step: use {', '.join(allowed)}")
    step = min(step or 0, len(trace) - 1)
    if direction:
        step = trace.next(kind, step) if direction == "next" else trace.previous(kind, step)
    if step is None:
        return _encode_json(None)
    found = trace[step]
    row = int(found.node)
    return _encode_json({"step": step, "kind": found.kind, "row": row, "path": tree.path(row)})


def _encode_json(value: Any) -> Answer:
    return Answer(json.dumps(value, separators=(",", ":"), allow_nan=False).encode(), "application/json")


def _read_number(parameters: Parameters, name: str, default: int | None = None) -> int:
    text = parameters.get(name)
    if text is None and default is not None:
        return default
    number = None if text is None else whole_number(text, MAX_DIGITS)
    if number is None:
        raise BadQuery(f"the parameter {name} is {'missing' if text is None else repr(text[:20])}: give a whole number from 0")
    return number


QUERIES: dict[str, Callable[[SearchTree, Parameters], Answer]] = {
    "facts": describe_tree,
    "overview": view_overview,
    "rows": list_rows,
    "step": find_step,
}
