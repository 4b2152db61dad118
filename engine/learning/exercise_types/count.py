"""Count: how many nodes does alpha-beta visit, how many of them are leaves, and how many cutoffs are there?"""

from collections.abc import Callable
from typing import Any

from engine.learning import answer_parsing
from engine.learning.exercise_trees import random_question
from engine.learning.faulty_searches import Right, ShallowOnly, searched_wrongly
from engine.learning.model import Exercise, ExerciseKind, thinking
from engine.learning.seeded_random import Lots
from engine.searcher import search
from engine.tree.trace import Trace
from engine.tree.tree import SearchTree

MOST = 10_000


def build(lots: Lots, difficulty: int) -> dict[str, Any] | None:
    question = random_question(lots, difficulty)
    return {"question": question} if question is not None and search(question).cutoffs else None


def key(exercise: Exercise) -> dict[str, Any]:
    return counted(exercise.searched)


def counted(tree: SearchTree) -> dict[str, Any]:
    """The three counts of a search: nodes with the root and the leaves, leaves, cutoffs."""
    return {"expanded": len(tree), "leaves": tree.leaves, "cutoffs": tree.cutoffs}


def step(exercise: Exercise, part: str) -> int | None:
    """The first cutoff, None where there is none; for what is counted over all nodes the last step."""
    trace = Trace(exercise.searched)
    return trace.next("cutoff", 0) if part == "cutoffs" else len(trace) - 1


def _by(hand: Callable[[], Right]) -> Callable[[Exercise], dict[str, Any]]:
    return lambda exercise: counted(searched_wrongly(exercise.question, hand()))


KIND = ExerciseKind(
    name="count",
    title="Count the nodes",
    prompt="Alpha-beta searches this tree from left to right. How many nodes does it visit, the root and the leaves "
    "included? How "
    "many of them are leaves? How many cutoffs are there? {rule}",
    how="count",
    rule="Go through the tree as the search does. The root and every leaf that is looked at count as nodes. A cutoff "
    "leaves at least "
    "one child untried, and counts once, however much it skips.",
    build=build,
    searched_by="alphabeta",
    key=key,
    read=lambda exercise, part, given: answer_parsing.whole(given, 0, MOST, "count"),
    step=step,
    thoughts=(
        thinking(
            "without-root",
            "One node is missing, and the rest is right: the root is a visited node, too.",
            lambda exercise: key(exercise) | {"expanded": len(exercise.searched) - 1},
        ),
        thinking(
            "leaves-as-nodes",
            "Only the leaves are counted: inner nodes are visited, too.",
            lambda exercise: key(exercise) | {"expanded": exercise.searched.leaves},
        ),
        thinking(
            "inner-only",
            "Only the inner nodes are counted: the leaves that are looked at are visited, too.",
            lambda exercise: key(exercise) | {"expanded": len(exercise.searched) - exercise.searched.leaves},
        ),
        thinking(
            "skipped-as-cutoffs",
            "The skipped moves are counted as cutoffs: a cutoff counts once, however many moves it skips.",
            lambda exercise: key(exercise) | {"cutoffs": exercise.searched.skipped},
        ),
        thinking(
            "minimax",
            "These are the counts of minimax: alpha-beta leaves something out here.",
            lambda exercise: counted(exercise.whole),
        ),
        thinking(
            "other-rule",
            "These are the counts with the other rule for cutoffs: a value that only equals the bound makes the difference.",
            lambda exercise: counted(search(exercise.question.replace(cut_on_equal=not exercise.cut_on_equal))),
        ),
        thinking(
            "deep-cutoffs",
            "These are the counts without the deep cutoffs: a bound also comes from nodes further up the path.",
            _by(ShallowOnly),
        ),
    ),
)
