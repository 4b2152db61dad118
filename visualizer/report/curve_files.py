"""The course of a search in iterations, as files."""

import json
import math
from collections.abc import Callable, Iterator
from typing import Any

from engine.analysis.search_curves import SearchCurves
from engine.tree.tree import SearchTree
from visualizer.drawing import scene
from visualizer.drawing.charts.curves_chart import draw_curves, draw_text_curves
from visualizer.drawing.pdf_pages import scene_to_pdf
from visualizer.narration.curve_messages import curves_title, list_curve_notes, move_title
from visualizer.narration.escapes import format_csv_table
from visualizer.report.blocks import Block, Chart, Heading, Paragraph, Table
from visualizer.report.html import render_html_block, render_html_page
from visualizer.report.markdown import render_markdown_block

CHART_CAPTION = "Visits, means and depth after each number of iterations."
DIGITS = 9  # of shares and means in .csv and .json


def list_rows(curves: SearchCurves) -> list[dict[str, Any]]:
    """Return a record for every move at every moment. Numbers that are not known are None."""
    return [
        {
            "iteration": int(moment),
            "move": curve.name,
            "visits": int(curve.visits[index]),
            "share": round(float(curve.share[index]), DIGITS),
            "mean": _number(curve.mean[index]),
            "exact_value": _number(math.nan if curve.exact is None else curve.exact),
            "most_visited": curves.best[index] == place,
            "depth": int(curves.depth[index]),
            "regret": _number(curves.regret[index]),
        }
        for index, moment in enumerate(curves.iterations.tolist())
        for place, curve in enumerate(curves.moves)
    ]


def _number(number: float) -> float | None:
    return None if math.isnan(number) else round(float(number), DIGITS)


def to_csv(tree: SearchTree, curves: SearchCurves) -> bytes:
    """Return a row for every move at every moment. An empty cell: not known."""
    rows = [{**row, "most_visited": int(row["most_visited"])} for row in list_rows(curves)]
    cells = [["" if value is None else value for value in row.values()] for row in rows]
    return format_csv_table([list(rows[0]), *cells]).encode()


def to_json(tree: SearchTree, curves: SearchCurves) -> bytes:
    rows = [{**row, "most_visited": bool(row["most_visited"])} for row in list_rows(curves)]
    whole = {"title": curves_title(tree), "changes": list(curves.changes), "rows": rows}
    return (json.dumps(whole, indent=1) + "\n").encode()


def make_table(tree: SearchTree, curves: SearchCurves) -> Table:
    """Return a table of the moves at the end."""
    rows = [
        [
            move_title(tree, curve.name),
            f"{curve.visits[-1]:,}",
            f"{100 * curve.share[-1]:.1f} %",
            "–" if math.isnan(curve.mean[-1]) else f"{curve.mean[-1]:.3f}",
            "–" if curve.exact is None else f"{curve.exact:.3g}",
        ]
        for curve in sorted(curves.moves, key=lambda curve: -curve.visits[-1])
    ]
    caption = "The moves after the last iteration. Mean and exact value are for the side to move, from 0 to 1."
    return Table(caption, ["move", "visits", "share", "mean", "exact value"], rows, (0,))


def build_report(tree: SearchTree, curves: SearchCurves) -> Iterator[Block]:
    """Yield charts, table and notes."""
    yield Heading(curves_title(tree), 1)
    yield Chart(CHART_CAPTION, draw_curves(tree, curves), [], draw_text_curves(tree, curves))
    yield make_table(tree, curves)
    for note in list_curve_notes(tree, curves):
        yield Paragraph(note)


def to_markdown(tree: SearchTree, curves: SearchCurves) -> bytes:
    return ("\n\n".join(map(render_markdown_block, build_report(tree, curves))) + "\n").encode()


def to_html(tree: SearchTree, curves: SearchCurves) -> bytes:
    return render_html_page(curves_title(tree), "".join(map(render_html_block, build_report(tree, curves)))).encode()


def to_svg(tree: SearchTree, curves: SearchCurves) -> bytes:
    return scene.to_svg(draw_curves(tree, curves)).encode()


def to_png(tree: SearchTree, curves: SearchCurves) -> bytes:
    return scene.to_png(draw_curves(tree, curves))


def to_pdf(tree: SearchTree, curves: SearchCurves) -> bytes:
    return scene_to_pdf(draw_curves(tree, curves))


FILE_RENDERERS: dict[str, Callable[[SearchTree, SearchCurves], bytes]] = {
    ".csv": to_csv,
    ".json": to_json,
    ".svg": to_svg,
    ".png": to_png,
    ".pdf": to_pdf,
    ".md": to_markdown,
    ".html": to_html,
}
