"""A game tree written out as a nested list of leaf values, as textbooks draw it. A move is the index of a child."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, NamedTuple

import msgspec
import numpy as np

from engine.errors import BadDepth, BadTree, shortened
from engine.games.declarations import Words
from engine.games.kinds import Kind, TextField
from engine.games.positions import first_is_max, play_all, read_moves

MAX_HEIGHT = 500
MAX_NODES = 1_000_000
TEXTBOOK = "tree:[[3,12,8],[2,4,6],[14,5,2]]"


class State(NamedTuple):
    tree: Any  # a number, or the list of the children
    max_to_move: bool


@dataclass(frozen=True)
class Literal:
    tree: Any = field(repr=False)
    max_first: bool = True
    default_depth: None = None

    # no fields: the same for every tree
    steady_names = checks_positions = True
    words = Words(by="by choosing move {name}", over="This is a leaf of the tree: its value is")

    @property
    def name(self) -> str:
        text = ("tree:" if self.max_first else "tree-min:") + str(self.tree).replace(" ", "")
        return text if len(text) <= 200 else text[:197] + "..."

    @property
    def text(self) -> str:
        return ("tree:" if self.max_first else "tree-min:") + self.written

    @property
    def written(self) -> str:
        """The leaves as text."""
        return msgspec.json.encode(self.tree).decode()

    @property
    def title(self) -> str:
        return "Textbook tree" if self.name == TEXTBOOK else "A tree of your own" + ("" if self.max_first else ", MIN first")

    def start(self) -> State:
        return State(self.tree, self.max_first)

    def moves(self, state: State) -> range:
        return range(len(state.tree)) if isinstance(state.tree, list) else range(0)

    def play(self, state: State, move: int) -> State:
        return State(state.tree[move], not state.max_to_move)

    def is_over(self, state: State) -> bool:
        return not isinstance(state.tree, list)

    def maximizing(self, state: State) -> bool:
        return state.max_to_move

    def evaluate(self, state: State) -> float:
        return state.tree

    def check_depth(self, depth: int, state: State) -> None:
        """Refuse a depth limit that ends above a leaf."""
        height = self.plies_to_end(state)
        if depth < height:
            raise BadDepth(f"depth {depth} cuts this tree short, and its inner nodes have no value: give {height} or none")

    def plies_to_end(self, state: State) -> int:
        """The depth of the deepest leaf."""
        height, level = 0, [state.tree]
        while level := [child for tree in level if isinstance(tree, list) for child in tree]:
            height += 1
        return height

    def state(self, moves: str | Iterable[int] | State = "", first: str | None = None) -> State:
        if isinstance(moves, State):
            return moves
        start = State(self.tree, self.max_first if first is None else first_is_max(first))
        return play_all(self, start, read_moves(moves, self.single_digits), moves)

    @cached_property
    def single_digits(self) -> bool:
        widest, stack = 0, [self.tree]
        while stack:
            tree = stack.pop()
            if isinstance(tree, list):
                widest = max(widest, len(tree))
                stack.extend(tree)
        return widest <= 10

    def show(self, state: State) -> str:
        text = str(state.tree)
        return text if len(text) <= 200 else text[:197] + "..."

    def move_name(self, move: int) -> str:
        return str(move)


def literal(tree: Any, first: str = "max") -> Literal:
    """A tree of numbers; `first` moves at the root. Branching and depth may differ from place to place.

    >>> game = literal([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    >>> game.evaluate(game.state("12"))
    6
    """
    return Literal(_checked_copy(tree), first_is_max(first))


def read_literal(text: str, first: str = "max") -> Literal:
    """The tree of a text: nested lists of numbers, read without recursion."""
    try:
        return literal(msgspec.json.decode(text.encode()), first)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        raise BadTree(f"{text[:60]!r} is no tree: write nested lists of numbers, such as [[3,12],[2,4]]") from None


def float_of(leaf: Any) -> float:
    """The leaf as a float; infinite if it is too large for one."""
    try:
        return float(leaf)
    except OverflowError:
        return math.inf


def _checked_copy(tree: Any) -> Any:
    """The same tree in lists of our own, every leaf a finite number. Level by level: foreign nesting is never recursed into."""
    root: list[Any] = [tree]
    level, height, nodes = [root], 0, 0
    while level:
        deeper = []
        for parent in level:
            for index, child in enumerate(parent):
                nodes += 1
                if isinstance(child, (list, tuple)):
                    if not child:
                        raise BadTree("an empty list in the tree: a node has at least one child, a leaf is a number")
                    parent[index] = list(child)
                    deeper.append(parent[index])
                elif isinstance(child, bool) or not isinstance(child, (int, float, np.integer, np.floating)):
                    raise BadTree(f"{child!r} in the tree is neither a number nor a list")
                elif not -1e300 < float_of(child) < 1e300:  # nan neither
                    raise BadTree(f"the leaf {shortened(child)} is too large or no number: use a finite one such as 1e6")
                else:
                    parent[index] = child.item() if isinstance(child, np.generic) else child
        if height > MAX_HEIGHT or nodes > MAX_NODES:
            raise BadTree(f"the tree is too large: at most {MAX_HEIGHT} plies and {MAX_NODES:,} nodes")
        level, height = deeper, height + 1
    return root[0]


def _kind(name: str, first: str) -> Kind:
    return Kind(
        name,
        f"A tree of numbers, {first.upper()} first",
        "a tree of leaf values; tree-min: if MIN moves first",
        partial(read_literal, first=first),
        example=TEXTBOOK,
        rest=TextField("Leaves", "Nested lists of numbers", long=True),
        listed=first == "max",
        like=lambda before: f"{name}:{before.written if isinstance(before, Literal) else TEXTBOOK.partition(':')[2]}",
    )


KINDS = (_kind("tree", "max"), _kind("tree-min", "min"))
