"""The ladder on the page Compare: what each rung saves over the one before it, or costs more."""

from typing import Any

import pyarrow as pa
import streamlit as st

from engine.analysis.rung_savings import MEASURES, Climb, longest
from engine.core.parsing import plies
from visualizer.app.sections.comparison_view import ShownComparison
from visualizer.drawing.ladder_chart import COSTS, MOST, SAVES, RungBar, bars
from visualizer.drawing.theme import DARK, LIGHT, Palette
from visualizer.narration.escapes import page_markdown
from visualizer.report import content

ROW = 38  # px of a rung


def show_ladder(shown: ShownComparison, key: str) -> None:
    """The ladder of a depth that is chosen, by a measure that is chosen."""
    if not shown.climbed:
        return
    st.subheader("The ladder: what each rung saves over the one before")
    names = {plies(depth): depth for depth in shown.climbed}
    with st.container(horizontal=True):
        usual = plies(longest(shown.climbed))
        K = st.segmented_control("K", list(names), default=usual, key=f"ladder {key}") or usual
        measure = st.segmented_control("Measured by", list(MEASURES), default="calls", key=f"measure {key}") or "calls"
    steps = shown.climbed[names[K]]
    drawn = bars(steps, measure)
    if drawn:
        dark = st.context.theme.type == "dark"
        st.vega_lite_chart(
            _points(drawn, measure), described(drawn, DARK if dark else LIGHT), key=f"ladder of {key} {K} {measure}"
        )
    st.markdown("\n".join(f"- {page_markdown(words)}" for words in told(steps)))
    st.caption(content.LADDER)


def told(steps: list[Climb]) -> list[str]:
    return content.ladder_sentences(steps)


def _points(drawn: list[RungBar], measure: str) -> pa.Table:
    return pa.Table.from_pylist(
        [
            {
                "rung": bar.name,
                "needs": min(bar.share, 1.0),
                "more": min(bar.share, MOST),
                "share": bar.share,
                "words": _words(bar, measure),
            }
            for bar in drawn
        ]
    )


def _words(bar: RungBar, measure: str) -> str:
    return f"× {bar.share:.2f}" if measure == "time" else bar.words


def described(drawn: list[RungBar], palette: Palette) -> dict[str, Any]:
    """Vega-Lite: a hollow box for the rung before, a bar for what is needed of it, another for what is needed beyond it."""
    colours = {name: palette.series[int(name.removeprefix("series"))] for name in (SAVES, COSTS)}
    widest = max(1.0, *(min(bar.share, MOST) for bar in drawn))
    scale = {"domain": [0, widest], "nice": False}
    axis = {"format": "%", "title": "of the rung before", "tickCount": 5}
    rung = {"field": "rung", "type": "nominal", "sort": None, "title": None, "axis": {"labelLimit": 190, "labelPadding": 6}}
    tips = [{"field": "rung"}, {"field": "words"}, {"field": "share", "format": ".3f", "title": "to the rung before"}]
    bar = {"type": "bar", "height": 15}

    def layer(mark: dict[str, Any], x: dict[str, Any], **encoding: Any) -> dict[str, Any]:
        return {"mark": mark, "encoding": {"x": {"type": "quantitative", "scale": scale, "axis": axis, **x}, **encoding}}

    beyond = {"filter": "datum.more > 1"}
    return {
        "height": {"step": ROW},
        "encoding": {"y": rung, "tooltip": tips},
        "layer": [
            layer({**bar, "color": colours[SAVES]}, {"field": "needs"}),
            {**layer({**bar, "color": colours[COSTS]}, {"field": "more"}, x2={"datum": 1}), "transform": [beyond]},
            layer({**bar, "filled": False, "stroke": palette.muted, "strokeWidth": 1.4}, {"datum": 1}),
            layer(
                {"type": "text", "align": "left", "baseline": "bottom", "dy": -9, "dx": 1, "fontSize": 12, "color": palette.text},
                {"datum": 0},
                text={"field": "words"},
            ),
        ],
    }
