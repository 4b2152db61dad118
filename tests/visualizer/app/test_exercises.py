"""The section "Exercises" of the page Learn: URLs, messages from the browser, and replies."""

import json

import pytest
import streamlit as st
from hypothesis import given
from hypothesis import strategies as hs

from engine.learning.exercise import EXERCISE_TYPES, answer_key, grade_answer, make_exercise
from engine.learning.exercise_types import cut
from engine.learning.summary import read_summary, record_answer
from tests.support.exercises import JSON, encode_answers, quick, random_exercises
from tests.visualizer.app.test_pages import open_page
from visualizer.app.sections.exercises import MESSAGE_HANDLERS, REPLY_KEY, STEP_KEY, exercise_params, read_exercise
from visualizer.app.sections.practice import step_params
from visualizer.narration.exercise_messages import describe_program_mistake
from visualizer.viewer.exercise_card import MESSAGE_NAMES, exercise_id, exercise_json


@pytest.fixture
def empty_session(monkeypatch):
    """Return an empty session state and empty URL parameters, for callbacks of a component."""
    state, params = {}, {}
    monkeypatch.setattr(st, "session_state", state)
    monkeypatch.setattr(st, "query_params", params)
    return state, params


@pytest.mark.parametrize("kind", EXERCISE_TYPES)
def test_every_kind_opens_by_its_url(kind):
    app = open_page("learn", {"exercise": kind, "seed": "3", "difficulty": "2"})
    (card,) = [element for element in app.get("bidi_component") if "exercise" in element.proto.id]
    sent = json.loads(card.proto.json)
    assert sent["exercise"]["id"] == f"{kind} 3 2"
    assert not app.warning


def test_an_exercise_without_a_seed_gets_one_that_stays_in_the_url():
    app = open_page("learn", {"exercise": "pruned"})
    assert app.query_params["exercise"] == "pruned"
    assert app.query_params["seed"].isdigit()
    assert app.query_params["difficulty"] == "1"


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"exercise": "prunde"}, "did you mean"),
        ({"exercise": "pruned", "seed": "x" * 99}, "not a whole number"),
        ({"exercise": "pruned", "seed": "-1"}, "not a whole number"),
        ({"exercise": "pruned", "difficulty": "9"}, "from 1 to 5"),
    ],
)
def test_a_bad_link_shows_a_message(parameters, message):
    exercise, problem = read_exercise(parameters, 5)
    assert message in problem
    assert len(problem) < 300
    assert exercise == make_exercise("pruned" if parameters["exercise"] == "pruned" else "values", 5)
    assert open_page("learn", parameters).warning


@quick
@given(random_exercises())
def test_url_parameters_are_read_back(exercise):
    assert read_exercise(exercise_params(exercise)) == (exercise, "")


def test_a_reason_is_shown_on_step_where_it_is_found():
    for kind, params in (
        ("ucb", {"iteration": "6", "phase": "select"}),
        ("backup", {"iteration": "8", "phase": "backup"}),
        ("values", {"step": "35"}),
    ):
        exercise = make_exercise(kind, 4, 1)
        assert step_params(exercise.search_tree, grade_answer(exercise, {}).items[-1].step) == params


@quick
@given(random_exercises())
def test_the_browser_does_not_get_the_answer(exercise):
    sent = exercise_json(exercise)
    assert json.loads(json.dumps(sent)) == sent
    for node in sent["nodes"]:
        if exercise.kind != "cut":
            assert (node["value"] is not None) == exercise.question.game.is_over(exercise.full_tree[node["row"]].state)
        assert ("result" in node) == (exercise.kind == "mistake" and node["visited"])
        assert node["visited"] or exercise.kind in ("window", "mistake")


@pytest.mark.parametrize("seed", range(3))
def test_a_real_position_is_shown_with_its_board_and_window(seed):
    exercise = make_exercise("cut", seed, 3)
    sent = exercise_json(exercise)
    assert sent["board"]["cols"] == 7
    assert [node["name"] for node in sent["nodes"][1:]] == [reply.name for reply in cut.list_replies(exercise)]
    assert "∞" not in sent["beta" if sent["nodes"][0]["turn"] == "max" else "alpha"]


# ---- messages from the browser


def handle_message(exercise, name, message):
    MESSAGE_HANDLERS[name](exercise)(message)


