"""The course of a search in iterations, as zoomable charts on a page: visits, means, regret and depth over time."""

from functools import partial
from typing import Any
from weakref import ref

import pyarrow as pa
import streamlit as st

from engine import PlyscopeError, Question, SearchTree, search
from engine.analysis.search_curves import SearchCurves, find_exact_values, has_curves, trace_search
from engine.core.file_names import make_file_name
from engine.searcher import MAX_NODES, check_question
from visualizer.app.sections.comparison_charts import POINT_SHAPES
from visualizer.app.sections.downloads import download_button
from visualizer.app.state.background_search import wait_for_answer
from visualizer.app.state.lazy_sections import lazy_expander
from visualizer.app.state.url_params import search_key
from visualizer.drawing.charts.curves_chart import STEPPED_PANELS, drawn_changes, list_ticks, marked_points, panel_series
from visualizer.drawing.theme import DARK, LIGHT, Palette
from visualizer.narration.curve_messages import curves_title, list_curve_notes, list_panels, panel_title
from visualizer.narration.escapes import escape_page_markdown
from visualizer.narration.file_names import position_file_parts
from visualizer.pool.work_types import CallWithProgress
from visualizer.report.curve_files import FILE_RENDERERS, make_table

CHART_HEIGHT = 330
EDGE = 6  # px between a line or a point and the edge of its chart, which would cut it
PADDING = {"left": 5, "right": 18, "top": 5, "bottom": 5}  # px around a chart: its last number is wider than the axis
COMPILED_ITERATIONS, READABLE_ITERATIONS = 10_000, 1_000


def offer_search_curves(tree: SearchTree, key: str) -> None:
    """Offer the charts of a search in iterations in an expander, if it has a choice at its root."""
    if has_curves(tree):
        lazy_expander("Over time", ":material/show_chart:", f"curves {key}", _show_tree_curves, ref(tree), key)


def _show_tree_curves(tree_ref: "ref[SearchTree]", key: str) -> None:
    tree = tree_ref()
    if tree is None:
        st.rerun()
    show_search_curves(tree, key)


def show_position_curves(position: Question) -> None:
    """Search a position by MCTS and show the course of the search. `position` has any algorithm."""
    question = position.replace(algorithm="mcts", iterations=COMPILED_ITERATIONS)
    try:
        if not check_question(question, MAX_NODES, None).compiled:
            question = question.replace(iterations=READABLE_ITERATIONS)
        tree = _search_in_iterations(question)
    except PlyscopeError as error:
        st.error(escape_page_markdown(str(error)), icon=":material/error:")
        return
    if has_curves(tree):
        show_search_curves(tree, search_key(position))
    else:
        st.caption("There is no choice in this position: nothing changes over time.")


def show_search_curves(tree: SearchTree, key: str) -> None:
    """Show the charts, the table, the notes and the files."""
    curves = trace_search(tree, _exact_values(tree.question.replace(algorithm="alphabeta", depth=None)))
    palette = DARK if st.context.theme.type == "dark" else LIGHT
    st.markdown(escape_page_markdown(curves_title(tree)))
    panels = list_panels(curves)
    for first in range(0, len(panels), 2):
        columns = st.columns(2, gap="medium", vertical_alignment="bottom")
        for column, panel in zip(columns, panels[first : first + 2], strict=False):
            column.markdown(f"**{panel_title(curves, panel)}**")
            rows = pa.Table.from_pylist(_chart_rows(tree, curves, panel))
            column.vega_lite_chart(rows, _chart_spec(tree, curves, panel, palette), key=f"curve {panel} {key}")
    st.caption("Drag to move a chart, scroll on it to zoom, double-click to see all of it again.")
    table = make_table(tree, curves)
    right = {name: st.column_config.TextColumn(alignment="right") for name in table.head[1:]}
    shown = [dict(zip(table.head, row, strict=True)) for row in table.rows]
    st.dataframe(shown, hide_index=True, column_config=right, height="content")
    st.caption(table.caption)
    for note in list_curve_notes(tree, curves):
        st.caption(escape_page_markdown(note))
    with st.container(horizontal=True):
        for extension, make in FILE_RENDERERS.items():
            file = make_file_name([*position_file_parts(tree.question), "curves"], extension)
            download_button(file, partial(make, tree, curves), "", f"curves {extension} {key}")


