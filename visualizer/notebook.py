"""The display of results in notebooks: the viewer and a picture for a tree, tables for other results.

pyproject.toml registers these functions in the entry-point group `plyscope.display` (engine/core/notebook.py).
"""

import re
from collections.abc import Iterable
from html import escape
from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING, Any

from engine.analysis.comparison_result import Comparison
from engine.checker.watch import CallWatcher
from engine.core.errors import PlyscopeError
from engine.games.capabilities import move_name
from engine.record.columns import ROOT
from engine.solver.solver import Solution
from engine.tree.trace import Trace
from engine.tree.tree import SearchTree
from visualizer.drawing.paging import PictureSize, find_deepest_view, find_readable_view, picture_size
from visualizer.drawing.tree_drawing import DIGIT_WIDTH, MARGIN, VALUE_FONT
from visualizer.drawing.view import View
from visualizer.narration.captions import search_title, summarize_result
from visualizer.narration.escapes import escape_xml, sanitize_line
from visualizer.viewer.viewport import MAX_VISIBLE_NODES, VisiblePart, find_part_of_view, find_visible_part, why_not_drawable

if TYPE_CHECKING:
    from visualizer.viewer.notebook_widget import TreeView

MAX_TRACE_ROWS = 30  # steps of a trace that are listed
INSTALL_COMMAND = 'pip install "plyscope[notebook]"'
MAX_PICTURE_SIZE = PictureSize(2_000, float("inf"))  # a notebook shows half of it at a time
NOTE_HEIGHT = 26  # pixels of the line below a picture
_PICTURE_SIZE = re.compile(r'<svg [^>]*?width="(\d+)" height="(\d+)"')


class NoViewer(PlyscopeError):
    """A tree that notebooks cannot show in the viewer, or a missing package."""


def display_tree(tree: SearchTree) -> dict[str, str]:
    """Draw the whole tree if it is small, else as many plies as fit, else the principal variation.

    If there is no viewer of this tree, a line below says why.
    """
    return {"image/svg+xml": add_note(draw_tree(tree), why_no_viewer(tree))}


def display_tree_widget(tree: SearchTree) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the viewer as data by media type, and metadata. Both are empty if there is no viewer of this tree."""
    return ({}, {}) if why_no_viewer(tree) else create_tree_view(tree)._repr_mimebundle_()


def create_tree_view(tree: SearchTree, root: int = ROOT, max_depth: int | None = None, **settings: Any) -> "TreeView":
    """Return the viewer as a widget: of the whole tree, a subtree, or down to a depth. The settings are the widget's traits."""
    view = View(root, max_depth)
    part = find_part_of_view(tree, view)
    if reason := why_no_viewer(tree, part):
        raise NoViewer(reason)
    from visualizer.viewer.notebook_widget import TreeView

    return TreeView(tree, part, draw_tree(tree, view), **settings)


def why_no_viewer(tree: SearchTree, part: VisiblePart | None = None) -> str:
    """Return the reason why a notebook does not show this part of a tree in the viewer, or an empty text if it does."""
    if tree.has_iterations:
        return "The viewer shows searches that run in calls. The steps of this one are in tree.timeline."
    if find_spec("anywidget") is None:
        return f"To step through the search here: {INSTALL_COMMAND}"
    count = len(tree) if part is None else len(part.rows)
    if count <= MAX_VISIBLE_NODES:
        return why_not_drawable(tree)
    fitting = find_visible_part(tree)
    levels = 0 if fitting is None else fitting.levels
    return (
        f"The viewer shows at most {MAX_VISIBLE_NODES:,} of these {count:,} nodes: "
        f"tree.view(max_depth={levels}) shows the first plies, tree.view(root=…) a subtree."
    )


def draw_tree(tree: SearchTree, view: View | None = None) -> str:
    """Return as much of a view as is readable in a notebook, as SVG."""
    from visualizer.api import to_svg

    readable = find_readable_view(tree, view)
    if not MAX_PICTURE_SIZE.can_hold(picture_size(tree, readable)):
        readable = find_deepest_view(tree, readable, MAX_PICTURE_SIZE) or readable
    return to_svg(tree, readable)


def add_note(picture: str, note: str) -> str:
    """Return an SVG picture with a line of text below it."""
    if not note:
        return picture
    width, height = map(int, _PICTURE_SIZE.findall(picture)[0])
    wide, high = max(width, round(len(note) * VALUE_FONT * DIGIT_WIDTH) + 2 * MARGIN), height + NOTE_HEIGHT
    size = f'width="{wide}" height="{high}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {wide} {high}" class="ply" role="img">\n'
        f'<rect class="ground" {size}/>\n{picture}'
        f'<text class="key" x="{MARGIN}" y="{height + VALUE_FONT}">{escape_xml(note)}</text>\n</svg>\n'
    )


def display_comparison(comparison: Comparison) -> dict[str, str]:
    """Show the main table of a comparison."""
    from visualizer.report.tables import results_table

    table = results_table(comparison)
    return {"text/html": _render_table(table.caption, table.head, table.rows)}


def display_solution(solution: Solution) -> dict[str, str]:
    """Show the outcome of the position, and of every column that was solved."""
    rows = [
        [move_name(solution.game, column), f"{score:+d}" if score else "0", solution.column_words(column)]
        for column, score in solution.columns.items()
    ]
    return {"text/html": _render_table(repr(solution).strip("<>"), ["column", "score", "outcome"], rows)}


def display_trace(trace: Trace) -> dict[str, str]:
    """List the first steps with their sentences."""
    from visualizer.narration.sentences import sentence

    rows = [[str(step.number), str(int(step.node)), step.kind, sentence(step)] for step in islice(trace, MAX_TRACE_ROWS)]
    if len(trace) > MAX_TRACE_ROWS:
        rows.append(["…", "", "", f"{len(trace) - MAX_TRACE_ROWS:,} more steps"])
    return {"text/html": _render_table(search_title(trace.tree), ["step", "node", "kind", "explanation"], rows)}


def display_watched(watcher: CallWatcher) -> dict[str, str]:
    """Show the arguments that were understood, and the recorded tree below."""
    rows = [
        [name, ", ".join(f"{role} = {argument}" for role, argument in roles._asdict().items() if argument is not None)]
        for name, roles in watcher.roles.items()
    ]
    table = _render_table(summarize_result(watcher.tree), ["function", "arguments"], rows)
    return {"text/html": table + display_tree(watcher.tree)["image/svg+xml"]}


def _render_table(caption: str, heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table in HTML, with every text escaped."""

    def render_row(cells: Iterable[str], tag: str) -> str:
        return f"<tr>{''.join(f'<{tag}>{escape(sanitize_line(cell))}</{tag}>' for cell in cells)}</tr>"

    body = "".join(render_row(row, "td") for row in rows)
    return f"<table><caption>{escape(sanitize_line(caption))}</caption>{render_row(heads, 'th')}{body}</table>"
