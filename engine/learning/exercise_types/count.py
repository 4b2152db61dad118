"""Count: how many nodes does alpha-beta visit, how many of them are leaves, and how many cutoffs are there?"""

from collections.abc import Callable
from typing import Any

from engine.learning import answer_parsing
from engine.learning.exercise_trees import draw_question
from engine.learning.faulty_searches import AlphaBetaDecisions, ShallowOnly, run_faulty_search
from engine.learning.model import Exercise, ExerciseType, make_misconception
from engine.learning.seeded_random import SeededRandom
from engine.searcher import search
from engine.tree.tree import SearchTree

MAX_COUNT = 10_000


def draw_exercise(rng: SeededRandom, difficulty: int) -> dict[str, Any] | None:
    """Draw an exercise. Return None if it is not worth asking."""
    question = draw_question(rng, difficulty)
    return {"question": question} if question is not None and search(question).cutoffs else None


def answer_key(exercise: Exercise) -> dict[str, Any]:
    """Return the right answer."""
    return tree_counts(exercise.search_tree)


def tree_counts(tree: SearchTree) -> dict[str, Any]:
    """Return the three counts of a search: nodes including the root and the leaves, leaves, cutoffs."""
    return {"expanded": len(tree), "leaves": tree.leaves, "cutoffs": tree.cutoffs}


def find_deciding_step(exercise: Exercise, part: str) -> int | None:
    """Return the reason for a count: the first cutoff for the cutoffs, the last step for nodes and leaves."""
    trace = exercise.search_tree.timeline
    return trace.next("cutoff", 0) if part == "cutoffs" else len(trace) - 1


def _make_faulty_answer(decisions: Callable[[], AlphaBetaDecisions]) -> Callable[[Exercise], dict[str, Any]]:
    """Return a function that gives the answer of a search with these decisions."""
    return lambda exercise: tree_counts(run_faulty_search(exercise.question, decisions()))


EXERCISE_TYPE = ExerciseType(
    name="count",
    title="Count the nodes",
    prompt="Alpha-beta searches this tree from left to right. How many nodes does it visit, including the root and the "
    "leaves? How many of them are leaves? How many cutoffs are there? {rule}",
    answer_format="count",
    rule="Go through the tree as the search does. The root and every visited leaf count as nodes. A cutoff skips at least one "
    "child. It counts once, however many children it skips.",
    draw=draw_exercise,
    user_tree_algorithm="alphabeta",
    answer_key=answer_key,
    read_part=lambda exercise, part, raw: answer_parsing.read_whole_number(raw, 0, MAX_COUNT, "count"),
    find_step=find_deciding_step,
    misconceptions=(
        make_misconception(
            "without-root",
            "One node is missing, and the rest is right. The root is a visited node, too.",
            lambda exercise: answer_key(exercise) | {"expanded": len(exercise.search_tree) - 1},
        ),
        make_misconception(
            "leaves-as-nodes",
            "Only the leaves are counted. Inner nodes are visited, too.",
            lambda exercise: answer_key(exercise) | {"expanded": exercise.search_tree.leaves},
        ),
        make_misconception(
            "inner-only",
            "Only the inner nodes are counted. Visited leaves count, too.",
            lambda exercise: answer_key(exercise) | {"expanded": len(exercise.search_tree) - exercise.search_tree.leaves},
        ),
        make_misconception(
            "skipped-as-cutoffs",
            "The skipped moves are counted as cutoffs. A cutoff counts once, however many moves it skips.",
            lambda exercise: answer_key(exercise) | {"cutoffs": exercise.search_tree.skipped},
        ),
        make_misconception(
            "minimax",
            "These are the counts of minimax. Alpha-beta skips something here.",
            lambda exercise: tree_counts(exercise.full_tree),
        ),
        make_misconception(
            "other-rule",
            "These are the counts with the other rule for cutoffs. The rules differ where a value equals the bound.",
            lambda exercise: tree_counts(search(exercise.question.replace(cut_on_equal=not exercise.cut_on_equal))),
        ),
        make_misconception(
            "deep-cutoffs",
            "These are the counts without deep cutoffs. A bound can also come from a node higher up on the path.",
            _make_faulty_answer(ShallowOnly),
        ),
    ),
)