def test_an_answer_is_graded_with_reasons(empty_session):
    exercise = make_exercise("pruned", 4, 1)
    handle_message(exercise, "answer", {"id": exercise_id(exercise), "answer": {"1": True}})
    reply = empty_session[0][REPLY_KEY]
    assert (reply["kind"], reply["right"], reply["total"]) == ("grade", 0, 2)
    visited, never = reply["corrections"]
    assert (visited["parts"], len(never["parts"])) == (["1"], 2)
    assert never["solution"].startswith("These nodes are never visited: after move 1, then move 1; after move 1, then move 2.")
    assert "MAX will never let play reach this node" in never["reason"]
    handle_message(exercise, "show", {"id": exercise_id(exercise), "step": never["step"]})
    assert empty_session[0][STEP_KEY] == never["step"]


def test_a_right_answer_says_what_the_mistake_was(empty_session):
    exercise = make_exercise("mistake", 4, 1)
    handle_message(exercise, "answer", {"id": exercise_id(exercise), "answer": answer_key(exercise)})
    reply = empty_session[0][REPLY_KEY]
    assert reply["headline"] == "That is right."
    assert reply["explanation"].endswith(describe_program_mistake(exercise))
    handle_message(exercise, "answer", {"id": exercise_id(exercise), "answer": {"call": 0}})
    assert empty_session[0][REPLY_KEY]["explanation"] == ""


def test_hints_go_from_the_rule_to_the_solution(empty_session):
    exercise = make_exercise("values", 3, 2)
    hints = []
    for number in (1, 2, 3):
        handle_message(exercise, "hint", {"id": exercise_id(exercise), "answer": {}, "number": number})
        hints.append(empty_session[0][REPLY_KEY]["text"])
    assert hints[0] == EXERCISE_TYPES["values"].rule
    assert hints[1].startswith("Look at the node after move 0, then move 0")
    assert "is right." in hints[2]


def test_another_exercise_is_opened_by_its_url(empty_session):
    handle_message(make_exercise("values", 3), "open", {"kind": "order", "seed": 9, "difficulty": 2})
    assert empty_session[1] == {"exercise": "order", "seed": "9", "difficulty": "2"}


def test_a_summary_is_written_for_download(empty_session):
    answers = encode_answers([record_answer(make_exercise("values", 1)), record_answer(make_exercise("count", 2, 2), {})])
    handle_message(make_exercise("values", 3), "summary", {"exercises": answers, "learner": "Ada"})
    assert empty_session[0][REPLY_KEY]["name"] == "plyscope-progress-Ada.json"
    checked = read_summary(empty_session[0][REPLY_KEY]["text"].encode())
    assert checked.is_consistent
    assert checked.learner == "Ada"


def test_late_messages_are_ignored(empty_session):
    exercise = make_exercise("values", 3)
    for name in ("answer", "hint", "show"):
        handle_message(exercise, name, {"id": "values 4 1", "answer": {}, "number": 1, "step": 1})
    assert empty_session[0] == {}


@pytest.mark.parametrize("name", MESSAGE_NAMES)
@quick
@given(
    random_exercises(),
    hs.dictionaries(
        hs.sampled_from(["id", "answer", "number", "kind", "seed", "difficulty", "step", "exercises", "learner"]), JSON
    ),
)
def test_every_message_is_answered_or_ignored(name, exercise, message):
    state = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(st, "session_state", state)
        patch.setattr(st, "query_params", {})
        handle_message(exercise, name, {**message, "id": exercise_id(exercise)})
    assert set(state) <= {REPLY_KEY, STEP_KEY}
    if REPLY_KEY in state:
        json.dumps(state[REPLY_KEY])


@pytest.mark.parametrize("kind", EXERCISE_TYPES)
def test_deeply_nested_lists_are_refused_with_a_message(empty_session, kind):
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    exercise = make_exercise(kind, 3, 2)
    part = next(iter(EXERCISE_TYPES[kind].allowed_parts(exercise)))
    handle_message(exercise, "answer", {"id": exercise_id(exercise), "answer": {part: deep}})
    assert empty_session[0][REPLY_KEY]["kind"] == "refused"
    answer = {"kind": kind, "seed": 1, "difficulty": 1, "answer": {part: deep}, "points": 1}
    handle_message(exercise, "summary", {"exercises": [answer], "learner": deep})
    assert empty_session[0][REPLY_KEY]["kind"] == "refused"
