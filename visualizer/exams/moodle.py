"""Exams as Moodle XML: a Cloze question for each exercise, with its picture inside the file and a field for each node."""

from base64 import b64encode

import numpy as np

from visualizer.exams.quiz import INFINITY_TEXTS, QuizField, QuizQuestion, iterate_questions
from visualizer.exams.sheet import Exam
from visualizer.narration.escapes import escape_xml
from visualizer.narration.numbers import exact_number

PICTURE_FILE = "tree.svg"
CLOZE_SIGNS = '\\~}#/"=%'  # signs with a meaning inside a Cloze field
EMPTY_FEEDBACK = '<generalfeedback format="html"><text></text></generalfeedback>'


def find_unsupported_letters(text: str) -> str:
    """Return no letters: XML has them all."""
    return ""


def exam_moodle(exam: Exam, solved: bool) -> str:
    """Return the quiz. It has the answers, so there is no other key."""
    category = exam.title.replace("/", "//")
    questions = "".join(map(_render_question, iterate_questions(exam)))
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n<question type="category">\n'
        f"<category><text>$course$/top/{escape_xml(category)}</text></category>\n"
        f'<info format="html"><text>{escape_xml(exam.command)}</text></info>\n</question>\n{questions}</quiz>\n'
    )


def _render_question(question: QuizQuestion) -> str:
    rows = "".join(f"<li>{escape_xml(field.label)}: {format_cloze_field(field)}</li>" for field in question.fields)
    picture = f'<p><img src="@@PLUGINFILE@@/{PICTURE_FILE}" alt="The tree"></p>'
    text = f"<p>{escape_xml(question.prompt)}</p>{picture}<ul>{rows}</ul>"
    feedback = f'<generalfeedback format="html"><text>{_wrap_html(escape_xml(question.remark))}</text></generalfeedback>'
    content = b64encode(question.picture.encode()).decode()
    return (
        f'<question type="cloze">\n<name><text>{escape_xml(question.name)}</text></name>\n'
        f'<questiontext format="html"><text>{_wrap_html(text)}</text>\n'
        f'<file name="{PICTURE_FILE}" path="/" encoding="base64">{content}</file></questiontext>\n'
        f"{feedback if question.remark else EMPTY_FEEDBACK}\n<penalty>0.3333333</penalty>\n<hidden>0</hidden>\n</question>\n"
    )


def _wrap_html(html: str) -> str:
    return f"<![CDATA[{html.replace(']]>', ']]&gt;')}]]>"


def format_cloze_field(field: QuizField) -> str:
    """Return a field of a Cloze question.

    >>> format_cloze_field(QuizField("B", 3.0)), format_cloze_field(QuizField("B", right="yes", choices=("no", "yes")))
    ('{1:NUMERICAL:=3:0}', '{1:MULTICHOICE:no~=yes}')
    """
    if field.number is None:
        return f"{{1:MULTICHOICE:{'~'.join(('=' if one == field.right else '') + escape_cloze(one) for one in field.choices)}}}"
    if np.isinf(field.number):
        return f"{{1:SHORTANSWER:{'~'.join('=' + escape_cloze(text) for text in INFINITY_TEXTS[field.number])}}}"
    return f"{{1:NUMERICAL:={exact_number(field.number)}:0}}"


def escape_cloze(text: str) -> str:
    """Escape the signs that have a meaning inside a Cloze field."""
    return "".join(f"\\{sign}" if sign in CLOZE_SIGNS else sign for sign in text)
