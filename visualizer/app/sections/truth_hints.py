"""Exact results on the page "Play": hints, the review of a finished game, and the evaluation bar beside the board."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pyarrow as pa
import streamlit as st

from engine.core.parsing import whole_number
from engine.games.capabilities import move_name, move_phrase
from engine.matches.game_review import ReviewedMove, solve_position
from engine.matches.match import Match, PositionTruth
from engine.matches.move_marks import EARLY_RULE, MARK_RULES, MISTAKE
from engine.matches.players import HumanPlayer
from engine.solver.exhaustive_solver import why_no_results
from engine.solver.solvable import why_not_solvable
from engine.solver.timed_solver import SOLVE_SECONDS, count_moves_too_early
from visualizer.app.state.background_search import poll_job
from visualizer.app.state.jobs import AnswerJob
from visualizer.app.state.large_trees import page_game_text
from visualizer.narration.escapes import escape_page_markdown
from visualizer.narration.move_reasons import describe_depth
from visualizer.narration.numbers import format_count
from visualizer.narration.truth_messages import (
    describe_outcome,
    describe_reviewed_move,
    explain_reviewed_move,
    summarize_review,
)
from visualizer.pool.pool import current_pool
from visualizer.pool.work_types import CallWithProgress, ReviewGame
from visualizer.viewer.board_picker import EvaluationBar, MoveValue
from visualizer.viewer.move_list import ListedMove, show_move_list

MAX_REVIEW_SECONDS = 30.0  # for all positions of a game: early ones take seconds each
MAX_CACHED_POSITIONS = 200
MIN_LEAD = 0.1  # share of the bar for a win with the last disc
UNKNOWN_DISTANCE = 0.5  # of a win: as if it came halfway between the next move and the last
MAX_PLY_DIGITS = 4
UNSOLVED_BAR = EvaluationBar(None, "?", "Not solved: this position takes too long")
ESTIMATED_BAR = EvaluationBar(None, "?", f"Not solved within {SOLVE_SECONDS:.0f} second. Hints show estimates.")
SOLVING_BAR = EvaluationBar(None, "…", "Not solved yet")
MARK_LINES = {mark: f"- `{mark}` {rule}" for mark, rule in MARK_RULES.items()}
SOLVER_HELP = "\n".join(("The solver judges the moves:\n", *MARK_LINES.values(), f"\n{EARLY_RULE}"))
SEARCH_HELP = "Every move is judged by a search to the end of the game, which tells who wins, but not how soon:\n\n" + "\n".join(
    line for mark, line in MARK_LINES.items() if mark != MISTAKE
)
LOOK_PARAM = "look"  # in the URL: how many moves the board shows
NO_REVIEW = "There is nothing to analyse: {reason}. Open the position on Step to see the best move at every node."
SCORE_FIELD = "score for MAX"
INTEGER_AXIS = {"tickMinStep": 1, "format": "d"}
GameKey = tuple[str, str | None, tuple[int, ...]]
SCORE_CHART = {
    "height": 160,
    "layer": [
        {
            "mark": {"type": "line", "point": True, "interpolate": "step-after"},
            "encoding": {
                "x": {
                    "field": "move",
                    "type": "quantitative",
                    "title": "after move",
                    "scale": {"zero": False},
                    "axis": INTEGER_AXIS,
                },
                "y": {"field": SCORE_FIELD, "type": "quantitative", "axis": INTEGER_AXIS},
                "tooltip": [{"field": "move"}, {"field": SCORE_FIELD}],
            },
        },
        {"mark": {"type": "rule", "strokeDash": [3, 3], "color": "#888888"}, "encoding": {"y": {"datum": 0}}},
    ],
}


def explain_hints(match: Match, depth: int | None) -> None:
    """Explain the hints: exact results, or estimates of a search."""
    deep = describe_depth(depth)
    values = f"Values for MAX, searched {deep}."
    if not why_not_solvable(match.game):
        values = "*Wins*, *draws* or *loses* is the exact result, if it is found within a second. "
        values += f"A number is only an estimate for MAX, {deep}."
    st.caption(f"{values} The best move for the side to move is underlined.")


def show_game_review(match: Match, go_to: Callable[[int], None], you: str = "") -> None:
    """Show the moves of a finished game with their marks, and explain the one that is looked at.

    `go_to` opens a move to play on from there. `you` is the side of the only person, if any.
    """
    if not match.moves:
        return
    if reason := why_no_results(match.game):
        st.caption(NO_REVIEW.format(reason=reason))
        return
    line, key = _known_review(match), _game_key(match)
    if line is None:
        if LOOK_PARAM in st.query_params and st.session_state.get("asked truth") != key:
            _request_review(key)  # the link shows a move of the review
        if st.session_state.get("asked truth") != key:
            words = "Solves the positions of the game, from its end, and marks the moves that gave away a win or a draw"
            st.button("Analyse this game", icon=":material/fact_check:", help=words, on_click=_request_review, args=(key,))
            return
        line = _review_game(match)
        if line is None:
            return
    with st.container(key="game_review"):
        _show_review(match, line, go_to, you)


def looked_at_match(match: Match) -> Match:
    """Return the match at the move of the list that is looked at; the whole match if it is not reviewed."""
    if not match.is_finished or _known_review(match) is None:
        return match
    return replace(match, moves=match.moves[: _looked_at_ply(match)])


def _looked_at_ply(match: Match) -> int:
    """Return how many moves the board shows: as many as the URL says, else all."""
    ply = whole_number(st.query_params.get(LOOK_PARAM, ""), MAX_PLY_DIGITS)
    return len(match.moves) if ply is None else min(ply, len(match.moves))


def _look_at(ply: int) -> None:
    if st.query_params.get(LOOK_PARAM) != str(ply):  # the browser has written it
        st.query_params[LOOK_PARAM] = str(ply)


def _request_review(game: GameKey) -> None:
    st.session_state["asked truth"] = game
    st.session_state["bar"] = st.session_state["barred"] = True  # it shows what the review found


def _review_game(match: Match) -> list[ReviewedMove] | None:
    """Review the moves of a game, from its end. Return None while that goes on.

    If it is cancelled, return the moves judged so far.
    """
    played = len(match.moves)

    def report_progress(job: AnswerJob) -> tuple[float, str]:
        judged = job.latest_progress or 0
        return judged / played, f"Solving the game from its end: move {played - judged} of {played}"

    key = ("review", *_game_key(match))
    work = ReviewGame(match, min(MAX_REVIEW_SECONDS, current_pool().limits.seconds / 2))
    job = poll_job(key, lambda: AnswerJob(key, work), report_progress)
    if job is None:
        return None
    line = sorted(job.answer or [])
    st.session_state["review"] = _game_key(match), line
    return line


def _game_key(match: Match) -> GameKey:
    return page_game_text(match.game), match.first, match.moves


def _known_review(match: Match) -> list[ReviewedMove] | None:
    """Return the review of this game, or of the game that begins with these moves; None if there is none."""
    (game, first, moves), line = st.session_state.get("review", (("", None, ()), None))
    mine = page_game_text(match.game), match.first, match.moves
    return line if mine == (game, first, moves[: len(match.moves)]) and line is not None else None


def _show_review(match: Match, line: list[ReviewedMove], go_to: Callable[[int], None], you: str) -> None:
    ply = _looked_at_ply(match)
    judged = {after.ply: after for after in line}
    moves = [_listed_move(match, number, judged.get(number)) for number in range(len(match.moves))]
    show_move_list(moves, ply, f"moves of {_game_key(match)}", LOOK_PARAM, _look_at)
    if ply:
        with st.container(border=True, key="reviewed_move"):
            _explain_move(match, judged, ply - 1, you)
            can_retry = _can_retry(match, ply - 1)
            if can_retry or ply < len(match.moves):
                label = "Try another move here" if can_retry else "Play on from here"
                st.button(label, icon=":material/redo:", on_click=go_to, args=(ply - 1,), type="tertiary")
    solved = not why_not_solvable(match.game)
    st.markdown(f"**{summarize_review(len(match.moves), line)}**", help=SOLVER_HELP if solved else SEARCH_HELP)
    exact = [after for after in line if not after.moves_ahead]
    if exact and solved:
        _show_score_chart(exact)


def _listed_move(match: Match, ply: int, after: ReviewedMove | None) -> ListedMove:
    name = move_name(match.game, match.moves[ply])
    words = "Not judged: its position was not solved in time." if after is None else describe_reviewed_move(match, after)
    side = replace(match, moves=match.moves[:ply]).side
    return ListedMove(name, "" if after is None else after.mark, words, side)


def _explain_move(match: Match, judged: Mapping[int, ReviewedMove], ply: int, you: str) -> None:
    """Explain a move of the list: its result and the better move, then the reasons."""
    after = judged.get(ply)
    if after is None:
        name = move_phrase(match.game, move_name(match.game, match.moves[ply]))
        st.markdown(f"{ply + 1}\\. {escape_page_markdown(name)}: not judged, its position was not solved in time.")
        return
    st.markdown(f"**{escape_page_markdown(describe_reviewed_move(match, after))}**")
    reasons = explain_reviewed_move(match, after, judged.get(ply + 1), you)
    st.markdown("\n".join(f"- {escape_page_markdown(reason)}" for reason in reasons))


def _can_retry(match: Match, ply: int) -> bool:
    """Return whether a person made the move, so that another one can be tried."""
    return isinstance(replace(match, moves=match.moves[:ply]).player, HumanPlayer)


def _show_score_chart(line: list[ReviewedMove]) -> None:
    scores = [*(after.before.score for after in line[:1] if after.before), *(after.score for after in line)]
    points = [{"move": move, SCORE_FIELD: score} for move, score in enumerate(scores, start=line[0].ply)]
    st.vega_lite_chart(pa.Table.from_pylist(points), SCORE_CHART, key="line of truth")
    st.caption("Above 0 MAX wins, below 0 MIN wins: the further from 0, the sooner.")


# ---- the evaluation bar


def ask_for_evaluation_bar(match: Match) -> None:
    """Show a switch for the evaluation bar, for games that have a solver and for reviewed games."""
    if _can_have_bar(match):
        words = "Who wins with best play, and how soon. Shown if the solver finds it within a second."
        st.session_state.setdefault("bar", st.session_state.get("barred", False))  # the widget loses its value on another page
        st.session_state["barred"] = st.toggle("Evaluation bar", key="bar", help=words)


def _can_have_bar(match: Match) -> bool:
    return not why_not_solvable(match.game) or _known_review(match) is not None


def evaluation_bar(match: Match, hints: Mapping[int, MoveValue] | None, is_busy: bool = False) -> EvaluationBar | None:
    """Return the bar beside the board; None if it is switched off, or nothing can be said about the game.

    `is_busy`: the visitor waits for another job, which solving the position would cancel.
    """
    if not st.session_state.get("barred") or not _can_have_bar(match):
        return None
    if match.outcome is not None:
        return _make_bar(PositionTruth({"max": 1, "min": -1}.get(match.outcome.winner, 0), 0, 1))
    known = {after.ply: after for after in _known_review(match) or []}
    if after := known.get(len(match.moves)):
        return _make_open_bar(after.moves_ahead) if after.before is None else _make_bar(after.before)
    solved = next((worth.comes_to for worth in (hints or {}).values() if worth.best), None)
    if solved is not None:
        return _make_bar(solved)
    return UNSOLVED_BAR if why_not_solvable(match.game) else _solve_bar(match, is_busy)


def _solve_bar(match: Match, is_busy: bool) -> EvaluationBar:
    """Return the bar of a position that no review and no hint has solved."""
    unsolved = ESTIMATED_BAR if _known_review(match) is None else UNSOLVED_BAR
    if moves := count_moves_too_early(match.game, match.state):
        words = f"Not solved yet: the solver starts {format_count(moves, 'move')} from now. Hints show estimates."
        return EvaluationBar(None, "?", words) if unsolved is ESTIMATED_BAR else unsolved
    key = ("bar", *_game_key(match))
    known: dict[Any, PositionTruth | None] = st.session_state.setdefault("barred positions", {})
    if key not in known:
        if is_busy or not isinstance(match.player, HumanPlayer):
            return SOLVING_BAR
        job = poll_job(
            key, lambda: AnswerJob(key, CallWithProgress(solve_position, (match,))), lambda job: (None, "Solving the position")
        )
        if job is None:
            return SOLVING_BAR
        if len(known) >= MAX_CACHED_POSITIONS:
            known.clear()
        known[key] = job.answer
    truth = known[key]
    return unsolved if truth is None else _make_bar(truth)


def _make_open_bar(moves_ahead: int) -> EvaluationBar:
    return EvaluationBar(None, "?", f"Open: nobody can force a win in {format_count(moves_ahead, 'move')} or fewer")


def _make_bar(truth: PositionTruth) -> EvaluationBar:
    """Return the bar of a solved position. An immediate win fills it, a win with the last disc a little more than half."""
    words = f"{'' if truth.moves == 0 else 'Exact result: '}{describe_outcome(truth)}"
    if not truth.winner:
        return EvaluationBar(0.5, "=", words)
    sooner = UNKNOWN_DISTANCE if truth.moves is None else 1 - max(truth.moves - 1, 0) / max(truth.latest - 1, 1)
    lead = MIN_LEAD + (0.5 - MIN_LEAD) * sooner
    return EvaluationBar(0.5 + lead if truth.winner == "max" else 0.5 - lead, "" if not truth.moves else str(truth.moves), words)
