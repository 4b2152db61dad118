"""Quizzes: what Moodle documents is kept, and every field has the answer of the exercise."""

import base64
import re
import xml.etree.ElementTree as ET

import pytest
from click.testing import CliRunner

from engine.learning.exercise import EXERCISE_TYPES, answer_key
from visualizer.cli.main import plyscope
from visualizer.exams.exercise_drawing import node_letter
from visualizer.exams.files import render_exam
from visualizer.exams.quiz import PRUNED, QUIZ_PROMPTS
from visualizer.exams.sheet import BadExam, Exam

HOSTILE_TITLE = "A/B {1:NUMERICAL:=3} ]]> ~= ::x:: $CATEGORY"
EXAM = Exam(seed=3, trees=len(QUIZ_PROMPTS), kinds=tuple(QUIZ_PROMPTS), variants=30, title=HOSTILE_TITLE)
# a field as Moodle's documentation of Cloze gives it: {WEIGHT:TYPE:ANSWERS}, answers separated by ~, the right ones after =
CLOZE_FIELD = re.compile(r"\{1:(NUMERICAL|SHORTANSWER|MULTICHOICE):((?:[^~}#\\]|\\.)+(?:~(?:[^~}#\\]|\\.)+)*)\}")
GIFT_QUESTION = re.compile(r"::((?:[^:\\]|\\.)+)::\[html\]((?:[^{}~=#:\\]|\\.)+) \{\n((?:[=~](?:[^{}~=#:\\]|\\.)+\n)+)\}")
CLOZE_ELEMENTS = {"name", "questiontext", "generalfeedback", "penalty", "hidden"}


@pytest.fixture(scope="module")
def moodle_quiz():
    return ET.fromstring(render_exam(EXAM, ".xml", False))


@pytest.fixture(scope="module")
def tasks():
    return [task for sheet in EXAM.sheets for task in sheet]


def test_thirty_variants_have_the_documented_elements(moodle_quiz, tasks):
    category, *questions = moodle_quiz.findall("question")
    assert moodle_quiz.tag == "quiz"
    assert category.find("category/text").text.startswith("$course$/top/A//B")
    assert len(questions) == len(tasks) == 30 * len(QUIZ_PROMPTS)
    for question in questions:
        assert question.get("type") == "cloze"
        assert {child.tag for child in question} == CLOZE_ELEMENTS
        text = question.find("questiontext")
        assert text.get("format") == "html"
        file = text.find("file")
        assert (file.get("path"), file.get("encoding")) == ("/", "base64")
        assert f'src="@@PLUGINFILE@@/{file.get("name")}"' in text.find("text").text
        assert ET.fromstring(base64.b64decode(file.text)).tag.endswith("svg")
    assert len({question.find("name/text").text for question in questions}) == len(questions)


def test_every_node_has_its_field_with_the_right_answer(moodle_quiz, tasks):
    for question, task in zip(moodle_quiz.findall("question")[1:], tasks, strict=True):
        text = question.find("questiontext/text").text
        fields = [(kind, answers.split("~")) for kind, answers in CLOZE_FIELD.findall(text)]
        assert text.count("{") == len(fields) == text.count("<li>")
        key, kind = answer_key(task.exercise), task.exercise.kind
        if kind in ("values", "expectation"):
            assert [answers for _, answers in fields] == [[f"={value:g}:0"] for value in key.values()]
        elif kind == "backup":
            assert [answers for _, answers in fields] == [[f"={value:g}:0"] for pair in key.values() for value in pair]
        elif kind == "window":
            assert len(fields) == 2 * len(key)
            numbers = [bound for window in key.values() for bound in window]
            assert all(
                ("=inf" in answers) == (number == float("inf")) for (_, answers), number in zip(fields, numbers, strict=True)
            )
        elif kind in ("pruned", "chance-cut"):
            marked = [f"={PRUNED}" in answers for _, answers in fields]
            assert marked == [part in key for part in EXERCISE_TYPES[kind].allowed_parts(task.exercise)]
        else:
            row = task.exercise.full_tree.child_rows(0)[key["0"]] if kind == "ucb" else next(iter(key.values()))
            (_, answers), *others = fields
            assert not others
            assert [answer for answer in answers if answer.startswith("=")] == [f"={node_letter(row)}"]


def test_gift_has_a_question_for_each_exercise(tasks):
    text = render_exam(EXAM, ".gift", False).decode()
    comment, category, *questions = text.rstrip("\n").split("\n\n")
    assert comment.startswith("// plyscope exam")
    assert category.startswith("$CATEGORY: $course$/top/A//B")
    assert len(questions) == len(tasks)
    for question, task in zip(questions, tasks, strict=True):
        _, _, answers = GIFT_QUESTION.fullmatch(question).groups()
        lines = answers.splitlines()
        if task.exercise.kind in ("mistake", "ucb"):
            assert sum(line.startswith("=") for line in lines) == 1
        else:
            assert len(lines) >= 3
            assert all(re.fullmatch(r"=.+ -> .+", line) for line in lines)


def test_an_exercise_with_several_right_answers_is_refused_before_any_work(tmp_path):
    result = CliRunner().invoke(plyscope, ["exam", "--kind", "order", "-o", str(tmp_path / "quiz.xml")])
    assert isinstance(result.exception, BadExam)
    assert "several right answers" in str(result.exception)


def test_the_command_writes_both_formats(tmp_path):
    files = [tmp_path / "quiz.xml", tmp_path / "quiz.gift"]
    result = CliRunner().invoke(plyscope, ["exam", "--seed", "7", *(word for file in files for word in ("-o", str(file)))])
    assert result.exit_code == 0
    assert all(file.stat().st_size for file in files)
