"""Agreement of MCTS and alpha-beta with the solver, on the page "Compare". Measured on request, cached for everybody."""

from functools import partial
from typing import Any

import pyarrow as pa
import streamlit as st

from engine.analysis.agreement import PositionSample
from engine.analysis.player_agreement import PlayerAgreements, list_players, measure_players
from engine.core.file_names import make_file_name
from engine.games.registry import game_text
from visualizer.app.sections.agreement import run_measurement
from visualizer.app.sections.comparison_charts import POINT_SHAPES
from visualizer.app.sections.downloads import download_button
from visualizer.app.state.background_search import answer_cache, forget_job
from visualizer.drawing.agreement_chart import CHANCE_STYLE
from visualizer.drawing.charts.player_agreement_chart import AXES, PANELS, axis_value, family_series
from visualizer.drawing.comparison_chart import Series
from visualizer.drawing.theme import DARK, LIGHT, Palette
from visualizer.narration.agreement_messages import MEASURES
from visualizer.narration.escapes import escape_page_markdown
from visualizer.narration.file_names import game_file_part
from visualizer.narration.numbers import format_count
from visualizer.narration.player_agreement_messages import RANDOM_TITLE, list_player_agreement_notes
from visualizer.report.player_agreement_files import FILE_RENDERERS, format_command, make_table

POSITIONS, SEED = 100, 0  # on the page; the command line accepts others
CONSTANTS = (0.2, 1.4, 5.0)  # exploration constants c of MCTS
ITERATIONS, DEPTHS = (10, 100, 1_000, 10_000), range(1, 7)
ASK_TEXT = (
    "MCTS with {constants} and alpha-beta choose moves in {positions} that the solver knows. Who chooses a good move more often "
    "with the same number of evaluations, or in the same time? And what does c change? This takes about half a minute, once."
)
MILLISECONDS = 1000  # in a second
CHART_HEIGHT = 380  # with the legend


def show_player_agreement_section(game: Any) -> None:
    """Show the charts of a board, or a button that measures them."""
    sample = PositionSample(game_text(game), POSITIONS, SEED)
    key = ("players", sample)
    found: PlayerAgreements | None = answer_cache().get(key)
    if found is None:
        found = _measure_players(key, game, sample)
    else:
        forget_job(key)
    if found is not None:
        show_player_agreement(found)


def _measure_players(key: Any, game: Any, sample: PositionSample) -> PlayerAgreements | None:
    """Return the measurement when it is done. Else show the button or the progress, and return None."""
    players = list_players(game, [*(f"mcts:c={c:g}" for c in CONSTANTS), "alphabeta"], DEPTHS, ITERATIONS)
    constants = ", ".join(f"c = {c:g}" for c in CONSTANTS)
    ask = ASK_TEXT.format(constants=constants, positions=format_count(POSITIONS, "position"))
    job = run_measurement(key, ask, len(players), measure_players, sample, players)
    if job is None:
        return None
    by_chance, *rows = job.rows
    found = PlayerAgreements(sample, tuple(rows), by_chance)
    if job.answer:
        answer_cache().put(key, found)
    else:
        st.caption(f"The measurement was stopped. Known: {len(rows)} of {format_count(len(players), 'player')}.")
    return found


def show_player_agreement(found: PlayerAgreements) -> None:
    """Show the charts, the table, the notes and the files of a measurement."""
    palette = DARK if st.context.theme.type == "dark" else LIGHT
    for column, (measure, axis) in zip(st.columns(len(PANELS), gap="medium"), PANELS, strict=True):
        column.markdown(f"**{MEASURES[measure]}**")
        rows = pa.Table.from_pylist(_chart_rows(found, measure, axis))
        column.vega_lite_chart(rows, _chart_spec(found, measure, axis, palette), key=f"players {measure} {axis}")
    shown = make_table(found)
    st.caption(f"Dashed: {RANDOM_TITLE}. {shown.caption}")
    right = {name: st.column_config.TextColumn(alignment="right") for name in shown.head[1:]}
    st.dataframe(
        [dict(zip(shown.head, row, strict=True)) for row in shown.rows], hide_index=True, column_config=right, height="content"
    )
    for note in list_player_agreement_notes(found):
        st.caption(escape_page_markdown(note))
    with st.container(horizontal=True):
        for extension, make in FILE_RENDERERS.items():
            file = make_file_name([game_file_part(found.sample.game), "players"], extension)
            download_button(file, partial(make, found), "", f"players {extension}")
    st.caption("The command line measures more positions and other players:")
    st.code(format_command(found), language=None, wrap_lines=True)


def _chart_rows(found: PlayerAgreements, measure: str, axis: str) -> list[dict[str, Any]]:
    return [
        {
            "player": series.name,
            "cost": axis_value(row, axis) * (MILLISECONDS if axis == "seconds" else 1),
            "percent": round(point.number, 1),
            "low": point.minimum,
            "high": point.maximum,
        }
        for series, rows in family_series(found, measure)
        for row, point in zip(rows, series.points, strict=True)
    ]


def _chart_spec(found: PlayerAgreements, measure: str, axis: str, palette: Palette) -> dict[str, Any]:
    """Return the chart as a Vega-Lite specification."""
    drawn = [series for series, _ in family_series(found, measure)]
    names, by_chance = [series.name for series in drawn], Series(RANDOM_TITLE, *CHANCE_STYLE, ())
    legend = {"title": None, "orient": "top", "columns": 2, "labelLimit": 200}
    colours = {"domain": names, "range": [_find_colour(series, palette) for series in drawn]}
    shapes = {"domain": names, "range": [POINT_SHAPES[series.mark] for series in drawn]}
    name = f"{AXES[axis][0]}{', ms' if axis == 'seconds' else ''}"
    x = {
        "field": "cost",
        "type": "quantitative",
        "scale": {"type": "log"},
        "title": name,
        "axis": {"format": "~s" if axis == "evaluations" else "~g", "tickCount": 4},
    }
    y = {"field": "percent", "type": "quantitative", "title": "% of the positions", "scale": {"domain": [0, 100]}}
    colour = {"field": "player", "type": "nominal", "scale": colours, "legend": legend}
    shape = {"field": "player", "type": "nominal", "scale": shapes, "legend": legend}
    tooltip = [
        {"field": "player"},
        {"field": "cost", "type": "quantitative", "format": ",.3~g", "title": name},
        {"field": "percent"},
    ]
    whiskers = {"y": {**y, "field": "low"}, "y2": {"field": "high"}}
    chance_line = {
        "data": {"values": [{"percent": 100 * found.chance[measure]}]},
        "mark": {"type": "rule", "strokeDash": [6, 4], "color": _find_colour(by_chance, palette), "tooltip": RANDOM_TITLE},
        "encoding": {"y": y},
    }
    return {
        "height": CHART_HEIGHT,
        "layer": [
            {"mark": {"type": "line", "strokeWidth": 2}, "encoding": {"x": x, "y": y, "color": colour}},
            {"mark": {"type": "rule"}, "encoding": {"x": x, **whiskers, "color": colour}},
            {
                "mark": {"type": "point", "size": 70, "filled": True, "opacity": 1},
                "encoding": {"x": x, "y": y, "color": colour, "shape": shape, "tooltip": tooltip},
            },
            chance_line,
        ],
    }


def _find_colour(series: Series, palette: Palette) -> str:
    return palette.series[int(series.colour.removeprefix("series"))]
