"""Find the mistake: the exercise shows the record of a faulty search. Which call is the first that the record proves wrong?"""

from functools import lru_cache
from typing import Any

from engine.learning import answer_parsing
from engine.learning.call_checks import NEEDLESS_CALL, WRONG_WINDOW, WrongCall, find_wrong_calls
from engine.learning.exercise_trees import draw_question, find_deciding_step
from engine.learning.faulty_searches import FAULTY_DECISIONS, run_faulty_search
from engine.learning.model import Answer, Exercise, ExerciseType, Misconception
from engine.learning.row_mapping import map_rows
from engine.learning.seeded_random import SeededRandom
from engine.tree.tree import SearchTree

ANSWER_PART = "call"
EASY_MISTAKES = (
    "returns-last-child",
    "returns-too-soon",
    "starts-at-zero",
    "sides-swapped",
    "sides-do-not-alternate",
    "window-swapped",
)
MIN_MISTAKE_STEP = {1: 1, 2: 3, 3: 4, 4: 6, 5: 8}  # by difficulty: the first step of the record at which the mistake may show


def draw_exercise(rng: SeededRandom, difficulty: int) -> dict[str, Any] | None:
    """Draw an exercise. Return None if it is not worth asking."""
    question = draw_question(rng, difficulty)
    name = rng.choose_one(EASY_MISTAKES if difficulty == 1 else tuple(FAULTY_DECISIONS))
    if question is None:
        return None
    wrong_calls = find_wrong_calls(run_faulty_search(question, FAULTY_DECISIONS[name]()), question.options["cut_on_equal"])
    is_late_enough = wrong_calls and wrong_calls[0].step >= MIN_MISTAKE_STEP[difficulty]
    return {"question": question, "mistake": name} if is_late_enough else None


@lru_cache(maxsize=512)
def faulty_search(exercise: Exercise) -> SearchTree:
    """Return the faulty search that is shown."""
    return run_faulty_search(exercise.question, FAULTY_DECISIONS[exercise.mistake]())


def list_wrong_calls(exercise: Exercise) -> list[WrongCall]:
    """Return all calls that the record proves wrong, in order."""
    return find_wrong_calls(faulty_search(exercise), exercise.cut_on_equal)


def map_record_rows(exercise: Exercise) -> list[int]:
    """Return the row in the full tree for each call of the record."""
    return map_rows(exercise.full_tree, faulty_search(exercise))


def answer_key(exercise: Exercise) -> dict[str, Any]:
    """Return the right answer."""
    return {ANSWER_PART: map_record_rows(exercise)[list_wrong_calls(exercise)[0].row]}


def read_call(exercise: Exercise, part: str, raw: Any) -> int | None:
    """Read a call: a row of the full tree."""
    return answer_parsing.read_whole_number(raw, 0, len(exercise.full_tree) - 1, "call of this search")


def _is_later_mistake(exercise: Exercise, answer: Answer) -> bool:
    """Return True if the call is wrong but not the first wrong one."""
    rows = map_record_rows(exercise)
    return answer.get(ANSWER_PART) in {rows[call.row] for call in list_wrong_calls(exercise)[1:]}


def _is_caller(exercise: Exercise, answer: Answer) -> bool:
    """Return True if the call is the one that makes the first wrong call."""
    first = list_wrong_calls(exercise)[0]
    return (
        first.fault in (WRONG_WINDOW, NEEDLESS_CALL)
        and answer.get(ANSWER_PART) == map_record_rows(exercise)[faulty_search(exercise).path(first.row)[-2]]
    )


def _is_consequence(exercise: Exercise, answer: Answer) -> bool:
    """Return True if the first wrong call is below this one, so that only its result is wrong."""
    rows = map_record_rows(exercise)
    if answer.get(ANSWER_PART) not in rows:
        return False
    row, first = rows.index(answer[ANSWER_PART]), list_wrong_calls(exercise)[0].row
    return first in range(row + 1, faulty_search(exercise)[row].end)


EXERCISE_TYPE = ExerciseType(
    name="mistake",
    title="Find the mistake",
    prompt="This is the record of a program with a mistake. Choose the first wrong call. A call is wrong if it has the wrong "
    "window, should have been skipped, ends too early, or returns the wrong value. {rule}",
    answer_format="call",
    rule="Check each call in the order of the search. Does it get the window that its parent has at that moment? Does it try the "
    "right moves? Does it return the best value of its children?",
    draw=draw_exercise,
    answer_key=answer_key,
    read_part=read_call,
    find_step=lambda exercise, part: find_deciding_step(exercise, answer_key(exercise)[ANSWER_PART]),
    misconceptions=(
        Misconception(
            "later",
            "This call is wrong, but it is not the first. An earlier call already contradicts the record.",
            _is_later_mistake,
        ),
        Misconception(
            "caller",
            "This node makes the wrong call. The question asks for the call itself, because the record shows the mistake there.",
            _is_caller,
        ),
        Misconception(
            "consequence",
            "This call uses its results correctly. The mistake is in a call below it.",
            _is_consequence,
        ),
    ),
)
