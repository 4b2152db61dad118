"""Exercises about the user's own trees."""

import json
import re

import pytest
import streamlit as st
from hypothesis import given
from hypothesis import strategies as hs

from engine import literal
from engine.core.errors import PlyscopeError
from engine.games.registry import read_game
from engine.learning.exercise import EXERCISE_TYPES, answer_key, encode_answer, give_hint, grade_answer, make_user_tree_exercise
from engine.learning.model import BadAnswer
from engine.learning.user_trees import MAX_NODES, why_no_exercise
from tests.support.exercises import quick, random_exercises
from tests.support.games import literal_trees
from tests.support.reference import minimax_value
from tests.visualizer.app.test_pages import open_page
from visualizer.app.sections.exercises import MESSAGE_HANDLERS, REPLY_KEY, build_grade_reply, exercise_params, read_exercise
from visualizer.narration.exercise_messages import (
    describe_solution,
    describe_solutions,
    exercise_prompt,
    explain_solution,
    format_hint,
    grade_headline,
    part_name,
)
from visualizer.viewer.exercise_card import exercise_id, exercise_json

USER_TREE_KINDS = [name for name, kind in EXERCISE_TYPES.items() if kind.user_tree_algorithm]
TEXTBOOK = "tree:[[3,12,8],[2,4,6],[14,5,2]]"
user_trees = hs.builds(literal, literal_trees, hs.sampled_from(["max", "min"]))


class QueryParams(dict):
    """A stand-in for the URL parameters of the page."""

    def from_dict(self, other):
        self.clear()
        self.update(other)


def make_or_refuse(kind, game, on_equal):
    """Return an exercise, or None if it is refused with a message."""
    try:
        return make_user_tree_exercise(kind, game, on_equal)
    except BadAnswer as error:
        message = str(error)
    assert len(message) < 300
    assert why_no_exercise(game) or (kind == "pruned" and "prunes nothing" in message)
    return None


@quick
@given(hs.sampled_from(USER_TREE_KINDS), user_trees, hs.booleans())
def test_the_key_is_right_and_an_empty_answer_is_not(kind, game, on_equal):
    exercise = make_or_refuse(kind, game, on_equal)
    if exercise is not None:
        right = encode_answer(answer_key(exercise))
        grade = grade_answer(exercise, json.loads(json.dumps(right)))
        assert grade.solved
        assert grade.total > 0
        assert build_grade_reply(exercise, {})["corrections"]
        assert [give_hint(exercise, {}, number).number for number in (1, 2, 3)] == [1, 2, 3]
        assert json.loads(json.dumps(exercise_json(exercise)))["own"]


UNFINISHED = re.compile(r"  | [.,;:!?]|^\s|\s$|:$|[.,;:]{2}|: ?[.,;]|\(\)|None|[{}]|\b1 (nodes|moves|cutoffs|leaves|points)\b")


def every_text(exercise, answer):
    """Yield all texts about an answer."""
    grade = grade_answer(exercise, answer)
    yield from (exercise_prompt(exercise), grade_headline(exercise, grade), describe_solutions(exercise, grade.items))
    for item in grade.items:
        yield from (part_name(exercise, item.part), describe_solution(exercise, item), explain_solution(exercise, item))
    yield from (format_hint(exercise, give_hint(exercise, answer, number)) for number in (1, 2, 3))


@quick
@given(hs.sampled_from(USER_TREE_KINDS), user_trees, hs.booleans())
def test_no_sentence_has_a_gap(kind, game, on_equal):
    exercise = make_or_refuse(kind, game, on_equal)
    if exercise is not None:
        for answer in ({}, answer_key(exercise)):
            assert [text for text in every_text(exercise, answer) if UNFINISHED.search(text)] == []


@quick
@given(random_exercises())
def test_no_sentence_about_a_random_exercise_has_a_gap(exercise):
    for answer in ({}, answer_key(exercise)):
        assert [text for text in every_text(exercise, answer) if UNFINISHED.search(text)] == []


