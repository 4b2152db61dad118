"""A learner's progress as a file to hand in: what was answered, and a hash that shows careless changes.

The hash keeps nobody from writing a file: what counts is that every answer is graded again when the file is read.
"""

from codecs import BOM_UTF8
from hashlib import sha256
from typing import Annotated, Any, NamedTuple

import msgspec

from engine.core.errors import PlyscopeError, shortened
from engine.learning.exercise import grade, key, make, plain
from engine.learning.model import Exercise, Grade

FORMAT = "plyscope progress 1"
MOST_EXERCISES = 2_000
MOST_BYTES = 5_000_000
MOST_NAME = 80  # characters


class BadSummary(PlyscopeError):
    """A file that is no summary of progress."""


class Done(msgspec.Struct, forbid_unknown_fields=True):
    """One exercise that was answered."""

    kind: str
    seed: int
    difficulty: int
    answer: dict[str, Any]
    points: int
    total: int = 0
    hints: Annotated[int, msgspec.Meta(ge=0)] = 0  # that were asked for


class Progress(msgspec.Struct, forbid_unknown_fields=True):
    """What the file holds."""

    format: str
    learner: str
    exercises: list[Done]
    hash: str


class Regraded(NamedTuple):
    """One exercise of a file, graded again."""

    done: Done
    grade: Grade | None  # None: the exercise or the answer is none of ours
    problem: str = ""

    @property
    def agrees(self) -> bool:
        return self.grade is not None and self.grade.right == self.done.points


class CheckedSummary(NamedTuple):
    """A file that was read and graded again."""

    learner: str
    unchanged: bool  # the hash is that of what is in it
    exercises: tuple[Regraded, ...]

    @property
    def right(self) -> int:
        """Points, by our own grading; an exercise that was answered again counts as it was answered first."""
        return sum(regraded.grade.right for regraded in self.first if regraded.grade is not None)

    @property
    def total(self) -> int:
        return sum(regraded.grade.total for regraded in self.first if regraded.grade is not None)

    @property
    def honest(self) -> bool:
        """Whether the hash and all points are right."""
        return self.unchanged and all(regraded.agrees for regraded in self.exercises)

    @property
    def first(self) -> list[Regraded]:
        """Each exercise as it was answered first; those that are none of ours are left out."""
        found: dict[tuple[str, int, int], Regraded] = {}
        for regraded in self.exercises:
            if regraded.grade is not None:
                done = regraded.done
                found.setdefault((done.kind, done.seed, done.difficulty), regraded)
        return list(found.values())


def hash_of(learner: str, exercises: list[Done]) -> str:
    """The hash of what a summary says, whatever the order of its keys and the spaces between them."""
    said = msgspec.json.encode([FORMAT, learner, msgspec.to_builtins(exercises)], order="deterministic")
    return sha256(said).hexdigest()


def write_summary(exercises: Any, learner: str = "") -> bytes:
    """The file; `exercises` come from a browser and are checked."""
    try:
        done = msgspec.convert(exercises, list[Done])
    except msgspec.ValidationError as error:
        raise BadSummary(f"these are no exercises that were done: {error}") from None
    if len(done) > MOST_EXERCISES:
        raise BadSummary(f"{len(done):,} exercises, and {MOST_EXERCISES:,} of a summary are the most")
    name = printable(learner)
    try:
        written = msgspec.json.format(msgspec.json.encode(Progress(FORMAT, name, done, hash_of(name, done))), indent=1)
    except RecursionError:
        raise BadSummary("an answer has lists in lists in lists: no exercise asks for that") from None
    if len(written) >= MOST_BYTES:
        raise BadSummary(f"{len(written):,} bytes, and {MOST_BYTES:,} of a summary are the most")
    return written + b"\n"


def printable(learner: str) -> str:
    """A name that can be shown anywhere: no control characters, not too long."""
    return "".join(letter for letter in learner if letter.isprintable())[:MOST_NAME].strip()


def read_summary(content: bytes) -> CheckedSummary:
    """What a file says, with its hash checked and every answer graded again."""
    if len(content) > MOST_BYTES:
        raise BadSummary(f"the file has {len(content):,} bytes, and {MOST_BYTES:,} are the most")
    try:
        progress = msgspec.json.decode(content.removeprefix(BOM_UTF8), type=Progress)
    except UnicodeError:
        raise BadSummary("this is no summary of progress: its text is not UTF-8; hand in the file as it was downloaded") from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadSummary(f"this is no summary of progress: {error}; download one from the page Learn") from None
    if progress.format != FORMAT:
        raise BadSummary(f"the format {shortened(progress.format)} is not known: {FORMAT!r} would do")
    if len(progress.exercises) > MOST_EXERCISES:
        raise BadSummary(f"{len(progress.exercises):,} exercises, and {MOST_EXERCISES:,} of a summary are the most")
    unchanged = progress.hash == hash_of(progress.learner, progress.exercises)
    return CheckedSummary(printable(progress.learner), unchanged, tuple(map(_regraded, progress.exercises)))


def _regraded(done: Done) -> Regraded:
    try:
        return Regraded(done, grade(make(done.kind, done.seed, done.difficulty), done.answer))
    except PlyscopeError as error:
        return Regraded(done, None, str(error))


def done_of(exercise: Exercise, answer: Any = None, hints: int = 0) -> Done:
    """An exercise as it goes into a summary; without an answer, with the right one."""
    given = plain(key(exercise)) if answer is None else answer
    graded = grade(exercise, given)
    return Done(exercise.kind, exercise.seed, exercise.difficulty, given, graded.right, graded.total, hints)
