"""Lessons as files that a teacher can read and translate: Markdown with blocks of settings, one folder for each language.

    ---
    lesson: Minimax                     first block: the lesson
    about: One line for the list of lessons.
    practise: values                    the exercise that fits, if there is one
    ---

    ---
    screen: Two sides                   every further block begins a screen
    game: tree:[[3,12],[2,4]]           what is shown: as in the URL of the page Step, moves, first, depth, algorithm and
    algorithm: minimax                  its options (strict: 1, published: 1, quiescence: 4) too
    step: before leaving [0]            where it opens: see lesson_facts.py
    question: What is the left node worth?
    choices:
    - 3 | value of [0] = 3 | MIN takes the lowest.
    - 12 | value of [0] = 12 | That is what MAX would take.
    ---
    Text of the screen, in which every number is proved: {12 = value of [0,1]}.

Instead of a game and a question a screen may have an exercise, by type, seed and difficulty, that is done in place.

A value continues in the next line if that begins with blanks. A list has a line with a dash for each entry. # begins a comment.
There are no quotes and no deeper nesting. QUESTION_TYPES says what a question needs. Errors name the file and line.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeVar

from engine.core.errors import PlyscopeError
from engine.core.parsing import whole_number
from engine.learning.exercise import EXERCISE_TYPES, make_exercise
from engine.learning.model import Exercise

LESSON_FOLDER = Path(__file__).parents[2] / "lessons"
DEFAULT_LANGUAGE = "en"
MAX_LESSON_CHARS, MAX_SCREENS = 100_000, 20  # characters of a file, screens of a lesson
FENCE = "---"
SEARCH_SETTINGS = (
    "game",
    "moves",
    "first",
    "depth",
    "algorithm",
    "strict",
    "published",
    "quiescence",
)  # names of URL parameters of Step
EXERCISE_SETTINGS = ("seed", "difficulty")  # of an exercise
SCREEN_SETTINGS = (*SEARCH_SETTINGS, *EXERCISE_SETTINGS, "screen", "step", "view", "question", "reason", "hint", "mistakes")
QUESTION_TYPES = {  # how a question is answered: what its block has to say besides
    "choices": (),  # a list of: words | claim | reason. The right one is the one whose claim is true
    "answer": ("reason", "hint"),  # a number: the fact; mistakes are a list of: fact | what was probably thought
    "click": ("reason", "hint"),  # a node: which ones are right; mistakes are a list of: nodes | what was probably thought
    "exercise": EXERCISE_SETTINGS,  # a kind of exercise, which shows its own tree and asks its own question
}
VIEWS = ("whole", "path")
T = TypeVar("T")


class BadLesson(PlyscopeError):
    """A file that is not a lesson. The message begins with its name and line."""


class Entry(NamedTuple):
    """A text of a file, and its line number."""

    text: str
    line: int


NO_ENTRY = Entry("", 0)


class AnswerOption(NamedTuple):
    """A choice or a mistake: its words or the fact that identifies it, the claim that makes it right, and the reply."""

    words: Entry
    claim: Entry | None
    reason: Entry


@dataclass(frozen=True)
class Screen:
    """One screen: its tree, text and question."""

    file: str
    line: int
    title: str
    text: Entry
    search: dict[str, str]  # as parameters of an address
    step: Entry
    view: str
    question: Entry
    kind: str  # one of QUESTIONS
    answer: Entry  # the fact, the nodes, or the kind of exercise; of choices nothing
    choices: tuple[AnswerOption, ...] = ()
    mistakes: tuple[AnswerOption, ...] = ()
    reason: Entry = NO_ENTRY
    hint: Entry = NO_ENTRY
    exercise: Exercise | None = None

    def make_error(self, entry: Entry | int, words: str) -> BadLesson:
        return BadLesson(f"{self.file}, line {entry if isinstance(entry, int) else entry.line}: {words}")


@dataclass(frozen=True)
class Lesson:
    name: str  # in addresses; the same in all languages
    title: str
    about: str
    practise: str  # the kind of exercise that fits; may be empty
    screens: tuple[Screen, ...] = field(repr=False)


def list_languages(folder: Path = LESSON_FOLDER) -> list[str]:
    """Return the languages that have lessons, the default one first."""
    found = sorted(path.name for path in folder.iterdir() if path.is_dir() and any(path.glob("*.md")))
    return sorted(found, key=lambda name: name != DEFAULT_LANGUAGE)


@cache
def load_lessons(language: str = DEFAULT_LANGUAGE, folder: Path = LESSON_FOLDER) -> dict[str, Lesson]:
    """Return all lessons by name, in order. A lesson without a translation is in the default language."""
    translated = {path.name: path for path in (folder / language).glob("*.md")} if language in list_languages(folder) else {}
    paths = {path.name: path for path in (folder / DEFAULT_LANGUAGE).glob("*.md")} | translated
    read = [read_lesson(path.read_text(encoding="utf-8"), f"{path.parent.name}/{path.name}") for _, path in sorted(paths.items())]
    return {lesson.name: lesson for lesson in read}


def read_lesson(text: str, file: str) -> Lesson:
    """Read the lesson of a file. Its name comes from the file's name `file`: 1-minimax.md is `minimax`."""
    if len(text) > MAX_LESSON_CHARS:
        raise BadLesson(f"{file}: {len(text):,} characters; a lesson has at most {MAX_LESSON_CHARS:,}")
    blocks = _split_blocks(text, file)
    head, screens = blocks[0], blocks[1:]
    settings = _parse_settings(head.settings, file, ("lesson", "about", "practise"))
    for name in ("lesson", "about"):
        _required_setting(settings, name, file, head.line)
    if head.text.text:
        raise BadLesson(f"{file}, line {head.text.line}: text before the first screen; a screen begins with {FENCE}")
    if not 1 <= len(screens) <= MAX_SCREENS:
        raise BadLesson(f"{file}: {len(screens)} screens; a lesson has 1 to {MAX_SCREENS}")
    name = Path(file).stem.lstrip("0123456789-") or Path(file).stem
    title, about = (settings[name][0].text for name in ("lesson", "about"))
    practise = settings.get("practise", [NO_ENTRY])[0]
    if practise.text and practise.text not in EXERCISE_TYPES:
        raise BadLesson(
            f"{file}, line {practise.line}: there is no exercise {practise.text[:40]!r}. Known: {', '.join(EXERCISE_TYPES)}"
        )
    return Lesson(name, title, about, practise.text, tuple(_read_screen(block, file) for block in screens))


