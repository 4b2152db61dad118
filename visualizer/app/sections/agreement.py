"""Agreement of evaluations with the solver, on the page "Compare". Measured on request, cached for everybody."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pyarrow as pa
import streamlit as st

from engine import PlyscopeError, connect
from engine.analysis.agreement import Agreements, PositionSample, list_evaluations, measure_missing_agreements
from engine.core.file_names import make_file_name
from engine.games.capabilities import game_preset
from engine.games.registry import game_text, replace_options
from visualizer.app.sections.comparison_charts import POINT_SHAPES
from visualizer.app.sections.downloads import download_button
from visualizer.app.state.background_search import answer_cache, forget_job, poll_job
from visualizer.app.state.jobs import AgreementJob
from visualizer.drawing.agreement_chart import build_plots
from visualizer.drawing.comparison_chart import Plot
from visualizer.drawing.theme import DARK, LIGHT, Palette
from visualizer.narration.agreement_messages import MEASURES, list_agreement_notes
from visualizer.narration.escapes import escape_page_markdown
from visualizer.narration.file_names import game_file_part
from visualizer.narration.numbers import format_count
from visualizer.pool.pool import current_pool
from visualizer.report.agreement_files import FILE_RENDERERS, format_command, make_table

POSITIONS, DEPTHS, SEED = 100, range(1, 7), 0  # on the page; the command line accepts others
ASK_TEXT = (
    "An evaluation function estimates, the solver knows. {positions} are solved, then searched with every evaluation at "
    "K = {first} to {last}. How often does the search choose a good move? This takes about half a minute, once."
)
WANTED_KEY = "agreement wanted"  # in the session: the key of the measurement that was asked for
CHART_HEIGHT = 500  # with the legend


def show_agreement_section(game: Any) -> None:
    """Show the chart of a board, or a button that measures it."""
    sample = PositionSample(_board_text(game), POSITIONS, SEED)
    key = ("agreement", sample)
    found: Agreements | None = answer_cache().get(key)
    if found is None:
        found = _measure_agreement(key, sample, list_evaluations(game))
    else:
        forget_job(key)
    if found is not None:
        show_agreement(found)


def _board_text(game: Any) -> str:
    """Return the game without an evaluation of its own: all evaluations are measured."""
    return game_text(game if game_preset(game) else replace_options(game, {"evaluation": connect().evaluation}))


def _measure_agreement(key: Any, sample: PositionSample, evaluations: list[str]) -> Agreements | None:
    """Return the measurement when it is done. Else show the button or the progress, and return None."""
    ask = ASK_TEXT.format(positions=format_count(POSITIONS, "position"), first=DEPTHS[0], last=DEPTHS[-1])
    wanted = [(name, depth) for depth in DEPTHS for name in evaluations]
    job = run_measurement(key, ask, len(wanted), measure_missing_agreements, sample, wanted, ())
    if job is None:
        return None
    chance, *rows = job.rows
    found = Agreements(sample, tuple(sorted(rows, key=lambda row: (evaluations.index(row.evaluation), row.depth))), chance)
    if job.answer:
        answer_cache().put(key, found)
    else:
        st.caption(f"The measurement was stopped. Known: {len(rows)} of {len(wanted)} pairs of evaluation and depth.")
    return found


def run_measurement(
    key: Any, ask: str, wanted: int, measure: Callable[..., Iterator[Any]], *arguments: Any
) -> AgreementJob | None:
    """Return the job of a measurement when it has results. Else show the button, the progress or a message, and return None."""
    if st.session_state.get(WANTED_KEY) != key:
        st.caption(ask)
        st.button("Measure", icon=":material/query_stats:", key=f"measure {key}", on_click=_request_measurement, args=(key,))
        return None
    try:
        job = poll_job(key, lambda: AgreementJob(key, wanted, measure, *arguments), lambda job: job.progress_report)
    except PlyscopeError as error:
        st.session_state.pop(WANTED_KEY)
        st.error(escape_page_markdown(str(error)), icon=":material/error:")
        return None
    if job is None:
        return None
    st.session_state.pop(WANTED_KEY)
    if not job.rows[1:]:
        late = f"The measurement took more than {current_pool().limits.seconds:g} seconds, the limit of this server."
        st.info(late if job.timed_out else "The measurement was cancelled.", icon=":material/stop_circle:")
        st.button("Measure again", icon=":material/replay:", on_click=_request_measurement, args=(key,))
        return None
    return job


def _request_measurement(key: Any) -> None:
    st.session_state[WANTED_KEY] = key


def show_agreement(found: Agreements) -> None:
    """Show the charts, tables, notes and downloads of a measurement."""
    palette = DARK if st.context.theme.type == "dark" else LIGHT
    for column, panel in zip(st.columns(2, gap="medium"), build_plots(found), strict=True):
        column.markdown(f"**{panel.title}**, % of the positions")
        column.vega_lite_chart(
            pa.Table.from_pylist(_chart_rows(panel)), _chart_spec(panel, palette), key=f"agreement {panel.title}"
        )
    for measure in MEASURES:
        shown = make_table(found, measure)
        st.caption(shown.caption)
        right = {name: st.column_config.TextColumn(alignment="right") for name in shown.head[1:]}
        rows = [dict(zip(shown.head, row, strict=True)) for row in shown.rows]
        st.dataframe(rows, hide_index=True, column_config=right, height="content")
    for note in list_agreement_notes(found):
        st.caption(escape_page_markdown(note))
    with st.container(horizontal=True):
        for extension, make in FILE_RENDERERS.items():
            file = make_file_name([game_file_part(found.sample.game), "agreement"], extension)
            download_button(file, partial(make, found), "", f"agreement {extension}")
    st.caption("The command line measures more positions, other depths, or a selection of evaluations:")
    st.code(format_command(found), language=None, wrap_lines=True)


def _chart_rows(panel: Plot) -> list[dict[str, Any]]:
    return [
        {"K": point.depth, "evaluation": series.name, "percent": round(point.number, 1), "dashes": series.line}
        for series in panel.series
        for point in series.points
    ]


def _chart_spec(panel: Plot, palette: Palette) -> dict[str, Any]:
    """Return the chart as a Vega-Lite specification."""
    names = [series.name for series in panel.series]
    colours = [palette.series[int(series.colour.removeprefix("series"))] for series in panel.series]
    shapes = [POINT_SHAPES[series.mark] for series in panel.series]
    legend = {"title": None, "orient": "top", "columns": 2, "labelLimit": 200}
    lowest = min(point.number for series in panel.series for point in series.points)
    dashes = {"domain": ["solid", "dashed"], "range": [[1, 0], [6, 4]]}
    named = {"field": "evaluation", "type": "nominal", "legend": legend}
    return {
        "height": CHART_HEIGHT,
        "encoding": {
            "x": {"field": "K", "type": "ordinal", "title": "K, moves ahead", "axis": {"labelAngle": 0}},
            "y": {
                "field": "percent",
                "type": "quantitative",
                "title": "%",
                "scale": {"domain": [min(90, int(lowest // 10) * 10), 100]},
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
