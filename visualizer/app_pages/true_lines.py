"""The truth on the page "Play": what hints are, and the line of truth over a finished game."""

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import streamlit as st

from engine.matches.match import Match
from engine.matches.true_line import TruthAfter, true_line
from engine.solver.solvable import why_not_solvable
from visualizer.app_pages.page_games import text_on_page
from visualizer.app_pages.thinking import Cancelled, thought
from visualizer.pool.works import Ask
from visualizer.text.escapes import page_markdown
from visualizer.text.numbers import counted
from visualizer.text.truth_words import mistake_words

SCORE = "score for MAX"
WHOLE = {"tickMinStep": 1, "format": "d"}
CHART = {
    "height": 160,
    "layer": [
        {
            "mark": {"type": "line", "point": True, "interpolate": "step-after"},
            "encoding": {
                "x": {"field": "move", "type": "quantitative", "title": "after move", "scale": {"zero": False}, "axis": WHOLE},
                "y": {"field": SCORE, "type": "quantitative", "axis": WHOLE},
                "tooltip": [{"field": "move"}, {"field": SCORE}],
            },
        },
        {"mark": {"type": "rule", "strokeDash": [3, 3], "color": "#888888"}, "encoding": {"y": {"datum": 0}}},
    ],
}


def tell_hints(match: Match, depth: int | None) -> None:
    """What hints are: the truth, or a belief."""
    deep = "to the end" if depth is None else f"{counted(depth, 'ply', 'plies')} deep"
    values = f"values for MAX, {deep}"
    if not why_not_solvable(match.game):
        values = f"the truth where the position is solved in a second; else what the search believes, {values}"
    st.caption(f"Hints are {values}; the best move for the side to move is underlined.")


def show_true_line(match: Match, go_to: Callable[[int], None]) -> None:
    """What was true after each move of a finished game, and the moves that gave something away; each opens."""
    if why_not_solvable(match.game) or not match.moves:
        return
    key = ("truth", text_on_page(match.game), match.moves, match.first)
    known: dict[Any, list[TruthAfter]] = st.session_state.setdefault("true lines", {})
    if key not in known:
        asked = st.button("What was true?", icon=":material/fact_check:", help="Solves the positions of the game, from its end")
        if not asked and st.session_state.get("asked truth") != key:
            return
        st.session_state["asked truth"] = key
        try:
            found = thought(key, "Solving the positions of the game", Ask(true_line, (match,)))
        except Cancelled:
            found = []
        if found is None:
            return
        known.clear()
        known[key] = found
    _show(match, sorted(known[key]), go_to)


def _show(match: Match, line: list[TruthAfter], go_to: Callable[[int], None]) -> None:
    if not line:
        st.caption("No position of this game was solved in a second.")
        return
    points = pa.Table.from_pylist([{"move": after.ply + 1, SCORE: after.score} for after in line])
    st.vega_lite_chart(points, CHART, key="line of truth")
    mistakes = [after for after in line if after.mistake]
    first = line[0].ply
    reach = "" if first == 0 else f" What was true before move {first} was not found in a second: moves up to it are not judged."
    said = "No move gave anything away" if not mistakes else f"{counted(len(mistakes), 'move')} gave something away"
    st.caption(f"{said}: above 0 MAX wins, below MIN, further away sooner.{reach}")
    for after in mistakes:
        opens, says = st.columns([1, 5], vertical_alignment="center")
        opens.button("Open", key=f"mistake {match.moves} {after.ply}", on_click=go_to, args=(after.ply,), type="tertiary")
        says.markdown(page_markdown(mistake_words(match, after)))
