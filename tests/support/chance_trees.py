"""Random trees with chance nodes, and their values in exact arithmetic."""

import random
from fractions import Fraction

from engine import chance
from engine.games.tree_formats.chance_lists import ChanceList

WEIGHTS = ((1, 1), (1, 2), (1, 1, 1), (1, 3, 2), (1,), (2, 1, 4, 1))


def random_chance_tree(seed, height=4, leaves=range(-4, 5), share=0.4):
    """Return a tree of numbers, lists and chance nodes, and the side that moves first."""
    pick = random.Random(seed)

    def grow(levels):
        if levels == 0 or pick.random() < 0.15:
            return pick.choice(leaves)
        if pick.random() < share:
            weights = pick.choice(WEIGHTS)
            return chance(*((Fraction(weight, sum(weights)), grow(levels - 1)) for weight in weights))
        return [grow(levels - 1) for _ in range(pick.choice((1, 2, 2, 3)))]

    return grow(height), pick.choice(("max", "min"))


def exact_value(tree, maximizing):
    """Return the value of a tree as a fraction."""
    if isinstance(tree, ChanceList):
        return sum(Fraction(p) * exact_value(child, maximizing) for p, child in zip(tree.probabilities, tree, strict=True))
    if isinstance(tree, list):
        return (max if maximizing else min)(exact_value(child, not maximizing) for child in tree)
    return Fraction(tree)


def subtree_at(tree, maximizing, moves):
    """Return what lies after these moves and outcomes, and whether MAX is to move there."""
    for move in moves:
        maximizing ^= not isinstance(tree, ChanceList)
        tree = tree[move]
    return tree, maximizing
