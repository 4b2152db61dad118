"""Random trees have the requested shape and are the same everywhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import PlyscopeError, literal, random_tree, search
from engine.games.registry import game_text, read_game

SHAPES = st.fixed_dictionaries(
    {},
    optional={
        "branching": st.integers(1, 4),
        "depth": st.integers(1, 5),
        "low": st.integers(-50, 0),
        "high": st.integers(0, 50),
        "ties": st.integers(0, 100),
        "uneven": st.integers(0, 100),
        "seed": st.integers(0, 999_999_999),
    },
)


def list_leaves(tree):
    return [leaf for child in tree for leaf in list_leaves(child)] if isinstance(tree, list) else [tree]


def list_widths(tree):
    return [len(tree), *(width for child in tree for width in list_widths(child))] if isinstance(tree, list) else []


def list_depths(tree, depth=0):
    return [deep for child in tree for deep in list_depths(child, depth + 1)] if isinstance(tree, list) else [depth]


@given(SHAPES)
def test_a_random_tree_has_the_requested_shape(shape):
    tree = random_tree(**shape)
    low, high, branching = shape.get("low", -9), shape.get("high", 9), shape.get("branching", 3)
    assert tree == random_tree(**shape)
    assert max(list_depths(tree)) == shape.get("depth", 3)
    assert max(list_widths(tree)) <= branching
    assert all(type(leaf) is int and low <= leaf <= high for leaf in list_leaves(tree))
    if not shape.get("uneven"):
        assert set(list_widths(tree)) == {branching}
        assert len(set(list_depths(tree))) == 1
    if not shape.get("ties"):
        values = list_leaves(tree)[: high - low + 1]
        assert len(set(values)) == len(values)


@given(SHAPES, st.sampled_from(["max", "min"]))
def test_its_text_is_short_and_gives_the_same_game(shape, first):
    options = ",".join(f"{name}={value}" for name, value in {**shape, "first": first}.items())
    game = read_game(f"random-tree:{options}")
    assert read_game(game_text(game)).tree == game.tree == random_tree(**shape)
    assert game.max_first == (first == "max")
    assert len(game_text(game)) < 120
    assert search(game).root.value == search(literal(game.tree, first)).root.value


def test_the_same_seed_gives_the_same_tree_in_every_python():
    assert random_tree(2, 3, seed=7) == [[[9, 3], [-2, -1]], [[-5, -7], [-8, 5]]]
    assert random_tree(3, 2, -99, 99, ties=50, uneven=50, seed=123) == [[-65], [-65, -14, -37]]
    assert sum(list_leaves(random_tree(4, 6, -1000, 1000, ties=10, uneven=10, seed=2026))) == 15039


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("depth=0", "depth=0 is not possible: choose a whole number from 1 to 500"),
        ("low=5,high=4", "low=5 is larger than high=4: choose low <= high"),
        ("branching=100,depth=9", "more than 200,000 nodes"),
        ("ties=101", "from 0 to 100"),
        ("low=--3", "low '--3' is not a whole number"),
        ("first=maxx", "there is no side 'maxx'"),
        ("size=3", "there is no option of random trees 'size'"),
    ],
)
def test_impossible_options_are_refused(options, message):
    with pytest.raises(PlyscopeError, match=message):
        read_game(f"random-tree:{options}")
