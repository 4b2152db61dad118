"""The charts of a comparison on a page: the same panels as in its report, with tooltips."""

from math import ceil, floor, log10
from typing import Any, NamedTuple

import pyarrow as pa
import streamlit as st

from engine.algorithms.variants import variant_title
from engine.analysis.comparison_result import Comparison
from engine.core.parsing import depth_text
from engine.games.capabilities import has_leaf_values_only
from visualizer.drawing import comparison_chart
from visualizer.drawing.theme import DARK, LIGHT, Palette

POINT_SHAPES = {
    "circle": "circle",
    "square": "square",
    "triangle": "triangle-up",
    "diamond": "diamond",
    "wedge": "triangle-down",
    "cross": "cross",
}
CHART_HEIGHT = 310  # with two lines of a legend
LEGEND_LINE_PX = 30
LETTER_PX, MARK_PX, PHONE_PX = 7, 26, 280  # of a legend: a letter, a mark with its distances, and what a phone has room for
ONE_DEPTH_NOTE = "One depth makes no chart: choose several with Change to see how the numbers grow."
JOINED_FILTER, ALONE_FILTER = ({"filter": f"datum.dashes {relation} 'none'"} for relation in ("!=", "=="))


class PageChart(NamedTuple):
    """A chart as Streamlit takes it: rows, and a Vega-Lite specification for each theme."""

    title: str
    points: pa.Table
    light: dict[str, Any]
    dark: dict[str, Any]


def make_charts(comparison: Comparison) -> list[PageChart]:
    """Return the charts of nodes and seconds per depth, on logarithmic scales."""
    return [
        PageChart(panel.title, pa.Table.from_pylist(_chart_rows(panel)), _chart_spec(panel, LIGHT), _chart_spec(panel, DARK))
        for panel in comparison_chart.build_plots(comparison)
    ]


def explain_missing_charts(comparison: Comparison) -> str:
    """Say why a comparison of one depth has no charts, and what they would show; "" if it has several depths.

    >>> from engine import compare, literal
    >>> explain_missing_charts(compare(literal([[3, 12, 8], [2, 4, 6]]), repeat=1))
    'Nodes expanded: minimax 9, alpha-beta 7. All searches go to the end of the tree, so there is one depth and no chart.'
    """
    if len(comparison.levels) > 1:
        return ""
    counts = [(variant_title(row.algorithm), row.expanded) for row in comparison.rows if row.expanded is not None]
    listed = ", ".join(f"{title} {nodes:,}" for title, nodes in counts)
    is_literal = has_leaf_values_only(comparison.game)
    reason = "All searches go to the end of the tree, so there is one depth and no chart." if is_literal else ONE_DEPTH_NOTE
    return f"Nodes expanded: {listed}. {reason}" if counts else reason


def show_charts(listed: list[PageChart]) -> None:
    """Show the charts side by side."""
    dark = st.context.theme.type == "dark"
    for column, chart in zip(st.columns(len(listed), gap="medium") if listed else [], listed, strict=True):
        column.vega_lite_chart(chart.points, chart.dark if dark else chart.light, key=f"chart of {chart.title}")


def _unit_factor(panel: comparison_chart.Plot) -> int:
    return 1 if panel.unit == "nodes" else 1000  # times in milliseconds


def _chart_rows(panel: comparison_chart.Plot) -> list[dict[str, Any]]:
    unit = _unit_factor(panel)
    return [
        {
            "K": depth_text(point.depth),
            "line": series.name,
            "number": point.number * unit,
            "least": point.minimum * unit,
            "most": point.maximum * unit,
            "dashes": series.line,
        }
        for series in panel.series
        for point in series.points
    ]


def _chart_spec(panel: comparison_chart.Plot, palette: Palette) -> dict[str, Any]:
    """Return the chart as a Vega-Lite specification."""
    names = [series.name for series in panel.series]
    colours = [palette.series[int(series.colour.removeprefix("series"))] for series in panel.series]
    legend = {"title": None, "orient": "top", "columns": count_legend_columns(names), "labelLimit": 260}
    dashes = {"domain": ["solid", "dashed"], "range": [[1, 0], [6, 4]]}
    shapes = {"domain": names, "range": [POINT_SHAPES[series.mark] for series in panel.series]}
    height = _value_axis(panel)
    shape = {"field": "line", "type": "nominal", "scale": shapes, "legend": legend}
    layers = [
        {
            "mark": {"type": "line", "strokeWidth": 2},
            "transform": [JOINED_FILTER],
            "encoding": {"y": height, "strokeDash": {"field": "dashes", "type": "nominal", "scale": dashes, "legend": None}},
        },
        {
            "mark": {"type": "rule"},
            "encoding": {"y": {"field": "least", "type": "quantitative", "scale": {"type": "log"}}, "y2": {"field": "most"}},
        },
        {
            "mark": {"type": "point", "size": 70, "filled": True, "opacity": 1},
            "transform": [JOINED_FILTER],
            "encoding": {"y": height, "shape": shape},
        },
        {
            "mark": {"type": "point", "size": 190, "strokeWidth": 2, "opacity": 1},
            "transform": [ALONE_FILTER],
            "encoding": {"y": height, "shape": shape},
        },
    ]
    shared = {
        "x": {
            "field": "K",
            "type": "ordinal",
            "sort": [depth_text(depth) for depth in panel.depths],
            "title": "K, moves ahead",
            "axis": {"labelAngle": 0},
        },
        "color": {"field": "line", "type": "nominal", "scale": {"domain": names, "range": colours}, "legend": legend},
        "tooltip": [
            {"field": "K", "type": "ordinal"},
            {"field": "line", "type": "nominal", "title": "what"},
            {"field": "number", "type": "quantitative", "format": ",.6~g"},
        ],
    }
    return {"layer": layers, "encoding": shared, "height": chart_height(names)}


def chart_height(names: list[str]) -> int:
    """Return the height of a chart with its legend.

    >>> chart_height(["minimax", "alpha-beta"]), chart_height(["principal variation search"] * 9)
    (310, 520)
    """
    lines = ceil(len(names) / count_legend_columns(names))
    return CHART_HEIGHT + LEGEND_LINE_PX * max(lines - 2, 0)


def count_legend_columns(names: list[str]) -> int:
    """Return 2 if the names of a legend fit beside each other on a phone, else 1.

    >>> count_legend_columns(["minimax", "alpha-beta"]), count_legend_columns(["minimax", "alpha-beta (strict cutoffs)"])
    (2, 1)
    """
    widths = [LETTER_PX * max(map(len, column), default=0) + MARK_PX for column in (names[::2], names[1::2])]
    return 2 if sum(widths) <= PHONE_PX else 1


def _value_axis(panel: comparison_chart.Plot) -> dict[str, Any]:
    """Return the axis of the numbers, with a tick at every power of ten."""
    unit = _unit_factor(panel)
    numbers = [
        number for series in panel.series for point in series.points for number in (point.minimum * unit, point.maximum * unit)
    ]
    powers = range(floor(log10(min(numbers))), ceil(log10(max(numbers))) + 1)
    return {
        "field": "number",
        "type": "quantitative",
        "scale": {"type": "log"},
        "axis": {"values": [10.0**power for power in powers], "format": "~s" if unit == 1 else "~g"},
        "title": panel.title if unit == 1 else f"{panel.title}, ms",
    }
