"""Exercises about trees that learners bring."""

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
from tests.support.exercises import exercises, quick
from tests.support.games import literal_trees
from tests.support.reference import minimax_value
from tests.visualizer.app.test_pages import alone
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

ABLE = [name for name, kind in EXERCISE_TYPES.items() if kind.searched_by]
TEXTBOOK = "tree:[[3,12,8],[2,4,6],[14,5,2]]"
own_trees = hs.builds(literal, literal_trees, hs.sampled_from(["max", "min"]))


class Address(dict):
    """That of the page, as far as it is needed."""

    def from_dict(self, other):
        self.clear()
        self.update(other)


def made(kind, game, on_equal):
    """An exercise, or None where it is refused, which is told in one sentence."""
    try:
        return make_user_tree_exercise(kind, game, on_equal)
    except BadAnswer as error:
        refused = str(error)
    assert len(refused) < 300
    assert why_no_exercise(game) or (kind == "pruned" and "prunes nothing" in refused)
    return None


@quick
@given(hs.sampled_from(ABLE), own_trees, hs.booleans())
def test_the_right_answer_is_right_and_none_is_not(kind, game, on_equal):
    exercise = made(kind, game, on_equal)
    if exercise is not None:
        right = encode_answer(answer_key(exercise))
        judged = grade_answer(exercise, json.loads(json.dumps(right)))
        assert judged.solved
        assert judged.total > 0
        assert build_grade_reply(exercise, {})["wrongs"]
        assert [give_hint(exercise, {}, number).grade for number in (1, 2, 3)] == [1, 2, 3]
        assert json.loads(json.dumps(exercise_json(exercise)))["own"]


UNFINISHED = re.compile(r"  | [.,;:!?]|^\s|\s$|:$|[.,;:]{2}|: ?[.,;]|\(\)|None|[{}]|\b1 (nodes|moves|cutoffs|leaves|points)\b")


def every_word(exercise, answer):
    """All that is said about an answer."""
    judged = grade_answer(exercise, answer)
    yield from (exercise_prompt(exercise), grade_headline(exercise, judged), describe_solutions(exercise, judged.items))
    for item in judged.items:
        yield from (part_name(exercise, item.part), describe_solution(exercise, item), explain_solution(exercise, item))
    yield from (format_hint(exercise, give_hint(exercise, answer, number)) for number in (1, 2, 3))


@quick
@given(hs.sampled_from(ABLE), own_trees, hs.booleans())
def test_no_sentence_has_a_gap(kind, game, on_equal):
    exercise = made(kind, game, on_equal)
    if exercise is not None:
        for answer in ({}, answer_key(exercise)):
            assert [words for words in every_word(exercise, answer) if UNFINISHED.search(words)] == []


@quick
@given(exercises())
def test_no_sentence_about_a_drawn_exercise_has_a_gap(exercise):
    for answer in ({}, answer_key(exercise)):
        assert [words for words in every_word(exercise, answer) if UNFINISHED.search(words)] == []


def test_a_count_without_cutoffs_is_explained():
    exercise = make_user_tree_exercise("count", literal([[3]]))
    reasons = [explain_solution(exercise, item) for item in grade_answer(exercise, {}).items]
    assert reasons == [
        "Alpha-beta visits all 3 nodes, the root and the leaves included.",
        "This leaf is looked at: 3.",
        "There is no cutoff: every move is tried.",
    ]


@quick
@given(own_trees)
def test_values_are_those_of_the_reference(game):
    exercise = made("values", game, True)
    if exercise is not None:
        assert answer_key(exercise)["0"] == minimax_value(game, game.start(), 99)


@quick
@given(hs.sampled_from(ABLE), own_trees, hs.booleans())
def test_an_address_is_read_back(kind, game, on_equal):
    exercise = made(kind, game, on_equal)
    if exercise is not None:
        assert read_exercise(exercise_params(exercise)) == (exercise, "")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tree:7", "single leaf"),
        (f"tree:[{','.join(map(str, range(MAX_NODES)))}]", "a smaller one"),
        ("tree:[1,2000000000]", "from a billion on"),
        ("tree:[1,1000000000]", "from a billion on"),
        ("tree:[1,0.123456]", "4 decimals"),
        ("connect4", "about trees"),
    ],
)
def test_what_can_be_no_exercise_is_refused(text, said):
    assert said in why_no_exercise(read_game(text))
    with pytest.raises(BadAnswer, match=said):
        make_user_tree_exercise("values", read_game(text))


def test_only_kinds_that_take_any_tree_are_offered():
    assert ABLE == ["values", "window", "pruned", "move", "count"]
    with pytest.raises(PlyscopeError, match="order"):
        make_user_tree_exercise("order", read_game(TEXTBOOK))
    assert [kind["name"] for kind in exercise_json(make_user_tree_exercise("count", read_game(TEXTBOOK)))["kinds"]] == ABLE


def test_it_opens_by_its_address_and_from_step():
    app = alone("learn", {"exercise": "pruned", "game": TEXTBOOK, "strict": "1"})
    (card,) = [element for element in app.get("bidi_component") if "exercise" in element.proto.id]
    assert json.loads(card.proto.json)["exercise"]["own"]
    assert not app.warning
    assert "Practise" in [button.label for button in alone("step", {"game": TEXTBOOK}).button]
    assert "Practise" not in [button.label for button in alone("step", {"game": "tictactoe", "depth": "2"}).button]


@pytest.mark.parametrize("text", ["tree:[[", "tree:kept=" + "0" * 32, "nonsense", "tree:7"])
def test_a_link_with_a_tree_that_cannot_be_used_says_so(text):
    exercise, wrong = read_exercise({"exercise": "values", "game": text}, 5)
    assert wrong
    assert not exercise.own


def test_another_kind_keeps_the_tree_and_a_drawn_one_leaves_it(monkeypatch):
    kept, address = {}, Address({"game": TEXTBOOK, "strict": "1", "exercise": "pruned"})
    monkeypatch.setattr(st, "session_state", kept)
    monkeypatch.setattr(st, "query_params", address)
    exercise, _ = read_exercise(address)
    hear = MESSAGE_HANDLERS["open"](exercise)
    hear({"id": exercise_id(exercise), "kind": "window", "own": True})
    assert address == {"game": TEXTBOOK, "strict": "1", "exercise": "window"}
    hear({"id": exercise_id(exercise), "kind": "order", "own": True})
    assert kept[REPLY_KEY]["what"] == "refused"
    hear({"id": exercise_id(exercise), "kind": "order", "seed": 3, "difficulty": 2})
    assert address == {"exercise": "order", "seed": "3", "difficulty": "2"}
