"""A learner's progress as a file to hand in: the answers, and a hash that reveals simple changes.

The hash does not prevent forgery. So every answer is graded again when the file is read.
"""

from codecs import BOM_UTF8
from hashlib import sha256
from typing import Annotated, Any, NamedTuple

import msgspec

from engine.core.errors import PlyscopeError, short_repr
from engine.core.file_names import make_file_name
from engine.learning.exercise import answer_key, encode_answer, grade_answer, make_exercise
from engine.learning.model import Exercise, Grade

FORMAT_NAME = "plyscope progress 1"
MAX_EXERCISES = 2_000
MAX_BYTES = 5_000_000
MAX_NAME_CHARS = 80
FILE_STEM = "plyscope-progress"


class BadSummary(PlyscopeError):
    """A file that is not a summary of progress."""


class AnsweredExercise(msgspec.Struct, forbid_unknown_fields=True):
    """One exercise that was answered."""

    kind: str
    seed: int
    difficulty: int
    answer: dict[str, Any]
    points: int
    total: int = 0
    hints: Annotated[int, msgspec.Meta(ge=0)] = 0  # the number of hints that the learner used


class ProgressFile(msgspec.Struct, forbid_unknown_fields=True):
    """The contents of the file."""

    format: str
    learner: str
    exercises: list[AnsweredExercise]
    hash: str


class RegradedExercise(NamedTuple):
    """One exercise of a file, graded again."""

    answered: AnsweredExercise
    grade: Grade | None  # None: there is no such exercise, or the answer does not fit it
    problem: str = ""

    @property
    def has_same_points(self) -> bool:
        return self.grade is not None and self.grade.right == self.answered.points


class CheckedSummary(NamedTuple):
    """A file that was read and graded again."""

    learner: str
    unchanged: bool  # the hash matches the contents
    exercises: tuple[RegradedExercise, ...]

    @property
    def right(self) -> int:
        """Return the points after regrading. The first answer to each exercise counts."""
        return sum(regraded.grade.right for regraded in self.first_answers if regraded.grade is not None)

    @property
    def total(self) -> int:
        return sum(regraded.grade.total for regraded in self.first_answers if regraded.grade is not None)

    @property
    def is_consistent(self) -> bool:
        """Return True if the hash and all points are right."""
        return self.unchanged and all(regraded.has_same_points for regraded in self.exercises)

    @property
    def first_answers(self) -> list[RegradedExercise]:
        """Return the first answer to each exercise. Exercises that do not exist are left out."""
        first: dict[tuple[str, int, int], RegradedExercise] = {}
        for regraded in self.exercises:
            if regraded.grade is not None:
                answered = regraded.answered
                first.setdefault((answered.kind, answered.seed, answered.difficulty), regraded)
        return list(first.values())


def compute_hash(learner: str, exercises: list[AnsweredExercise]) -> str:
    """Return the hash of a summary's contents. The order of its keys and the spaces between them do not matter."""
    encoded = msgspec.json.encode([FORMAT_NAME, learner, msgspec.to_builtins(exercises)], order="deterministic")
    return sha256(encoded).hexdigest()


def write_summary(exercises: Any, learner: str = "") -> bytes:
    """Return the contents of the file. `exercises` come from a browser and are checked."""
    try:
        answered = msgspec.convert(exercises, list[AnsweredExercise])
    except msgspec.ValidationError as error:
        raise BadSummary(f"this is not a list of answered exercises: {error}") from None
    _check_exercise_count(len(answered))
    name = clean_name(learner)
    try:
        progress = ProgressFile(FORMAT_NAME, name, answered, compute_hash(name, answered))
        content = msgspec.json.format(msgspec.json.encode(progress), indent=1) + b"\n"
    except RecursionError:
        raise BadSummary("an answer is nested too deeply: no exercise asks for that") from None
    _check_size(content)
    return content


def clean_name(learner: str) -> str:
    """Return a name that can be shown anywhere: without control characters, and not too long."""
    return "".join(letter for letter in learner if letter.isprintable())[:MAX_NAME_CHARS].strip()


def summary_file_name(learner: str = "") -> str:
    """Return the name of the file, with the learner's name if it is given. It is safe on every file system.

    >>> summary_file_name(), summary_file_name("Ada Lovelace"), summary_file_name("../../x?")
    ('plyscope-progress.json', 'plyscope-progress-Ada-Lovelace.json', 'plyscope-progress-x.json')
    """
    return make_file_name([FILE_STEM, clean_name(learner)], ".json")


def _check_exercise_count(count: int) -> None:
    if count > MAX_EXERCISES:
        raise BadSummary(f"the summary has {count:,} exercises: the maximum is {MAX_EXERCISES:,}")


def _check_size(content: bytes) -> None:
    if len(content) > MAX_BYTES:
        raise BadSummary(f"the summary has {len(content):,} bytes: the maximum is {MAX_BYTES:,}")


def read_summary(content: bytes) -> CheckedSummary:
    """Read a file, check its hash and grade every answer again."""
    _check_size(content)
    try:
        progress = msgspec.json.decode(content.removeprefix(BOM_UTF8), type=ProgressFile)
    except UnicodeError:
        raise BadSummary(
            "this is not a summary of progress: its text is not UTF-8; hand in the file as it was downloaded"
        ) from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadSummary(f"this is not a summary of progress: {error}; download one from the page Learn") from None
    if progress.format != FORMAT_NAME:
        raise BadSummary(f"the format {short_repr(progress.format)} is unknown: a summary has the format {FORMAT_NAME!r}")
    _check_exercise_count(len(progress.exercises))
    unchanged = progress.hash == compute_hash(progress.learner, progress.exercises)
    return CheckedSummary(clean_name(progress.learner), unchanged, tuple(map(_regrade, progress.exercises)))


def _regrade(answered: AnsweredExercise) -> RegradedExercise:
    try:
        exercise = make_exercise(answered.kind, answered.seed, answered.difficulty)
        return RegradedExercise(answered, grade_answer(exercise, answered.answer))
    except PlyscopeError as error:
        return RegradedExercise(answered, None, str(error))


def record_answer(exercise: Exercise, answer: Any = None, hints: int = 0) -> AnsweredExercise:
    """Return an exercise as it is stored in a summary, with the right answer if none is given."""
    encoded = encode_answer(answer_key(exercise)) if answer is None else answer
    grade = grade_answer(exercise, encoded)
    return AnsweredExercise(exercise.kind, exercise.seed, exercise.difficulty, encoded, grade.right, grade.total, hints)
