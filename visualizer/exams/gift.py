"""Exams in Moodle's GIFT format: a matching question for each exercise, one line for each node."""

from base64 import b64encode

import numpy as np

from visualizer.exams.quiz import QuizField, QuizQuestion, iterate_questions
from visualizer.exams.sheet import Exam
from visualizer.narration.escapes import escape_xml
from visualizer.narration.numbers import exact_number

GIFT_SIGNS = "\\~=#{}:"


def find_unsupported_letters(text: str) -> str:
    """Return no letters: the file is UTF-8."""
    return ""


def exam_gift(exam: Exam, solved: bool) -> str:
    """Return the quiz. It has the answers, so there is no other key."""
    category = f"$CATEGORY: $course$/top/{exam.title.replace('/', '//')}"
    return "\n\n".join([f"// {exam.command}", category, *map(_render_question, iterate_questions(exam))]) + "\n"


def _render_question(question: QuizQuestion) -> str:
    picture = b64encode(question.picture.encode()).decode()
    html = f'<p>{escape_xml(question.prompt)}</p><p><img src="data:image/svg+xml;base64,{picture}" alt="The tree"></p>'
    answers = "\n".join(_render_answers(question.fields))
    return f"::{escape_gift(question.name)}::[html]{escape_gift(html)} {{\n{answers}\n}}"


def _render_answers(fields: list[QuizField]) -> list[str]:
    """Return the lines of the answers: pairs to match, or choices of a single field."""
    if len(fields) == 1:
        (field,) = fields
        return [f"{'=' if choice == field.right else '~'}{escape_gift(choice)}" for choice in field.choices]
    return [f"={escape_gift(field.label)} -> {escape_gift(_format_answer(field))}" for field in fields]


def _format_answer(field: QuizField) -> str:
    if field.number is None:
        return field.right
    return "∞" if field.number == np.inf else "−∞" if field.number == -np.inf else exact_number(field.number)


def escape_gift(text: str) -> str:
    """Escape the signs that have a meaning in GIFT.

    >>> escape_gift("a = {b}")
    'a \\\\= \\\\{b\\\\}'
    """
    return "".join(f"\\{sign}" if sign in GIFT_SIGNS else sign for sign in text)
