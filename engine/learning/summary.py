"""A learner's progress as a file to hand in: the answers, and a hash that shows careless changes.

The hash does not prevent forgery. So every answer is graded again when the file is read.
"""

from codecs import BOM_UTF8
from hashlib import sha256
from typing import Annotated, Any, NamedTuple

import msgspec

from engine.core.errors import PlyscopeError, short_repr
from engine.learning.exercise import answer_key, encode_answer, grade_answer, make_exercise
from engine.learning.model import Exercise, Grade

FORMAT_NAME = "plyscope progress 1"
MAX_EXERCISES = 2_000
MAX_BYTES = 5_000_000
MAX_NAME_CHARS = 80  # characters


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
    hints: Annotated[int, msgspec.Meta(ge=0)] = 0  # that were asked for


class ProgressFile(msgspec.Struct, forbid_unknown_fields=True):
    """The contents of the file."""

    format: str
    learner: str
    exercises: list[AnsweredExercise]
    hash: str


class RegradedExercise(NamedTuple):
    """One exercise of a file, graded again."""

    done: AnsweredExercise
    grade: Grade | None  # None: the exercise or the answer is none of ours
    problem: str = ""

    @property
    def has_same_points(self) -> bool:
        return self.grade is not None and self.grade.right == self.done.points


class CheckedSummary(NamedTuple):
    """A file that was read and graded again."""

    learner: str
    unchanged: bool  # the hash is that of what is in it
    exercises: tuple[RegradedExercise, ...]

    @property
    def right(self) -> int:
        """Return the points by our own grading. If an exercise was answered again, its first answer counts."""
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
        found: dict[tuple[str, int, int], RegradedExercise] = {}
        for regraded in self.exercises:
            if regraded.grade is not None:
                done = regraded.done
                found.setdefault((done.kind, done.seed, done.difficulty), regraded)
        return list(found.values())


def compute_hash(learner: str, exercises: list[AnsweredExercise]) -> str:
    """Return the hash of a summary's contents. The order of its keys and the spaces between them do not matter."""
    said = msgspec.json.encode([FORMAT_NAME, learner, msgspec.to_builtins(exercises)], order="deterministic")
    return sha256(said).hexdigest()


def write_summary(exercises: Any, learner: str = "") -> bytes:
    """Return the contents of the file. `exercises` come from a browser and are checked."""
    try:
        done = msgspec.convert(exercises, list[AnsweredExercise])
    except msgspec.ValidationError as error:
        raise BadSummary(f"these are no exercises that were done: {error}") from None
    if len(done) > MAX_EXERCISES:
        raise BadSummary(f"{len(done):,} exercises, and {MAX_EXERCISES:,} of a summary are the most")
    name = clean_name(learner)
    try:
        written = msgspec.json.format(
            msgspec.json.encode(ProgressFile(FORMAT_NAME, name, done, compute_hash(name, done))), indent=1
        )
    except RecursionError:
        raise BadSummary("an answer has lists in lists in lists: no exercise asks for that") from None
    if len(written) >= MAX_BYTES:
        raise BadSummary(f"{len(written):,} bytes, and {MAX_BYTES:,} of a summary are the most")
    return written + b"\n"


def clean_name(learner: str) -> str:
    """Return a name that can be shown anywhere: without control characters, and not too long."""
    return "".join(letter for letter in learner if letter.isprintable())[:MAX_NAME_CHARS].strip()


def read_summary(content: bytes) -> CheckedSummary:
    """Read a file, check its hash and grade every answer again."""
    if len(content) > MAX_BYTES:
        raise BadSummary(f"the file has {len(content):,} bytes, and {MAX_BYTES:,} are the most")
    try:
        progress = msgspec.json.decode(content.removeprefix(BOM_UTF8), type=ProgressFile)
    except UnicodeError:
        raise BadSummary("this is no summary of progress: its text is not UTF-8; hand in the file as it was downloaded") from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadSummary(f"this is no summary of progress: {error}; download one from the page Learn") from None
    if progress.format != FORMAT_NAME:
        raise BadSummary(f"the format {short_repr(progress.format)} is not known: {FORMAT_NAME!r} would do")
    if len(progress.exercises) > MAX_EXERCISES:
        raise BadSummary(f"{len(progress.exercises):,} exercises, and {MAX_EXERCISES:,} of a summary are the most")
    unchanged = progress.hash == compute_hash(progress.learner, progress.exercises)
    return CheckedSummary(clean_name(progress.learner), unchanged, tuple(map(_regrade, progress.exercises)))


def _regrade(done: AnsweredExercise) -> RegradedExercise:
    try:
        return RegradedExercise(done, grade_answer(make_exercise(done.kind, done.seed, done.difficulty), done.answer))
    except PlyscopeError as error:
        return RegradedExercise(done, None, str(error))


def record_answer(exercise: Exercise, answer: Any = None, hints: int = 0) -> AnsweredExercise:
    """Return an exercise as it is stored in a summary, with the right answer if none is given."""
    given = encode_answer(answer_key(exercise)) if answer is None else answer
    graded = grade_answer(exercise, given)
    return AnsweredExercise(exercise.kind, exercise.seed, exercise.difficulty, given, graded.right, graded.total, hints)
