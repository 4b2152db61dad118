"""The exact result of a position beside the estimates of searches, and the cost of solving it. Built when it is opened."""

from typing import Any
from weakref import ref

import pyarrow as pa
import streamlit as st

from engine import Question, SearchTree
from engine.algorithms import ALGORITHMS
from engine.analysis.alignment import PRUNED_ALGORITHM
from engine.analysis.comparison_result import Comparison
from engine.games.capabilities import move_name, move_phrase
from engine.games.positions import read_position
from engine.solver.ablation import RungResult, halving_note
from engine.solver.solvable import why_not_solvable
from engine.solver.solver import Solution
from engine.solver.steppable_search import MAX_STEP_NODES, SteppableSearch, find_steppable_searches
from engine.solver.timed_solver import SOLVE_SECONDS, is_too_early
from visualizer.app.sections.agreement import show_agreement_section
from visualizer.app.sections.player_agreement import show_player_agreement_section
from visualizer.app.state.background_search import wait_for_answer
from visualizer.app.state.jobs import max_search_nodes
from visualizer.app.state.lazy_sections import lazy_expander, lazy_popover
from visualizer.app.state.url_params import search_key, search_params
from visualizer.drawing.comparison_chart import choose_unit, format_duration
from visualizer.narration.escapes import escape_page_markdown
from visualizer.narration.numbers import format_count
from visualizer.narration.truth_messages import describe_belief, describe_believed_move
from visualizer.pool.work_types import CallWithProgress, SolveByRungs, SolvePosition
from visualizer.viewer.page_redirect import redirect_to_step

TRUTH_ICON = ":material/fact_check:"
STEP_HELP = "A search to the end of the game that scores faster wins higher: its value is the score."
NOT_SOLVED = (
    f"This position was not solved within {SOLVE_SECONDS:.0f} second. Positions with twelve or more discs nearly always are."
)
MAX_RUNG_NODES = 2_000_000
COUNTING_NOTE = "Each call of the search counts as one position. An immediate win is found by the parent, without a call."
RUNGS_CHART = {
    "height": {"step": 22},
    "mark": "bar",
    "encoding": {
        "y": {"field": "rung", "type": "nominal", "sort": None, "title": None},
        "x": {
            "field": "positions",
            "type": "quantitative",
            "scale": {"type": "log", "domainMin": 1},
            "axis": {"format": "~s"},  # 1M: the numbers stand side by side on a phone
            "stack": None,
        },
        "x2": {"datum": 1},
        "tooltip": [{"field": "rung"}, {"field": "positions", "format": ","}],
    },
}
HASH_BY_KEY: Any = {Question: search_key}


def offer_truth(tree: SearchTree, key: str) -> None:
    """Show the button "Exact result" on the page Step: the solved value of the root, if that is not too early to solve."""
    if _can_be_solved(tree.question):
        lazy_popover("Exact result", TRUTH_ICON, f"truth {key}", _show_truth, ref(tree))


def _show_truth(tree_ref: "ref[SearchTree]") -> None:
    tree = tree_ref()
    if tree is None:
        st.rerun()
    solution = solve_question(tree.question)
    if solution is None:
        st.caption(NOT_SOLVED)
        return
    _show_solution(solution)
    if tree.complete and (sentence := describe_belief(tree, solution)):
        st.markdown(escape_page_markdown(sentence))
    _show_column_scores(solution)
    for found in steppable_searches(tree.question):
        if found.question == tree.question and tree.complete:
            st.caption("This search found the exact result itself: its value is the score from MAX's side.")
        elif _step_button(found, "truth"):
            st.query_params.from_dict(search_params(found.question))
            st.rerun()


def offer_truth_sections(comparison: Comparison, question: Question, key: str) -> None:
    """Show exact results on the page Compare: the estimate of every depth, the rungs of solving, and the evaluations."""
    if why_not_solvable(question.game):
        return
    believer = (
        PRUNED_ALGORITHM if PRUNED_ALGORITHM in comparison.algorithms else comparison.algorithms[0]
    )  # all algorithms have the same value
    beliefs = [
        (row.depth, row.value, row.best_move)
        for row in comparison.rows
        if row.algorithm == believer and row.value is not None and row.best_move is not None
    ]
    if _can_be_solved(question):
        lazy_expander("Search and exact result", TRUTH_ICON, f"truth {key}", _show_beliefs, question, beliefs)
    lazy_expander("Solved rung by rung", ":material/stairs:", f"rungs {key}", _show_rungs, question)
    lazy_expander(
        "How often is each evaluation right?",
        ":material/query_stats:",
        f"agreement {key}",
        show_agreement_section,
        question.game,
    )
    lazy_expander(
        "MCTS or alpha-beta: who is right more often?",
        ":material/casino:",
        f"players {key}",
        show_player_agreement_section,
        question.game,
    )


