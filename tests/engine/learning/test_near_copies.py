"""Files that share wrong answers are found. Files that share only right answers are not."""

import csv
import json
import random

import pytest

from engine.learning.exercise import make_exercise
from engine.learning.near_copies import find_near_copies
from engine.learning.summary import read_summary, record_answer, write_summary
from tests.support.exercises import as_plain
from tests.visualizer.cli.test_grade import run_grade

WRONG = {2: {"expanded": 3, "leaves": 1, "cutoffs": 7}, 3: {"expanded": 40, "leaves": 2, "cutoffs": 5}, 4: {"expanded": 9}}


def sheet(wrong=WRONG, seeds=range(12)):
    """Return answered exercises, with these answers by seed. The others are right."""
    return as_plain([record_answer(make_exercise("count", seed, 2), wrong.get(seed)) for seed in seeds])


def pairs(*sheets):
    return [tuple(pair) for pair in find_near_copies([read_summary(write_summary(done)) for done in sheets])]


def as_text(done):
    done[2]["answer"] = {part: f" {value} " for part, value in done[2]["answer"].items()}
    return done


@pytest.mark.parametrize(
    ("copy", "shared"),
    [
        pytest.param(sheet(), (12, 12, 3, 0), id="copy"),
        pytest.param(sheet(seeds=[3, *range(3), *range(4, 12)]), (12, 12, 3, 0), id="moved"),
        pytest.param(sheet(seeds=range(13)), (12, 12, 3, 0), id="added"),
        pytest.param(sheet(seeds=range(11)), (11, 11, 3, 0), id="left-out"),
        pytest.param(as_text(sheet()), (12, 12, 3, 0), id="text"),
        pytest.param(sheet({**WRONG, 3: None}), (12, 11, 2, 0), id="one-corrected"),
        pytest.param(sheet({**WRONG, 9: {"expanded": 1}}), (12, 11, 3, 0), id="one-spoilt"),
        pytest.param(sheet({2: WRONG[2]}, range(3)), None, id="short"),
        pytest.param(sheet({**WRONG, 5: {}, 6: {}, 7: {}}), None, id="different"),
        pytest.param(sheet({}), None, id="right"),
        pytest.param(sheet({seed: {"expanded": 77} for seed in WRONG}), None, id="other-mistakes"),
        pytest.param(sheet(seeds=range(100, 112)), None, id="other-seeds"),
    ],
)
def test_shared_wrong_answers_are_counted(copy, shared):
    assert pairs(sheet(), copy) == ([] if shared is None else [(0, 1, *shared)])


def test_right_and_empty_answers_do_not_count():
    assert pairs(sheet({}), sheet({})) == []
    assert pairs(sheet({2: {}, 3: {}}), sheet({2: {}, 3: {}})) == []


def test_typical_misconceptions_alone_are_not_enough():
    def counts_all(seed):
        return {
            "expanded": len(make_exercise("count", seed, 2).full_tree),
            "leaves": make_exercise("count", seed, 2).full_tree.leaves,
            "cutoffs": 0,
        }

    classic = {seed: counts_all(seed) for seed in range(2, 6)}
    assert pairs(sheet(classic), sheet({**classic, 9: {"expanded": 1}})) == []
    assert pairs(sheet(classic), sheet(classic)) == [(0, 1, 12, 12, 4, 4)]


def test_independent_guesses_are_not_reported():
    chance = random.Random(1)
    guessed = [{seed: {"expanded": chance.randint(5, 15)} for seed in chance.sample(range(12), 6)} for _ in range(20)]
    assert pairs(*(sheet(wrong) for wrong in guessed)) == []


def test_the_most_shared_mistakes_come_first():
    assert [pair[:2] for pair in pairs(sheet({2: WRONG[2]}), sheet(), sheet({2: WRONG[2]}), sheet())] == [(1, 3), (0, 2)]


def test_near_copies_are_reported_in_every_output(tmp_path):
    files = [tmp_path / name for name in ("ada.json", "bob.json", "eve.json")]
    for file, done in zip(files, (sheet(), sheet({**WRONG, 9: {"expanded": 1}}), sheet({})), strict=True):
        file.write_bytes(write_summary(done, file.stem))
    target = tmp_path / "grades.csv"
    shown = run_grade(*files, "-o", target)
    output = " ".join(shown.stdout.split())
    assert "bob.json: 11 of 12 answers are the same as in ada.json, 3 of them wrong" in output
    assert output.count("the same") == 1
    results = json.loads(run_grade(*files, "--json").stdout)
    shared = {"answers": 12, "same": 11, "wrong": 3, "common": 0}
    assert [one["alike"] for one in results] == [[{"file": "bob.json", **shared}], [{"file": "ada.json", **shared}], []]
    cells = {row["file"]: row["alike"] for row in csv.DictReader(target.open())}
    assert cells["ada.json"] == "11 of 12 answers are the same as in bob.json, 3 of them wrong"
    assert cells["eve.json"] == ""
