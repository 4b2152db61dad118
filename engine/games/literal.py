"""A game tree written as a nested list of leaf values, as in textbooks. A move is the index of a child.

Nodes and moves may have names. Then a node is {"name": "B", "move": "a1", "children": [...]}, a leaf {"name": "x",
"value": 3}; `move` is the name of the move that leads there. A move without a name takes that of the node
it leads to, or else its index.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from hashlib import blake2b
from typing import Any, NamedTuple

import msgspec
import numpy as np

from engine.core.errors import BadDepth, BadTree, PlyscopeError, short_repr
from engine.games.agent_graph import AgentGraphGame, read_agent_graph
from engine.games.capabilities import WHOLE, Phrases
from engine.games.game_types import GameType, TextField
from engine.games.interning import GameSize, find_interned_game
from engine.games.positions import is_max_first, play_moves, read_moves
from engine.games.tree_formats import ReadTree, read_tree
from engine.games.tree_formats.chance_lists import ChanceList, chance, write_probability
from engine.games.tree_formats.cs188_tests import is_cs188_test
from engine.games.tree_formats.diagnostics import MAX_BYTES, MAX_HEIGHT, MAX_NAME_CHARS, is_valid_name
from engine.games.tree_formats.diagnostics import MAX_NODES as MAX_TEXT_NODES
from engine.games.tree_formats.json_trees import abbreviate_tree, read_plain_json, write_one_line
from engine.games.tree_formats.packing import FlatTree, NodeNames, flatten_tree, rebuild_tree
from engine.games.tree_formats.tree_utils import count_nodes, iterate_levels

MAX_NODES = 1_000_000
MAX_GAME_NAME_CHARS = 200
NODE_BYTES, NAMED_NODE_BYTES = 50, 300  # in memory, with the text, measured
NODE_KEYS = ("name", "move", "value", "children", "chance")
NAMES = ("name", "move")
CONTENTS = ("value", "children", "chance")  # a node has one of these
TREE_FORMAT_HINT = "[[3,12],[2,4]], or JSON with names, or one node per line with its children indented, or a graph in DOT."
TEXTBOOK_TREE = "tree:[[3,12,8],[2,4,6],[14,5,2]]"


class NamedMove(NamedTuple):
    """A move in a tree with names."""

    child: int
    name: str


class State(NamedTuple):
    tree: Any  # a number, or the list of the children
    max_to_move: bool
    labels: NodeNames | None = None


@dataclass(frozen=True, eq=False)
class LiteralTree:
    """A tree of numbers as a game."""

    tree: Any = field(repr=False)
    max_first: bool = True
    labels: NodeNames | None = field(default=None, repr=False)
    default_depth: None = None
    given_range: tuple[float, float] | None = None

    # no fields: the same for every tree
    checks_positions = is_tree = True
    words = Phrases(by="by choosing move {name}", over="This is a leaf of the tree: its value is")

    @property
    def steady_names(self) -> bool:
        return self.labels is None

    @cached_property
    def name(self) -> str:
        prefix = self._text_prefix
        return prefix + abbreviate_tree(self.data, MAX_GAME_NAME_CHARS - len(prefix), ",")

    @property
    def text(self) -> str:
        return self._text_prefix + self.written

    @property
    def _text_prefix(self) -> str:
        return "tree:" if self.max_first else "tree-min:"

    @cached_property
    def game_size(self) -> GameSize:
        nodes, bytes_each = count_nodes(self.tree), NODE_BYTES if self.labels is None else NAMED_NODE_BYTES
        digest = blake2b(self.text.encode(), digest_size=16).hexdigest()
        return GameSize(len(self.text), digest, nodes, nodes * bytes_each)

    def __eq__(self, other: object) -> bool:
        """Return True if the texts are equal. Lists and names may be nested deeper than Python can compare."""
        if not isinstance(other, LiteralTree):
            return NotImplemented
        return self is other or self.game_size == other.game_size

    __hash__ = None  # type: ignore[assignment] # or caches would keep large trees

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the flattened tree: a tree may be deeper than Python can pickle."""
        flat = flatten_tree(self.tree, self.labels)
        return _unpickle_game, (flat, self.max_first, vars(self).get("game_size"), self.given_range)

    @cached_property
    def written(self) -> str:
        """Return the tree as text, in one line."""
        return write_one_line(self.data)

    def whole_tree(self) -> ReadTree:
        return ReadTree(self.data, self.first)

    @property
    def data(self) -> Any:
        """Return the tree as `literal` takes it: numbers, lists, and dicts for chance nodes and nodes with names."""
        if self.labels is None and not self.has_chance and self.given_range is None:
            return self.tree
        return _attach_names(self.tree, self.labels, self.given_range)

    @property
    def first(self) -> str:
        """Return the side that moves at the root."""
        return "max" if self.max_first else "min"

    @cached_property
    def title(self) -> str:
        if self.name == TEXTBOOK_TREE:
            return "Textbook tree"
        leaves = sum(not isinstance(node, list) for level in iterate_levels(self.tree) for node in level)
        return f"Tree of {leaves:,} {'leaf' if leaves == 1 else 'leaves'}{'' if self.max_first else ', MIN first'}"

    @cached_property
    def has_chance(self) -> bool:
        return any(isinstance(node, ChanceList) for level in iterate_levels(self.tree) for node in level)

    @cached_property
    def value_range(self) -> tuple[float, float]:
        """Return the range that was given, or the smallest and the largest leaf."""
        if self.given_range is not None:
            return self.given_range
        leaves = [float(node) for level in iterate_levels(self.tree) for node in level if not isinstance(node, list)]
        return min(leaves), max(leaves)

    def chances(self, state: State) -> list[tuple[int | NamedMove, float]]:
        if not isinstance(state.tree, ChanceList):
            return []
        return list(zip(self.moves(state), state.tree.weights, strict=True))

    def start(self) -> State:
        return State(self.tree, self.max_first, self.labels)

    def moves(self, state: State) -> Sequence[int | NamedMove]:
        if not isinstance(state.tree, list):
            return range(0)
        if state.labels is None:
            return range(len(state.tree))
        return [NamedMove(index, child.move or child.name or str(index)) for index, child in enumerate(state.labels.children)]

    def play(self, state: State, move: int | NamedMove) -> State:
        index = move.child if isinstance(move, NamedMove) else move
        labels = None if state.labels is None else state.labels.children[index]
        return State(state.tree[index], state.max_to_move ^ (not isinstance(state.tree, ChanceList)), labels)

    def is_over(self, state: State) -> bool:
        return not isinstance(state.tree, list)

    def maximizing(self, state: State) -> bool:
        return state.max_to_move

    def evaluate(self, state: State) -> float:
        return state.tree

    @cached_property
    def number_kind(self) -> str:
        """Return WHOLE if all leaves are whole numbers, else ""."""
        stack = [self.tree]
        while stack:
            tree = stack.pop()
            if isinstance(tree, list):
                stack.extend(tree)
            elif not float(tree).is_integer():
                return ""
        return WHOLE

    def check_depth(self, depth: int, state: State) -> None:
        """Refuse a depth limit that ends above a leaf."""
        height = self.plies_to_end(state)
        if depth < height:
            raise BadDepth(
                f"depth {depth} ends above the leaves of this tree, and only leaves have values: use depth {height} or none"
            )

    def plies_to_end(self, state: State) -> int:
        """Return the depth of the deepest leaf."""
        height, level = 0, [state.tree]
        while level := [child for tree in level if isinstance(tree, list) for child in tree]:
            height += 1
        return height

    def state(self, moves: str | Iterable[int] | State = "", first: str | None = None) -> State:
        if isinstance(moves, State):
            return moves
        start = State(self.tree, self.max_first if first is None else is_max_first(first), self.labels)
        return play_moves(self, start, read_moves(moves, self.single_digits), moves)

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
        name = f"{state.labels.name}: " if state.labels is not None and state.labels.name else ""
        return name + abbreviate_tree(state.tree, MAX_GAME_NAME_CHARS - len(name))

    def move_name(self, move: int | NamedMove) -> str:
        return move.name if isinstance(move, NamedMove) else str(move)


