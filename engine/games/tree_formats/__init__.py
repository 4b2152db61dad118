"""Text formats for trees: nested lists, JSON, indented text, a subset of DOT. The reader recognizes the format of a text.

A tree that was read consists of numbers, lists of children, and dicts where something has a name: {"name": "B",
"move": "a1", "children": [...]} or {"name": "x", "value": 3}. `name` belongs to the node, `move` to the move that
leads to it; both may be missing.
"""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from engine.core.errors import BadTree
from engine.games.tree_formats import cs188_tests, dot_trees, indented_trees, json_trees
from engine.games.tree_formats.diagnostics import MAX_BYTES, ReadTree

JSON_START = re.compile(r"\s*(?:(?:max|min)\s*)?[\[{]", re.IGNORECASE)


FORMAT_SIZE_HINT = "Without names, a node takes about 5 characters as a nested list or JSON, 16 as indented text, 45 as DOT"


class Format(NamedTuple):
    """A text format for trees."""

    label: str
    extension: str
    media_type: str
    write: Callable[[Any, str], str]  # takes the tree and the side that moves first
    names: bool = True  # False: it cannot write names


FORMATS = {
    "list": Format("nested list", ".tree", "text/plain", json_trees.write_nested_list, names=False),
    "text": Format("indented text", ".txt", "text/plain", indented_trees.write_indented_tree),
    "json": Format("JSON", ".json", "application/json", json_trees.write_json_tree),
    "dot": Format("DOT", ".dot", "text/vnd.graphviz", dot_trees.write_dot_tree),
}
EXTENSIONS = (*(form.extension for form in FORMATS.values()), ".gv", cs188_tests.EXTENSION)


def read_tree(written: str | bytes) -> ReadTree:
    """Read a tree in any of the formats, and the side that moves first if the text names it.

    A graph for several agents (cs188_tests.py) is not a tree of this kind: `registry.read_tree_file` reads it as well.

    >>> read_tree("[[3, 12], [2, 4]]")
    ReadTree(tree=[[3, 12], [2, 4]], first=None, value_range=None)
    >>> read_tree("MIN\\n  left: 3\\n  right: 5")
    ReadTree(tree={'children': [{'name': 'left', 'value': 3}, {'name': 'right', 'value': 5}]}, first='min', value_range=None)
    """
    text = decode_tree_text(written) if isinstance(written, bytes) else written
    if len(text) > MAX_BYTES:
        raise BadTree(f"the tree has {len(text):,} characters: the limit is {MAX_BYTES:,}. {FORMAT_SIZE_HINT}")
    if not text.strip():
        raise BadTree(
            "the tree is empty: write nested lists such as [[3,12],[2,4]], or one node per line with its children indented"
        )
    if JSON_START.match(text):
        return json_trees.read_json_tree(text)
    if dot_trees.is_dot(text):
        return dot_trees.read_dot_tree(text)
    return indented_trees.read_indented_tree(text)


def decode_tree_text(content: bytes) -> str:
    """Return the text of a file. Raise BadTree if it is too long or not UTF-8."""
    if len(content) > MAX_BYTES:
        raise BadTree(f"the file has at least {len(content):,} bytes: the limit is {MAX_BYTES:,}. {FORMAT_SIZE_HINT}")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise BadTree(f"line {line} of the file is not UTF-8 text: save the file as UTF-8") from None


__all__ = ["EXTENSIONS", "FORMATS", "Format", "ReadTree", "decode_tree_text", "read_tree"]
