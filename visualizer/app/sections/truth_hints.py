"""The truth on the page "Play": what hints are, the review of a finished game, and the bar beside the board."""

from collections.abc import Callable, Mapping
from typing import Any

import pyarrow as pa
import streamlit as st

from engine.matches.game_review import TruthAfter, solve_position
from engine.matches.match import Match, PositionTruth
from engine.matches.players import Human
from engine.solver.solvable import why_not_solvable
from engine.solver.timed_solver import is_too_early
from visualizer.app.state.background_search import awaited
from visualizer.app.state.jobs import ThinkingJob
from visualizer.app.state.large_trees import text_on_page
from visualizer.narration.escapes import page_markdown
from visualizer.narration.numbers import counted
from visualizer.narration.truth_messages import mistake_words, position_words, review_words
from visualizer.pool.pool import the_pool
from visualizer.pool.work_types import Ask, Review
from visualizer.viewer.board_picker import EvaluationBar, Worth

REVIEW_SECONDS = 30.0  # for all positions of a game: each of those early on takes seconds
KEPT_POSITIONS = 200
LEAST_LEAD = 0.1  # of the bar's height, of a win with the last disc
UNSOLVED = EvaluationBar(None, "?", "Not solved: this position takes too long")
SOLVING = EvaluationBar(None, "…", "Not solved yet")
SCORE = "score for MAX"
WHOLE = {"tickMinStep": 1, "format": "d"}
GameKey = tuple[str, str | None, tuple[int, ...]]
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
    line = _review_of(match)
    if line is None:
        words = "Solves the positions of the game, from its end, and names the moves that gave a win or a draw away"
        st.button("What was true?", icon=":material/fact_check:", help=words, on_click=_ask_for_review, args=(_game_of(match),))
        if st.session_state.get("asked truth") != _game_of(match):
            return
        line = _judge(match)
        if line is None:
            return
    _show(match, line, go_to)


def _ask_for_review(game: GameKey) -> None:
    st.session_state["asked truth"] = game
    st.session_state["bar"] = st.session_state["barred"] = True  # it shows what the review found


def _judge(match: Match) -> list[TruthAfter] | None:
    """Judge the moves of a game, from its end; None while that goes on. Cancelled, it ends with those that are judged."""
    played = len(match.moves)

    def told(job: ThinkingJob) -> tuple[float, str]:
        judged = job.how_far or 0
        return judged / played, f"Solving the game from its end: move {played - judged} of {played}"

    key = ("review", *_game_of(match))
    work = Review(match, min(REVIEW_SECONDS, the_pool().limits.seconds / 2))
    job = awaited(key, lambda: ThinkingJob(key, work), told)
    if job is None:
        return None
    line = sorted(job.answer or [])
    st.session_state["review"] = _game_of(match), line
    return line


def _game_of(match: Match) -> GameKey:
    return text_on_page(match.game), match.first, match.moves


def _review_of(match: Match) -> list[TruthAfter] | None:
    """The review of this game, or of the one that these are the first moves of; None if there was none."""
    (game, first, moves), line = st.session_state.get("review", (("", None, ()), None))
    mine = text_on_page(match.game), match.first, match.moves
    return line if mine == (game, first, moves[: len(match.moves)]) and line is not None else None


def _show(match: Match, line: list[TruthAfter], go_to: Callable[[int], None]) -> None:
    st.markdown(f"**{review_words(len(match.moves), line)}**")
    if not line:
        return
    for after in line:
        if after.mistake:
            opens, says = st.columns([1, 5], vertical_alignment="center")
            opens.button("Open", key=f"mistake {match.moves} {after.ply}", on_click=go_to, args=(after.ply,), type="tertiary")
            says.markdown(page_markdown(mistake_words(match, after)))
    scores = [line[0].before.score, *(after.score for after in line)]
    points = [{"move": move, SCORE: score} for move, score in enumerate(scores, start=line[0].ply)]
    st.vega_lite_chart(pa.Table.from_pylist(points), CHART, key="line of truth")
    st.caption("Above 0 MAX wins, below MIN, further away sooner.")


# ---- the evaluation bar


def ask_for_bar(match: Match) -> None:
    """A switch for the evaluation bar, for games that have a solver."""
    if not why_not_solvable(match.game):
        words = "Who wins from here if both sides play their best, and how soon: found by the solver, where that takes a second"
        shown = st.toggle("Evaluation bar", st.session_state.get("barred", False), key="bar", help=words)
        st.session_state["barred"] = shown  # the widget forgets it on another page


def evaluation_bar(match: Match, hints: Mapping[int, Worth] | None) -> EvaluationBar | None:
    """The bar beside the board, where it is asked for; None where it is not."""
    if why_not_solvable(match.game) or not st.session_state.get("barred"):
        return None
    if match.outcome is not None:
        return _bar(PositionTruth({"max": 1, "min": -1}.get(match.outcome.winner, 0), 0, 1))
    known = {after.ply: after.before for after in _review_of(match) or []}
    if len(match.moves) in known:
        return _bar(known[len(match.moves)])
    told = next((worth.comes_to for worth in (hints or {}).values() if worth.best), None)
    if told is not None:
        return _bar(told)
    return _solved_bar(match)


def _solved_bar(match: Match) -> EvaluationBar:
    """The same for a position that is not known from a review or hints. It waits while the visitor waits for something else."""
    if is_too_early(match.game, match.state):
        return UNSOLVED
    key = ("bar", *_game_of(match))
    known: dict[Any, PositionTruth | None] = st.session_state.setdefault("barred positions", {})
    if key not in known:
        running = st.session_state.get("job")
        if not isinstance(match.player, Human) or (running is not None and running[0] != key):
            return SOLVING
        job = awaited(key, lambda: ThinkingJob(key, Ask(solve_position, (match,))), lambda job: (None, "Solving the position"))
        if job is None:
            return SOLVING
        if len(known) >= KEPT_POSITIONS:
            known.clear()
        known[key] = job.answer
    truth = known[key]
    return UNSOLVED if truth is None else _bar(truth)


def _bar(truth: PositionTruth) -> EvaluationBar:
    """How far a side is ahead: a win at once fills the bar, one with the last disc a little more than half of it."""
    words = f"{'' if truth.moves == 0 else 'In truth: '}{position_words(truth)}"
    if not truth.winner:
        return EvaluationBar(0.5, "=", words)
    sooner = 0.0 if truth.moves is None else 1 - max(truth.moves - 1, 0) / max(truth.latest - 1, 1)
    lead = LEAST_LEAD + (0.5 - LEAST_LEAD) * sooner
    return EvaluationBar(0.5 + lead if truth.winner == "max" else 0.5 - lead, "" if not truth.moves else str(truth.moves), words)
