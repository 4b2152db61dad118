"""Search traces of Posthoc, version 1.4.0: one event when a call begins, and one when it ends."""

import json
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from engine.record.columns import STATUS_NAMES
from engine.tree.trace import check_has_calls
from engine.tree.tree import SearchTree
from visualizer.drawing.label_columns import move_names
from visualizer.drawing.size_limits import check_size
from visualizer.drawing.view import View, ViewItems, select_items
from visualizer.narration.escapes import sanitize_line
from visualizer.narration.numbers import exact_number

EXTENSION = ".yaml"
DESCRIPTION = "search trace for Posthoc, up to 50,000 nodes"
MEDIA_TYPE = "application/yaml"
MAX_ITEMS = 50_000
AT_ONCE = 5_000
HEAD = """\
version: 1.4.0
views:
  main:
    - $: path
      points:
        - {x: "${{ $.px }}", y: "${{ $.py }}"}
        - {x: "${{ $.x }}", y: "${{ $.y }}"}
      line-width: 0.05
      fill: "${{ theme.foreground }}"
      alpha: 0.4
    - $: circle
      x: "${{ $.x }}"
      y: "${{ $.y }}"
      radius: 0.3
      fill: "${{ $.type == 'closing' ? ($.status == 'cutoff' ? color.red : color.green) : color.amber }}"
      label: "${{ $.label }}"
pivot:
  x: "${{ $.x }}"
  y: "${{ $.y }}"
  scale: 1
events:
"""


def chunks(tree: SearchTree, view: View | None = None) -> Iterator[bytes]:
    """Return the trace in pieces, one line per event."""
    check_has_calls(tree)
    part = select_items(tree, replace(view or View(), stubs=False))
    check_size("a .yaml for Posthoc", len(part), MAX_ITEMS)
    return _write_events(part)


def _write_events(part: ViewItems) -> Iterator[bytes]:
    yield HEAD.encode()
    tree, names = part.tree, move_names(part)
    x, level = _lay_out(part), tree.depth[part.row]
    open_items: list[int] = []

    def format_event(item: int, kind: str) -> str:
        row, parent = int(part.row[item]), int(part.parent[item])
        node, above = tree[row], parent if parent >= 0 else item
        event = {
            "type": kind, "id": row, "pId": int(part.row[parent]) if parent >= 0 else None,
            "x": round(float(x[item]), 3), "y": 2 * int(level[item]), "px": round(float(x[above]), 3),
            "py": 2 * int(level[above]), "move": _plain_text(names.texts[names.codes[item]]),
            "side": node.turn, "alpha": exact_number(node.alpha), "beta": exact_number(node.beta),
        }  # fmt: skip
        if kind == "closing":
            value = f"{node.bound_sign}{exact_number(node.value)}"
            event |= {"value": exact_number(node.value), "status": STATUS_NAMES[tree.status[row]], "label": value}
        return f"  - {json.dumps(event, ensure_ascii=True)}\n"

    for item in range(len(part)):
        while open_items and open_items[-1] != part.parent[item]:
            yield format_event(open_items.pop(), "closing").encode()
        yield format_event(item, "expanding").encode()
        open_items.append(item)
    while open_items:
        yield format_event(open_items.pop(), "closing").encode()


def _plain_text(text: str) -> str:
    """Return a text that Posthoc does not evaluate."""
    return sanitize_line(text).replace("${{", "$ {{")


def _lay_out(part: ViewItems) -> np.ndarray:
    """Return x of each item: leaves one after the other, other nodes above the middle of their children."""
    x = np.full(len(part), np.nan)
    first, last = np.full(len(part), np.nan), np.full(len(part), np.nan)
    is_inner = np.zeros(len(part), np.bool_)
    is_inner[part.parent[part.parent >= 0]] = True
    x[~is_inner] = np.arange((~is_inner).sum())
    for item in range(len(part) - 1, -1, -1):
        if is_inner[item]:
            x[item] = (first[item] + last[item]) / 2
        if (parent := part.parent[item]) >= 0:
            first[parent] = x[item]
            last[parent] = x[item] if np.isnan(last[parent]) else last[parent]
    return x
