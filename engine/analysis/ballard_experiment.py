"""Ballard's measurement (1983) of the leaves that Star1 and Star2 save on regular trees with chance, made anew.

The trees have four levels, MAX, chance, MIN, chance, with the same number of equally likely children everywhere. Their leaves are
drawn in two ways: independently of each other, or as the sum of numbers on the edges of their paths, so that leaves that are near
each other have similar values. The range that Star1 and Star2 know is the smallest and the largest leaf.

Ballard reports 25 to 30 % of the leaves saved by Star1, and more than 50 % by Star2. His exact set-up is not known to us.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from engine.analysis.intervals import mean_interval
from engine.games.capabilities import Phrases
from engine.question import Question
from engine.searcher import search_uninterrupted

BRANCHING = (7, 8, 9, 10)
LEVELS = 4  # MAX, chance, MIN, chance
TREES = 40  # of each branching and leaf model
PUBLISHED = {"star1": (0.25, 0.30), "star2": (0.50, 1.0)}
PUBLISHED_TEXTS = {"star1": "25-30 %", "star2": "more than 50 %"}
LEAF_MODELS = {"independent": "independent leaves", "path": "values that grow along the path"}
NOTES = (
    "Ballard (1983) reports that Star1 saves 25 to 30 % of the leaves, and Star2 more than 50 %. His exact set-up is not known "
    "to us. These trees have four levels: MAX, chance, MIN, chance.",
    "Star2 evaluates fewer leaves than Star1 on average, not on every tree: of [1, chance(1/2: 0, 1/2: [2, 0])] Star1 evaluates "
    "2 leaves, Star2 3.",
)
OnProgress = Callable[[str, int, int], object]  # the activity, the number done, the total


class SavedLeaves(NamedTuple):
    """The share of the leaves that an algorithm saved, tree by tree."""

    algorithm: str
    leaf_model: str
    branching: int
    shares: tuple[float, ...]

    @property
    def mean(self) -> float:
        return float(np.mean(self.shares))

    @property
    def interval(self) -> tuple[float, float]:
        """Return the 95 % interval of the mean."""
        return mean_interval(self.shares)

    @property
    def published(self) -> str:
        return PUBLISHED_TEXTS[self.algorithm]

    @property
    def deviation(self) -> str:
        """Return how the interval lies to the published range: "within", "below", "above" or "partly within"."""
        (low, high), (least, most) = self.interval, PUBLISHED[self.algorithm]
        if least <= low and high <= most:
            return "within"
        return "below" if high < least else "above" if low > most else "partly within"


class RegularTree:
    """A regular tree with chance at every second level. A state is (plies, number of the node at its level)."""

    words = Phrases(over="This is a leaf of the tree: its value is")

    def __init__(self, branching: int, leaf_model: str, seed: int):
        self.branching = branching
        self.name = f"tree of {branching} children and {LEVELS} levels, {LEAF_MODELS[leaf_model]}, seed {seed}"
        self.leaves = draw_leaves(branching, leaf_model, seed)
        self.value_range = (min(self.leaves), max(self.leaves))
        self.outcomes = [(child, 1 / branching) for child in range(branching)]

    def start(self) -> tuple[int, int]:
        return 0, 0

    def chances(self, state: tuple[int, int]) -> list[tuple[int, float]]:
        return self.outcomes if state[0] % 2 == 1 else []

    def moves(self, state: tuple[int, int]) -> range:
        return range(self.branching)

    def play(self, state: tuple[int, int], move: int) -> tuple[int, int]:
        return state[0] + 1, state[1] * self.branching + move

    def is_over(self, state: tuple[int, int]) -> bool:
        return state[0] == LEVELS

    def maximizing(self, state: tuple[int, int]) -> bool:
        return state[0] % 4 == 0

    def evaluate(self, state: tuple[int, int]) -> float:
        return self.leaves[state[1]]


def draw_leaves(branching: int, leaf_model: str, seed: int) -> list[float]:
    """Return the leaves of a tree, from left to right."""
    random = np.random.default_rng([seed, branching])
    values = np.zeros(1)
    if leaf_model == "independent":
        return [float(value) for value in random.random(branching**LEVELS)]
    for _ in range(LEVELS):
        values = np.repeat(values, branching)
        values += random.random(len(values))
    return [float(value) for value in values]


def measure_saved_leaves(
    branchings: tuple[int, ...] = BRANCHING, trees: int = TREES, on_progress: OnProgress | None = None
) -> list[SavedLeaves]:
    """Return the saved leaves of Star1 and Star2 for each leaf model and branching."""
    settings = [(model, branching) for model in LEAF_MODELS for branching in branchings]
    total = sum(branching**LEVELS * trees for _, branching in settings)
    found, done = [], 0
    for leaf_model, branching in settings:
        shares: dict[str, list[float]] = {algorithm: [] for algorithm in PUBLISHED}
        for seed in range(trees):
            game = RegularTree(branching, leaf_model, seed)
            for algorithm in PUBLISHED:
                tree = search_uninterrupted(Question(game, algorithm=algorithm))
                shares[algorithm].append(1 - tree.leaves / len(game.leaves))
            done += branching**LEVELS
            if on_progress is not None:
                on_progress(f"{LEAF_MODELS[leaf_model]}, b = {branching}", done, total)
        found += [SavedLeaves(algorithm, leaf_model, branching, tuple(shares[algorithm])) for algorithm in PUBLISHED]
    return found
