"""Find the mistake: a recorded search that somebody wrote wrongly. Which call is the first that the record proves wrong?"""

from functools import lru_cache
from typing import Any

from engine.learning import answer_parsing
from engine.learning.call_checks import ENTERED, MADE, WrongCall, wrong_calls
from engine.learning.exercise_trees import random_question, step_about
from engine.learning.faulty_searches import WRONG, searched_wrongly
from engine.learning.model import Answer, Exercise, ExerciseKind, Thought
from engine.learning.row_mapping import rows_in
from engine.learning.seeded_random import Lots
from engine.tree.tree import SearchTree

PART = "call"
EASY = ("returns-last-child", "returns-too-soon", "starts-at-zero", "sides-swapped", "sides-do-not-alternate", "window-swapped")
NOT_BEFORE = {1: 1, 2: 3, 3: 4, 4: 6, 5: 8}  # steps of the record, by difficulty: the mistake does not show in the first ones


def build(lots: Lots, difficulty: int) -> dict[str, Any] | None:
    question = random_question(lots, difficulty)
    name = lots.one_of(EASY if difficulty == 1 else tuple(WRONG))
    if question is None:
        return None
    found = wrong_calls(searched_wrongly(question, WRONG[name]()), question.options["cut_on_equal"])
    return {"question": question, "wrong": name} if found and found[0].step >= NOT_BEFORE[difficulty] else None


@lru_cache(maxsize=512)
def record_of(exercise: Exercise) -> SearchTree:
    """The wrong search that is shown."""
    return searched_wrongly(exercise.question, WRONG[exercise.wrong]())


def calls_of(exercise: Exercise) -> list[WrongCall]:
    """All calls that its record proves wrong, the first first."""
    return wrong_calls(record_of(exercise), exercise.cut_on_equal)


def shown_rows(exercise: Exercise) -> list[int]:
    """For each call of the record, its row in the whole tree."""
    return rows_in(exercise.whole, record_of(exercise))


def key(exercise: Exercise) -> dict[str, Any]:
    return {PART: shown_rows(exercise)[calls_of(exercise)[0].row]}


def read(exercise: Exercise, part: str, given: Any) -> int | None:
    return answer_parsing.whole(given, 0, len(exercise.whole) - 1, "call of this search")


def _later(exercise: Exercise, given: Answer) -> bool:
    rows = shown_rows(exercise)
    return given.get(PART) in {rows[call.row] for call in calls_of(exercise)[1:]}


def _caller(exercise: Exercise, given: Answer) -> bool:
    first = calls_of(exercise)[0]
    return first.what in (ENTERED, MADE) and given.get(PART) == shown_rows(exercise)[record_of(exercise).path(first.row)[-2]]


def _only_bad(exercise: Exercise, given: Answer) -> bool:
    """A call with another result than in the right search, with nothing wrong of its own."""
    rows = shown_rows(exercise)
    if given.get(PART) not in rows:
        return False
    row, first = rows.index(given[PART]), calls_of(exercise)[0].row
    return first in range(row + 1, record_of(exercise)[row].end)


KIND = ExerciseKind(
    name="mistake",
    title="Find the mistake",
    prompt="This search was recorded from a program with a mistake. Point at the first call that is wrong: entered with a wrong "
    "window, made although it should have been skipped, left too early, or left with a wrong value. {rule}",
    how="call",
    rule="Compare each call with its own children and its window, in the order of the search: does it get the window that "
    "its parent "
    "has at that moment, does it try what it should, and does it give the best value of its children back?",
    build=build,
    key=key,
    read=read,
    step=lambda exercise, part: step_about(exercise, key(exercise)[PART]),
    thoughts=(
        Thought("later", "This call is wrong, too, but not the first: an earlier one already contradicts the record.", _later),
        Thought(
            "caller",
            "This is the node that makes the wrong call: the call itself is what is asked for, since the record shows it there.",
            _caller,
        ),
        Thought(
            "consequence",
            "This call does the right thing with what it gets: what is wrong comes from a call below it.",
            _only_bad,
        ),
    ),
)
