"""What is true of a position, beside what searches of it believed; and what it takes to find out. Built when it is opened."""

from typing import Any
from weakref import ref

import pyarrow as pa
import streamlit as st

from engine import Question, SearchTree
from engine.algorithms import ALGORITHMS
from engine.analysis.alignment import PRUNED
from engine.analysis.comparison_result import Comparison
from engine.games.capabilities import move_name, spoken_move
from engine.games.positions import read_position
from engine.solver.ablation import Climbed, halving_note
from engine.solver.solvable import why_not_solvable
from engine.solver.solver import Solution
from engine.solver.steppable_search import Steppable, steppable
from engine.solver.timed_solver import MOST_EMPTY, SECONDS, is_too_early
from visualizer.app.sections.agreement import tell_agreement
from visualizer.app.state.background_search import answered, searched_most
from visualizer.app.state.lazy_sections import behind, below
from visualizer.app.state.url_params import key_of, parameters_of
from visualizer.narration.escapes import page_markdown
from visualizer.narration.numbers import counted
from visualizer.narration.truth_messages import belief_words, believed_words
from visualizer.pool.work_types import Ask, Solve, SolveByRungs
from visualizer.viewer.page_redirect import leap_to_step

ICON = ":material/fact_check:"
STEPPED = "A search to the end of the game in which a win counts more the sooner it comes: its value is the score."
NOT_SOLVED = f"This position was not solved in {SECONDS:.0f} second; positions with a dozen discs or more nearly always are."
NOT_TRIED = (
    f"Positions with more than {MOST_EMPTY} empty cells take too long for a page; `plyscope solve` on the command line takes the "
    "time that they need."
)
NODES_OF_A_RUNG = 2_000_000
COUNTED = "A position is a call of the search; one that wins at once is seen by its parent."
RUNGS_CHART = {
    "height": {"step": 22},
    "mark": "bar",
    "encoding": {
        "y": {"field": "rung", "type": "nominal", "sort": None, "title": None},
        "x": {"field": "positions", "type": "quantitative", "scale": {"type": "log", "domainMin": 1}, "stack": None},
        "x2": {"datum": 1},
        "tooltip": [{"field": "rung"}, {"field": "positions", "format": ","}],
    },
}
BY_KEY: Any = {Question: key_of}


def offer_truth(tree: SearchTree, key: str) -> None:
    """On the page Step: what is true of its root."""
    if not why_not_solvable(tree.game):
        behind("Truth", ICON, f"truth {key}", _tell_truth, ref(tree))


def _tell_truth(kept: "ref[SearchTree]") -> None:
    tree = kept()
    if tree is None:
        st.rerun()
    solution = solved(tree.question)
    if solution is None:
        _tell_why_not(tree.question)
        return
    _tell_position(solution)
    if tree.complete and (said := belief_words(tree, solution)):
        st.markdown(page_markdown(said))
    _tell_columns(solution)
    for found in stepped(tree.question):
        if found.question == tree.question and tree.complete:
            st.caption("This search has found that out by itself: its value is the score, as MAX sees it.")
        elif _wants_to_step(found, "truth"):
            st.query_params.from_dict(parameters_of(found.question))
            st.rerun()


def offer_true_comparison(comparison: Comparison, question: Question, key: str) -> None:
    """On the page Compare: what every depth believed, and the rungs of solving."""
    if why_not_solvable(question.game):
        return
    believer = PRUNED if PRUNED in comparison.algorithms else comparison.algorithms[0]  # they all believe the same
    beliefs = [
        (row.depth, row.value, row.best_move)
        for row in comparison.rows
        if row.algorithm == believer and row.value is not None and row.best_move is not None
    ]
    below("Belief and truth", ICON, f"truth {key}", _tell_beliefs, question, beliefs)
    below("Solved rung by rung", ":material/stairs:", f"rungs {key}", _tell_rungs, question)
    below("Which evaluation is right how often?", ":material/query_stats:", f"agreement {key}", tell_agreement, question.game)


