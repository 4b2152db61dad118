"""The ladder on the page Compare: how much each rung saves or costs compared with the one before it."""

from typing import Any

import pyarrow as pa
import streamlit as st

from engine.analysis.rung_savings import RUNG_MEASURES, RungStep, find_most_complete_depth
from engine.core.parsing import depth_text
from visualizer.app.sections.comparison_view import ComparisonView
from visualizer.drawing.ladder_chart import COST_COLOUR, MAX_SHARE, SAVING_COLOUR, RungBar, make_bars
from visualizer.drawing.theme import DARK, LIGHT, Palette
from visualizer.narration.escapes import escape_page_markdown
from visualizer.report import content

ROW_PIXELS = 38  # px of a rung


def show_ladder(shown: ComparisonView, key: str) -> None:
    """Show the ladder at a chosen depth, by a chosen measure."""
    if not shown.climbs_by_depth:
        return
    st.subheader("The ladder: how much each rung saves over the one before")
    names = {depth_text(depth): depth for depth in shown.climbs_by_depth}
    with st.container(horizontal=True):
        usual = depth_text(find_most_complete_depth(shown.climbs_by_depth))
        K = st.segmented_control("K", list(names), default=usual, key=f"ladder {key}") or usual
        measure = st.segmented_control("Measured by", list(RUNG_MEASURES), default="calls", key=f"measure {key}") or "calls"
    steps = shown.climbs_by_depth[names[K]]
    drawn = make_bars(steps, measure)
    if drawn:
        dark = st.context.theme.type == "dark"
        st.vega_lite_chart(
            _chart_rows(drawn, measure), chart_spec(drawn, DARK if dark else LIGHT), key=f"ladder of {key} {K} {measure}"
        )
    st.markdown("\n".join(f"- {escape_page_markdown(words)}" for words in describe_climbs(steps)))
    st.caption(content.LADDER_NOTE)


def describe_climbs(steps: list[RungStep]) -> list[str]:
    """Return a sentence about each climb."""
    return content.describe_ladder(steps)


def _chart_rows(drawn: list[RungBar], measure: str) -> pa.Table:
    return pa.Table.from_pylist(
        [
            {
                "rung": bar.name,
                "needs": min(bar.share, 1.0),
                "more": min(bar.share, MAX_SHARE),
                "share": bar.share,
                "words": _bar_label(bar, measure),
            }
            for bar in drawn
        ]
    )


def _bar_label(bar: RungBar, measure: str) -> str:
    return f"× {bar.share:.2f}" if measure == "time" else bar.words


def chart_spec(drawn: list[RungBar], palette: Palette) -> dict[str, Any]:
    """Return the chart in Vega-Lite: a hollow box for the rung before, a bar for the part needed, another for the excess."""
    colours = {name: palette.series[int(name.removeprefix("series"))] for name in (SAVING_COLOUR, COST_COLOUR)}
    widest = max(1.0, *(min(bar.share, MAX_SHARE) for bar in drawn))
    scale = {"domain": [0, widest], "nice": False}
    axis = {"format": "%", "title": "of the rung before", "tickCount": 5}
    rung = {"field": "rung", "type": "nominal", "sort": None, "title": None, "axis": {"labelLimit": 190, "labelPadding": 6}}
    tips = [{"field": "rung"}, {"field": "words"}, {"field": "share", "format": ".3f", "title": "to the rung before"}]
    bar = {"type": "bar", "height": 15}

    def make_layer(mark: dict[str, Any], x: dict[str, Any], **encoding: Any) -> dict[str, Any]:
        return {"mark": mark, "encoding": {"x": {"type": "quantitative", "scale": scale, "axis": axis, **x}, **encoding}}

    beyond = {"filter": "datum.more > 1"}
    return {
        "height": {"step": ROW_PIXELS},
        "encoding": {"y": rung, "tooltip": tips},
        "layer": [
            make_layer({**bar, "color": colours[SAVING_COLOUR]}, {"field": "needs"}),
            {**make_layer({**bar, "color": colours[COST_COLOUR]}, {"field": "more"}, x2={"datum": 1}), "transform": [beyond]},
            make_layer({**bar, "filled": False, "stroke": palette.muted, "strokeWidth": 1.4}, {"datum": 1}),
            make_layer(
                {"type": "text", "align": "left", "baseline": "bottom", "dy": -9, "dx": 1, "fontSize": 12, "color": palette.text},
                {"datum": 0},
                text={"field": "words"},
            ),
        ],
    }
