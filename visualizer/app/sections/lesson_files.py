"""Lessons as files that a teacher can read and translate: Markdown with YAML settings, one folder for each language.

    ---
    lesson: Minimax                     # the first block describes the lesson
    about: One line for the list of lessons.
    practise: values                    # the type of exercise that fits, if there is one
    ---

    ---
    screen: Two sides                   # every further block begins a screen
    game: tree:[[3,12],[2,4]]           # the tree, as in the URL of the page Step: also moves, first, depth, algorithm and
    algorithm: minimax                  # its options (strict: 1, published: 1, quiescence: 4)
    step: before leaving [0]            # the step that is shown first: see lesson_facts.py
    question: What is the left node worth?
    choices:
    - choice: 3
      right if: value of [0] = 3
      reply: MIN takes the lowest value.
    - choice: 12
      right if: value of [0] = 12
      reply: MAX would take that.
    ---
    Text of the screen. Every number in it is proved by the search: {12 = value of [0,1]}.

Instead of a game and a question, a screen may have an exercise, by type, seed and difficulty. It is solved in place.
QUESTION_TYPES says which settings a question needs. Errors name the file and line.
"""

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

from engine.core.errors import PlyscopeError
from engine.core.parsing import whole_number
from engine.learning.exercise import EXERCISE_TYPES, make_exercise
from engine.learning.model import Exercise
from visualizer.app.sections.front_matter import FENCE, BadLesson, Block, Entry, Settings, read_settings, split_blocks

LESSON_FOLDER = Path(__file__).parents[2] / "lessons"
DEFAULT_LANGUAGE = "en"
MAX_LESSON_CHARS, MAX_SCREENS = 100_000, 20  # of a file, of a lesson
LESSON_SETTINGS = ("lesson", "about", "practise")
TREE_SETTINGS = ("game", "moves", "first", "depth", "algorithm", "strict", "published", "quiescence", "iterations", "c")
SEARCH_SETTINGS = (*TREE_SETTINGS, "seed")  # URL parameters of Step
EXERCISE_SETTINGS = ("seed", "difficulty")
SCREEN_SETTINGS = (*TREE_SETTINGS, *EXERCISE_SETTINGS, "screen", "step", "view", "question", "reason", "hint", "mistakes")
QUESTION_TYPES = {  # the setting that asks the question, and the settings that it needs besides
    "choices": (),  # a list of choice, right if, reply. The right choice is the one whose claim ("right if") is true
    "answer": ("reason", "hint"),  # a number, as a fact. Mistakes are a list of answer (a fact) and reply
    "click": ("reason", "hint"),  # the nodes that are right. Mistakes are a list of answer (nodes) and reply
    "exercise": EXERCISE_SETTINGS,  # a type of exercise, which shows its own tree and asks its own question
}
CHOICE_KEYS, MISTAKE_KEYS = ("choice", "right if", "reply"), ("answer", "reply")
VIEWS = ("whole", "path")
NO_ENTRY = Entry("", 0)


class AnswerOption(NamedTuple):
    """A choice or a foreseen mistake: its text or fact, the claim that makes a choice right, and the reply to it."""

    answer: Entry
    claim: Entry | None
    reply: Entry


@dataclass(frozen=True)
class Screen:
    """One screen: its tree, text and question."""

    file: str
    line: int
    title: str
    text: Entry
    search: dict[str, str]  # URL parameters of Step
    step: Entry
    view: str
    question: Entry
    kind: str  # one of QUESTION_TYPES
    answer: Entry  # the fact, the nodes, or the type of exercise; empty for choices
    choices: tuple[AnswerOption, ...] = ()
    mistakes: tuple[AnswerOption, ...] = ()
    reason: Entry = NO_ENTRY
    hint: Entry = NO_ENTRY
    exercise: Exercise | None = None

    def make_error(self, entry: Entry | int, message: str) -> BadLesson:
        return BadLesson(f"{self.file}, line {entry if isinstance(entry, int) else entry.line}: {message}")


@dataclass(frozen=True)
class Lesson:
    """A lesson: its texts for the list, and its screens."""

    name: str  # in URLs; the same in all languages
    title: str
    about: str
    practise: str  # the type of exercise that fits; may be empty
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
    lessons = [
        read_lesson(path.read_text(encoding="utf-8"), f"{path.parent.name}/{path.name}") for _, path in sorted(paths.items())
    ]
    return {lesson.name: lesson for lesson in lessons}


