"""Trees as nested lists and as JSON. One reader for both: a list is a node, a number a leaf, an object has names besides.

Read with a stack, so that no nesting is too deep for Python; texts are as in JSON. A comma before a closing bracket is allowed,
as in Python; MAX or MIN before the tree says who moves first.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec

from engine.core.errors import shortened
from engine.games.tree_formats.diagnostics import (
    MAX_BYTES,
    MAX_HEIGHT,
    MAX_NODES,
    ReadTree,
    check_name,
    check_size,
    name_is_possible,
    number,
    refuse,
)
from engine.games.tree_formats.tree_utils import has_names, levels

TOKEN = re.compile(
    r"""(?P<sign>[\[\]{},:])
      | (?P<text>"(?:[^"\\\n]|\\.)*")
      | (?P<word>[-+.\u2212\w]+)
      | (?P<other>\S)""",
    re.VERBOSE,
)
UNUSUAL = re.compile(r"[0-9]{17}|-0(?![.0-9])")  # numbers that are whole here and might be rounded elsewhere
KEY = re.compile(r'"(?:[^"\\]|\\.)*"(\s*:)?')  # every text, and a colon behind it
KEYS = ("name", "move", "value", "children", "first")
END = object()  # of the children of a node
NODE = "a node is a number, a list of nodes, or an object with a value or children"


@dataclass
class Open:
    """A list or an object whose end has not come yet."""

    offset: int
    items: list[Any] | None  # of a list
    entries: dict[str, Any] = field(default_factory=dict)  # of an object
    key: str = ""  # of the entry whose value comes next
    ready: bool = True  # for an item or an entry; otherwise a comma or the end comes next


def read(text: str) -> ReadTree:
    """The tree of nested lists, or of JSON."""
    return read_quickly(text) or _Reading(text).whole()


def read_quickly(text: str) -> ReadTree | None:
    """The same for JSON that is right, by msgspec and five times as fast; None if anything is not plain: then it is read, or
    refused, token by token."""
    if UNUSUAL.search(text):
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
    for height, level in enumerate(levels(tree)):
        nodes += len(level)
        if height > MAX_HEIGHT or nodes > MAX_NODES or not all(map(_is_plain, level)):
            return None
        entries += sum(len(node) for node in level if type(node) is dict)
    keys = sum(map(bool, KEY.findall(text)))
    return ReadTree(tree, first) if keys == entries else None  # else a key comes twice


def _is_plain(node: Any) -> bool:
    """Whether this is a node as it should be, but for its children."""
    if type(node) is dict:
        names = [said for key, said in node.items() if key in ("name", "move")]
        if not all(type(name) is str and name_is_possible(name) for name in names) or len(node) != len(names) + 1:
            return False
        if "value" not in node:
            return type(node.get("children")) is list and len(node["children"]) > 0
        node = node["value"]
    elif type(node) is list:
        return len(node) > 0
    return type(node) in (int, float) and -1e300 < node < 1e300


class _Reading:
    def __init__(self, text: str):
        self.text = text
        self.open: list[Open] = []
        self.height = self.nodes = 0
        self.found: list[Any] = []  # the tree, when it is whole
        self.first: str | None = None

    def whole(self) -> ReadTree:
        for kind, piece, offset in self._tokens():
            if self.found:
                refuse(self.text, offset, f"{shortened(piece)} follows the end of the tree: one tree is one list or object")
            if not self.open:
                self._begin(kind, piece, offset)
            elif self.open[-1].items is not None:
                self._in_list(kind, piece, offset)
            else:
                self._in_object(kind, piece, offset)
        if not self.found:
            if not self.open:
                refuse(self.text, len(self.text), f"the tree is missing: {NODE}")
            missing = "}" if self.open[-1].items is None else "]"
            refuse(self.text, self.open[-1].offset, f"what begins here has no end: a {missing} is missing")
        return ReadTree(self.found[0], self.first)

    def _tokens(self) -> Iterator[tuple[str, str, int]]:
        return ((str(match.lastgroup), match[0], match.start()) for match in TOKEN.finditer(self.text))

    def _begin(self, kind: str, piece: str, offset: int) -> None:
        if kind == "word" and piece.lower() in ("max", "min") and self.first is None:
            self.first = piece.lower()
        else:
            self._value(kind, piece, offset)

    def _in_list(self, kind: str, piece: str, offset: int) -> None:
        top = self.open[-1]
        if piece == "]":
            if not top.items:
                refuse(self.text, top.offset, "an empty list: a node has at least one child, and a leaf is a number")
            self.open.pop()
            self.height -= 1
            self._done(top.items, top.offset)
        elif top.ready:
            self._value(kind, piece, offset)
        elif piece == ",":
            top.ready = True
        else:
            refuse(self.text, offset, f"{shortened(piece)} where a comma or ] would do")

    def _in_object(self, kind: str, piece: str, offset: int) -> None:
        top = self.open[-1]
        if top.key and top.ready:  # the value of an entry
            self._entry(kind, piece, offset)
        elif top.key:
            if piece != ":":
                refuse(self.text, offset, f'{shortened(piece)} where a colon would do: "{top.key}": ...')
            top.ready = True
        elif piece == "}":
            self.open.pop()
            self._done(self._checked(top), top.offset)
        elif not top.ready and piece == ",":
            top.ready = True
        elif top.ready and kind == "text":
            self._key(top, piece, offset)
        else:
            wanted = 'a key in double quotes, such as "value",' if top.ready else "a comma or }"
            refuse(self.text, offset, f"{shortened(piece)} where {wanted} would do")

    def _key(self, top: Open, piece: str, offset: int) -> None:
        key = self._plain(piece, offset)
        if key not in KEYS:
            refuse(self.text, offset, f"{shortened(key)} is nothing that a node has: {', '.join(KEYS)} are")
        if key in top.entries:
            refuse(self.text, offset, f"{key} comes twice in one node: leave one out")
        if key == "first" and len(self.open) > 1:
            refuse(self.text, offset, "first is said at the root only: below it the sides move in turn")
        if key == "move" and len(self.open) == 1:
            refuse(self.text, offset, "no move leads to the root: leave this out")
        top.key, top.ready = key, False

    def _entry(self, kind: str, piece: str, offset: int) -> None:
        top = self.open[-1]
        if top.key == "children":
            if piece != "[":
                refuse(self.text, offset, f"children are a list, not {shortened(piece)}: write [3, 12]")
            self._value(kind, piece, offset)
            return
        if top.key == "value":
            entry: Any = number(self.text, offset, piece)
        elif kind != "text":
            refuse(self.text, offset, f'{top.key} is a text, not {shortened(piece)}: write "{top.key}": "a"')
        elif top.key == "first":
            entry = self._plain(piece, offset).lower()
            if entry not in ("max", "min"):
                refuse(self.text, offset, f'{shortened(entry)} does not move first: "max" or "min" does')
            self.first = entry
        else:
            entry = check_name(self.text, offset, self._plain(piece, offset))
        self._attach(entry)

    def _value(self, kind: str, piece: str, offset: int) -> None:
        """A node begins, or a leaf is there."""
        if piece == "[":
            self.height += 1
            self._count(offset)
            self.open.append(Open(offset, []))
        elif piece == "{":
            self._count(offset)
            self.open.append(Open(offset, None))
        elif kind == "word":
            self._count(offset)
            self._done(number(self.text, offset, piece), offset)
        else:
            refuse(self.text, offset, f"{shortened(piece)} is no node: {NODE}")

    def _count(self, offset: int) -> None:
        self.nodes += not (self.open and self.open[-1].items is None)  # the children of an object are no other node
        check_size(self.text, offset, self.nodes, self.height)

    def _done(self, value: Any, offset: int) -> None:
        if self.open:
            self._attach(value)
        else:
            self.found.append(value)

    def _attach(self, value: Any) -> None:
        top = self.open[-1]
        if top.items is not None:
            top.items.append(value)
        else:
            top.entries[top.key] = value
            top.key = ""
        top.ready = False

    def _checked(self, top: Open) -> dict[str, Any]:
        entries = {key: entry for key, entry in top.entries.items() if key != "first"}
        if ("value" in entries) == ("children" in entries):
            both = (
                "a value and children: an inner node has no value of its own"
                if "value" in entries
                else "no value and no children"
            )
            refuse(self.text, top.offset, f'this node has {both}; write {{"value": 3}} or {{"children": [3, 12]}}')
        return entries

    def _plain(self, piece: str, offset: int) -> str:
        try:
            return str(json.loads(piece))
        except ValueError:
            refuse(self.text, offset, f'{shortened(piece)} is no text as in JSON: after \\ one of " \\ / b f n r t u is written')


def write(tree: Any, first: str) -> str:
    """The tree as JSON, in lines where that is not too long to be read again."""
    if first == "min":
        tree = {"first": "min", **(tree if isinstance(tree, dict) else {"children" if isinstance(tree, list) else "value": tree})}
    written = one_line(tree)
    try:
        laid_out = msgspec.json.format(written, indent=1 if has_names(tree) else 0)
    except RecursionError:
        laid_out = written
    return (laid_out if len(laid_out.encode()) < MAX_BYTES else written) + "\n"


def write_list(tree: Any, first: str) -> str:
    """The tree, which has no names, as nested lists; one leaf alone as indented text, where MIN 3 would be a name."""
    if first == "min" and not isinstance(tree, list):
        return f"MIN: {one_line(tree)}\n"
    return ("MIN " if first == "min" else "") + one_line(tree) + "\n"


def one_line(tree: Any) -> str:
    """The tree as short as it can be."""
    try:
        return msgspec.json.encode(tree).decode()
    except RecursionError:  # 500 plies with names are 1,000 levels of lists and objects
        return "".join(_pieces(tree))


def beginning(tree: Any, most: int, comma: str = ", ") -> str:
    """The first characters of the tree, and dots if it is longer; of a large tree no more than that is written.

    >>> beginning([[3, 12], [2, 4]], 15), beginning([3, 12], 15, ",")
    ('[[3, 12], [2...', '[3,12]')
    """
    text = ""
    for piece in _pieces(tree, comma):
        text += piece
        if len(text) > most:
            return text[: most - 3] + "..."
    return text


def _plain_text(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _pieces(tree: Any, comma: str = ",") -> Iterator[str]:
    """The tree piece by piece, however deep it is."""
    stack: list[Any] = [iter([tree])]
    ends, begun = [""], [False]
    while stack:
        node = next(stack[-1], END)
        if node is END:
            stack.pop()
            begun.pop()
            yield ends.pop()
            continue
        yield comma if begun[-1] else ""
        begun[-1] = True
        facts, children = (node, node.get("children")) if isinstance(node, dict) else ({}, node)
        said = [f"{_plain_text(key)}:{_plain_text(value)}" for key, value in facts.items() if key != "children"]
        if not isinstance(children, list):
            yield "{" + comma.join(said) + "}" if facts else _plain_text(node)
            continue
        yield "{" + comma.join([*said, '"children":[']) if facts else "["
        stack.append(iter(children))
        begun.append(False)
        ends.append("]}" if facts else "]")
