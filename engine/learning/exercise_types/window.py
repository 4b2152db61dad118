"""Alpha and beta: with which window does the search enter every node?"""

from collections.abc import Callable
from typing import Any

from engine.learning import answer_parsing
from engine.learning.exercise_trees import draw_question, find_deciding_step, inner_rows
from engine.learning.faulty_searches import OPEN_WINDOW, AlphaBetaDecisions, Window, WrongBoundUpdated
from engine.learning.model import Exercise, ExerciseType, make_misconception
from engine.learning.row_mapping import list_nodes, map_rows
from engine.learning.seeded_random import SeededRandom
from engine.searcher import search
from engine.tree.node import Node

MAX_NODES_WITH_LEAVES = 12  # visited nodes: larger searches are asked only about inner nodes
MIN_NARROWED_WINDOWS = 2  # at inner nodes

WindowRule = Callable[[Node, Window, list[float]], Window]  # node, its window on entry, scores so far: window of the next child


def draw_exercise(rng: SeededRandom, difficulty: int) -> dict[str, Any] | None:
    """Draw an exercise. Return None if it is not worth asking."""
    question = draw_question(rng, difficulty)
    if question is None:
        return None
    inner = (node for node in list_nodes(search(question)) if node.children)
    narrowed = sum((node.alpha, node.beta) != OPEN_WINDOW for node in inner)
    return {"question": question} if narrowed >= MIN_NARROWED_WINDOWS else None


def asked_rows(exercise: Exercise) -> list[int]:
    """Return the rows of the search whose windows are asked for."""
    tree = exercise.search_tree
    return list(range(len(tree))) if len(tree) <= MAX_NODES_WITH_LEAVES else inner_rows(tree)


def answer_key(exercise: Exercise) -> dict[str, Any]:
    """Return the right answer."""
    return _windows_by_part(
        exercise, {row: (exercise.search_tree[row].alpha, exercise.search_tree[row].beta) for row in asked_rows(exercise)}
    )


def _windows_by_part(exercise: Exercise, windows: dict[int, Window]) -> dict[str, Any]:
    """Return the windows by part: the row in the full tree, as text."""
    full_rows = map_rows(exercise.full_tree, exercise.search_tree)
    return {str(full_rows[row]): windows[row] for row in asked_rows(exercise)}


def _make_answer(rule: WindowRule) -> Callable[[Exercise], dict[str, Any]]:
    """Return a function that gives the answer of a learner who passes windows down by this rule.

    The values are those of the right search.
    """

    def find_answer(exercise: Exercise) -> dict[str, Any]:
        tree = exercise.search_tree
        windows = {0: OPEN_WINDOW}
        for row in inner_rows(tree):
            scores: list[float] = []
            for child in tree.child_rows(row):
                windows[child] = rule(tree[row], windows[row], scores)
                scores.append(tree[child].value)
        return _windows_by_part(exercise, windows)

    return find_answer


def _narrow_window(decisions: AlphaBetaDecisions, node: Node, window: Window, scores: list[float]) -> Window:
    """Return the window of a node after its children have returned these scores."""
    value = decisions.initial_value(node.maximizing)
    for score in scores:
        value = decisions.update_value(node.maximizing, value, score)
        window = decisions.update_window(node.maximizing, window, value, score)
    return window


def _windows_on_leaving(exercise: Exercise) -> dict[str, Any]:
    """Return the windows when the search leaves the nodes."""
    trace = exercise.search_tree.timeline
    steps = {row: trace[trace.leave(row)] for row in asked_rows(exercise)}
    return _windows_by_part(exercise, {row: (step.alpha, step.beta) for row, step in steps.items()})


def _reverse_windows(exercise: Exercise) -> dict[str, Any]:
    """Return the right windows with alpha and beta swapped."""
    return {part: (beta, alpha) for part, (alpha, beta) in answer_key(exercise).items()}


EXERCISE_TYPE = ExerciseType(
    name="window",
    title="Alpha and beta",
    prompt="Alpha-beta visits the nodes that are not crossed out, depth first, left to right. With which alpha and beta does it "
    "enter each of them? {rule}",
    answer_format="window",
    rule="The search enters the root with −∞ and ∞. A child gets the window that its parent has at that moment. MAX raises alpha "
    "to its best value so far, MIN lowers beta.",
    draw=draw_exercise,
    user_tree_algorithm="alphabeta",
    answer_key=answer_key,
    read_part=lambda exercise, part, raw: answer_parsing.read_window(raw),
    find_step=lambda exercise, part: find_deciding_step(exercise, int(part), entering=True),
    list_parts=answer_key,
    misconceptions=(
        make_misconception(
            "window-not-passed",
            "Every window is open here. But the values of earlier children narrow it for later ones: MAX raises alpha, and MIN "
            "lowers beta.",
            _make_answer(lambda node, window, scores: window),
        ),
        make_misconception(
            "alpha-from-above",
            "These windows use only the values of siblings. Alpha and beta also come from above, from all nodes on the path.",
            _make_answer(lambda node, window, scores: _narrow_window(AlphaBetaDecisions(), node, OPEN_WINDOW, scores)),
        ),
        make_misconception(
            "wrong-bound-updated",
            "MAX lowers beta and MIN raises alpha here. It is the other way round: MAX raises alpha, and MIN lowers beta.",
            _make_answer(lambda node, window, scores: _narrow_window(WrongBoundUpdated(), node, window, scores)),
        ),
        make_misconception(
            "on-leaving",
            "These are the windows when the search leaves the nodes. The question is about entering them, before any child has "
            "returned a value.",
            _windows_on_leaving,
        ),
        make_misconception("reversed", "Alpha and beta are swapped. Alpha, the lower end, comes first.", _reverse_windows),
    ),
)