def read_lesson(text: str, file: str) -> Lesson:
    """Read the lesson of a file. Its name comes from the file's name `file`: 1-minimax.md is `minimax`."""
    if len(text) > MAX_LESSON_CHARS:
        raise BadLesson(f"{file}: {len(text):,} characters; a lesson has at most {MAX_LESSON_CHARS:,}")
    head, *screens = split_blocks(text, file)
    if not 1 <= len(screens) <= MAX_SCREENS:
        raise BadLesson(f"{file}: {len(screens)} screens; a lesson has 1 to {MAX_SCREENS}")
    settings = read_settings(head, file, LESSON_SETTINGS)
    title, about = settings.required("lesson").text, settings.required("about").text
    if head.text.text:
        raise BadLesson(f"{file}, line {head.text.line}: there is text before the first screen; a screen begins with {FENCE}")
    practise = settings.optional("practise")
    if practise.text and practise.text not in EXERCISE_TYPES:
        known = ", ".join(EXERCISE_TYPES)
        raise BadLesson(f"{file}, line {practise.line}: there is no exercise {practise.text[:40]!r}. Known: {known}")
    name = Path(file).stem.lstrip("0123456789-") or Path(file).stem
    return Lesson(name, title, about, practise.text, tuple(_read_screen(block, file) for block in screens))


def _read_screen(block: Block, file: str) -> Screen:
    settings = read_settings(block, file, (*SCREEN_SETTINGS, *QUESTION_TYPES))
    kinds = [kind for kind in QUESTION_TYPES if kind in settings]
    if len(kinds) != 1:
        raise BadLesson(f"{file}, line {block.line}: a screen asks one question, by one of {', '.join(QUESTION_TYPES)}")
    kind = kinds[0]
    for name in QUESTION_TYPES[kind]:
        settings.required(name)
    view = settings.optional("view")
    if view.text and view.text not in VIEWS:
        raise BadLesson(f"{file}, line {view.line}: there is no view {view.text[:40]!r}. Known: {', '.join(VIEWS)}")
    if not block.text.text:
        raise BadLesson(f"{file}, line {block.text.line}: the text of the screen is missing")
    exercise = _read_exercise(settings, file) if kind == "exercise" else None
    allowed = EXERCISE_SETTINGS if exercise else ("seed",) if "iterations" in settings else ()
    if stray := [name for name in EXERCISE_SETTINGS if name in settings and name not in allowed]:
        line = settings.required(stray[0]).line
        raise BadLesson(f"{file}, line {line}: {stray[0]} belongs to an exercise, and this screen has none")
    return Screen(
        file,
        block.line,
        settings.required("screen").text,
        block.text,
        {name: settings.required(name).text for name in SEARCH_SETTINGS if name in settings},
        settings.optional("step", "start"),
        view.text,
        settings.optional("question") if exercise else settings.required("question"),
        kind,
        Entry("", block.line) if kind == "choices" else settings.required(kind),
        tuple(AnswerOption(*entries) for entries in settings.entries("choices", CHOICE_KEYS, minimum=2)),
        tuple(AnswerOption(answer, None, reply) for answer, reply in settings.entries("mistakes", MISTAKE_KEYS, minimum=1)),
        settings.optional("reason"),
        settings.optional("hint"),
        exercise,
    )


def _read_exercise(settings: Settings, file: str) -> Exercise:
    """Return the exercise of a screen. Such a screen has no other settings."""
    if others := [name for name in settings.nodes if name not in ("screen", "exercise", *EXERCISE_SETTINGS)]:
        line = settings.line_of(others[0])
        raise BadLesson(f"{file}, line {line}: an exercise has its own tree and question: leave out {others[0]}")
    numbers = []
    for name in EXERCISE_SETTINGS:
        text, line = settings.required(name)
        number = whole_number(text)
        if number is None:
            raise BadLesson(f"{file}, line {line}: the {name} {text[:20]!r} is not a whole number")
        numbers.append(number)
    kind, line = settings.required("exercise")
    try:
        return make_exercise(kind, *numbers)
    except PlyscopeError as error:
        raise BadLesson(f"{file}, line {line}: {error}") from None
