"""Find the mistake: the record of a faulty search is shown. Which call is the first that the record proves wrong?"""

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
MIN_MISTAKE_STEP = {
    1: 1,
    2: 3,
    3: 4,
    4: 6,
    5: 8,
}  # steps of the record, by difficulty: the mistake does not show in the first ones


def draw_exercise(lots: SeededRandom, difficulty: int) -> dict[str, Any] | None:
    """Draw an exercise. Return None if it is not worth asking."""
    question = draw_question(lots, difficulty)
    name = lots.choose_one(EASY_MISTAKES if difficulty == 1 else tuple(FAULTY_DECISIONS))
    if question is None:
        return None
    found = find_wrong_calls(run_faulty_search(question, FAULTY_DECISIONS[name]()), question.options["cut_on_equal"])
    return {"question": question, "wrong": name} if found and found[0].step >= MIN_MISTAKE_STEP[difficulty] else None


@lru_cache(maxsize=512)
def faulty_search(exercise: Exercise) -> SearchTree:
    """Return the faulty search that is shown."""
    return run_faulty_search(exercise.question, FAULTY_DECISIONS[exercise.wrong]())


def list_wrong_calls(exercise: Exercise) -> list[WrongCall]:
    """Return all calls that the record proves wrong, in order."""
    return find_wrong_calls(faulty_search(exercise), exercise.cut_on_equal)


def map_record_rows(exercise: Exercise) -> list[int]:
    """Return for each call of the record its row in the full tree."""
    return map_rows(exercise.full_tree, faulty_search(exercise))


def answer_key(exercise: Exercise) -> dict[str, Any]:
    """Return the right answer."""
    return {ANSWER_PART: map_record_rows(exercise)[list_wrong_calls(exercise)[0].row]}


def read_call(exercise: Exercise, part: str, given: Any) -> int | None:
    return answer_parsing.read_whole_number(given, 0, len(exercise.full_tree) - 1, "call of this search")


def _is_later_mistake(exercise: Exercise, given: Answer) -> bool:
    """Return True if the call is wrong but not the first wrong one."""
    rows = map_record_rows(exercise)
    return given.get(ANSWER_PART) in {rows[call.row] for call in list_wrong_calls(exercise)[1:]}


def _is_caller(exercise: Exercise, given: Answer) -> bool:
    """Return True if the call is the one that makes the first wrong call."""
    first = list_wrong_calls(exercise)[0]
    return (
        first.what in (WRONG_WINDOW, NEEDLESS_CALL)
        and given.get(ANSWER_PART) == map_record_rows(exercise)[faulty_search(exercise).path(first.row)[-2]]
    )


def _is_consequence(exercise: Exercise, given: Answer) -> bool:
    """Return True if the first wrong call is below this one, so that only its result is wrong."""
    rows = map_record_rows(exercise)
    if given.get(ANSWER_PART) not in rows:
        return False
    row, first = rows.index(given[ANSWER_PART]), list_wrong_calls(exercise)[0].row
    return first in range(row + 1, faulty_search(exercise)[row].end)


EXERCISE_TYPE = ExerciseType(
    name="mistake",
    title="Find the mistake",
    prompt="This search was recorded from a program with a mistake. Point at the first call that is wrong: entered with a wrong "
    "window, made although it should have been skipped, left too early, or left with a wrong value. {rule}",
    how="call",
    rule="Compare each call with its own children and its window, in the order of the search: does it get the window that "
    "its parent "
    "has at that moment, does it try what it should, and does it give the best value of its children back?",
    build=draw_exercise,
    key=answer_key,
    read=read_call,
    step=lambda exercise, part: find_deciding_step(exercise, answer_key(exercise)[ANSWER_PART]),
    thoughts=(
        Misconception(
            "later",
            "This call is wrong, too, but not the first: an earlier one already contradicts the record.",
            _is_later_mistake,
        ),
        Misconception(
            "caller",
            "This is the node that makes the wrong call: the call itself is what is asked for, since the record shows it there.",
            _is_caller,
        ),
        Misconception(
            "consequence",
            "This call does the right thing with what it gets: what is wrong comes from a call below it.",
            _is_consequence,
        ),
    ),
)
