"""Trials of a claim: real searches of its own example and of random trees."""

from collections.abc import Set
from typing import Any, NamedTuple

from engine.analysis.claims import MEASURES, RELATIONS, Claim
from engine.analysis.overlay import Overlay
from engine.games.against_random import PREFIX as AGAINST_RANDOM
from engine.games.registry import read_game
from engine.question import Question

DEFAULT_TREES = 40
TREE_SHAPES = ((2, 2), (2, 3), (3, 2), (2, 4), (3, 3))  # branching and depth
RANDOM_TREE_TEXT = "random-tree:branching={},depth={},low=0,high=9,ties=40,seed={}"


class Trial(NamedTuple):
    """The result of a trial."""

    one: Any  # the measure of the first variant in the example: a number, or a set of paths
    other: Any  # the measure of the second variant
    holds: bool  # True if the claim holds in the example
    tried: int  # random trees
    held: int  # random trees on which it holds
    overlay: Overlay  # the two trees of the example

    @property
    def numbers(self) -> tuple[float, float]:
        """Return the measures as numbers: of sets their sizes."""
        one, other = (len(found) if isinstance(found, Set) else found for found in (self.one, self.other))
        return one, other

    @property
    def true(self) -> bool:
        """Return True if nothing refuted the claim."""
        return self.holds and self.held == self.tried


def try_claim(claim: Claim, trees: int = DEFAULT_TREES) -> Trial:
    """Search the example and a number of random trees, the same ones every time.

    >>> from engine.analysis.claims import CLAIMS
    >>> calls = next(claim for claim in CLAIMS if claim.name == "pvs-calls")
    >>> trial = try_claim(calls, trees=10)
    >>> trial.numbers, trial.holds, trial.true, trial.overlay.both
    ((4, 3), False, False, 3)
    """
    left, right = claim.trees()
    one, other = map(MEASURES[claim.measure], (left, right))
    text = f"{AGAINST_RANDOM}:{RANDOM_TREE_TEXT}" if claim.has_chance else RANDOM_TREE_TEXT
    grown = (read_game(text.format(*TREE_SHAPES[seed % len(TREE_SHAPES)], seed)) for seed in range(trees))
    held = sum(claim.holds(Question(tree)) for tree in grown)
    return Trial(one, other, RELATIONS[claim.relation](one, other), trees, held, Overlay(left, right))
