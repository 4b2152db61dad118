"""Back up a result: what are visits and means along the path after the next iteration of MCTS?"""

from collections.abc import Callable
from typing import Any

from engine.learning import answer_parsing
from engine.learning.exercise_trees import MIN_VARIED_RULES_DIFFICULTY
from engine.learning.exercise_types.ucb import FIRST_C, draw_mcts_question
from engine.learning.model import Exercise, ExerciseType, make_misconception
from engine.learning.row_mapping import move_paths
from engine.learning.seeded_random import SeededRandom
from engine.record.iteration_record import MAX_OUTCOME
from engine.tree.iteration_timeline import BACKUP, Count
from engine.tree.node import Node
from engine.tree.visits import is_max_moving_into

SHAPES = {1: (2, 2), 2: (3, 2), 3: (2, 2, 2), 4: (2, 2, 2), 5: (3, 2, 2)}  # by difficulty: the moves at each depth
ITERATIONS = {1: (4, 8), 2: (5, 10), 3: (8, 14), 4: (8, 16), 5: (10, 20)}  # by difficulty: the fewest and the most before
MIN_PATH_NODES = {1: 2, 2: 2, 3: 3, 4: 3, 5: 3}  # by difficulty: nodes whose counts are asked for
MEAN_DECIMALS = 2
UpdateCount = Callable[[Count, float, float], tuple[float, float]]  # from the count before, the result for its side and for MAX


def draw_exercise(rng: SeededRandom, difficulty: int) -> dict[str, Any] | None:
    """Draw an exercise. Return None if it is not worth asking: the path is short, or a mean needs more than two decimals."""
    is_varied = difficulty >= MIN_VARIED_RULES_DIFFICULTY
    question = draw_mcts_question(rng, SHAPES[difficulty], ITERATIONS[difficulty], (FIRST_C,), is_varied)
    if question is None:
        return None
    exercise = Exercise("backup", 0, difficulty, question)
    counts = [
        exercise.search_tree.timeline.count_at(node, question.options["iterations"]) for node in path_nodes(exercise).values()
    ]
    is_exact = all(round(count.mean, MEAN_DECIMALS) == round(count.mean, 9) for count in counts)
    key = answer_key(exercise)
    wrong = (_make_answer(_count_for_max), _make_answer(_keep_mean))
    is_worth_asking = len(counts) >= MIN_PATH_NODES[difficulty] and is_exact and all(answer(exercise) != key for answer in wrong)
    return {"question": question} if is_worth_asking else None


def path_nodes(exercise: Exercise) -> dict[int, Node]:
    """Return the nodes on the path of the next iteration by their rows in the tree before it. A node that it adds is missing."""
    tree = exercise.search_tree
    rows, paths = {path: row for row, path in enumerate(move_paths(exercise.full_tree))}, move_paths(tree)
    return {rows[paths[row]]: tree[row] for row in tree.path(int(tree.log.leaf[-1])) if paths[row] in rows}


def result_for_max(exercise: Exercise) -> float:
    """Return the result of the next iteration for MAX, from 0 to 1."""
    return float(exercise.search_tree.log.outcome[-1]) / MAX_OUTCOME


def answer_key(exercise: Exercise) -> dict[str, Any]:
    """Return the right answer: the counts of the recorded search."""
    tree = exercise.search_tree
    counts = {row: tree.timeline.count_at(node, tree.iterations) for row, node in path_nodes(exercise).items()}
    return {str(row): (float(count.visits), round(count.mean, MEAN_DECIMALS)) for row, count in counts.items()}


def find_step(exercise: Exercise, part: str) -> int:
    """Return the step that backs up the result to a node."""
    tree = exercise.search_tree
    leaf_depth = int(tree.columns.depth[tree.log.leaf[-1]])
    return tree.timeline.find(tree.iterations, BACKUP) + leaf_depth - path_nodes(exercise)[int(part)].depth


def _make_answer(update: UpdateCount, only_last: bool = False) -> Callable[[Exercise], dict[str, Any]]:
    """Return a function that gives the answer of a learner who updates counts in this way, at all nodes or only the last one."""

    def answer(exercise: Exercise) -> dict[str, Any]:
        tree, nodes, result = exercise.search_tree, path_nodes(exercise), result_for_max(exercise)
        answers = {}
        for row, node in nodes.items():
            before = tree.timeline.count_at(node, tree.iterations - 1)
            is_updated = not only_last or row == max(nodes)
            visits, mean = update(before, result if is_max_moving_into(node) else 1 - result, result) if is_updated else before
            answers[str(row)] = (float(visits), round(mean, MEAN_DECIMALS))
        return answers

    return answer


def _count_result(before: Count, result: float, for_max: float) -> tuple[float, float]:
    return before.visits + 1, (before.visits * before.mean + result) / (before.visits + 1)


def _count_for_max(before: Count, result: float, for_max: float) -> tuple[float, float]:
    return _count_result(before, for_max, for_max)


def _keep_mean(before: Count, result: float, for_max: float) -> tuple[float, float]:
    return before.visits + 1, before.mean


EXERCISE_TYPE = ExerciseType(
    name="backup",
    title="Back up a result",
    prompt="This is the tree of MCTS after {iterations} iterations. {side} is to move at the root. Each node has its visits n "
    "and, below them, its mean for the side that moved into it; at the root, for the side that is not to move. The next "
    "iteration {event}. What are visits n and mean m of the nodes on its path then? Round means to two decimals.",
    answer_format="visits",
    rule="Every node on the path, the root included, gets one more visit. Its new mean is (n · mean + result) / (n + 1). The "
    "result is for the side that moved into the node: what counts 1 for MAX counts 0 for MIN.",
    draw=draw_exercise,
    answer_key=answer_key,
    read_part=lambda exercise, part, raw: answer_parsing.read_visits(raw),
    find_step=find_step,
    misconceptions=(
        make_misconception(
            "not-flipped",
            "The result counts for MAX at every node here. But each mean is for the side that moved into the node.",
            _make_answer(_count_for_max),
        ),
        make_misconception(
            "other-side",
            "The result counts for the wrong side at every node here. Each mean is for the side that moved into the node.",
            _make_answer(lambda before, result, for_max: _count_result(before, 1 - result, for_max)),
        ),
        make_misconception(
            "mean-kept",
            "The visits are right, but the means have not changed. The result changes them, too.",
            _make_answer(_keep_mean),
        ),
        make_misconception(
            "last-result",
            "The visits are right, but each mean is the last result alone. It is the average over all visits.",
            _make_answer(lambda before, result, for_max: (before.visits + 1, result)),
        ),
        make_misconception(
            "last-node-only",
            "Only the last node of the path has changed. Every node on the path counts the result, up to the root.",
            _make_answer(_count_result, only_last=True),
        ),
    ),
)