def test_a_count_without_cutoffs_is_explained():
    exercise = make_user_tree_exercise("count", literal([[3]]))
    reasons = [explain_solution(exercise, item) for item in grade_answer(exercise, {}).items]
    assert reasons == [
        "Alpha-beta visits all 3 nodes, including the root and the leaves.",
        "The search visits this leaf: 3.",
        "There is no cutoff: the search tries every move.",
    ]


@quick
@given(user_trees)
def test_values_are_those_of_the_reference(game):
    exercise = make_or_refuse("values", game, True)
    if exercise is not None:
        assert answer_key(exercise)["0"] == minimax_value(game, game.start(), 99)


@quick
@given(hs.sampled_from(USER_TREE_KINDS), user_trees, hs.booleans())
def test_url_parameters_are_read_back(kind, game, on_equal):
    exercise = make_or_refuse(kind, game, on_equal)
    if exercise is not None:
        assert read_exercise(exercise_params(exercise)) == (exercise, "")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tree:7", "single leaf"),
        (f"tree:[{','.join(map(str, range(MAX_NODES)))}]", "at most 60"),
        ("tree:[1,2000000000]", "below a billion"),
        ("tree:[1,1000000000]", "below a billion"),
        ("tree:[1,0.123456]", "4 decimals"),
        ("connect4", "only a tree"),
    ],
)
def test_unsuitable_trees_are_refused(text, message):
    assert message in why_no_exercise(read_game(text))
    with pytest.raises(BadAnswer, match=message):
        make_user_tree_exercise("values", read_game(text))


def test_only_kinds_for_any_tree_are_offered():
    assert USER_TREE_KINDS == ["values", "window", "pruned", "move", "count"]
    with pytest.raises(PlyscopeError, match="order"):
        make_user_tree_exercise("order", read_game(TEXTBOOK))
    assert [
        kind["name"] for kind in exercise_json(make_user_tree_exercise("count", read_game(TEXTBOOK)))["kinds"]
    ] == USER_TREE_KINDS


def test_it_opens_by_its_url_and_from_step():
    app = open_page("learn", {"exercise": "pruned", "game": TEXTBOOK, "strict": "1"})
    (card,) = [element for element in app.get("bidi_component") if "exercise" in element.proto.id]
    assert json.loads(card.proto.json)["exercise"]["own"]
    assert not app.warning
    assert "Practise" in [button.label for button in open_page("step", {"game": TEXTBOOK}).button]
    assert "Practise" not in [button.label for button in open_page("step", {"game": "tictactoe", "depth": "2"}).button]


@pytest.mark.parametrize("text", ["tree:[[", "tree:kept=" + "0" * 32, "nonsense", "tree:7"])
def test_a_link_with_a_bad_tree_shows_a_message(text):
    exercise, problem = read_exercise({"exercise": "values", "game": text}, 5)
    assert problem
    assert not exercise.is_user_tree


def test_another_kind_keeps_the_tree_and_a_random_tree_replaces_it(monkeypatch):
    state, params = {}, QueryParams({"game": TEXTBOOK, "strict": "1", "exercise": "pruned"})
    monkeypatch.setattr(st, "session_state", state)
    monkeypatch.setattr(st, "query_params", params)
    exercise, _ = read_exercise(params)
    handle = MESSAGE_HANDLERS["open"](exercise)
    handle({"id": exercise_id(exercise), "kind": "window", "own": True})
    assert params == {"game": TEXTBOOK, "strict": "1", "exercise": "window"}
    handle({"id": exercise_id(exercise), "kind": "order", "own": True})
    assert state[REPLY_KEY]["kind"] == "refused"
    handle({"id": exercise_id(exercise), "kind": "order", "seed": 3, "difficulty": 2})
    assert params == {"exercise": "order", "seed": "3", "difficulty": "2"}
