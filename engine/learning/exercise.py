"""Exercises by type, seed and difficulty: make one, get its answer key, grade an answer, give a hint.

>>> exercise = make_exercise("values", seed=7)
>>> grade_answer(exercise, answer_key(exercise)).solved
True
>>> grade_answer(exercise, {}).right
0
"""

from functools import lru_cache
from importlib import import_module
from typing import Any

from engine.core.errors import UnknownName, short_repr
from engine.core.parsing import is_whole
from engine.learning.model import (
    DIFFICULTIES,
    MAX_SEED,
    Answer,
    BadAnswer,
    Exercise,
    ExerciseHint,
    ExerciseType,
    Grade,
    GradedItem,
)
from engine.learning.seeded_random import SeededRandom
from engine.learning.user_trees import why_no_exercise
from engine.question import Question

# in the order of learning
MODULES = ("values", "window", "pruned", "move", "order", "count", "mistake", "cut", "expectation", "chance-cut", "ucb", "backup")
EXERCISE_TYPES: dict[str, ExerciseType] = {
    name: import_module(f"engine.learning.exercise_types.{name.replace('-', '_')}").EXERCISE_TYPE for name in MODULES
}
MAX_ATTEMPTS = 500  # at drawing an exercise that is worth asking
HINT_NUMBERS = range(1, 4)


def make_exercise(kind: str, seed: int, difficulty: int = 1) -> Exercise:
    """Return the exercise of this type with this seed. It is the same wherever and whenever it is made."""
    if not isinstance(kind, str) or kind not in EXERCISE_TYPES:
        raise UnknownName("kind of exercise", kind[:40] if isinstance(kind, str) else short_repr(kind), EXERCISE_TYPES)
    if not is_whole(seed) or not 0 <= seed <= MAX_SEED:
        raise BadAnswer(f"there is no seed {short_repr(seed)}: choose a whole number from 0 to {MAX_SEED}")
    if not is_whole(difficulty) or difficulty not in DIFFICULTIES:
        raise BadAnswer(
            f"there is no difficulty {short_repr(difficulty)}: choose a whole number from {DIFFICULTIES[0]} to {DIFFICULTIES[-1]}"
        )
    return _make_cached(kind, int(seed), int(difficulty))


@lru_cache(maxsize=512)  # a class works on the same exercises; each takes a few kilobytes
def _make_cached(kind: str, seed: int, difficulty: int) -> Exercise:
    """Draw exercises until one is worth asking."""
    for attempt in range(MAX_ATTEMPTS):
        fields = EXERCISE_TYPES[kind].draw(SeededRandom(f"{kind} {seed} {difficulty} {attempt}"), difficulty)
        if fields is not None:
            return Exercise(kind, seed, difficulty, **fields)
    raise BadAnswer(f"seed {seed} gives no exercise {kind!r} of difficulty {difficulty}: choose another seed")


def make_user_tree_exercise(kind: str, game: Any, cut_on_equal: bool = True) -> Exercise:
    """Return the exercise of this type about the user's own tree.

    >>> from engine import literal
    >>> answer_key(make_user_tree_exercise("values", literal([[3, 12], [2, 4]])))
    {'0': 3.0, '1': 3.0, '4': 2.0}
    """
    suitable = tuple(name for name, exercise_type in EXERCISE_TYPES.items() if exercise_type.user_tree_algorithm)
    if kind not in suitable:
        raise UnknownName("exercise for your own tree", str(kind)[:40], suitable)
    if reason := why_no_exercise(game):
        raise BadAnswer(reason)
    question = Question(game, cut_on_equal=cut_on_equal).replace(algorithm=EXERCISE_TYPES[kind].user_tree_algorithm)
    exercise = Exercise(kind, 0, DIFFICULTIES[-1], question, is_user_tree=True)
    if not answer_key(exercise):
        raise BadAnswer("alpha-beta prunes nothing in this tree: change the order of the moves or choose another exercise")
    return exercise


