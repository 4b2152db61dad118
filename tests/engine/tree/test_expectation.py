"""What is known of a chance node while it is searched, proved by brute force in exact arithmetic."""

import pytest

from engine import chance, literal, search
from engine.tree.expectation import ballard_bounds
from tests.support.chance_trees import exact_value, random_chance_tree, subtree_at

MARGIN = 1e-6


@pytest.mark.parametrize("algorithm", ["expectiminimax", "star1", "star2"])
def test_the_expectation_lies_between_its_bounds(algorithm):
    for seed in range(60):
        written, first = random_chance_tree(seed)
        trace = search(literal(written, first), algorithm=algorithm).timeline
        for step in trace:
            if step.kind == "return" and step.node.turn == "chance":
                expected = trace.expectation_at(step.node, step.number)
                truth = exact_value(*subtree_at(written, first == "max", step.node.moves))
                assert expected.bounds[0] - MARGIN <= truth <= expected.bounds[1] + MARGIN
                assert step.best is None or expected.total == pytest.approx(step.best)


@pytest.mark.parametrize("algorithm", ["star1", "star2"])
def test_the_window_of_an_outcome_is_made_of_a_and_b(algorithm):
    """Star1 searches an outcome with A and B, or with the ends of the range where they are nearer."""
    outcomes = 0
    for seed in range(60):
        tree = search(literal(*random_chance_tree(seed)), algorithm=algorithm)
        for node in map(tree.__getitem__, range(len(tree))):
            bounds = ballard_bounds(node)
            assert (bounds is None) == (node.depth == 0 or node.parent.turn != "chance")
            if bounds is None or node.status == "probe" or node.probe is not None:
                continue
            outcomes += 1
            (A, B), (low, high) = bounds, tree.value_range
            window = pytest.approx((node.alpha, node.beta), abs=MARGIN)
            assert window in ((max(low, A), min(high, B)), (A, B))
    assert outcomes > 100


def test_worked_example():
    """After outcome 0 the expectation of the chance node is between 1/2 · 4 + 1/2 · 3 and 1/2 · 4 + 1/2 · 9."""
    trace = search(literal([5, chance((0.5, [4, 9]), (0.5, [3, 8]))]), algorithm="star1").timeline
    number = next(step.number for step in trace if step.kind == "return" and step.node.turn == "chance")
    assert trace.expectation_at(trace[number].node, number) == (2, 1, 2, (3.5, 6.5))
    assert ballard_bounds(trace.tree[2].children[1]) == (6, float("inf"))


def test_no_bounds_without_a_range_that_holds():
    class Roll:
        """A die; the range is wrong."""

        value_range = (0, 1)
        start = staticmethod(lambda: 0)
        is_over = staticmethod(bool)
        moves = staticmethod(lambda state: [])
        maximizing = staticmethod(lambda state: True)
        play = staticmethod(lambda state, outcome: outcome)
        evaluate = staticmethod(float)
        chances = staticmethod(lambda state: [(1, 0.5), (2, 0.5)])

    tree = search(Roll(), algorithm="expectiminimax")
    assert tree.value_range is None
    assert tree.timeline.expectation_at(0, 3).bounds is None
