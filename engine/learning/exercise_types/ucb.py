"""Select a child: which child of the root does the next iteration of MCTS select?"""

import json
from collections.abc import Callable
from math import prod
from typing import Any

from engine.games.registry import read_game
from engine.learning import answer_parsing
from engine.learning.exercise_trees import MIN_VARIED_RULES_DIFFICULTY
from engine.learning.model import Exercise, ExerciseType, make_misconception
from engine.learning.seeded_random import SeededRandom
from engine.question import Question
from engine.tree.iteration_timeline import SELECT, Candidate, IterationStep

SHAPES = {1: (2, 3), 2: (3, 2), 3: (3, 2), 4: (3, 3), 5: (4, 3)}  # by difficulty: moves of the root, and of its children
ITERATIONS = {1: (5, 9), 2: (7, 12), 3: (8, 14), 4: (10, 16), 5: (12, 20)}  # by difficulty: the fewest and the most before
FIRST_C, OTHER_C = 1.4, (0.5, 1.0, 1.4, 2.0)
MIN_SUM_GAP = 0.03  # between the two largest sums: means with two decimals decide then
MAX_SEARCH_SEED = 1_000_000


def draw_exercise(rng: SeededRandom, difficulty: int) -> dict[str, Any] | None:
    """Draw an exercise. Return None if it is not worth asking: two sums are nearly equal, or mean and bonus agree."""
    is_varied = difficulty >= MIN_VARIED_RULES_DIFFICULTY
    constants = OTHER_C if is_varied else (FIRST_C,)
    question = draw_mcts_question(rng, SHAPES[difficulty], ITERATIONS[difficulty], constants, is_varied)
    if question is None:
        return None
    exercise = Exercise("ucb", 0, difficulty, question)
    step = selecting_step(exercise)
    sums = sorted((candidate.sum for candidate in step.candidates), reverse=True)
    if step.kind != SELECT or sums[0] - sums[1] < MIN_SUM_GAP:
        return None
    return None if _answer_by(_mean)(exercise) == _answer_by(_rarity)(exercise) else {"question": question}


def draw_mcts_question(
    rng: SeededRandom, shape: tuple[int, ...], iterations: tuple[int, int], constants: tuple[float, ...], may_min_begin: bool
) -> Question | None:
    """Draw a search of a small tree whose leaves are 0 or 1, with one iteration more than is shown.

    Return None if all leaves are equal. `shape` has the number of moves at each depth, `iterations` the fewest and the most.
    """
    kind = "tree-min" if may_min_begin and rng.draw_chance(40) else "tree"
    leaves = [rng.draw_below(2) for _ in range(prod(shape))]
    if len(set(leaves)) == 1:
        return None
    values: list[Any] = leaves
    for count in reversed(shape[1:]):
        values = [values[first : first + count] for first in range(0, len(values), count)]
    fewest, most = iterations
    return Question(read_game(f"{kind}:{json.dumps(values)}")).replace(
        algorithm="mcts",
        iterations=fewest + rng.draw_below(most - fewest + 1) + 1,  # the last one is asked for
        c=rng.choose_one(constants) if len(constants) > 1 else constants[0],
        seed=rng.draw_below(MAX_SEARCH_SEED),
    )


def find_step(exercise: Exercise) -> int:
    """Return the number of the step that selects at the root: the first of the last iteration."""
    return exercise.search_tree.timeline.find(exercise.search_tree.iterations)


def selecting_step(exercise: Exercise) -> IterationStep:
    """Return the step that selects at the root, with all children as they look then."""
    return exercise.search_tree.timeline[find_step(exercise)]


def answer_key(exercise: Exercise) -> dict[str, Any]:
    """Return the right answer: the child that the recorded search selected."""
    step = selecting_step(exercise)
    return {"0": [candidate.node for candidate in step.candidates].index(step.child)}  # type: ignore[arg-type]


def _answer_by(score: Callable[[Candidate], float]) -> Callable[[Exercise], dict[str, Any]]:
    """Return a function that gives the answer of a learner who takes the first child with the largest score."""

    def answer(exercise: Exercise) -> dict[str, Any]:
        scores = [score(child) for child in selecting_step(exercise).candidates]
        return {"0": scores.index(max(scores))}

    return answer


def _mean(child: Candidate) -> float:
    return child.mean


def _rarity(child: Candidate) -> float:
    return -child.visits


def _popularity(child: Candidate) -> float:
    return child.visits


EXERCISE_TYPE = ExerciseType(
    name="ucb",
    title="Select a child",
    prompt="This is the tree of MCTS with c = {c} after {iterations} iterations. {side} is to move at the root. Each node has "
    "its visits n and, below them, its mean for the side that moved into it. Which child of the root does the next iteration "
    "select?",
    answer_format="child",
    rule="Compute mean + c · √(ln N / n) for each child: n is the number of its visits, N that of the root. The child with the "
    "largest sum is selected; of equal ones, the child that was added first. Moves that were never tried would come before all.",
    draw=draw_exercise,
    answer_key=answer_key,
    read_part=answer_parsing.read_child,
    find_step=lambda exercise, part: find_step(exercise),
    misconceptions=(
        make_misconception(
            "mean-only",
            "This child has the largest mean. But children with few visits get a larger bonus, and the sum decides.",
            _answer_by(_mean),
        ),
        make_misconception(
            "fewest-visits",
            "No child has fewer visits than this one, so none has a larger bonus. But the sum of mean and bonus decides.",
            _answer_by(_rarity),
        ),
        make_misconception(
            "most-visits",
            "No child has more visits than this one. That decides which move is played in the end, not which child is selected.",
            _answer_by(_popularity),
        ),
    ),
)
