"""Exercises by kind, seed and difficulty: make one, ask for its key, grade an answer, give a hint.

>>> exercise = make("values", seed=7)
>>> grade(exercise, key(exercise)).solved
True
>>> grade(exercise, {}).right
0
"""

from functools import lru_cache
from importlib import import_module
from typing import Any

from engine.core.errors import UnknownName, shortened
from engine.core.parsing import is_whole
from engine.learning.model import DIFFICULTIES, MOST_SEED, Answer, BadAnswer, Exercise, ExerciseKind, Grade, Help, Item
from engine.learning.seeded_random import Lots
from engine.learning.user_trees import why_no_exercise
from engine.question import Question

MODULES = ("values", "window", "pruned", "move", "order", "count", "mistake", "cut")  # in the order of learning
KINDS: dict[str, ExerciseKind] = {name: import_module(f"engine.learning.exercise_types.{name}").KIND for name in MODULES}
MOST_DRAWN = 500  # exercises that are drawn before one is taken although it asks for little
HINTS = range(1, 4)


def make(kind: str, seed: int, difficulty: int = 1) -> Exercise:
    """The exercise of this kind with this seed, which is the same wherever and whenever it is made."""
    if not isinstance(kind, str) or kind not in KINDS:
        raise UnknownName("kind of exercise", kind[:40] if isinstance(kind, str) else shortened(kind), KINDS)
    if not is_whole(seed) or not 0 <= seed <= MOST_SEED:
        raise BadAnswer(f"the seed {shortened(seed)} of an exercise: a whole number from 0 to {MOST_SEED} would do")
    if not is_whole(difficulty) or difficulty not in DIFFICULTIES:
        raise BadAnswer(
            f"the difficulty {shortened(difficulty)}: a whole number from {DIFFICULTIES[0]} to {DIFFICULTIES[-1]} would do"
        )
    return _made(kind, int(seed), int(difficulty))


@lru_cache(maxsize=512)  # a class works on the same one; each is a few kilobytes
def _made(kind: str, seed: int, difficulty: int) -> Exercise:
    for attempt in range(MOST_DRAWN):
        parts = KINDS[kind].build(Lots(f"{kind} {seed} {difficulty} {attempt}"), difficulty)
        if parts is not None:
            return Exercise(kind, seed, difficulty, **parts)
    raise BadAnswer(f"no exercise {kind} of difficulty {difficulty} comes from the seed {seed}: another seed would do")


def make_about(kind: str, game: Any, cut_on_equal: bool = True) -> Exercise:
    """The exercise of this kind about a tree that somebody has brought.

    >>> from engine import literal
    >>> key(make_about("values", literal([[3, 12], [2, 4]])))
    {'0': 3.0, '1': 3.0, '4': 2.0}
    """
    able = tuple(name for name, facts in KINDS.items() if facts.searched_by)
    if kind not in able:
        raise UnknownName("kind of exercise about a tree of one's own", str(kind)[:40], able)
    if why_not := why_no_exercise(game):
        raise BadAnswer(why_not)
    question = Question(game, cut_on_equal=cut_on_equal).replace(algorithm=KINDS[kind].searched_by)
    exercise = Exercise(kind, 0, DIFFICULTIES[-1], question, own=True)
    if not key(exercise):
        raise BadAnswer("alpha-beta prunes nothing in this tree: another order of moves or another exercise would do")
    return exercise


def key(exercise: Exercise) -> dict[str, Any]:
    """The right answer."""
    return KINDS[exercise.kind].key(exercise)


def how_answered(exercise: Exercise) -> str:
    """How one part is answered: see ExerciseKind. Words and pages go by this, so that another kind finds both."""
    return KINDS[exercise.kind].how


def read_answer(exercise: Exercise, answer: Any) -> dict[str, Any]:
    """What was given, part by part, checked; what is empty is left out."""
    kind = KINDS[exercise.kind]
    allowed = kind.allowed(exercise)
    if not isinstance(answer, dict) or len(answer) > len(allowed):
        raise BadAnswer(f"an answer to {kind.name} is an object with at most {len(allowed)} parts")
    given = {}
    for part, raw in answer.items():
        if part not in allowed:
            raise BadAnswer(f"the part {shortened(part)} of an answer to {kind.name} is not asked for here")
        if (read := None if raw is None else kind.read(exercise, part, raw)) is not None:
            given[part] = read
    return given


def grade(exercise: Exercise, answer: Any) -> Grade:
    """Judge an answer, part by part, and say what the learner probably thought where all of it fits."""
    kind = KINDS[exercise.kind]
    given = read_answer(exercise, answer)
    items = kind.items(exercise, given)
    right, total = kind.points(exercise, given, items) if kind.points else (sum(item.right for item in items), len(items))
    fitting = (thought for thought in kind.thoughts if right < total and thought.fits(exercise, given))
    return Grade(right, total, items, next(fitting, None))


def hint(exercise: Exercise, answer: Any, number: int) -> Help:
    """The first hint is the rule, the second where to look, the third what is right there."""
    if number not in HINTS:
        raise BadAnswer(f"hint {shortened(number)}: there are hints {HINTS[0]} to {HINTS[-1]}")
    wrong = wrong_items(grade(exercise, answer))
    return Help(number, KINDS[exercise.kind].rule, wrong[0] if wrong and number > 1 else None)


def wrong_items(judged: Grade) -> list[Item]:
    """The parts that are not right, in the order in which the search settles them."""
    wrong = [item for item in judged.items if not item.right]
    return sorted(wrong, key=lambda item: float("inf") if item.step is None else item.step)


def plain(answer: Answer) -> dict[str, Any]:
    """An answer as JSON can hold it: infinite bounds are texts."""
    return {part: _plain(given) for part, given in answer.items()}


def _plain(given: Any) -> Any:
    if isinstance(given, (list, tuple)):
        return [_plain(one) for one in given]
    if isinstance(given, float):
        return str(given) if given in (float("inf"), float("-inf")) else int(given) if given.is_integer() else given
    return given
