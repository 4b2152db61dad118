"""Lessons as files that a teacher can read and translate: Markdown with blocks of settings, one folder for each language.

    ---
    lesson: Minimax                     first block: the lesson
    about: One line for the list of lessons.
    practise: values                    the exercise that fits, if there is one
    ---

    ---
    screen: Two sides                   every further block begins a screen
    game: tree:[[3,12],[2,4]]           what is shown: as in the address of the page Step, moves, first, depth, algorithm and
    algorithm: minimax                  its options (strict: 1, published: 1, quiescence: 4) too
    step: before leaving [0]            where it opens: see lesson_facts.py
    question: What is the left node worth?
    choices:
    - 3 | value of [0] = 3 | MIN takes the lowest.
    - 12 | value of [0] = 12 | That is what MAX would take.
    ---
    Text of the screen, in which every number is proved: {12 = value of [0,1]}.

Instead of a game and a question a screen may have an exercise, by kind, seed and difficulty, that is done in place.

A value goes on in the next line where that begins with blanks; a list has a line with a dash for each entry; # begins a comment.
That is all there is: no quotes, no deeper nesting. What a question needs is said in QUESTIONS. Whatever is wrong is told with its
file and line.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeVar

from engine.core.errors import PlyscopeError
from engine.core.parsing import whole_number
from engine.learning.exercise import KINDS, make
from engine.learning.model import Exercise

FOLDER = Path(__file__).parents[2] / "lessons"
USUAL_LANGUAGE = "en"
LARGEST, MOST_SCREENS = 100_000, 20  # characters of a file, screens of a lesson
FENCE = "---"
SEARCH = ("game", "moves", "first", "depth", "algorithm", "strict", "published", "quiescence")  # names of the address of Step
LOT = ("seed", "difficulty")  # of an exercise
SCREEN = (*SEARCH, *LOT, "screen", "step", "view", "question", "reason", "hint", "mistakes")
QUESTIONS = {  # how a question is answered: what its block has to say besides
    "choices": (),  # a list of: words | claim | reason. The right one is the one whose claim is true
    "answer": ("reason", "hint"),  # a number: the fact; mistakes are a list of: fact | what was probably thought
    "click": ("reason", "hint"),  # a node: which ones are right; mistakes are a list of: nodes | what was probably thought
    "exercise": LOT,  # a kind of exercise, which shows its own tree and asks its own question
}
VIEWS = ("whole", "path")
T = TypeVar("T")


class BadLesson(PlyscopeError):
    """A file that is no lesson: the sentence begins with its name and line."""


class Entry(NamedTuple):
    """A text of a file, and the line where it stands."""

    text: str
    line: int


NOTHING = Entry("", 0)


class Offered(NamedTuple):
    """What can be chosen or was mistaken: its words, or the fact that gives it away; when it is right; what to say then."""

    words: Entry
    claim: Entry | None
    reason: Entry


@dataclass(frozen=True)
class Screen:
    """One screen: what is shown, what is said and what is asked."""

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
    choices: tuple[Offered, ...] = ()
    mistakes: tuple[Offered, ...] = ()
    reason: Entry = NOTHING
    hint: Entry = NOTHING
    exercise: Exercise | None = None

    def wrong(self, entry: Entry | int, words: str) -> BadLesson:
        return BadLesson(f"{self.file}, line {entry if isinstance(entry, int) else entry.line}: {words}")


@dataclass(frozen=True)
class Lesson:
    name: str  # in addresses; the same in all languages
    title: str
    about: str
    practise: str  # the kind of exercise that fits; may be empty
    screens: tuple[Screen, ...] = field(repr=False)


def languages(folder: Path = FOLDER) -> list[str]:
    """Those that there are lessons in, the usual one first."""
    found = sorted(path.name for path in folder.iterdir() if path.is_dir() and any(path.glob("*.md")))
    return sorted(found, key=lambda name: name != USUAL_LANGUAGE)


@cache
def lessons(language: str = USUAL_LANGUAGE, folder: Path = FOLDER) -> dict[str, Lesson]:
    """All lessons by name, in their order; one that is not translated yet is there in the usual language."""
    translated = {path.name: path for path in (folder / language).glob("*.md")} if language in languages(folder) else {}
    paths = {path.name: path for path in (folder / USUAL_LANGUAGE).glob("*.md")} | translated
    read = [read_lesson(path.read_text(encoding="utf-8"), f"{path.parent.name}/{path.name}") for _, path in sorted(paths.items())]
    return {lesson.name: lesson for lesson in read}


def read_lesson(text: str, file: str) -> Lesson:
    """The lesson of a file; `file` is its name, by which it is known: 1-minimax.md is `minimax`."""
    if len(text) > LARGEST:
        raise BadLesson(f"{file}: {len(text):,} characters; a lesson has at most {LARGEST:,}")
    blocks = _blocks(text, file)
    head, screens = blocks[0], blocks[1:]
    settings = _settings(head.settings, file, ("lesson", "about", "practise"))
    for name in ("lesson", "about"):
        _needed(settings, name, file, head.line)
    if head.text.text:
        raise BadLesson(f"{file}, line {head.text.line}: text before the first screen; a screen begins with {FENCE}")
    if not 1 <= len(screens) <= MOST_SCREENS:
        raise BadLesson(f"{file}: {len(screens)} screens; a lesson has 1 to {MOST_SCREENS}")
    name = Path(file).stem.lstrip("0123456789-") or Path(file).stem
    title, about = (settings[name][0].text for name in ("lesson", "about"))
    practise = settings.get("practise", [NOTHING])[0]
    if practise.text and practise.text not in KINDS:
        raise BadLesson(f"{file}, line {practise.line}: there is no exercise {practise.text[:40]!r}. Known: {', '.join(KINDS)}")
    return Lesson(name, title, about, practise.text, tuple(_screen(block, file) for block in screens))


# ---- blocks


class _Block(NamedTuple):
    """Settings between two fences, and the text below them."""

    line: int
    settings: list[Entry]
    text: Entry


def _blocks(text: str, file: str) -> list[_Block]:
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


def _settings(lines: list[Entry], file: str, known: tuple[str, ...]) -> dict[str, list[Entry]]:
    """By name the value, or the entries of a list."""
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


def _needed(settings: dict[str, list[Entry]], name: str, file: str, line: int) -> Entry:
    entries = settings.get(name)
    if not entries:
        raise BadLesson(f"{file}, line {line}: {name} is missing in the block that begins here")
    if entries[0].text.startswith("- "):
        raise BadLesson(f"{file}, line {entries[0].line}: {name} is one value, not a list")
    return entries[0]


# ---- screens


def _screen(block: _Block, file: str) -> Screen:
    settings = _settings(block.settings, file, (*SCREEN, *QUESTIONS))
    kinds = [kind for kind in QUESTIONS if kind in settings]
    if len(kinds) != 1:
        raise BadLesson(f"{file}, line {block.line}: a screen asks one question, by one of {', '.join(QUESTIONS)}")
    kind = kinds[0]

    def needed(name: str) -> Entry:
        return _needed(settings, name, file, block.line)

    def maybe(name: str, usual: str = "") -> Entry:
        return needed(name) if name in settings else Entry(usual, block.line)

    for name in QUESTIONS[kind]:
        needed(name)
    view = maybe("view")
    if view.text and view.text not in VIEWS:
        raise BadLesson(f"{file}, line {view.line}: there is no view {view.text[:40]!r}. Known: {', '.join(VIEWS)}")
    if not block.text.text:
        raise BadLesson(f"{file}, line {block.text.line}: the text of the screen is missing")
    if kind == "exercise":
        done_here = _exercise(settings, file, needed)
    elif given := [name for name in LOT if name in settings]:
        raise BadLesson(f"{file}, line {needed(given[0]).line}: {given[0]} is that of an exercise, and there is none")
    else:
        done_here = None
    return Screen(
        file,
        block.line,
        needed("screen").text,
        block.text,
        {name: needed(name).text for name in SEARCH if name in settings},
        maybe("step", "start"),
        view.text,
        maybe("question") if done_here else needed("question"),
        kind,
        Entry("", block.line) if kind == "choices" else needed(kind),
        tuple(_listed(settings, "choices", file, _choice)),
        tuple(_listed(settings, "mistakes", file, _mistake)),
        maybe("reason"),
        maybe("hint"),
        done_here,
    )


def _exercise(settings: dict[str, list[Entry]], file: str, needed: Callable[[str], Entry]) -> Exercise:
    """The exercise of a screen, which has nothing else to show or to ask."""
    if others := [name for name in settings if name not in ("screen", "exercise", *LOT)]:
        raise BadLesson(
            f"{file}, line {needed(others[0]).line}: an exercise shows and asks what is its own: leave out {others[0]}"
        )
    numbers = [whole_number(needed(name).text) for name in LOT]
    for name, read in zip(LOT, numbers, strict=True):
        if read is None:
            raise BadLesson(f"{file}, line {needed(name).line}: the {name} {needed(name).text[:20]!r} is no whole number")
    try:
        return make(needed("exercise").text, *(read or 0 for read in numbers))
    except PlyscopeError as error:
        raise BadLesson(f"{file}, line {needed('exercise').line}: {error}") from None


def _listed(settings: dict[str, list[Entry]], name: str, file: str, read: Callable[[list[str], int, str], T]) -> list[T]:
    entries = settings.get(name, [])
    for text, line in entries:
        if not text.startswith("- "):
            raise BadLesson(f"{file}, line {line}: {name} is a list: each entry has a line that begins with a dash")
    if name in settings and len(entries) < (2 if name == "choices" else 1):
        raise BadLesson(f"{file}: {name} has too few entries")
    return [read([part.strip() for part in text[2:].split(" | ")], line, file) for text, line in entries]


def _choice(parts: list[str], line: int, file: str) -> Offered:
    if len(parts) != 3 or not all(parts):
        raise BadLesson(f"{file}, line {line}: a choice is: words | claim | reason")
    return Offered(*(Entry(part, line) for part in parts))


def _mistake(parts: list[str], line: int, file: str) -> Offered:
    if len(parts) != 2 or not all(parts):
        raise BadLesson(f"{file}, line {line}: a mistake is: what was answered | what was probably thought")
    return Offered(Entry(parts[0], line), None, Entry(parts[1], line))