def literal(tree: Any, first: str = "max", value_range: tuple[float, float] | None = None) -> LiteralTree:
    """Return a tree of numbers as a game. The side `first` moves at the root. Branching and depth may vary.

    `chance` makes a chance node. `value_range` is the least and the greatest value that a leaf may have, which Star1 and Star2
    use; without it, those of the leaves. The sides alternate from list to list; chance nodes do not count.

    >>> game = literal([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    >>> game.evaluate(game.state("12"))
    6
    >>> game = literal([{"name": "left", "children": [3, {"name": "x", "value": 12}]}, 2])
    >>> [game.move_name(move) for move in game.moves(game.start())]
    ['left', '1']
    """
    checked = check_value_range(value_range)
    return LiteralTree(*_copy_checked_tree(tree, is_max_first(first)), given_range=checked)


def read_literal(text: str, first: str = "max") -> LiteralTree:
    """Read a tree from text in any of the tree formats. `first` moves at the root unless the text names the side."""
    if "{" not in text:  # links hold nested lists of numbers; they are read often, and this is fast
        try:
            return _check_text_limits(literal(msgspec.json.decode(text.encode()), first))
        except (PlyscopeError, msgspec.DecodeError, RecursionError, UnicodeEncodeError):
            pass  # the slow reader finds the error again, with its line and column
    read = (read_plain_json(text) if len(text) > MAX_BYTES else None) or read_tree(text)  # our own files are plain
    return literal(read.tree, read.first or first, read.value_range)