def answer_key(exercise: Exercise) -> dict[str, Any]:
    """Return the right answer."""
    return EXERCISE_TYPES[exercise.kind].answer_key(exercise)


def accepted_answers(exercise: Exercise) -> dict[str, list[Any]]:
    """Return all right answers to each part of the key. Only exercises whose parts are graded one by one have them.

    >>> accepted_answers(make_exercise("count", seed=7))
    {'expanded': [9], 'leaves': [5], 'cutoffs': [2]}
    """
    exercise_type = EXERCISE_TYPES[exercise.kind]
    if exercise_type.grade_parts is not None:
        raise BadAnswer(f"an answer to {exercise.kind!r} is graded by a search, so it has no key with all right answers")
    accepted = {}
    for part, expected in answer_key(exercise).items():
        others = range(len(exercise.full_tree.child_rows(int(part)))) if exercise_type.answer_format == "child" else [expected]
        accepted[part] = [other for other in others if exercise_type.is_equivalent(exercise, part, other, expected)]
    return accepted


def answer_format(exercise: Exercise) -> str:
    """Return how one part is answered: see ExerciseType.

    Messages and pages depend only on this, so they need no change for a new type.
    """
    return EXERCISE_TYPES[exercise.kind].answer_format


def read_answer(exercise: Exercise, answer: Any) -> dict[str, Any]:
    """Check an answer part by part and return it without its empty parts."""
    exercise_type = EXERCISE_TYPES[exercise.kind]
    allowed = exercise_type.allowed_parts(exercise)
    if not isinstance(answer, dict) or len(answer) > len(allowed):
        raise BadAnswer(f"an answer to {exercise.kind!r} is an object with at most {len(allowed)} parts")
    checked = {}
    for part, raw in answer.items():
        if part not in allowed:
            raise BadAnswer(f"this exercise {exercise.kind!r} has no part {short_repr(part)}")
        value = None if raw is None else exercise_type.read_part(exercise, part, raw)
        if value is not None:
            checked[part] = value
    return checked


def grade_answer(exercise: Exercise, answer: Any) -> Grade:
    """Grade an answer part by part, and find the misconception that explains it as a whole, if one does."""
    exercise_type = EXERCISE_TYPES[exercise.kind]
    checked = read_answer(exercise, answer)
    items = exercise_type.grade_items(exercise, checked)
    right, total = sum(item.right for item in items), len(items)
    if exercise_type.score_answer is not None:
        right, total = exercise_type.score_answer(exercise, checked, items)
    fitting = (one for one in exercise_type.misconceptions if right < total and one.fits(exercise, checked))
    return Grade(right, total, items, next(fitting, None))


def give_hint(exercise: Exercise, answer: Any, number: int) -> ExerciseHint:
    """Return a hint. The first is the rule, the second the place to look at, the third the right answer there."""
    if number not in HINT_NUMBERS:
        raise BadAnswer(f"there is no hint {short_repr(number)}: choose {HINT_NUMBERS[0]} to {HINT_NUMBERS[-1]}")
    wrong = wrong_items(grade_answer(exercise, answer))
    return ExerciseHint(number, EXERCISE_TYPES[exercise.kind].rule, wrong[0] if wrong and number > 1 else None)


def wrong_items(grade: Grade) -> list[GradedItem]:
    """Return the parts that are not right, in the order in which the search settles them."""
    wrong = [item for item in grade.items if not item.right]
    return sorted(wrong, key=lambda item: float("inf") if item.step is None else item.step)


def encode_answer(answer: Answer) -> dict[str, Any]:
    """Convert an answer so that JSON can hold it: infinite bounds become texts."""
    return {part: _encode_value(value) for part, value in answer.items()}


def _encode_value(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_encode_value(item) for item in value]
    if isinstance(value, float):
        return str(value) if value in (float("inf"), float("-inf")) else int(value) if value.is_integer() else value
    return value
