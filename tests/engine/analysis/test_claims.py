"""Claims about the ladder: the false ones are refuted by their example, the true ones hold on every tree that is tried."""

import json
import re
from functools import cache
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Question, literal, search
from engine.algorithms.variants import read_variant, variant_title
from engine.analysis.claim_trials import try_claim
from engine.analysis.claims import CLAIMS, MEASURES, RELATIONS, VALUE_PLACEHOLDER
from tests.support.marks import ALL_EXAMPLES, examples, mostly_slow
from tests.visualizer.narration.test_sentences import TIES
from visualizer.narration.claim_messages import (
    MEASURE_PHRASES,
    describe_example,
    describe_measures,
    describe_random_trials,
    describe_verdict,
)
from visualizer.narration.numbers import format_number

TRUE = [claim for claim in CLAIMS if claim.true]
UNIFORM = {"pvs-best-first"}  # said of trees with the best child first, where sides alternate and all lines are equally long
NOT_A_TREE = {"table-value"}
WITH_CHANCE = {claim.name for claim in CLAIMS if claim.has_chance}


def claim_name(claim):
    return claim.name


@pytest.mark.parametrize("claim", CLAIMS, ids=claim_name)
def test_the_example_shows_what_is_true(claim):
    assert claim.holds() == claim.true
    assert claim.measure in MEASURES
    assert claim.relation in RELATIONS


def test_claims_have_names_and_statements_of_their_own():
    assert len({claim.name for claim in CLAIMS}) == len({claim.statement for claim in CLAIMS}) == len(CLAIMS)
    assert all(claim.statement.endswith(".") and claim.why.endswith(".") for claim in CLAIMS)
    assert 8 <= len(TRUE) <= len(CLAIMS) - 8


@pytest.mark.parametrize(
    "claim", [claim for claim in TRUE if claim.name not in UNIFORM | NOT_A_TREE | WITH_CHANCE], ids=claim_name
)
@given(TIES, st.sampled_from(["max", "min"]))
@examples(100)
def test_a_true_claim_holds_on_every_tree(claim, leaves, first):
    assert claim.holds(Question(literal([leaves], first=first)))


@pytest.mark.parametrize("claim", [claim for claim in TRUE if claim.name in UNIFORM], ids=claim_name)
@given(st.integers(1, 3), st.integers(1, 4), st.randoms(use_true_random=False))
@examples(100)
def test_a_true_claim_about_uniform_trees_holds_on_every_one(claim, branching, depth, random):
    def grown(plies):
        return random.randint(0, 5) if plies == 0 else [grown(plies - 1) for _ in range(branching)]

    assert claim.holds(Question(literal(grown(depth))))


# ---- the smallest examples


@cache
def tree_shapes(nodes):
    """All trees of so many nodes; a leaf is None."""
    return [None] if nodes == 1 else forest_shapes(nodes - 1)


@cache
def forest_shapes(nodes):
    if nodes == 0:
        return [()]
    return [
        (tree, *rest) for first in range(1, nodes + 1) for tree in tree_shapes(first) for rest in forest_shapes(nodes - first)
    ]


def leaves_of(shape):
    return 1 if shape is None else sum(map(leaves_of, shape))


@cache
def leaf_rankings(leaves, most):
    """The least whole numbers from 0 for every order that so many leaves can have, equal ones included, up to this sum."""
    values = range(min(leaves, most + 1))
    return [ranks for ranks in product(values, repeat=leaves) if sum(ranks) <= most and set(ranks) == set(range(max(ranks) + 1))]


def small_trees(shapes, most):
    """All trees of these shapes whose leaves have at most this sum, the smallest first. Of those that differ only in how far
    apart their leaves are, one."""

    def filled(shape, values):
        return next(values) if shape is None else [filled(child, values) for child in shape]

    found = [
        (sum(values), json.dumps(filled(shape, iter(values)), separators=(",", ":")))
        for shape in shapes
        for values in leaf_rankings(leaves_of(shape), most)
    ]
    return [text for _, text in sorted(found)]


def size_of(text):
    """Nodes: a bracket opens one, a number is one."""
    return len(re.findall(r"\d+|\[", text))


def count_forks(shape):
    """Nodes with several moves, the root not counted."""
    below = [child for child in shape or () if child is not None]
    return sum(len(child) > 1 for child in below) + sum(map(count_forks, below))