def _show_beliefs(question: Question, beliefs: list[tuple[int | None, float, int]]) -> None:
    solution = solve_question(question)
    if solution is None:
        st.caption(NOT_SOLVED)
        return
    _show_solution(solution)
    sentences = (describe_believed_move(question.game, K, value, move, solution) for K, value, move in beliefs)
    st.markdown("\n".join(f"- {escape_page_markdown(sentence)}" for sentence in sentences if sentence))
    _show_column_scores(solution)


def _can_be_solved(question: Question) -> bool:
    """Return True if the solver tries the position of a search."""
    if why_not_solvable(question.game):
        return False
    return not is_too_early(question.game, read_position(question.game, question.position, question.first))


def _show_solution(solution: Solution) -> None:
    side = "MAX" if solution.game.maximizing(solution.state) else "MIN"
    st.markdown(f"**{side} {'' if solution.over else 'is to move and '}{escape_page_markdown(solution.words)}.**")


def _show_column_scores(solution: Solution) -> None:
    game = solution.game
    sentences = (f"{move_phrase(game, move_name(game, column))} {solution.column_words(column)}" for column in solution.columns)
    if solution.columns:
        st.caption(escape_page_markdown(f"Exact results: {', '.join(sentences)}."))


def _show_rungs(question: Question) -> None:
    if question.game.is_over(read_position(question.game, question.position, question.first)):
        st.caption("The game is over in this position: there is nothing left to solve.")
        return
    steps = rung_results(question)
    rows = pa.Table.from_pylist([{"rung": step.rung.name, "positions": step.nodes} for step in steps])
    st.vega_lite_chart(rows, RUNGS_CHART, key=f"rungs {search_key(question)}")
    unit = choose_unit(max(step.seconds for step in steps))
    shown = [
        {
            "rung": step.rung.name,
            "positions": f"{'> ' if step.stopped else ''}{step.nodes:,}",
            "time": format_duration(step.seconds, unit),
            "what it adds": step.rung.line,
        }
        for step in steps
    ]
    right = {name: st.column_config.TextColumn(alignment="right") for name in ("positions", "time")}
    st.dataframe(shown, hide_index=True, column_config=right, height="content")
    for note in (halving_note(steps), COUNTING_NOTE):
        if note:
            st.caption(note)
    for found in steppable_searches(question):
        if _step_button(found, "rungs"):
            redirect_to_step(search_params(found.question))


def _step_button(found: SteppableSearch, where: str) -> bool:
    """Show a button for a search that solves the position. Return True if it was pressed."""
    algorithm = ALGORITHMS[found.question.algorithm].title
    label = f"Step through it: {algorithm} to the end, {format_count(found.nodes, 'node')}"
    return st.button(label, icon=":material/footprint:", help=STEP_HELP, key=f"{where} {search_key(found.question)}")


@st.cache_resource(max_entries=200, hash_funcs=HASH_BY_KEY, show_spinner="Solving …")
def _cached_solution(question: Question) -> list[Solution]:
    answer: list[Solution] = wait_for_answer(("solved", question), SolvePosition(question))
    return answer


@st.cache_resource(max_entries=200, hash_funcs=HASH_BY_KEY, show_spinner="Counting …")
def _cached_steppable(question: Question) -> list[SteppableSearch]:
    options = {"first": question.first, "max_nodes": min(max_search_nodes(), MAX_STEP_NODES)}
    answer: list[SteppableSearch] = wait_for_answer(
        ("stepped", question), CallWithProgress(find_steppable_searches, (question.game, question.position), options)
    )
    return answer


def steppable_searches(question: Question) -> list[SteppableSearch]:
    """Return the searches that solve a position and that the page Step can show."""
    return _cached_steppable(question.replace(depth=None, algorithm="alphabeta"))


def solve_question(question: Question) -> Solution | None:
    """Return the solution of a position if it is found in a second. It is the same for everybody and every depth."""
    found = _cached_solution(question.replace(depth=None, algorithm="alphabeta"))
    return found[0] if found else None


@st.cache_resource(max_entries=50, hash_funcs=HASH_BY_KEY, show_spinner="Solving it rung by rung …")
def rung_results(question: Question) -> list[RungResult]:
    """Return the results of solving a position rung by rung."""
    answer: list[RungResult] = wait_for_answer(("rungs", question), SolveByRungs(question, MAX_RUNG_NODES))
    return answer
