"""Alpha and beta: with which window is every node entered?"""

from collections.abc import Callable
from typing import Any

from engine.learning import answer_parsing
from engine.learning.exercise_trees import inner_rows, random_question, step_about
from engine.learning.faulty_searches import OPEN, Right, Window, WrongBoundUpdated
from engine.learning.model import Exercise, ExerciseKind, thinking
from engine.learning.row_mapping import nodes, rows_in
from engine.learning.seeded_random import Lots
from engine.searcher import search
from engine.tree.node import Node
from engine.tree.trace import Trace

LEAVES_UP_TO = 12  # visited nodes: of larger searches the windows of the leaves are not asked for

Rule = Callable[[Node, Window, list[float]], Window]  # of a node, the window it was given, and the children that came back


def build(lots: Lots, difficulty: int) -> dict[str, Any] | None:
    question = random_question(lots, difficulty)
    if question is None:
        return None
    searched = search(question)
    narrow = sum(node.alpha > OPEN[0] or node.beta < OPEN[1] for node in nodes(searched) if node.children)
    return {"question": question} if narrow >= 2 else None


def asked(exercise: Exercise) -> list[int]:
    """Rows of the search whose windows are asked for."""
    searched = exercise.searched
    return list(range(len(searched))) if len(searched) <= LEAVES_UP_TO else inner_rows(searched)


def key(exercise: Exercise) -> dict[str, Any]:
    return _by_rows(exercise, {row: (exercise.searched[row].alpha, exercise.searched[row].beta) for row in asked(exercise)})


def _by_rows(exercise: Exercise, windows: dict[int, Window]) -> dict[str, Any]:
    places = rows_in(exercise.whole, exercise.searched)
    return {str(places[row]): windows[row] for row in asked(exercise)}


def _answer(rule: Rule) -> Callable[[Exercise], dict[str, Any]]:
    """The answer of somebody who hands windows down by this rule, with the values of the right search."""

    def answer(exercise: Exercise) -> dict[str, Any]:
        searched = exercise.searched
        windows = {0: OPEN}
        for row in inner_rows(searched):
            before: list[float] = []
            for child in searched.child_rows(row):
                windows[child] = rule(searched[row], windows[row], before)
                before.append(searched[child].value)
        return _by_rows(exercise, windows)

    return answer


def _narrowed(hand: Right, node: Node, window: Window, scores: list[float]) -> Window:
    value = hand.start(node.maximizing)
    for score in scores:
        value = hand.folded(node.maximizing, value, score)
        window = hand.narrowed(node.maximizing, window, value, score)
    return window


def _on_leaving(exercise: Exercise) -> dict[str, Any]:
    trace = Trace(exercise.searched)
    steps = {row: trace[trace.leave(row)] for row in asked(exercise)}
    return _by_rows(exercise, {row: (step.alpha, step.beta) for row, step in steps.items()})


def _reversed(exercise: Exercise) -> dict[str, Any]:
    return {part: (beta, alpha) for part, (alpha, beta) in key(exercise).items()}


KIND = ExerciseKind(
    name="window",
    title="Alpha and beta",
    prompt="Alpha-beta visits the nodes that are not crossed out, from left to right. With which alpha and beta does it enter "
    "each of them? {rule}",
    how="window",
    rule="The root is entered with −∞ and ∞. A node hands its window down as it is at that moment: MAX has raised alpha "
    "to the best "
    "that came back, MIN has lowered beta.",
    build=build,
    searched_by="alphabeta",
    key=key,
    read=lambda exercise, part, given: answer_parsing.window(given),
    step=lambda exercise, part: step_about(exercise, int(part), entering=True),
    parts=key,
    thoughts=(
        thinking(
            "window-not-passed",
            "Every node is entered with an open window here: what earlier children brought narrows it for the later ones. MAX "
            "raises alpha, and MIN lowers beta.",
            _answer(lambda node, window, scores: window),
        ),
        thinking(
            "alpha-from-above",
            "Each window starts anew below its parent's own children: alpha and beta also come from above, from all nodes "
            "on the path.",
            _answer(lambda node, window, scores: _narrowed(Right(), node, OPEN, scores)),
        ),
        thinking(
            "wrong-bound-updated",
            "MAX lowers beta and MIN raises alpha here: it is MAX that raises alpha, and MIN that lowers beta.",
            _answer(lambda node, window, scores: _narrowed(WrongBoundUpdated(), node, window, scores)),
        ),
        thinking(
            "on-leaving",
            "These are the windows when the nodes are left: what is asked for is what they are entered with, before any "
            "child came back.",
            _on_leaving,
        ),
        thinking("reversed", "Alpha and beta are exchanged: alpha, the lower end, comes first.", _reversed),
    ),
)
