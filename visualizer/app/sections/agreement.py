"""How often evaluations agree with the truth, on the page "Compare": measured when somebody asks, kept for everybody."""

from functools import partial
from typing import Any

import pyarrow as pa
import streamlit as st

from engine import PlyscopeError, connect
from engine.analysis.agreement import Agreements, PositionSample, usual_evaluations
from engine.games.capabilities import preset_of
from engine.games.registry import game_text, with_options
from visualizer.app.sections.comparison_charts import SHAPES
from visualizer.app.sections.downloads import download
from visualizer.app.state.background_search import awaited, done_with, shelf
from visualizer.app.state.jobs import AgreementJob
from visualizer.drawing.agreement_chart import panels
from visualizer.drawing.comparison_chart import Plot
from visualizer.drawing.theme import DARK, LIGHT, Palette
from visualizer.narration.agreement_messages import MEASURES, notes
from visualizer.narration.escapes import page_markdown
from visualizer.narration.numbers import counted
from visualizer.pool.pool import the_pool
from visualizer.report.agreement_files import FILES, command, table

POSITIONS, DEPTHS, SEED = 100, range(1, 7), 0  # of a page; the command line takes any
ASK = (
    "An evaluation believes, the solver knows. {positions} are solved, then searched with every evaluation to K = {first} to "
    "{last}: how often does the search play a move that is truly good? This takes half a minute or so, once."
)
WANTED = "agreement wanted"  # in the session: the sample that was asked for
HEIGHT = 500  # with the legend


def tell_agreement(game: Any) -> None:
    """The chart of a board, or a button that has it measured."""
    sample = PositionSample(_board_text(game), POSITIONS, SEED)
    key = ("agreement", sample)
    found: Agreements | None = shelf().get(key)
    if found is None:
        found = _measured(key, sample, usual_evaluations(game))
    else:
        done_with(key)
    if found is not None:
        show_agreement(found)


def _board_text(game: Any) -> str:
    """The game without an evaluation of its own: every one is measured."""
    return game_text(game if preset_of(game) else with_options(game, {"evaluation": connect().evaluation}))


def _measured(key: Any, sample: PositionSample, evaluations: list[str]) -> Agreements | None:
    """What was found, when it is; else the button, or how far it is."""
    if st.session_state.get(WANTED) != sample:
        st.caption(ASK.format(positions=counted(POSITIONS, "position"), first=DEPTHS[0], last=DEPTHS[-1]))
        st.button("Measure it", icon=":material/query_stats:", key=f"measure {sample}", on_click=_want, args=(sample,))
        return None
    wanted = tuple((name, depth) for depth in DEPTHS for name in evaluations)
    try:
        job = awaited(key, lambda: AgreementJob(sample, wanted), lambda job: job.told)
    except PlyscopeError as error:
        st.session_state.pop(WANTED)
        st.error(page_markdown(str(error)), icon=":material/error:")
        return None
    if job is None:
        return None
    st.session_state.pop(WANTED)
    if not job.rows[1:]:
        late = f"Nothing was found in {the_pool().limits.seconds:g} seconds, the most that this server works on it."
        st.info(late if job.timed_out else "It was cancelled.", icon=":material/stop_circle:")
        st.button("Measure it again", icon=":material/replay:", on_click=_want, args=(sample,))
        return None
    chance, *rows = job.rows
    found = Agreements(sample, tuple(sorted(rows, key=lambda row: (evaluations.index(row.evaluation), row.depth))), chance)
    if job.answer:
        shelf().put(key, found)
    else:
        st.caption(f"It was stopped: {len(rows)} of {len(wanted)} evaluations at a depth are known.")
    return found


def _want(sample: PositionSample) -> None:
    st.session_state[WANTED] = sample


def show_agreement(found: Agreements) -> None:
    """Charts, tables, what they mean, and files."""
    palette = DARK if st.context.theme.type == "dark" else LIGHT
    for column, panel in zip(st.columns(2, gap="medium"), panels(found), strict=True):
        column.markdown(f"**{panel.title}**, % of the positions")
        column.vega_lite_chart(pa.Table.from_pylist(_points(panel)), _described(panel, palette), key=f"agreement {panel.title}")
    for measure in MEASURES:
        shown = table(found, measure)
        st.caption(shown.caption)
        right = {name: st.column_config.TextColumn(alignment="right") for name in shown.head[1:]}
        rows = [dict(zip(shown.head, row, strict=True)) for row in shown.rows]
        st.dataframe(rows, hide_index=True, column_config=right, height="content")
    for note in notes(found):
        st.caption(page_markdown(note))
    with st.container(horizontal=True):
        for extension, make in FILES.items():
            download("agreement", extension, partial(make, found), "", f"agreement {extension}")
    st.caption("More positions, other depths, or some of the evaluations, on the command line:")
    st.code(command(found), language=None, wrap_lines=True)


def _points(panel: Plot) -> list[dict[str, Any]]:
    return [
        {"K": point.depth, "evaluation": series.name, "percent": round(point.number, 1), "dashes": series.line}
        for series in panel.series
        for point in series.points
    ]


def _described(panel: Plot, palette: Palette) -> dict[str, Any]:
    names = [series.name for series in panel.series]
    colours = [palette.series[int(series.colour.removeprefix("series"))] for series in panel.series]
    shapes = [SHAPES[series.mark] for series in panel.series]
    legend = {"title": None, "orient": "top", "columns": 2, "labelLimit": 200}
    least = min(point.number for series in panel.series for point in series.points)
    dashes = {"domain": ["solid", "dashed"], "range": [[1, 0], [6, 4]]}
    named = {"field": "evaluation", "type": "nominal", "legend": legend}
    return {
        "height": HEIGHT,
        "encoding": {
            "x": {"field": "K", "type": "ordinal", "title": "K, depth limit in plies", "axis": {"labelAngle": 0}},
            "y": {
                "field": "percent",
                "type": "quantitative",
                "title": "%",
                "scale": {"domain": [min(90, int(least // 10) * 10), 100]},
            },
            "color": {**named, "scale": {"domain": names, "range": colours}},
            "tooltip": [{"field": "evaluation"}, {"field": "K"}, {"field": "percent"}],
        },
        "layer": [
            {
                "mark": {"type": "line", "strokeWidth": 2},
                "encoding": {"strokeDash": {"field": "dashes", "type": "nominal", "scale": dashes, "legend": None}},
            },
            {
                "mark": {"type": "point", "size": 70, "filled": True, "opacity": 1},
                "encoding": {"shape": {**named, "scale": {"domain": names, "range": shapes}}},
            },
        ],
    }