def can_refute(claim, shape):
    """An order that is learnt takes one node with a cutoff and another one with a choice, neither of them the root."""
    return claim.name not in ("killers-free", "history-free") or count_forks(shape) > 1


MOST = 99  # no sum of so few leaves is larger
GUESSES = [f"mtdf:guess={guess}" for guess in range(-1, 5)]


def minimax_of(tree, maximizing=True):
    """The value of nested lists."""
    return (max if maximizing else min)(minimax_of(child, not maximizing) for child in tree) if isinstance(tree, list) else tree


def holds_on(claim, tree):
    """Try a claim on a tree; one about any guess, for every guess. Each variant searches once, and none for the value."""

    @cache
    def measure(text):
        variant = read_variant(text.replace(VALUE_PLACEHOLDER, f"{minimax_of(tree):.1f}"))
        return MEASURES[claim.measure](search(question.replace(algorithm=variant.algorithm, **variant.options)))

    question = Question(literal(tree))
    others = GUESSES if claim.name == "mtd-value-any" else [claim.other]
    return all(RELATIONS[claim.relation](measure(claim.one), measure(other)) for other in others)


PLAIN_TREES = [claim for claim in CLAIMS if claim.game.startswith("tree:") and claim.name not in WITH_CHANCE]


@pytest.mark.parametrize("claim", PLAIN_TREES, ids=claim_name)
def test_a_claim_is_tried_as_it_holds(claim):
    tree = json.loads(claim.game.removeprefix("tree:"))
    assert holds_on(claim, tree) == claim.holds() == claim.true


@pytest.mark.parametrize(
    "claim",
    mostly_slow([claim for claim in PLAIN_TREES if not claim.true], quick=0),
    ids=claim_name,
)
def test_no_tree_is_smaller_that_refutes_a_claim(claim):
    """All trees that come before the example; those of its own size only as far as they are smaller.

    Every tenth is tried, and with PLYSCOPE_EXAMPLES=all every one.
    """
    example = claim.game.removeprefix("tree:")
    tried = 0
    for nodes in range(2, size_of(example) + 1):
        sums = sum(map(int, re.findall(r"\d+", example))) if nodes == size_of(example) else MOST
        for text in small_trees([shape for shape in tree_shapes(nodes) if can_refute(claim, shape)], sums):
            if text == example:
                break
            if tried % (1 if ALL_EXAMPLES else 10) == 0:
                assert holds_on(claim, json.loads(text)), text
            tried += 1
    assert text == example
    assert tried > 0 or example == "[0]"


# ---- tried, and told


@pytest.mark.parametrize("claim", CLAIMS, ids=claim_name)
def test_real_searches_come_to_the_verdict(claim):
    trial = try_claim(claim, trees=10)
    assert trial.true == claim.true
    assert describe_verdict(trial, answer=claim.true) == f"Right: this is {'true' if claim.true else 'false'}."
    assert describe_verdict(trial, answer=not claim.true).startswith("No: this is")
    one, other = (variant_title(text) for text in claim.variant_texts)
    words = describe_measures(claim, trial)
    assert words.lower().startswith(one.lower())
    assert f", {other} {format_number(trial.numbers[1])}" in words
    assert (trial.overlay.left.tree.algorithm, trial.overlay.right.tree.algorithm) == tuple(
        read_variant(text).algorithm for text in claim.variant_texts
    )


def test_words_for_random_trees():
    trial = try_claim(CLAIMS[0], trees=3)
    assert describe_random_trials(trial) == "It holds on 3 random trees too."
    assert (
        describe_random_trials(trial._replace(holds=False))
        == "It holds on 3 random trees, but one counterexample is enough to refute it."
    )
    assert describe_random_trials(trial._replace(held=0)) == "It holds on none of 3 random trees."
    assert describe_random_trials(trial._replace(held=1)) == "It holds on 1 of 3 random trees, and fails on 2."
    assert not trial._replace(held=1).true


def test_the_example_is_named_with_moves_and_depth():
    descriptions = {claim.name: describe_example(claim) for claim in CLAIMS}
    assert descriptions["pvs-calls"] == "[0,1]"
    assert descriptions["table-larger"] == "Tic-tac-toe, position 4 0 8 2 5, K=4"
    assert descriptions["table-deeper"] == "Nim 2, 3, 1, K=5"


def test_every_measure_has_words():
    assert MEASURE_PHRASES.keys() == MEASURES.keys()