# ---- blocks


class _Block(NamedTuple):
    """Settings between two fences, and the text below them."""

    line: int
    settings: list[Entry]
    text: Entry


def _split_blocks(text: str, file: str) -> list[_Block]:
    lines = [line.rstrip() for line in text.splitlines()]
    fences = [number for number, line in enumerate(lines) if line == FENCE]
    if not fences or any(lines[: fences[0]]):
        raise BadLesson(f"{file}, line 1: a lesson begins with a line {FENCE}")
    if len(fences) % 2:
        raise BadLesson(f"{file}, line {fences[-1] + 1}: the block of settings that begins here has no second {FENCE}")
    blocks = []
    for first, last, after in zip(fences[::2], fences[1::2], [*fences[2::2], len(lines)], strict=True):
        settings = [Entry(lines[at], at + 1) for at in range(first + 1, last)]
        begins = next((at for at in range(last + 1, after) if lines[at]), last)
        blocks.append(_Block(first + 1, settings, Entry("\n".join(lines[last + 1 : after]).strip(), begins + 1)))
    return blocks


def _parse_settings(lines: list[Entry], file: str, known: tuple[str, ...]) -> dict[str, list[Entry]]:
    """Return by name the value of a setting, or the entries of a list."""
    found: dict[str, list[Entry]] = {}
    name = ""
    for text, line in lines:
        if not text or text.startswith("#"):
            continue
        if text.startswith(" "):
            if not found or not found[name]:
                raise BadLesson(f"{file}, line {line}: a line that begins with blanks goes on with a value, and there is none")
            before = found[name][-1]
            found[name][-1] = Entry(f"{before.text} {text.strip()}", before.line)
        elif text.startswith("- "):
            if not name or (found[name] and not found[name][0].text.startswith("- ")):
                raise BadLesson(f"{file}, line {line}: an entry of a list, but above it is no name with an empty value")
            found[name].append(Entry(text, line))
        else:
            name, colon, value = text.partition(":")
            if not colon or (value and not value.startswith(" ")):
                raise BadLesson(f"{file}, line {line}: {text[:40]!r} is no setting: write name: value")
            if name not in known:
                raise BadLesson(f"{file}, line {line}: there is no setting {name[:40]!r}. Known: {', '.join(known)}")
            if name in found:
                raise BadLesson(f"{file}, line {line}: {name} was given before")
            found[name] = [Entry(value.strip(), line)] if value.strip() else []
    return found


