"""Random trees of numbers. The same options give the same tree everywhere.

Only whole numbers are drawn, from the bits of a generator that is the same in every version of Python.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any

from engine.core.errors import BadTree, short_repr
from engine.core.parsing import is_whole
from engine.games.game_types import ChoiceField, GameType, NumberField
from engine.games.literal import LiteralTree
from engine.games.positions import SIDES, is_max_first
from engine.games.tree_formats.diagnostics import MAX_HEIGHT, MAX_NODES
from engine.games.tree_formats.packing import FlatTree, flatten_tree, rebuild_tree

MAX_LEAF_VALUE = 1_000_000
MAX_SEED = 999_999_999
MAX_BRANCHING = 100


def _make_number_field(name: str, label: str, minimum: int, maximum: int, help: str | None = None) -> NumberField:
    return NumberField(name, label, minimum, maximum, help, value=lambda game: game.options[name])


FIELDS = (
    _make_number_field("branching", "Moves at each node", 1, 10),
    _make_number_field("depth", "Depth", 1, 8),
    _make_number_field("low", "Smallest leaf", -MAX_LEAF_VALUE, MAX_LEAF_VALUE),
    _make_number_field("high", "Largest leaf", -MAX_LEAF_VALUE, MAX_LEAF_VALUE),
    _make_number_field(
        "ties",
        "Ties (%)",
        0,
        100,
        help="How often a leaf repeats an earlier value. With 0 a value repeats only after every other value has appeared.",
    ),
    _make_number_field(
        "uneven", "Uneven (%)", 0, 100, help="How often a branch ends early, and how often a node has fewer moves."
    ),
    _make_number_field("seed", "Seed", 0, MAX_SEED, help="The same seed gives the same tree everywhere."),
    ChoiceField(
        "first",
        "First to move",
        SIDES,
        SIDES[0],
        titles={"max": "MAX", "min": "MIN"},
        value=lambda game: game.options["first"],
    ),
)
DEFAULT_OPTIONS = {"branching": 3, "depth": 3, "low": -9, "high": 9, "ties": 0, "uneven": 0, "seed": 1, "first": "max"}


def random_tree(
    branching: int = 3, depth: int = 3, low: int = -9, high: int = 9, ties: int = 0, uneven: int = 0, seed: int = 1
) -> Any:
    """Return a random tree as nested lists of leaf values.

    `ties` is how often a leaf repeats an earlier value, `uneven` how often a branch ends early or a node has fewer
    moves, both in percent. At least one branch goes down to `depth`.

    >>> random_tree(branching=2, depth=2, low=0, high=9, seed=7)
    [[3, 1], [9, 8]]
    """
    for name, number, minimum, maximum in (
        ("branching", branching, 1, MAX_BRANCHING),
        ("depth", depth, 1, MAX_HEIGHT),
        ("low", low, -MAX_LEAF_VALUE, MAX_LEAF_VALUE),
        ("high", high, -MAX_LEAF_VALUE, MAX_LEAF_VALUE),
        ("ties", ties, 0, 100),
        ("uneven", uneven, 0, 100),
        ("seed", seed, 0, MAX_SEED),
    ):
        if not is_whole(number) or not minimum <= number <= maximum:
            raise BadTree(f"{name}={short_repr(number)} is not possible: choose a whole number from {minimum} to {maximum}")
    if low > high:
        raise BadTree(f"low={low} is larger than high={high}: choose low <= high")
    _check_size(branching, depth)
    below = _make_random_below(seed)
    root = _draw_shape(branching, depth, uneven, below)
    _fill_leaves(root, low, high, ties, below)
    return root


def _check_size(branching: int, depth: int) -> None:
    nodes, level = 1, 1
    for _ in range(depth):
        level *= branching
        nodes += level
        if nodes > MAX_NODES:
            raise BadTree(
                f"a random tree with {branching} moves at each node and {depth} plies has more than {MAX_NODES:,} nodes: "
                "ask for fewer moves or plies"
            )


def _make_random_below(seed: int) -> Callable[[int], int]:
    """Return a function that draws a whole number below a limit.

    Only the bits of `Random` are the same in every version of Python.
    """
    bits = Random(int(seed)).getrandbits  # noqa: S311 - not a secret

    def below(limit: int) -> int:
        width = (limit - 1).bit_length()
        while (number := bits(width) if width else 0) >= limit:
            pass
        return number

    return below


def _draw_shape(branching: int, depth: int, uneven: int, below: Callable[[int], int]) -> list[Any]:
    """Draw lists with None for leaves. In every ply one child of the full branch never ends early."""
    root: list[Any] = []
    full_branch, level = root, [root]
    for ply in range(1, depth + 1):
        deeper = []
        for node in level:
            count = 1 + below(branching) if below(100) < uneven else branching
            continuing = below(count)
            for child in range(count):
                ends = below(100) < uneven and not (node is full_branch and child == continuing)
                node.append(None if ply == depth or ends else [])
                if node[child] is not None:
                    deeper.append(node[child])
            if node is full_branch and ply < depth:
                following = node[continuing]
        full_branch, level = (following, deeper) if ply < depth else (full_branch, [])
    return root


def _fill_leaves(root: list[Any], low: int, high: int, ties: int, below: Callable[[int], int]) -> None:
    """Give the leaves their values, from left to right."""
    deal = _make_dealer(low, high, below)
    dealt: list[int] = []
    stack = [(root, 0)]
    while stack:
        node, child = stack.pop()
        if child == len(node):
            continue
        stack.append((node, child + 1))
        if node[child] is None:
            repeated = below(100) < ties and bool(dealt)
            node[child] = dealt[below(len(dealt))] if repeated else deal()
            dealt.append(node[child])
        else:
            stack.append((node[child], 0))


def _make_dealer(low: int, high: int, below: Callable[[int], int]) -> Callable[[], int]:
    """Return a function that deals the values of a shuffled pack, and shuffles it again after the last.

    Only cards that moved are stored.
    """
    moved: dict[int, int] = {}
    left = high - low + 1

    def deal() -> int:
        nonlocal left
        if left == 0:
            moved.clear()
            left = high - low + 1
        drawn = below(left)
        left -= 1
        card = moved.get(drawn, drawn)
        moved[drawn] = moved.pop(left, left)
        return low + card

    return deal


@dataclass(frozen=True, eq=False)
class RandomTree(LiteralTree):
    """A random tree as a game. Its text has the options instead of the leaves."""

    options: Mapping[str, Any] = field(default_factory=dict)  # all of them

    @cached_property
    def name(self) -> str:
        return self.text

    @property
    def text(self) -> str:
        return GAME_TYPES[0].write(self.options)

    @property
    def title(self) -> str:
        return f"Random tree {self.options['seed']}" + ("" if self.max_first else ", MIN first")

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickle_game, (flatten_tree(self.tree, None), self.max_first, self.options)


def _unpickle_game(tree: FlatTree, max_first: bool, options: Mapping[str, Any]) -> RandomTree:
    return RandomTree(rebuild_tree(tree)[0], max_first, options=options)


def random_tree_game(first: str = "max", **shape: Any) -> RandomTree:
    """Return the game of a random tree; `shape` are the options of `random_tree`.

    >>> random_tree_game(seed=7, depth=2).text
    'random-tree:depth=2,seed=7'
    """
    return RandomTree(random_tree(**shape), is_max_first(first), options={**DEFAULT_OPTIONS, **shape, "first": first})


GAME_TYPES = (
    GameType(
        "random-tree",
        "A random tree of numbers",
        "a random tree of leaf values; the same seed gives the same tree",
        random_tree_game,
        fields=FIELDS,
        form=(("branching", "depth"), ("low", "high"), ("ties", "uneven"), ("seed", "first")),
        noun="random trees",
    ),
)
