"""The part "Exercises" of the page Learn: addresses, what a browser may send, and what it is told."""

import json

import pytest
import streamlit as st
from hypothesis import given
from hypothesis import strategies as hs

from engine.learning.exercise import EXERCISE_TYPES, make_exercise
from engine.learning.exercise_types import cut
from engine.learning.summary import read_summary, record_answer
from tests.support.exercises import JSON, as_plain, exercises, quick
from tests.visualizer.app.test_pages import alone
from visualizer.app.sections.exercises import MESSAGE_HANDLERS, REPLY_KEY, STEP_KEY, exercise_params, read_exercise
from visualizer.viewer.exercise_card import MESSAGE_NAMES, exercise_id, exercise_json


@pytest.fixture
def session(monkeypatch):
    """A session of its own, as callbacks of a component have it."""
    kept, address = {}, {}
    monkeypatch.setattr(st, "session_state", kept)
    monkeypatch.setattr(st, "query_params", address)
    return kept, address


@pytest.mark.parametrize("kind", EXERCISE_TYPES)
def test_every_kind_opens_by_its_address(kind):
    app = alone("learn", {"exercise": kind, "seed": "3", "difficulty": "2"})
    (card,) = [element for element in app.get("bidi_component") if "exercise" in element.proto.id]
    sent = json.loads(card.proto.json)
    assert sent["exercise"]["id"] == f"{kind} 3 2"
    assert not app.warning


def test_an_exercise_without_a_seed_gets_one_that_stays_in_the_address():
    app = alone("learn", {"exercise": "pruned"})
    assert app.query_params["exercise"] == "pruned"
    assert app.query_params["seed"].isdigit()
    assert app.query_params["difficulty"] == "1"


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"exercise": "prunde"}, "did you mean"),
        ({"exercise": "pruned", "seed": "x" * 99}, "no whole number"),
        ({"exercise": "pruned", "seed": "-1"}, "no whole number"),
        ({"exercise": "pruned", "difficulty": "9"}, "from 1 to 5"),
    ],
)
def test_a_link_that_cannot_be_used_says_so(parameters, said):
    exercise, wrong = read_exercise(parameters, 5)
    assert said in wrong
    assert len(wrong) < 300
    assert exercise == make_exercise("pruned" if parameters["exercise"] == "pruned" else "values", 5)
    assert alone("learn", parameters).warning


@quick
@given(exercises())
def test_an_address_is_read_back(exercise):
    assert read_exercise(exercise_params(exercise)) == (exercise, "")


@quick
@given(exercises())
def test_the_answer_is_not_sent_before_it_is_asked_for(exercise):
    sent = exercise_json(exercise)
    assert json.loads(json.dumps(sent)) == sent
    for node in sent["nodes"]:
        assert (node["value"] is None) == (exercise.kind != "cut" and bool(exercise.full_tree.child_rows(node["row"])))
        assert ("result" in node) == (exercise.kind == "mistake" and node["visited"])
        assert node["visited"] or exercise.kind in ("window", "mistake")


@pytest.mark.parametrize("seed", range(3))
def test_a_real_position_is_shown_with_its_board_and_window(seed):
    exercise = make_exercise("cut", seed, 3)
    sent = exercise_json(exercise)
    assert sent["board"]["cols"] == 7
    assert [node["name"] for node in sent["nodes"][1:]] == [reply.name for reply in cut.list_replies(exercise)]
    assert "∞" not in sent["beta" if sent["nodes"][0]["max"] else "alpha"]


# ---- what a browser sends


def hear(exercise, name, sent):
    MESSAGE_HANDLERS[name](exercise)(sent)


def test_an_answer_is_graded_with_reasons(session):
    exercise = make_exercise("pruned", 4, 1)
    hear(exercise, "answer", {"id": exercise_id(exercise), "answer": {"1": True}})
    reply = session[0][REPLY_KEY]
    assert (reply["what"], reply["right"], reply["total"]) == ("grade", 0, 2)
    visited, never = reply["wrongs"]
    assert (visited["parts"], len(never["parts"])) == (["1"], 2)
    assert never["told"].startswith("These nodes are never visited: after 1, 1; after 1, 2.")
    assert "MAX will never allow this node" in never["reason"]
    hear(exercise, "show", {"id": exercise_id(exercise), "step": never["step"]})
    assert session[0][STEP_KEY] == never["step"]


def test_hints_come_one_after_the_other(session):
    exercise = make_exercise("values", 3, 2)
    said = []
    for number in (1, 2, 3):
        hear(exercise, "hint", {"id": exercise_id(exercise), "answer": {}, "number": number})
        said.append(session[0][REPLY_KEY]["words"])
    assert said[0] == EXERCISE_TYPES["values"].rule
    assert said[1].startswith("Look at the node after 0, 0")
    assert "is right." in said[2]


def test_another_exercise_is_opened_by_its_address(session):
    hear(make_exercise("values", 3), "open", {"kind": "order", "seed": 9, "difficulty": 2})
    assert session[1] == {"exercise": "order", "seed": "9", "difficulty": "2"}


def test_a_summary_is_written_for_download(session):
    done = as_plain([record_answer(make_exercise("values", 1)), record_answer(make_exercise("count", 2, 2), {})])
    hear(make_exercise("values", 3), "summary", {"exercises": done, "learner": "Ada"})
    checked = read_summary(session[0][REPLY_KEY]["text"].encode())
    assert checked.is_consistent
    assert checked.learner == "Ada"


def test_what_is_late_means_nothing(session):
    exercise = make_exercise("values", 3)
    for name in ("answer", "hint", "show"):
        hear(exercise, name, {"id": "values 4 1", "answer": {}, "number": 1, "step": 1})
    assert session[0] == {}


@pytest.mark.parametrize("name", MESSAGE_NAMES)
@quick
@given(
    exercises(),
    hs.dictionaries(
        hs.sampled_from(["id", "answer", "number", "kind", "seed", "difficulty", "step", "exercises", "learner"]), JSON
    ),
)
def test_whatever_a_browser_sends_is_answered_or_means_nothing(name, exercise, sent):
    kept = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(st, "session_state", kept)
        patch.setattr(st, "query_params", {})
        hear(exercise, name, {**sent, "id": exercise_id(exercise)})
    assert set(kept) <= {REPLY_KEY, STEP_KEY}
    if REPLY_KEY in kept:
        json.dumps(kept[REPLY_KEY])


@pytest.mark.parametrize("kind", EXERCISE_TYPES)
def test_lists_in_lists_in_lists_are_refused_in_a_sentence(session, kind):
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    exercise = make_exercise(kind, 3, 2)
    part = next(iter(EXERCISE_TYPES[kind].allowed_parts(exercise)))
    hear(exercise, "answer", {"id": exercise_id(exercise), "answer": {part: deep}})
    assert session[0][REPLY_KEY]["what"] == "refused"
    done = {"kind": kind, "seed": 1, "difficulty": 1, "answer": {part: deep}, "points": 1}
    hear(exercise, "summary", {"exercises": [done], "learner": deep})
    assert session[0][REPLY_KEY]["what"] == "refused"