def read_tree_game(text: str, first: str = "max") -> LiteralTree | AgentGraphGame:
    """Read the game of a tree from text: a literal tree, or the graph of a .test file of CS188 project 2."""
    return read_agent_graph(text) if is_cs188_test(text) else read_literal(text, first)


def check_value_range(given: Any) -> tuple[float, float] | None:
    """Return a range of values as two floats; None if none is given. Raise BadTree unless it is one."""
    if given is None:
        return None
    try:
        low, high = map(float, given)
    except (TypeError, ValueError, OverflowError):
        low = high = math.nan
    if not -1e300 < low <= high < 1e300:
        raise BadTree(f"{short_repr(given)} is not a range of values: give two finite numbers, the lower one first")
    return low, high


def _unpickle_game(
    tree: FlatTree, max_first: bool, size: GameSize | None, given_range: tuple[float, float] | None = None
) -> LiteralTree:
    if size is not None and isinstance(known := find_interned_game(size.digest), LiteralTree):
        return known
    numbers, labels = rebuild_tree(tree)
    game = LiteralTree(numbers, max_first, labels, given_range=given_range)
    if size is not None:
        vars(game)["game_size"] = size
    return game


def convert_to_float(leaf: Any) -> float:
    """Return the leaf as a float; infinity if it is too large for one."""
    try:
        return float(leaf)
    except OverflowError:
        return math.inf


def _copy_checked_tree(tree: Any, max_first: bool) -> tuple[Any, bool, NodeNames | None]:
    """Copy a tree into our own lists, with its names if it has any. Check that every leaf is a finite number.

    It works level by level: foreign nesting is never recursed into.
    """
    root: list[Any] = [tree]
    labels: list[NodeNames] = []
    level, height, nodes, named = [(root, labels)], 0, 0, False
    while level:
        deeper = []
        for parent, names in level:
            for index, child in enumerate(parent):
                nodes += 1
                label, child = _split_names(child)
                named = named or bool(label.name or label.move)
                names.append(label)
                if isinstance(child, (list, tuple)):
                    if not child:
                        raise BadTree("an empty list in the tree: a node has at least one child, a leaf is a number")
                    parent[index] = ChanceList(child, child.probabilities) if isinstance(child, ChanceList) else list(child)
                    deeper.append((parent[index], label.children))
                elif isinstance(child, bool) or not isinstance(child, (int, float, np.integer, np.floating)):
                    raise BadTree(f"{short_repr(child)} in the tree is neither a number nor a list")
                elif not -1e300 < convert_to_float(child) < 1e300:  # nor nan
                    raise BadTree(f"the leaf {short_repr(child)} is too large or not a number: use a finite number such as 1e6")
                else:
                    parent[index] = child.item() if isinstance(child, np.generic) else child
        if height > MAX_HEIGHT or nodes > MAX_NODES:
            raise BadTree(f"the tree is too large: at most {MAX_HEIGHT} plies and {MAX_NODES:,} nodes")
        level, height = deeper, height + 1
    if labels[0].move:
        raise BadTree(f"no move leads to the root: remove {short_repr(labels[0].move)}")
    return root[0], max_first, labels[0] if named else None