def _required_setting(settings: dict[str, list[Entry]], name: str, file: str, line: int) -> Entry:
    entries = settings.get(name)
    if not entries:
        raise BadLesson(f"{file}, line {line}: {name} is missing in the block that begins here")
    if entries[0].text.startswith("- "):
        raise BadLesson(f"{file}, line {entries[0].line}: {name} is one value, not a list")
    return entries[0]


# ---- screens


def _read_screen(block: _Block, file: str) -> Screen:
    settings = _parse_settings(block.settings, file, (*SCREEN_SETTINGS, *QUESTION_TYPES))
    kinds = [kind for kind in QUESTION_TYPES if kind in settings]
    if len(kinds) != 1:
        raise BadLesson(f"{file}, line {block.line}: a screen asks one question, by one of {', '.join(QUESTION_TYPES)}")
    kind = kinds[0]

    def required_entry(name: str) -> Entry:
        return _required_setting(settings, name, file, block.line)

    def optional_entry(name: str, usual: str = "") -> Entry:
        return required_entry(name) if name in settings else Entry(usual, block.line)

    for name in QUESTION_TYPES[kind]:
        required_entry(name)
    view = optional_entry("view")
    if view.text and view.text not in VIEWS:
        raise BadLesson(f"{file}, line {view.line}: there is no view {view.text[:40]!r}. Known: {', '.join(VIEWS)}")
    if not block.text.text:
        raise BadLesson(f"{file}, line {block.text.line}: the text of the screen is missing")
    if kind == "exercise":
        done_here = _make_exercise(settings, file, required_entry)
    elif given := [name for name in EXERCISE_SETTINGS if name in settings]:
        raise BadLesson(f"{file}, line {required_entry(given[0]).line}: {given[0]} is that of an exercise, and there is none")
    else:
        done_here = None
    return Screen(
        file,
        block.line,
        required_entry("screen").text,
        block.text,
        {name: required_entry(name).text for name in SEARCH_SETTINGS if name in settings},
        optional_entry("step", "start"),
        view.text,
        optional_entry("question") if done_here else required_entry("question"),
        kind,
        Entry("", block.line) if kind == "choices" else required_entry(kind),
        tuple(_read_list(settings, "choices", file, _read_choice)),
        tuple(_read_list(settings, "mistakes", file, _read_mistake)),
        optional_entry("reason"),
        optional_entry("hint"),
        done_here,
    )


def _make_exercise(settings: dict[str, list[Entry]], file: str, needed: Callable[[str], Entry]) -> Exercise:
    """Return the exercise of a screen. Such a screen has no other settings."""
    if others := [name for name in settings if name not in ("screen", "exercise", *EXERCISE_SETTINGS)]:
        raise BadLesson(
            f"{file}, line {needed(others[0]).line}: an exercise shows and asks what is its own: leave out {others[0]}"
        )
    numbers = [whole_number(needed(name).text) for name in EXERCISE_SETTINGS]
    for name, read in zip(EXERCISE_SETTINGS, numbers, strict=True):
        if read is None:
            raise BadLesson(f"{file}, line {needed(name).line}: the {name} {needed(name).text[:20]!r} is no whole number")
    try:
        return make_exercise(needed("exercise").text, *(read or 0 for read in numbers))
    except PlyscopeError as error:
        raise BadLesson(f"{file}, line {needed('exercise').line}: {error}") from None


def _read_list(settings: dict[str, list[Entry]], name: str, file: str, read: Callable[[list[str], int, str], T]) -> list[T]:
    entries = settings.get(name, [])
    for text, line in entries:
        if not text.startswith("- "):
            raise BadLesson(f"{file}, line {line}: {name} is a list: each entry has a line that begins with a dash")
    if name in settings and len(entries) < (2 if name == "choices" else 1):
        raise BadLesson(f"{file}: {name} has too few entries")
    return [read([part.strip() for part in text[2:].split(" | ")], line, file) for text, line in entries]


def _read_choice(parts: list[str], line: int, file: str) -> AnswerOption:
    if len(parts) != 3 or not all(parts):
        raise BadLesson(f"{file}, line {line}: a choice is: words | claim | reason")
    return AnswerOption(*(Entry(part, line) for part in parts))


def _read_mistake(parts: list[str], line: int, file: str) -> AnswerOption:
    if len(parts) != 2 or not all(parts):
        raise BadLesson(f"{file}, line {line}: a mistake is: what was answered | what was probably thought")
    return AnswerOption(Entry(parts[0], line), None, Entry(parts[1], line))
