"""The display of results in notebooks: a picture for a tree, tables for other results.

pyproject.toml registers these functions in the entry-point group `plyscope.display` (engine/core/notebook.py).
"""

from collections.abc import Iterable
from html import escape
from itertools import islice

from engine.analysis.comparison_result import Comparison
from engine.checker.watch import CallWatcher
from engine.games.capabilities import move_name
from engine.solver.solver import Solution
from engine.tree.trace import Trace
from engine.tree.tree import SearchTree
from visualizer.drawing.paging import find_readable_view
from visualizer.narration.captions import search_title, summarize_result
from visualizer.narration.escapes import sanitize_line

MAX_TRACE_ROWS = 30  # steps of a trace that are listed


def display_tree(tree: SearchTree) -> dict[str, str]:
    """Draw the whole tree if it is small, else as many plies as fit, else the principal variation."""
    from visualizer.api import to_svg

    return {"image/svg+xml": to_svg(tree, find_readable_view(tree))}


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
