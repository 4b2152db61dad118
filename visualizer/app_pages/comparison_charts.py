"""The charts of a comparison on a page: the same panels as in its report, to hover over."""

from math import ceil, floor, log10
from typing import Any

import altair as alt
import streamlit as st

from engine.analysis.comparison_result import Comparison
from engine.text_lists import plies
from visualizer.drawing import comparison_chart
from visualizer.drawing.theme import DARK, LIGHT

SHAPES = {
    "circle": "circle",
    "square": "square",
    "triangle": "triangle-up",
    "diamond": "diamond",
    "wedge": "triangle-down",
    "cross": "cross",
}
HEIGHT = 310


def show_charts(comparison: Comparison) -> None:
    """Nodes and seconds per depth, side by side, on logarithmic scales."""
    panels = comparison_chart.panels(comparison)
    for column, panel in zip(st.columns(len(panels), gap="medium") if panels else [], panels, strict=True):
        column.altair_chart(_chart(panel), key=f"chart of {panel.title}")


def _chart(panel: comparison_chart.Plot) -> Any:
    palette = DARK if st.context.theme.type == "dark" else LIGHT
    unit = 1 if panel.unit == "nodes" else 1000  # times in milliseconds
    points = [
        {
            "K": plies(point.depth),
            "line": series.name,
            "number": point.number * unit,
            "least": point.least * unit,
            "most": point.most * unit,
            "dashes": series.line,
        }
        for series in panel.series
        for point in series.points
    ]
    names = [series.name for series in panel.series]
    colours = [palette.series[int(series.colour.removeprefix("series"))] for series in panel.series]
    domain = alt.Scale(domain=names, range=colours)
    legend = alt.Legend(title=None, orient="top", columns=2, labelLimit=260)
    numbers = [number for series in panel.series for point in series.points for number in (point.least * unit, point.most * unit)]
    powers = range(floor(log10(min(numbers))), ceil(log10(max(numbers))) + 1)
    axis = alt.Axis(values=[10.0**power for power in powers], format="~s" if unit == 1 else "~g")
    base = alt.Chart(alt.Data(values=points)).encode(
        x=alt.X(
            "K:O",
            sort=[plies(depth) for depth in panel.depths],
            title="K, depth limit in plies",
            axis=alt.Axis(labelAngle=0),
        ),
        y=alt.Y(
            "number:Q",
            scale=alt.Scale(type="log"),
            axis=axis,
            title=panel.title if panel.unit == "nodes" else f"{panel.title}, ms",
        ),
        color=alt.Color("line:N", scale=domain, legend=legend),
        tooltip=[alt.Tooltip("K:O"), alt.Tooltip("line:N", title="what"), alt.Tooltip("number:Q", format=",.6~g")],
    )
    dashes = alt.Scale(domain=["solid", "dashed"], range=[[1, 0], [6, 4]])
    lines = base.transform_filter("datum.dashes != 'none'").mark_line(strokeWidth=2)
    lines = lines.encode(strokeDash=alt.StrokeDash("dashes:N", scale=dashes, legend=None))
    shapes = alt.Scale(domain=names, range=[SHAPES[series.mark] for series in panel.series])
    shape = alt.Shape("line:N", scale=shapes, legend=legend)
    marks = base.transform_filter("datum.dashes != 'none'").mark_point(size=70, filled=True, opacity=1).encode(shape=shape)
    around = base.transform_filter("datum.dashes == 'none'").mark_point(size=190, strokeWidth=2, opacity=1).encode(shape=shape)
    spread = base.mark_rule().encode(y=alt.Y("least:Q", scale=alt.Scale(type="log")), y2="most:Q")
    return alt.layer(lines, spread, marks, around).properties(height=HEIGHT)
