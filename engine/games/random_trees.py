"""Random trees of numbers. The same options give the same tree everywhere: only whole numbers are drawn, from the bits of a
generator that Python does not change."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any

from engine.core.errors import BadTree, shortened
from engine.core.parsing import is_whole
from engine.games.game_types import ChoiceField, Kind, NumberField
from engine.games.literal import Literal
from engine.games.positions import SIDES, first_is_max
from engine.games.tree_formats.diagnostics import MAX_HEIGHT, MAX_NODES
from engine.games.tree_formats.packing import FlatTree, flat, nested

MOST_VALUE = 1_000_000
MOST_SEED = 999_999_999
MOST_MOVES = 100


def _number(name: str, label: str, least: int, most: int, help: str | None = None) -> NumberField:
    return NumberField(name, label, least, most, help, value=lambda game: game.options[name])


FIELDS = (
    _number("branching", "Moves at each node", 1, 10),
    _number("depth", "Plies", 1, 8),
    _number("low", "Smallest leaf", -MOST_VALUE, MOST_VALUE),
    _number("high", "Largest leaf", -MOST_VALUE, MOST_VALUE),
    _number(
        "ties",
        "Ties (%)",
        0,
        100,
        help="How often a leaf repeats the value of an earlier one. 0: no value comes again before every value has come.",
    ),
    _number("uneven", "Uneven (%)", 0, 100, help="How often a branch ends early, and how often a node has fewer moves."),
    _number("seed", "Seed", 0, MOST_SEED, help="The same seed gives the same tree everywhere."),
    ChoiceField(
        "first",
        "First to move",
        SIDES,
        SIDES[0],
        lines={"max": "MAX at the root", "min": "MIN at the root"},
        value=lambda game: game.options["first"],
    ),
)
USUAL = {"branching": 3, "depth": 3, "low": -9, "high": 9, "ties": 0, "uneven": 0, "seed": 1, "first": "max"}


def random_tree(
    branching: int = 3, depth: int = 3, low: int = -9, high: int = 9, ties: int = 0, uneven: int = 0, seed: int = 1
) -> Any:
    """Nested lists of leaf values. `ties` is how often a leaf repeats an earlier value, `uneven` how often a branch ends early or
    a node has fewer moves, both in percent; one branch at least goes down to `depth`.

    >>> random_tree(branching=2, depth=2, low=0, high=9, seed=7)
    [[3, 1], [9, 8]]
    """
    for name, given, least, most in (
        ("branching", branching, 1, MOST_MOVES),
        ("depth", depth, 1, MAX_HEIGHT),
        ("low", low, -MOST_VALUE, MOST_VALUE),
        ("high", high, -MOST_VALUE, MOST_VALUE),
        ("ties", ties, 0, 100),
        ("uneven", uneven, 0, 100),
        ("seed", seed, 0, MOST_SEED),
    ):
        if not is_whole(given) or not least <= given <= most:
            raise BadTree(f"{name} {shortened(given)} of a random tree: a whole number from {least} to {most} would do")
    if low > high:
        raise BadTree(f"the leaves of a random tree from {low} to {high}: low must not be larger than high")
    _check_size(branching, depth)
    below = _drawing(seed)
    root = _shape(branching, depth, uneven, below)
    _fill(root, low, high, ties, below)
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


def _drawing(seed: int) -> Callable[[int], int]:
    """What draws a whole number below another one. Of all that `Random` offers, only its bits are the same in every Python."""
    bits = Random(int(seed)).getrandbits  # noqa: S311 - no secret

    def below(limit: int) -> int:
        width = (limit - 1).bit_length()
        while (number := bits(width) if width else 0) >= limit:
            pass
        return number

    return below


def _shape(branching: int, depth: int, uneven: int, below: Callable[[int], int]) -> list[Any]:
    """Lists with None for leaves. One child in every ply, in the branch that was kept so far, never ends early."""
    root: list[Any] = []
    kept, level = root, [root]
    for ply in range(1, depth + 1):
        deeper = []
        for node in level:
            count = 1 + below(branching) if below(100) < uneven else branching
            keeper = below(count)
            for child in range(count):
                ends = below(100) < uneven and not (node is kept and child == keeper)
                node.append(None if ply == depth or ends else [])
                if node[child] is not None:
                    deeper.append(node[child])
            if node is kept and ply < depth:
                following = node[keeper]
        kept, level = (following, deeper) if ply < depth else (kept, [])
    return root


def _fill(root: list[Any], low: int, high: int, ties: int, below: Callable[[int], int]) -> None:
    """Give the leaves their values, from left to right."""
    deal = _dealing(low, high, below)
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


def _dealing(low: int, high: int, below: Callable[[int], int]) -> Callable[[], int]:
    """What deals the values of a shuffled pack, and shuffles it again when all have come. Only cards that moved are kept."""
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
class RandomTree(Literal):
    """A random tree as a game: its text has the options instead of the leaves."""

    options: Mapping[str, Any] = field(default_factory=dict)  # all of them

    @cached_property
    def name(self) -> str:
        return self.text

    @property
    def text(self) -> str:
        return KINDS[0].write(self.options)

    @property
    def title(self) -> str:
        return f"Random tree {self.options['seed']}" + ("" if self.max_first else ", MIN first")

    def __reduce__(self) -> tuple[Any, ...]:
        return _received, (flat(self.tree, None), self.max_first, self.options)


def _received(tree: FlatTree, max_first: bool, options: Mapping[str, Any]) -> RandomTree:
    return RandomTree(nested(tree)[0], max_first, options=options)


def random_tree_game(first: str = "max", **shape: Any) -> RandomTree:
    """The game of a random tree; `shape` are the options of `random_tree`.

    >>> random_tree_game(seed=7, depth=2).text
    'random-tree:depth=2,seed=7'
    """
    return RandomTree(random_tree(**shape), first_is_max(first), options={**USUAL, **shape, "first": first})


KINDS = (
    Kind(
        "random-tree",
        "A random tree of numbers",
        "a random tree of leaf values; the same seed gives the same tree",
        random_tree_game,
        fields=FIELDS,
        form=(("branching", "depth"), ("low", "high"), ("ties", "uneven"), ("seed", "first")),
        noun="random trees",
    ),
)
