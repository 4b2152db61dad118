"""A tidy tree: nothing overlaps, parents stand over the middle of their children, equal subtrees look equal."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.compiled.tree_kernels import find_parents
from tests.support.marks import examples
from visualizer.drawing.tidy_layout import lay_out_tree


@st.composite
def pre_orders(draw):
    """Depths of a random tree in pre-order, and widths."""
    depth = [0]
    for step in draw(st.lists(st.integers(0, 9), max_size=60)):
        depth.append(max(1, depth[-1] + 1 - step))
    widths = draw(st.lists(st.sampled_from([0.5, 1.0, 3.0]), min_size=len(depth), max_size=len(depth)))
    return np.array(depth, np.uint16), np.array(widths)


def assert_tidy(depth, width, x):
    for level in range(int(depth.max()) + 1):
        items = np.flatnonzero(depth == level)
        assert (np.diff(x[items]) >= (width[items][1:] + width[items][:-1]) / 2 - 1e-9).all()
    parent = find_parents(depth)
    for item in range(len(depth)):
        children = np.flatnonzero(parent == item)
        if len(children):
            assert x[item] == pytest.approx((x[children[0]] + x[children[-1]]) / 2)
    assert (x - width / 2).min() == pytest.approx(0)


@given(pre_orders())
@examples(150)
def test_any_tree_is_tidy(tree):
    depth, width = tree
    assert_tidy(depth, width, lay_out_tree(depth, width))
    assert_tidy(depth, np.ones(len(depth)), lay_out_tree(depth))


@given(pre_orders(), st.integers(1, 4))
@examples(50)
def test_a_subtree_looks_the_same_wherever_it_stands(tree, copies):
    depth, width = tree
    alone = lay_out_tree(depth, width)
    many = lay_out_tree(
        np.concatenate([[0], *[depth + 1] * copies]).astype(np.uint16), np.concatenate([[1.0], *[width] * copies])
    )
    for copy in range(copies):
        part = many[1 + copy * len(depth) : 1 + (copy + 1) * len(depth)]
        np.testing.assert_allclose(part - part[0], alone - alone[0], atol=1e-9)


def test_leaves_of_a_full_tree_stand_side_by_side():
    depth = np.array([0, 1, 2, 2, 2, 1, 2, 2, 2], np.uint8)
    np.testing.assert_allclose(lay_out_tree(depth), [3, 1.5, 0.5, 1.5, 2.5, 4.5, 3.5, 4.5, 5.5])


def test_small_subtrees_between_large_ones_are_spread():
    depth = np.array([0, 1, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2], np.uint8)
    first, second, third, last = lay_out_tree(depth)[[1, 7, 8, 9]]
    assert second - first == pytest.approx(third - second) == pytest.approx(last - third)


def test_a_deep_chain_needs_no_recursion():
    np.testing.assert_allclose(lay_out_tree(np.arange(5000, dtype=np.uint16)), 0.5)
