"""Alpha and beta: with which window is every node entered?"""

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
from engine.tree.trace import Trace

MAX_NODES_WITH_LEAVES = 12  # visited nodes: of larger searches the windows of the leaves are not asked for

WindowRule = Callable[[Node, Window, list[float]], Window]  # of a node, the window it was given, and the children that came back


def draw_exercise(lots: SeededRandom, difficulty: int) -> dict[str, Any] | None:
    """Draw an exercise. Return None if it is not worth asking."""
    question = draw_question(lots, difficulty)
    if question is None:
        return None
    searched = search(question)
    narrow = sum(node.alpha > OPEN_WINDOW[0] or node.beta < OPEN_WINDOW[1] for node in list_nodes(searched) if node.children)
    return {"question": question} if narrow >= 2 else None


def asked_rows(exercise: Exercise) -> list[int]:
    """Return the rows of the search whose windows are asked for."""
    searched = exercise.search_tree
    return list(range(len(searched))) if len(searched) <= MAX_NODES_WITH_LEAVES else inner_rows(searched)


def answer_key(exercise: Exercise) -> dict[str, Any]:
    """Return the right answer."""
    return _windows_by_part(
        exercise, {row: (exercise.search_tree[row].alpha, exercise.search_tree[row].beta) for row in asked_rows(exercise)}
    )


def _windows_by_part(exercise: Exercise, windows: dict[int, Window]) -> dict[str, Any]:
    """Return the windows by part: the row in the full tree, as text."""
    places = map_rows(exercise.full_tree, exercise.search_tree)
    return {str(places[row]): windows[row] for row in asked_rows(exercise)}


def _make_answer(rule: WindowRule) -> Callable[[Exercise], dict[str, Any]]:
    """Return a function that gives the answer of a learner who passes windows down by this rule, with the values of the
    right search.
    """

    def answer(exercise: Exercise) -> dict[str, Any]:
        searched = exercise.search_tree
        windows = {0: OPEN_WINDOW}
        for row in inner_rows(searched):
            before: list[float] = []
            for child in searched.child_rows(row):
                windows[child] = rule(searched[row], windows[row], before)
                before.append(searched[child].value)
        return _windows_by_part(exercise, windows)

    return answer


def _narrow_window(hand: AlphaBetaDecisions, node: Node, window: Window, scores: list[float]) -> Window:
    """Return the window after these scores have come back to a node, as `hand` decides."""
    value = hand.initial_value(node.maximizing)
    for score in scores:
        value = hand.update_value(node.maximizing, value, score)
        window = hand.update_window(node.maximizing, window, value, score)
    return window


def _windows_on_leaving(exercise: Exercise) -> dict[str, Any]:
    """Return the windows at which the nodes are left."""
    trace = Trace(exercise.search_tree)
    steps = {row: trace[trace.leave(row)] for row in asked_rows(exercise)}
    return _windows_by_part(exercise, {row: (step.alpha, step.beta) for row, step in steps.items()})


def _reverse_windows(exercise: Exercise) -> dict[str, Any]:
    """Return the right windows with alpha and beta exchanged."""
    return {part: (beta, alpha) for part, (alpha, beta) in answer_key(exercise).items()}


EXERCISE_TYPE = ExerciseType(
    name="window",
    title="Alpha and beta",
    prompt="Alpha-beta visits the nodes that are not crossed out, from left to right. With which alpha and beta does it enter "
    "each of them? {rule}",
    how="window",
    rule="The root is entered with −∞ and ∞. A node hands its window down as it is at that moment: MAX has raised alpha "
    "to the best "
    "that came back, MIN has lowered beta.",
    build=draw_exercise,
    searched_by="alphabeta",
    key=answer_key,
    read=lambda exercise, part, given: answer_parsing.read_window(given),
    step=lambda exercise, part: find_deciding_step(exercise, int(part), entering=True),
    parts=answer_key,
    thoughts=(
        make_misconception(
            "window-not-passed",
            "Every node is entered with an open window here: what earlier children brought narrows it for the later ones. MAX "
            "raises alpha, and MIN lowers beta.",
            _make_answer(lambda node, window, scores: window),
        ),
        make_misconception(
            "alpha-from-above",
            "Each window starts anew below its parent's own children: alpha and beta also come from above, from all nodes "
            "on the path.",
            _make_answer(lambda node, window, scores: _narrow_window(AlphaBetaDecisions(), node, OPEN_WINDOW, scores)),
        ),
        make_misconception(
            "wrong-bound-updated",
            "MAX lowers beta and MIN raises alpha here: it is MAX that raises alpha, and MIN that lowers beta.",
            _make_answer(lambda node, window, scores: _narrow_window(WrongBoundUpdated(), node, window, scores)),
        ),
        make_misconception(
            "on-leaving",
            "These are the windows when the nodes are left: what is asked for is what they are entered with, before any "
            "child came back.",
            _windows_on_leaving,
        ),
        make_misconception("reversed", "Alpha and beta are exchanged: alpha, the lower end, comes first.", _reverse_windows),
    ),
)