def _tell_beliefs(question: Question, beliefs: list[tuple[int | None, float, int]]) -> None:
    solution = solved(question)
    if solution is None:
        _tell_why_not(question)
        return
    _tell_position(solution)
    said = (believed_words(question.game, K, value, move, solution) for K, value, move in beliefs)
    st.markdown("\n".join(f"- {page_markdown(sentence)}" for sentence in said if sentence))
    _tell_columns(solution)


def _tell_why_not(question: Question) -> None:
    state = read_position(question.game, question.position, question.first)
    st.caption(NOT_TRIED if is_too_early(question.game, state) else NOT_SOLVED)


def _tell_position(solution: Solution) -> None:
    side = "MAX" if solution.game.maximizing(solution.state) else "MIN"
    st.markdown(f"**{side} {'' if solution.over else 'is to move and '}{page_markdown(solution.words)}.**")


def _tell_columns(solution: Solution) -> None:
    game = solution.game
    said = (f"{spoken_move(game, move_name(game, column))} {solution.column_words(column)}" for column in solution.columns)
    if solution.columns:
        st.caption(page_markdown(f"In truth {', '.join(said)}."))


def _tell_rungs(question: Question) -> None:
    if question.game.is_over(read_position(question.game, question.position, question.first)):
        st.caption("The game is over in this position: there is nothing left to solve.")
        return
    steps = climbed_rungs(question)
    rows = pa.Table.from_pylist([{"rung": step.rung.name, "positions": step.nodes} for step in steps])
    st.vega_lite_chart(rows, RUNGS_CHART, key=f"rungs {key_of(question)}")
    shown = [
        {
            "rung": step.rung.name,
            "positions": f"{'> ' if step.stopped else ''}{step.nodes:,}",
            "seconds": f"{step.seconds:.3f}",
            "what is new": step.rung.line,
        }
        for step in steps
    ]
    right = {name: st.column_config.TextColumn(alignment="right") for name in ("positions", "seconds")}
    st.dataframe(shown, hide_index=True, column_config=right, height="content")
    for note in (halving_note(steps), COUNTED):
        if note:
            st.caption(note)
    for found in stepped(question):
        if _wants_to_step(found, "rungs"):
            leap_to_step(parameters_of(found.question))


def _wants_to_step(found: Steppable, where: str) -> bool:
    """A button for a search that solves the position; whether it was pressed."""
    algorithm = ALGORITHMS[found.question.algorithm].title
    label = f"Step through it: {algorithm} to the end, {counted(found.nodes, 'node')}"
    return st.button(label, icon=":material/footprint:", help=STEPPED, key=f"{where} {key_of(found.question)}")


@st.cache_resource(max_entries=200, hash_funcs=BY_KEY, show_spinner="Solving …")
def _solved(question: Question) -> list[Solution]:
    answer: list[Solution] = answered(("solved", question), Solve(question))
    return answer


@st.cache_resource(max_entries=200, hash_funcs=BY_KEY, show_spinner="Counting …")
def _stepped(question: Question) -> list[Steppable]:
    asked = {"first": question.first, "max_nodes": searched_most()}
    answer: list[Steppable] = answered(("stepped", question), Ask(steppable, (question.game, question.position), asked))
    return answer


def stepped(question: Question) -> list[Steppable]:
    """The searches that solve a position and that the page Step shows."""
    return _stepped(question.replace(depth=None, algorithm="alphabeta"))


def solved(question: Question) -> Solution | None:
    """The truth of a position, if it is found in a second; it is the same for everybody and every depth."""
    found = _solved(question.replace(depth=None, algorithm="alphabeta"))
    return found[0] if found else None


@st.cache_resource(max_entries=50, hash_funcs=BY_KEY, show_spinner="Solving it rung by rung …")
def climbed_rungs(question: Question) -> list[Climbed]:
    answer: list[Climbed] = answered(("rungs", question), SolveByRungs(question, NODES_OF_A_RUNG))
    return answer
