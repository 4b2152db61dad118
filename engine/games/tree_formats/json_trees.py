"""Trees as nested lists and as JSON. One reader serves both: lists are nodes, numbers leaves, objects have names.

It uses a stack, so deep nesting cannot overflow Python's. Strings are as in JSON. A comma before a closing bracket is
allowed, as in Python. MAX or MIN before the tree is the side that moves first.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from engine.core.errors import BadTree, short_repr
from engine.games.chance_outcomes import format_probability
from engine.games.tree_formats.chance_lists import ChanceList, check_probabilities, read_probability
from engine.games.tree_formats.diagnostics import (
    MAX_BYTES,
    MAX_HEIGHT,
    MAX_NODES,
    ReadTree,
    check_name,
    check_tree_size,
    is_valid_name,
    raise_at_offset,
    read_number,
)
from engine.games.tree_formats.tree_utils import has_names, iterate_levels

TOKEN_PATTERN = re.compile(
    r"""(?P<sign>[\[\]{},:])
      | (?P<text>"(?:[^"\\\n]|\\.)*")
      | (?P<word>[-+.\u2212\w]+)
      | (?P<other>\S)""",
    re.VERBOSE,
)
UNUSUAL_NUMBER_PATTERN = re.compile(r"[0-9]{17}|-0(?![.0-9])")  # msgspec might round them or lose their sign
KEY_PATTERN = re.compile(r'"(?:[^"\\]|\\.)*"(\s*:)?')  # every string, and the colon after it
NODE_KEYS = ("name", "move", "value", "children", "chance", "p", "first", "range")
ROOT_KEYS = {
    "first": "first belongs to the root only: below it the sides alternate",
    "range": "range belongs to the root only: it is that of all leaves",
}
CONTENTS = ("value", "children", "chance")  # a node has one of these
END_OF_CHILDREN = object()
NODE_HINT = "a node is a number, a list of nodes, or an object with a value or children"


@dataclass
class OpenContainer:
    """A list or an object that is not closed yet."""

    offset: int
    items: list[Any] | None  # of a list
    entries: dict[str, Any] = field(default_factory=dict)  # of an object
    key: str = ""  # of the entry whose value follows
    ready: bool = True  # for an item or an entry; otherwise a comma or the end must follow


class WeightedNode(NamedTuple):
    """An outcome of a chance node that is written."""

    probability: Any
    node: Any


def read_json_tree(text: str) -> ReadTree:
    """Read the tree of nested lists, or of JSON."""
    return read_plain_json(text) or _JsonParser(text).parse_tree()


def read_plain_json(text: str) -> ReadTree | None:
    """Read well-formed JSON with msgspec, five times as fast.

    Return None if anything is not plain: then the text is parsed token by token.
    """
    if UNUSUAL_NUMBER_PATTERN.search(text):
        return None
    try:
        tree = msgspec.json.decode(text.encode())
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return None
    first, entries, nodes = None, 0, 0
    if isinstance(tree, dict):
        entries, first = "first" in tree, tree.pop("first", None)
        if "move" in tree or first not in (None, "max", "min"):
            return None
    for height, level in enumerate(iterate_levels(tree)):
        nodes += len(level)
        if height > MAX_HEIGHT or nodes > MAX_NODES or not all(map(_is_plain_node, level)):
            return None
        entries += sum(len(node) for node in level if type(node) is dict)
    keys = sum(map(bool, KEY_PATTERN.findall(text)))
    return ReadTree(tree, first) if keys == entries else None  # otherwise a key occurs twice


def _is_plain_node(node: Any) -> bool:
    """Return True if this is a valid node, apart from its children."""
    if type(node) is dict:
        names = [name for key, name in node.items() if key in ("name", "move")]
        if not all(type(name) is str and is_valid_name(name) for name in names) or len(node) != len(names) + 1:
            return False
        if "value" not in node:
            return type(node.get("children")) is list and len(node["children"]) > 0
        node = node["value"]
    elif type(node) is list:
        return len(node) > 0
    return type(node) in (int, float) and -1e300 < node < 1e300


class _JsonParser:
    """A parser for one text in JSON or nested lists."""

    def __init__(self, text: str):
        self.text = text
        self.open: list[OpenContainer] = []
        self.height = self.nodes = 0
        self.found: list[Any] = []  # the tree, once it is complete
        self.first: str | None = None
        self.value_range: Any = None

    def parse_tree(self) -> ReadTree:
        for kind, piece, offset in self._iterate_tokens():
            if self.found:
                raise_at_offset(
                    self.text, offset, f"{short_repr(piece)} follows the end of the tree: one tree is one list or object"
                )
            if not self.open:
                self._read_start(kind, piece, offset)
            elif self.open[-1].items is not None:
                self._read_in_list(kind, piece, offset)
            else:
                self._read_in_object(kind, piece, offset)
        if not self.found:
            if not self.open:
                raise_at_offset(self.text, len(self.text), f"the tree is missing: {NODE_HINT}")
            missing = "}" if self.open[-1].items is None else "]"
            raise_at_offset(self.text, self.open[-1].offset, f"the list or object that starts here is not closed: add {missing}")
        return ReadTree(self.found[0], self.first, self.value_range)

    def _iterate_tokens(self) -> Iterator[tuple[str, str, int]]:
        return ((str(match.lastgroup), match[0], match.start()) for match in TOKEN_PATTERN.finditer(self.text))

    def _read_start(self, kind: str, piece: str, offset: int) -> None:
        if kind == "word" and piece.lower() in ("max", "min") and self.first is None:
            self.first = piece.lower()
        else:
            self._read_node(kind, piece, offset)

    def _read_in_list(self, kind: str, piece: str, offset: int) -> None:
        top = self.open[-1]
        if piece == "]":
            if not top.items:
                raise_at_offset(self.text, top.offset, "an empty list: a node has at least one child, and a leaf is a number")
            self.open.pop()
            self.height -= 1
            self._finish_node(top.items, top.offset)
        elif top.ready:
            self._read_node(kind, piece, offset)
        elif piece == ",":
            top.ready = True
        else:
            raise_at_offset(self.text, offset, f"expected a comma or ], found {short_repr(piece)}")

    def _read_in_object(self, kind: str, piece: str, offset: int) -> None:
        top = self.open[-1]
        if top.key and top.ready:  # the value of an entry
            self._read_entry(kind, piece, offset)
        elif top.key:
            if piece != ":":
                raise_at_offset(self.text, offset, f'expected a colon after "{top.key}", found {short_repr(piece)}')
            top.ready = True
        elif piece == "}":
            self.open.pop()
            self._finish_node(self._validate(top), top.offset)
        elif not top.ready and piece == ",":
            top.ready = True
        elif top.ready and kind == "text":
            self._read_key(top, piece, offset)
        else:
            wanted = 'a key in double quotes such as "value"' if top.ready else "a comma or }"
            raise_at_offset(self.text, offset, f"expected {wanted}, found {short_repr(piece)}")

    def _read_key(self, top: OpenContainer, piece: str, offset: int) -> None:
        key = self._decode_string(piece, offset)
        if key not in NODE_KEYS:
            raise_at_offset(self.text, offset, f"{short_repr(key)} is not a key of a node: use {', '.join(NODE_KEYS)}")
        if key in top.entries:
            raise_at_offset(self.text, offset, f"this node has {key} twice: remove one of them")
        if key in ROOT_KEYS and len(self.open) > 1:
            raise_at_offset(self.text, offset, ROOT_KEYS[key])
        if key == "p" and not self._is_outcome(self.open[:-1]):
            raise_at_offset(self.text, offset, "only an outcome of chance has a probability: remove p here")
        if key == "move" and len(self.open) == 1:
            raise_at_offset(self.text, offset, "no move leads to the root: remove this key")
        top.key, top.ready = key, False

    def _read_entry(self, kind: str, piece: str, offset: int) -> None:
        top = self.open[-1]
        if top.key in ("children", "chance", "range"):
            if piece != "[":
                raise_at_offset(self.text, offset, f"{top.key} must be a list, not {short_repr(piece)}: write [3, 12]")
            self._read_node(kind, piece, offset)
            return
        if top.key == "p":
            self._attach_value(self._read_probability(kind, piece, offset))
            return
        if top.key == "value":
            entry: Any = read_number(self.text, offset, piece)
        elif kind != "text":
            raise_at_offset(self.text, offset, f'{top.key} must be a text, not {short_repr(piece)}: write "{top.key}": "a"')
        elif top.key == "first":
            entry = self._decode_string(piece, offset).lower()
            if entry not in ("max", "min"):
                raise_at_offset(self.text, offset, f'{short_repr(entry)} is not a side: write "max" or "min"')
            self.first = entry
        else:
            entry = check_name(self.text, offset, self._decode_string(piece, offset))
        self._attach_value(entry)

    def _read_node(self, kind: str, piece: str, offset: int) -> None:
        """Start a node, or finish a leaf."""
        if piece != "{" and self._is_outcome(self.open):
            raise_at_offset(self.text, offset, f'{short_repr(piece)} has no probability: write {{"p": "1/2", "value": 3}}')
        if piece == "[":
            self.height += 1
            self._count_node(offset)
            self.open.append(OpenContainer(offset, []))
        elif piece == "{":
            self._count_node(offset)
            self.open.append(OpenContainer(offset, None))
        elif kind == "word":
            self._count_node(offset)
            self._finish_node(read_number(self.text, offset, piece), offset)
        else:
            raise_at_offset(self.text, offset, f"{short_repr(piece)} is not a node: {NODE_HINT}")

    def _count_node(self, offset: int) -> None:
        self.nodes += not (self.open and self.open[-1].items is None)  # an object and its children are one node
        check_tree_size(self.text, offset, self.nodes, self.height)

    def _finish_node(self, value: Any, offset: int) -> None:
        if self.open:
            self._attach_value(value)
        else:
            self.found.append(value)

    def _attach_value(self, value: Any) -> None:
        top = self.open[-1]
        if top.items is not None:
            top.items.append(value)
        else:
            top.entries[top.key] = value
            top.key = ""
        top.ready = False

    def _validate(self, top: OpenContainer) -> dict[str, Any]:
        entries = {key: entry for key, entry in top.entries.items() if key not in ROOT_KEYS}
        self.value_range = top.entries.get("range", self.value_range)
        contents = [key for key in CONTENTS if key in entries]
        if len(contents) != 1:
            problem = f"both a {contents[0]} and {contents[1]}" if contents else "neither a value nor children"
            raise_at_offset(self.text, top.offset, f'this node has {problem}: write {{"value": 3}} or {{"children": [3, 12]}}')
        if self._is_outcome(self.open) and "p" not in entries:
            raise_at_offset(self.text, top.offset, 'this outcome has no probability: add "p": "1/2"')
        if "chance" in entries:
            try:
                check_probabilities(ChanceList(entries["chance"], [read_probability(node["p"]) for node in entries["chance"]]))
            except BadTree as error:
                raise_at_offset(self.text, top.offset, str(error))
        return entries

    @staticmethod
    def _is_outcome(above: list[OpenContainer]) -> bool:
        """Return True if a node inside these containers is an outcome of chance."""
        return len(above) > 1 and above[-1].items is not None and above[-2].key == "chance"

    def _read_probability(self, kind: str, piece: str, offset: int) -> Any:
        given = self._decode_string(piece, offset) if kind == "text" else read_number(self.text, offset, piece)
        try:
            read_probability(given)
        except BadTree as error:
            raise_at_offset(self.text, offset, str(error))
        return given

    def _decode_string(self, piece: str, offset: int) -> str:
        try:
            return str(json.loads(piece))
        except ValueError:
            raise_at_offset(
                self.text, offset, f'{short_repr(piece)} is not a JSON string: write one of " \\ / b f n r t u after \\'
            )


def write_json_tree(tree: Any, first: str) -> str:
    """Return the tree as JSON, in lines if that is not too long to be read again."""
    if first == "min":
        tree = {"first": "min", **(tree if isinstance(tree, dict) else {"children" if isinstance(tree, list) else "value": tree})}
    written = write_one_line(tree)
    try:
        laid_out = msgspec.json.format(written, indent=1 if has_names(tree) else 0)
    except RecursionError:
        laid_out = written
    return (laid_out if len(laid_out.encode()) < MAX_BYTES else written) + "\n"


def write_nested_list(tree: Any, first: str) -> str:
    """Return a tree without names as nested lists. A single leaf with MIN first is written as MIN: 3, because MIN 3 is a name."""
    if first == "min" and not isinstance(tree, list):
        return f"MIN: {write_one_line(tree)}\n"
    return ("MIN " if first == "min" else "") + write_one_line(tree) + "\n"


def write_one_line(tree: Any) -> str:
    """Return the tree as JSON that is as short as possible."""
    try:
        return msgspec.json.encode(tree).decode()
    except RecursionError:  # 500 plies with names are 1,000 levels of lists and objects
        return "".join(_iterate_pieces(tree))


def abbreviate_tree(tree: Any, max_chars: int, comma: str = ", ") -> str:
    """Return the first characters of the tree, with dots if it is longer. Only those are formatted.

    >>> abbreviate_tree([[3, 12], [2, 4]], 15), abbreviate_tree([3, 12], 15, ",")
    ('[[3, 12], [2...', '[3,12]')
    """
    text = ""
    for piece in _iterate_pieces(tree, comma):
        text += piece
        if len(text) > max_chars:
            return text[: max_chars - 3] + "..."
    return text


def _encode_json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _iterate_pieces(tree: Any, comma: str = ",") -> Iterator[str]:
    """Yield the text of the tree piece by piece, without recursion."""
    stack: list[Any] = [iter([tree])]
    ends, begun = [""], [False]
    while stack:
        node = next(stack[-1], END_OF_CHILDREN)
        if node is END_OF_CHILDREN:
            stack.pop()
            begun.pop()
            yield ends.pop()
            continue
        yield comma if begun[-1] else ""
        begun[-1] = True
        if isinstance(node, WeightedNode):
            yield f"{format_probability(node.probability)}: "
            node = node.node
        if isinstance(node, ChanceList):
            yield "chance("
            stack.append(iter(map(WeightedNode, node.probabilities, node)))
            begun.append(False)
            ends.append(")")
            continue
        inner = "chance" if isinstance(node, dict) and "chance" in node else "children"
        facts, children = (node, node.get(inner)) if isinstance(node, dict) else ({}, node)
        entries = [f"{_encode_json(key)}:{_encode_json(value)}" for key, value in facts.items() if key != inner]
        if not isinstance(children, list):
            yield "{" + comma.join(entries) + "}" if facts else _encode_json(node)
            continue
        yield "{" + comma.join([*entries, f'"{inner}":[']) if facts else "["
        stack.append(iter(children))
        begun.append(False)
        ends.append("]}" if facts else "]")