def _split_names(node: Any) -> tuple[NodeNames, Any]:
    """Return the names of a node, and its value or children."""
    if not isinstance(node, dict):
        return NodeNames("", "", []), node
    if unknown := [key for key in node if key not in NODE_KEYS]:
        raise BadTree(f"{short_repr(unknown[0])} is not a key of a node: use {', '.join(NODE_KEYS)}")
    contents = [key for key in CONTENTS if key in node]
    if len(contents) != 1:
        raise BadTree(f"{short_repr(node)} in the tree needs either a value or children, or outcomes of chance")
    for key in ("name", "move"):
        if key in node and not (isinstance(node[key], str) and is_valid_name(node[key])):
            raise BadTree(f"{short_repr(node[key])} is not a {key}: use 1 to {MAX_NAME_CHARS} printable characters in one line")
    if "value" in node and isinstance(node["value"], (list, tuple)):
        raise BadTree(f"{short_repr(node['value'])} is not a value: write a number")
    if "children" in node and not isinstance(node["children"], (list, tuple)):
        raise BadTree(f"the children must be a list of nodes, not {short_repr(node['children'])}")
    content = read_chance(node["chance"]) if "chance" in node else node[contents[0]]
    return NodeNames(node.get("name", ""), node.get("move", ""), []), content


def read_chance(outcomes: Any) -> ChanceList:
    """Return the chance node that is written as a list of nodes, each with its probability `p`."""
    if not isinstance(outcomes, (list, tuple)) or not all(isinstance(node, dict) and "p" in node for node in outcomes):
        raise BadTree(f"{short_repr(outcomes)} are not outcomes: write a list such as [{{'p': '1/2', 'value': 3}}, ...]")
    return chance(*((node["p"], {key: entry for key, entry in node.items() if key != "p"}) for node in outcomes))


def _attach_names(tree: Any, labels: NodeNames | None, given_range: tuple[float, float] | None) -> Any:
    """Return the tree as `literal` takes it; only chance nodes, their outcomes, and nodes with names are dicts."""
    whole: list[Any] = []
    level: list[tuple[Any, NodeNames | None, dict[str, Any], list[Any]]] = [(tree, labels, {}, whole)]
    while level:
        deeper: list[tuple[Any, NodeNames | None, dict[str, Any], list[Any]]] = []
        for node, names, given, siblings in level:
            children: list[Any] = []
            key = "chance" if isinstance(node, ChanceList) else "children" if isinstance(node, list) else "value"
            if key != "value":
                below = names.children if names else [None] * len(node)
                odds = [{"p": write_probability(p)} for p in node.probabilities] if key == "chance" else [{}] * len(node)
                deeper.extend((*each, children) for each in zip(node, below, odds, strict=True))
            facts = given | {name: told for name, told in (names._asdict() if names else {}).items() if name in NAMES and told}
            plain = node if key == "value" else children
            siblings.append({**facts, key: plain} if facts or key == "chance" else plain)
        level = deeper
    if given_range is None:
        return whole[0]
    root = whole[0] if isinstance(whole[0], dict) else {"children" if isinstance(whole[0], list) else "value": whole[0]}
    return {"range": list(given_range), **root}


def _check_text_limits(game: LiteralTree) -> LiteralTree:
    """Return the game. Raise BadTree if it is too large for a text; lists in Python may be larger."""
    if count_nodes(game.tree) > MAX_TEXT_NODES:
        raise BadTree("too many nodes for a text")
    return game


def _make_game_type(name: str, first: str) -> GameType:
    return GameType(
        name,
        f"A tree of numbers, {first.upper()} first",
        "a tree of leaf values; tree-min: if MIN moves first",
        partial(read_tree_game, first=first),
        example=TEXTBOOK_TREE,
        rest=TextField("Tree", TREE_FORMAT_HINT, is_tree=True),
        listed=first == "max",
        like=lambda before: f"{name}:{before.written if isinstance(before, LiteralTree) else TEXTBOOK_TREE.partition(':')[2]}",
    )


GAME_TYPES = (_make_game_type("tree", "max"), _make_game_type("tree-min", "min"))
