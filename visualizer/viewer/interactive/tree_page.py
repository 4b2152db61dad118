"""A tree as one interactive HTML file: the viewer of the page Step, without a server."""

import json
from collections.abc import Iterator

import numpy as np

from engine.analysis.alignment import align_with_minimax
from engine.core.errors import PlyscopeError
from engine.games.evaluation_parts import can_explain_values
from engine.tree.tree import SearchTree
from visualizer.drawing.paging import find_readable_view
from visualizer.drawing.view import View
from visualizer.exporters import svg
from visualizer.narration.captions import search_title, summarize_result
from visualizer.narration.escapes import sanitize_line
from visualizer.viewer.breakdown_data import build_breakdown
from visualizer.viewer.interactive.page_file import write_page
from visualizer.viewer.payload import build_payload
from visualizer.viewer.viewport import MAX_VISIBLE_NODES, VisiblePart, find_part_of_view, find_visible_part, why_not_drawable

EXTENSION, MEDIA_TYPE = ".html", "text/html"
DESCRIPTION = "self-contained page to step through the search, without a server"
MAX_ITEMS = MAX_VISIBLE_NODES
MAX_EXPLAINED_LEAVES = 2_000  # leaves whose value is broken down in the file, in the order of the visits
MAX_TITLE_CHARS = 200
COMPONENT = "tree_viewer"


class TooLarge(PlyscopeError):
    """A tree with too many nodes for one file."""


def chunks(tree: SearchTree, view: View | None = None, title: str = "") -> Iterator[bytes]:
    """Return the page in pieces. `view` may name a subtree and a depth."""
    part = choose_part(tree, view or View())
    words = sanitize_line(title)[:MAX_TITLE_CHARS] or search_title(tree)
    alignment = align_with_minimax(tree)
    payload = build_payload(tree, part, None if alignment is None else alignment.spared)
    picture = b"".join(svg.chunks(tree, find_readable_view(tree, view))).decode()
    data = {"payload": payload, "breakdowns": json.dumps(explain_leaves(tree, part)).encode()}
    return iter([write_page(COMPONENT, words, summarize_result(tree, part is None), {"name": words}, data, picture).encode()])


def choose_part(tree: SearchTree, view: View) -> VisiblePart | None:
    """Return the part of the tree that a view shows, or None for the whole tree. Raise TooLarge if it has too many nodes."""
    if reason := why_not_drawable(tree):
        raise TooLarge(reason)
    part = find_part_of_view(tree, view)
    count = len(tree) if part is None else len(part.rows)
    if count <= MAX_VISIBLE_NODES:
        return part
    fitting = find_visible_part(tree, view.root)
    levels = 0 if fitting is None else fitting.levels
    raise TooLarge(
        f"this tree has {count:,} nodes, and an interactive page holds at most {MAX_VISIBLE_NODES:,}: "
        f"show {levels} plies of it (--to-depth {levels}, or View(max_depth={levels})), or a subtree (--subtree, or View(root=…))"
    )


def explain_leaves(tree: SearchTree, part: VisiblePart | None) -> dict[int, dict[str, object]]:
    """Return the breakdowns of the first leaves that are shown, by node."""
    if not can_explain_values(tree.game):
        return {}
    rows = np.arange(len(tree)) if part is None else part.rows
    leaves = [int(row) for row in rows[tree.end[rows] == rows + 1] if tree[int(row)].is_leaf]
    return {row: build_breakdown(tree, row) for row in leaves[:MAX_EXPLAINED_LEAVES]}
