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

MODULES = ("values", "window", "pruned", "move", "order", "count", "mistake", "cut")  # in the order of learning
EXERCISE_TYPES: dict[str, ExerciseType] = {
    name: import_module(f"engine.learning.exercise_types.{name}").EXERCISE_TYPE for name in MODULES
}
MAX_ATTEMPTS = 500  # exercises that are drawn before one is taken although it asks for little
HINT_NUMBERS = range(1, 4)


def make_exercise(kind: str, seed: int, difficulty: int = 1) -> Exercise:
    """Return the exercise of this type with this seed. It is the same wherever and whenever it is made."""
    if not isinstance(kind, str) or kind not in EXERCISE_TYPES:
        raise UnknownName("kind of exercise", kind[:40] if isinstance(kind, str) else short_repr(kind), EXERCISE_TYPES)
    if not is_whole(seed) or not 0 <= seed <= MAX_SEED:
        raise BadAnswer(f"the seed {short_repr(seed)} of an exercise: a whole number from 0 to {MAX_SEED} would do")
    if not is_whole(difficulty) or difficulty not in DIFFICULTIES:
        raise BadAnswer(
            f"the difficulty {short_repr(difficulty)}: a whole number from {DIFFICULTIES[0]} to {DIFFICULTIES[-1]} would do"
        )
    return _make_cached(kind, int(seed), int(difficulty))


@lru_cache(maxsize=512)  # a class works on the same one; each is a few kilobytes
def _make_cached(kind: str, seed: int, difficulty: int) -> Exercise:
    """Draw exercises until one is worth asking."""
    for attempt in range(MAX_ATTEMPTS):
        parts = EXERCISE_TYPES[kind].build(SeededRandom(f"{kind} {seed} {difficulty} {attempt}"), difficulty)
        if parts is not None:
            return Exercise(kind, seed, difficulty, **parts)
    raise BadAnswer(f"no exercise {kind} of difficulty {difficulty} comes from the seed {seed}: another seed would do")


def make_user_tree_exercise(kind: str, game: Any, cut_on_equal: bool = True) -> Exercise:
    """Return the exercise of this type about a tree of the user.

    >>> from engine import literal
    >>> answer_key(make_user_tree_exercise("values", literal([[3, 12], [2, 4]])))
    {'0': 3.0, '1': 3.0, '4': 2.0}
    """
    able = tuple(name for name, facts in EXERCISE_TYPES.items() if facts.searched_by)
    if kind not in able:
        raise UnknownName("kind of exercise about a tree of one's own", str(kind)[:40], able)
    if why_not := why_no_exercise(game):
        raise BadAnswer(why_not)
    question = Question(game, cut_on_equal=cut_on_equal).replace(algorithm=EXERCISE_TYPES[kind].searched_by)
    exercise = Exercise(kind, 0, DIFFICULTIES[-1], question, own=True)
    if not answer_key(exercise):
        raise BadAnswer("alpha-beta prunes nothing in this tree: another order of moves or another exercise would do")
    return exercise


def answer_key(exercise: Exercise) -> dict[str, Any]:
    """Return the right answer."""
    return EXERCISE_TYPES[exercise.kind].key(exercise)


def answer_format(exercise: Exercise) -> str:
    """Return how one part is answered: see ExerciseType. Messages and pages depend only on this, so a new type needs no
    change there.
    """
    return EXERCISE_TYPES[exercise.kind].how


def read_answer(exercise: Exercise, answer: Any) -> dict[str, Any]:
    """Check an answer part by part and return it without its empty parts."""
    kind = EXERCISE_TYPES[exercise.kind]
    allowed = kind.allowed_parts(exercise)
    if not isinstance(answer, dict) or len(answer) > len(allowed):
        raise BadAnswer(f"an answer to {kind.name} is an object with at most {len(allowed)} parts")
    given = {}
    for part, raw in answer.items():
        if part not in allowed:
            raise BadAnswer(f"the part {short_repr(part)} of an answer to {kind.name} is not asked for here")
        if (read := None if raw is None else kind.read(exercise, part, raw)) is not None:
            given[part] = read
    return given


def grade_answer(exercise: Exercise, answer: Any) -> Grade:
    """Grade an answer part by part, and find the misconception that explains it as a whole, if one does."""
    kind = EXERCISE_TYPES[exercise.kind]
    given = read_answer(exercise, answer)
    items = kind.grade_items(exercise, given)
    right, total = kind.points(exercise, given, items) if kind.points else (sum(item.right for item in items), len(items))
    fitting = (thought for thought in kind.thoughts if right < total and thought.fits(exercise, given))
    return Grade(right, total, items, next(fitting, None))


def give_hint(exercise: Exercise, answer: Any, number: int) -> ExerciseHint:
    """Return a hint. The first is the rule, the second the place to look at, the third the right answer there."""
    if number not in HINT_NUMBERS:
        raise BadAnswer(f"hint {short_repr(number)}: there are hints {HINT_NUMBERS[0]} to {HINT_NUMBERS[-1]}")
    wrong = wrong_items(grade_answer(exercise, answer))
    return ExerciseHint(number, EXERCISE_TYPES[exercise.kind].rule, wrong[0] if wrong and number > 1 else None)


def wrong_items(judged: Grade) -> list[GradedItem]:
    """Return the parts that are not right, in the order in which the search settles them."""
    wrong = [item for item in judged.items if not item.right]
    return sorted(wrong, key=lambda item: float("inf") if item.step is None else item.step)


def encode_answer(answer: Answer) -> dict[str, Any]:
    """Convert an answer so that JSON can hold it: infinite bounds become texts."""
    return {part: _encode_value(given) for part, given in answer.items()}


def _encode_value(given: Any) -> Any:
    if isinstance(given, (list, tuple)):
        return [_encode_value(one) for one in given]
    if isinstance(given, float):
        return str(given) if given in (float("inf"), float("-inf")) else int(given) if given.is_integer() else given
    return given
