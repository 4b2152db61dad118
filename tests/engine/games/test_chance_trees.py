"""Literal trees with chance: every format reads what it writes, and errors name the place and the sum."""

import pickle

import pytest

from engine import PlyscopeError, chance, literal, search
from engine.games.chance_outcomes import format_probability
from engine.games.registry import read_game
from engine.games.tree_formats import read_tree
from engine.games.tree_formats.dot_trees import write_dot_tree
from engine.games.tree_formats.indented_trees import write_indented_tree
from engine.games.tree_formats.json_trees import write_json_tree
from tests.support.chance_trees import exact_value, random_chance_tree

WRITERS = [write_json_tree, write_indented_tree, write_dot_tree]


@pytest.mark.parametrize("write", WRITERS)
def test_every_format_reads_what_it_writes(write):
    for seed in range(60):
        tree, first = random_chance_tree(seed)
        game = literal(tree, first)
        read = read_tree(write(game.data, first))
        again = literal(read.tree, read.first or first)
        found = search(again, algorithm="expectiminimax").root.value
        assert found == pytest.approx(float(exact_value(tree, first == "max")), abs=1e-9)


def test_the_text_of_a_game_and_its_pickle_keep_chance_and_range():
    game = literal([chance((0.5, 3), ("1/2", [1, 2])), 4], value_range=(-10, 10))
    for other in (read_game(game.text), pickle.loads(pickle.dumps(game))):
        assert other.text == game.text
        assert other.value_range == (-10, 10)
        assert other.tree == game.tree
    assert literal([chance((0.5, 3), ("1/2", [1, 2])), 4]).value_range == (1, 4)


@pytest.mark.parametrize(
    "text",
    [
        '[5, {"chance": [{"p": "1/2", "children": [4, 9]}, {"p": 0.5, "children": [3, 8]}]}]',
        "MAX\n  5\n  CHANCE\n    1/2 -> MIN\n      4\n      9\n    0.5 heads -> MIN\n      3\n      8\n",
        'digraph { R -> A; R -> C; A [value=5]; C [shape=circle]; C -> D [p="1/2"]; C -> E [p="0.5"]; D -> {4 9}; E -> {3 8} }',
    ],
)
def test_the_worked_example_in_every_format(text):
    game = read_game("tree:" + text)
    assert [search(game, algorithm=name).leaves for name in ("expectiminimax", "star1", "star2")] == [5, 4, 3]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '[{"chance": [{"p": "1/2", "value": 3}, {"p": "1/3", "value": 4}]}, 2]',
            "line 1, column 2: .*the probabilities 1/2, 1/3 add up to 5/6",
        ),
        ('{"chance": [3, 4]}', "column 13: '3' has no probability"),
        ('{"chance": [{"value": 3}]}', "this outcome has no probability"),
        ('[{"p": 0.5, "value": 3}]', "only an outcome of chance"),
        ('{"chance": [{"p": "x", "value": 3}]}', "'x' is not a probability"),
        ('{"chance": []}', "empty list"),
        ("CHANCE\n  1/2 -> 3\n  1/3 -> 4", "line 1, column 1: .*the probabilities 1/2, 1/3 add up to 5/6"),
        ("CHANCE\n  3\n  4", "line 2.*write its probability"),
        ('digraph { C -> A [p="1/2"]; C -> B; A [value=1]; B [value=2] }', "is not a probability"),
        ('digraph { C -> A [p="1/2"]; C -> B [p="1/4"]; A [value=1]; B [value=2] }', "add up to 3/4"),
    ],
)
def test_errors_name_the_place_and_the_sum(text, message):
    with pytest.raises(PlyscopeError, match=message):
        read_tree(text)


@pytest.mark.parametrize("outcomes", [[], [(0.5, 1)], [(0, 1), (1, 2)], [("a", 1)], [3], [(True, 1)], [("1/0", 1)]])
def test_wrong_outcomes_are_refused(outcomes):
    with pytest.raises(PlyscopeError):
        chance(*outcomes)


@pytest.mark.parametrize("given", [(3, 1), (0, float("inf")), "ab", (1, 2, 3), 5])
def test_a_wrong_range_is_refused(given):
    with pytest.raises(PlyscopeError, match="not a range of values"):
        literal([1, 2], value_range=given)


def test_sides_alternate_from_list_to_list_and_chance_does_not_count():
    tree = search(literal(chance(("1/2", [1, [2, 3]]), ("1/2", [4])), first="min"), algorithm="expectiminimax")
    assert [node.turn for node in tree[:]] == ["chance", "min", "max", "max", "min", "min", "min", "max"]


def test_a_state_is_shown_with_its_chances():
    game = literal([chance((0.5, 3), ("1/2", [1, 2])), 4])
    assert game.show(game.start()) == "[chance(1/2: 3, 1/2: [1, 2]), 4]"
    assert format_probability(1 / 3) == "1/3"


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize("tree", [[1, 2], [chance((0.5, 3), ("1/2", [1, 2])), 4], [{"name": "RANGE 1 2", "value": 3}, 1]])
def test_every_format_keeps_the_range_of_values(write, tree):
    """Other limits give Star1 and Star2 other windows, and MCTS other means."""
    game = literal(tree, value_range=(-7.5, 1e6))
    read = read_tree(write(game.data, "max"))
    again = literal(read.tree, value_range=read.value_range)
    assert again.value_range == (-7.5, 1e6)
    assert again.tree == game.tree
    assert read_game(game.text).value_range == (-7.5, 1e6)
    assert read_tree(write(literal(tree).data, "max")).value_range is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# limits\nRANGE 3 x\nMAX\n  1\n  2", "line 2, column 7: 'x' is not a number"),
        ("RANGE 3\nMAX\n  1\n  2", "line 1, column 7: '3' is not a range of values"),
        ('digraph { range = "9 1"; A -> B; B [value=1] }', "'9 1' is not a range of values"),
    ],
)
def test_a_range_that_is_not_one_is_refused_in_every_format(text, message):
    with pytest.raises(PlyscopeError, match=message):
        read_tree(text)
