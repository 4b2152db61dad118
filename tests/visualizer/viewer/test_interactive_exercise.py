"""An exercise in a file: its own grader, in JavaScript, agrees with the engine."""

import json
import random

import pytest

from engine.learning.exercise import EXERCISE_TYPES, answer_key, encode_answer, grade_answer, make_exercise, wrong_items
from engine.learning.model import BadAnswer
from tests.support.processes import run
from tests.visualizer.viewer.test_viewer_logic import NODE, needs_node
from visualizer.viewer.exercise_card import exercise_json
from visualizer.viewer.interactive.exercise_page import GRADED_IN_FILES, build_key, write_exercise
from visualizer.viewer.module_joiner import ASSETS

GRADER = ASSETS / "hosts" / "file" / "exercise_grader.js"
SEEDS = range(4)


def answers_to(exercise, rng):
    """Return the key, nothing, and answers with some parts wrong, missing or too many, as the browser sends them."""
    key = encode_answer(answer_key(exercise))
    if EXERCISE_TYPES[exercise.kind].answer_format == "window":
        key = {part: [type_number(end) for end in ends] for part, ends in key.items()}
    yield key
    yield {}
    parts = list(EXERCISE_TYPES[exercise.kind].allowed_parts(exercise))
    for _ in range(6):
        yield {part: value for part in parts if (value := change(exercise, part, key.get(part), rng)) is not None}


def change(exercise, part, value, rng):
    """Return the answer to a part, right or wrong; None if it is left out."""
    form = EXERCISE_TYPES[exercise.kind].answer_format
    if rng.random() < 0.2:
        return None
    if form == "mark":
        return rng.random() < 0.5 or None
    if rng.random() < 0.6:
        return type_number(value) if form == "number" else value
    if form == "window":
        return [value[1], "7,5"]
    if form == "visits":
        return [value[0] + 1, "0,5"]
    if form == "child":
        return rng.randrange(len(exercise.full_tree.child_rows(int(part))))
    return value + 1 if isinstance(value, (int, float)) and form in ("number", "count") else rng.randrange(2)


def type_number(value):
    """Return a number as a learner may type it."""
    return str(value).replace("inf", "∞").replace("-", "−")


@needs_node
@pytest.mark.parametrize("kind", GRADED_IN_FILES)
def test_the_file_grades_as_the_engine_does(kind):
    rng, cases, expected = random.Random(kind), [], []
    for seed in SEEDS:
        exercise = make_exercise(kind, seed, 1 + seed)
        for answer in answers_to(exercise, rng):
            grade = grade_answer(exercise, answer)
            cases.append([exercise_json(exercise), build_key(exercise), answer])
            right = sorted(item.part for item in grade.items if item.right)
            expected.append([grade.right, grade.total, right, sorted(item.part for item in wrong_items(grade))])
    script = f"""
      import {{ gradeAnswer }} from {json.dumps(GRADER.as_uri())};
      const cases = JSON.parse(await new Response(process.stdin).text());
      console.log(JSON.stringify(cases.map((each) => {{
        const {{ right, total, right_parts, corrections }} = gradeAnswer(...each);
        return [right, total, right_parts.sort(), corrections.flatMap(({{ parts }}) => parts).sort()];
      }})));
    """
    result = run([NODE, "--input-type=module", "-e", script], input=json.dumps(cases), encoding="utf-8")
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout) == expected
    assert any(right == total for right, total, *_ in expected)
    assert any(right < total for right, total, *_ in expected)


def test_the_file_says_what_it_leaves_out():
    page = write_exercise(make_exercise("pruned", 7)).decode()
    assert "Hints and typical mistakes are on the page Learn of Plyscope: exercise pruned, seed 7." in page
    assert len(page) < 600_000


def test_an_exercise_that_needs_a_search_is_refused():
    assert set(EXERCISE_TYPES) - set(GRADED_IN_FILES) == {"order"}
    with pytest.raises(BadAnswer, match="a file cannot grade 'order'"):
        write_exercise(make_exercise("order", 7))
