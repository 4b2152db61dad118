"""Files that share wrong answers are found. Files that share only right answers are not."""

import csv
import json
import random

import pytest

from engine.learning.exercise import make_exercise
from engine.learning.near_copies import find_near_copies
from engine.learning.summary import read_summary, record_answer, write_summary
from tests.support.exercises import encode_answers
from tests.visualizer.cli.test_grade import run_grade

WRONG = {2: {"expanded": 3, "leaves": 1, "cutoffs": 7}, 3: {"expanded": 40, "leaves": 2, "cutoffs": 5}, 4: {"expanded": 9}}


def make_sheet(wrong=WRONG, seeds=range(12)):
    """Return answered exercises, with these answers by seed. The others are right."""
    return encode_answers([record_answer(make_exercise("count", seed, 2), wrong.get(seed)) for seed in seeds])


def find_pairs(*sheets):
    return [tuple(pair) for pair in find_near_copies([read_summary(write_summary(answers)) for answers in sheets])]


def answer_in_text(answers):
    answers[2]["answer"] = {part: f" {value} " for part, value in answers[2]["answer"].items()}
    return answers


@pytest.mark.parametrize(
    ("copy", "shared"),
    [
        pytest.param(make_sheet(), (12, 12, 3, 0), id="copy"),
        pytest.param(make_sheet(seeds=[3, *range(3), *range(4, 12)]), (12, 12, 3, 0), id="moved"),
        pytest.param(make_sheet(seeds=range(13)), (12, 12, 3, 0), id="added"),
        pytest.param(make_sheet(seeds=range(11)), (11, 11, 3, 0), id="left-out"),
        pytest.param(answer_in_text(make_sheet()), (12, 12, 3, 0), id="text"),
        pytest.param(make_sheet({**WRONG, 3: None}), (12, 11, 2, 0), id="one-corrected"),
        pytest.param(make_sheet({**WRONG, 9: {"expanded": 1}}), (12, 11, 3, 0), id="one-spoilt"),
        pytest.param(make_sheet({2: WRONG[2]}, range(3)), None, id="short"),
        pytest.param(make_sheet({**WRONG, 5: {}, 6: {}, 7: {}}), None, id="different"),
        pytest.param(make_sheet({}), None, id="right"),
        pytest.param(make_sheet({seed: {"expanded": 77} for seed in WRONG}), None, id="other-mistakes"),
        pytest.param(make_sheet(seeds=range(100, 112)), None, id="other-seeds"),
    ],
)
def test_shared_wrong_answers_are_counted(copy, shared):
    assert find_pairs(make_sheet(), copy) == ([] if shared is None else [(0, 1, *shared)])


def test_right_and_empty_answers_do_not_count():
    assert find_pairs(make_sheet({}), make_sheet({})) == []
    assert find_pairs(make_sheet({2: {}, 3: {}}), make_sheet({2: {}, 3: {}})) == []


def test_typical_misconceptions_alone_are_not_enough():
    def counts_all(seed):
        return {
            "expanded": len(make_exercise("count", seed, 2).full_tree),
            "leaves": make_exercise("count", seed, 2).full_tree.leaves,
            "cutoffs": 0,
        }

    classic = {seed: counts_all(seed) for seed in range(2, 6)}
    assert find_pairs(make_sheet(classic), make_sheet({**classic, 9: {"expanded": 1}})) == []
    assert find_pairs(make_sheet(classic), make_sheet(classic)) == [(0, 1, 12, 12, 4, 4)]


def test_independent_guesses_are_not_reported():
    chance = random.Random(1)
    guessed = [{seed: {"expanded": chance.randint(5, 15)} for seed in chance.sample(range(12), 6)} for _ in range(20)]
    assert find_pairs(*(make_sheet(wrong) for wrong in guessed)) == []


def test_the_most_shared_mistakes_come_first():
    assert [
        pair[:2] for pair in find_pairs(make_sheet({2: WRONG[2]}), make_sheet(), make_sheet({2: WRONG[2]}), make_sheet())
    ] == [(1, 3), (0, 2)]


def test_near_copies_are_reported_in_every_output(tmp_path):
    files = [tmp_path / name for name in ("ada.json", "bob.json", "eve.json")]
    for file, answers in zip(files, (make_sheet(), make_sheet({**WRONG, 9: {"expanded": 1}}), make_sheet({})), strict=True):
        file.write_bytes(write_summary(answers, file.stem))
    target = tmp_path / "grades.csv"
    result = run_grade(*files, "-o", target)
    output = " ".join(result.stdout.split())
    assert "bob.json: 11 of 12 answers are the same as in ada.json, 3 of them wrong" in output
    assert output.count("the same") == 1
    results = json.loads(run_grade(*files, "--json").stdout)
    shared = {"answers": 12, "same": 11, "wrong": 3, "common": 0}
    assert [one["alike"] for one in results] == [[{"file": "bob.json", **shared}], [{"file": "ada.json", **shared}], []]
    cells = {row["file"]: row["alike"] for row in csv.DictReader(target.open())}
    assert cells["ada.json"] == "11 of 12 answers are the same as in bob.json, 3 of them wrong"
    assert cells["eve.json"] == ""