@st.cache_resource(max_entries=20, hash_funcs={Question: search_key}, show_spinner="Searching …")
def _search_in_iterations(question: Question) -> SearchTree:
    tree: SearchTree = wait_for_answer(("iterations", question), CallWithProgress(search, (question,)))
    return tree


@st.cache_resource(max_entries=50, hash_funcs={Question: search_key}, show_spinner="Solving the position …")
def _exact_values(position: Question) -> dict[int, float]:
    """Return the exact values of the moves of a position. They are the same for every search of it."""
    found: dict[int, float] = wait_for_answer(("exact values", position), CallWithProgress(find_exact_values, (position,)))
    return found


def _chart_rows(tree: SearchTree, curves: SearchCurves, panel: str) -> list[dict[str, Any]]:
    rows = []
    for series, exact in panel_series(tree, curves, panel):
        marked = set(marked_points(series))
        for point in series.points:
            number = 100 * point.number if panel == "share" else point.number
            row = {"iteration": point.depth, "line": series.name, "number": number, "exact": exact, "marked": point in marked}
            rows.append(row)
    return rows


def _chart_spec(tree: SearchTree, curves: SearchCurves, panel: str, palette: Palette) -> dict[str, Any]:
    """Return the chart as a Vega-Lite specification. It can be moved and zoomed."""
    lines = [line.series for line in panel_series(tree, curves, panel)]
    names = [series.name for series in lines]
    colours = {"domain": names, "range": [palette.series[int(series.colour.removeprefix("series"))] for series in lines]}
    shapes = {"domain": names, "range": [POINT_SHAPES[series.mark] for series in lines]}
    legend = {"title": None, "orient": "top", "columns": 3, "labelLimit": 160} if len(names) > 1 else None
    top = 100 if panel == "share" else list_ticks(curves, panel)[-1]
    across, up = {"type": "log", "nice": False, "padding": EDGE}, {"domain": [0, top], "padding": EDGE}
    x = {"field": "iteration", "type": "quantitative", "title": "iterations", "scale": across}
    y = {"field": "number", "type": "quantitative", "title": "%" if panel == "share" else None, "scale": up}
    colour = {"field": "line", "type": "nominal", "scale": colours, "legend": legend}
    shape = {"field": "line", "type": "nominal", "scale": shapes, "legend": legend}
    layers: list[dict[str, Any]] = [
        {
            "params": [{"name": "zoom", "select": "interval", "bind": "scales"}],
            "mark": {"type": "line", "strokeWidth": 2, "interpolate": "step-after" if panel in STEPPED_PANELS else "linear"},
            "encoding": {"x": x, "y": y, "color": colour},
        },
        {
            "transform": [{"filter": "datum.marked"}],
            "mark": {"type": "point", "size": 60, "filled": True, "opacity": 1},
            "encoding": {"x": x, "y": y, "color": colour, "shape": shape, "tooltip": _tooltip(panel)},
        },
    ]
    if panel == "mean" and curves.is_solved:
        rule = {"type": "rule", "strokeDash": [5, 4], "strokeWidth": 1.5}
        exact = {"field": "exact", "type": "quantitative", "aggregate": "mean"}
        layers.append({"mark": rule, "encoding": {"y": exact, "color": colour}})
    if panel == "share" and curves.changes:
        times = [{"iteration": time} for time in drawn_changes(curves)]
        mark = {"type": "rule", "strokeDash": [2, 3], "opacity": 0.5, "color": palette.muted}
        layers.append({"data": {"values": times}, "mark": mark, "encoding": {"x": x}})
    return {"height": CHART_HEIGHT, "padding": PADDING, "layer": layers}


def _tooltip(panel: str) -> list[dict[str, str]]:
    number = {"field": "number", "type": "quantitative", "title": panel, "format": ".4~g"}
    return [{"field": "line", "type": "nominal"}, {"field": "iteration", "type": "quantitative", "format": ","}, number]
