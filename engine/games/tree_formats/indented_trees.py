"""Trees as indented text: one node a line, its children below it and further in.

    MAX                  the side to move may be given; below the root it must fit, since the sides move in turn
      a1 -> MIN B        a move, then the name of the node that it leads to
        b1 -> 3          a leaf
        b2 -> x: 12      a leaf with a name
      C                  a node by its name alone; in quotes if it could be taken for something else: "3"
        2
        4

Lines that begin with # are comments. Several lines at the outermost level are the children of a root that is not written.
"""

import json
import re
from collections.abc import Iterator
from io import StringIO
from typing import Any, NamedTuple

from engine.games.tree_formats.diagnostics import ReadTree, check_name, check_tree_size, is_number, raise_at_offset, read_number

PIECE_PATTERN = re.compile(r'"(?:[^"\\]|\\.)*"|->|:|[^":\-]+|.')
SIDE_PATTERN = re.compile(r"(MAX|MIN)(?:\s+|$)")
MAX_LINE_CHARS = 2000  # characters: two names, a value, and much room


class NodeLine(NamedTuple):
    """A node that was read from a line."""

    offset: int  # where it begins
    indent: int
    node: dict[str, Any]
    side: str  # who moves, if that is said


def read_indented_tree(text: str) -> ReadTree:
    """Read the tree of an indented text."""
    tops: list[NodeLine] = []
    path: list[NodeLine] = []  # from the root to the line above
    first: str | None = None
    leaves: list[NodeLine] = []  # lines that had nothing below them when they came
    for count, line in enumerate(_read_lines(text), start=1):
        while path and path[-1].indent > line.indent:
            left = path.pop()
            if not path or path[-1].indent < line.indent:
                raise_at_offset(
                    text,
                    line.offset,
                    f"this line is indented by {line.indent}: {_describe_fitting_indents(path, left)} would fit a line above",
                )
        if path and path[-1].indent == line.indent:
            path.pop()
        if path:
            _add_child(text, path[-1], line)
        else:
            tops.append(line)
        check_tree_size(text, line.offset, count, len(path))
        first = _find_first_side(text, line, len(path), first)
        path.append(line)
        leaves.append(line)
    for line in leaves:
        if "value" not in line.node and "children" not in line.node:
            raise_at_offset(
                text, line.offset, "nothing is below this node, and it has no value: write 'name: 3', or indent its children"
            )
    return _build_tree(text, tops, first)


def _describe_fitting_indents(path: list[NodeLine], left: NodeLine) -> str:
    return " or ".join(str(line.indent) for line in [*path[-1:], left])


def _add_child(text: str, parent: NodeLine, line: NodeLine) -> None:
    if "value" in parent.node:
        raise_at_offset(text, line.offset, "the line above is a leaf with a value: a node has a value or children, not both")
    parent.node.setdefault("children", []).append(line.node)


def _find_first_side(text: str, line: NodeLine, depth: int, first: str | None) -> str | None:
    """Return the side that moves at the root, if this line or an earlier one tells it."""
    if not line.side:
        return first
    says = line.side if depth % 2 == 0 else _other_side(line.side)
    if first not in (None, says):
        raise_at_offset(
            text,
            line.offset,
            f"{line.side.upper()} cannot move here: the sides move in turn, and {_other_side(line.side).upper()} does",
        )
    return says


def _other_side(side: str) -> str:
    return "min" if side == "max" else "max"


def _build_tree(text: str, tops: list[NodeLine], first: str | None) -> ReadTree:
    if not tops:
        raise_at_offset(text, 0, "there is no node: write one in each line, its children indented below it")
    if len(tops) == 1:
        if "move" in tops[0].node:
            raise_at_offset(text, tops[0].offset, "no move leads to the root: leave out what stands before the arrow")
        return ReadTree(tops[0].node, first)
    if first is not None:  # it was said of the children
        first = _other_side(first)
    return ReadTree({"children": [line.node for line in tops]}, first)


def _read_lines(text: str) -> Iterator[NodeLine]:
    """Yield the nodes, line by line."""
    end, blank = 0, ""
    for line in StringIO(text, newline="\n"):
        content, begin = line.strip(), end
        end += len(line)
        if not content or content.startswith("#"):
            continue
        indent = line[: len(line) - len(line.lstrip())]
        offset = begin + len(indent)
        blank = blank or indent[:1]
        if indent.strip(blank or " "):
            raise_at_offset(
                text, offset, "indent with blanks or with tabs, everywhere the same: this line has another character before it"
            )
        if len(content) > MAX_LINE_CHARS:
            raise_at_offset(text, offset, f"this line has {len(content):,} characters: {MAX_LINE_CHARS:,} are the most")
        yield _read_node_line(text, offset, len(indent), content)


def _read_node_line(text: str, offset: int, indent: int, content: str) -> NodeLine:
    """Read a line of the form MOVE -> SIDE NAME: VALUE, of which most may be missing."""
    signs = [match for match in PIECE_PATTERN.finditer(content) if match[0] in ("->", ":")]
    node: dict[str, Any] = {}
    begin = 0
    if arrow := next((sign for sign in signs if sign[0] == "->"), None):
        node["move"] = _read_name(text, offset, content[: arrow.start()].strip(), "the move before the arrow")
        begin = arrow.end()
    colon = next((sign for sign in reversed(signs) if sign[0] == ":" and sign.start() >= begin), None)
    before = content[begin : colon.start() if colon else None].strip()
    value = content[colon.end() :].strip() if colon else ""
    side = ""
    if said := SIDE_PATTERN.match(before):
        side, before = said[1].lower(), before[said.end() :]
    if before and (value or side or not is_number(before)):
        node["name"] = _read_name(text, offset, before, "the name")
    elif before:
        value = before
    if value:
        node["value"] = read_number(text, offset + content.rindex(value), value)
    elif not before and not side:
        raise_at_offset(text, offset, "there is no node in this line: write its value, its name, or both as 'name: 3'")
    return NodeLine(offset, indent, node, side)


def _read_name(text: str, offset: int, piece: str, what: str) -> str:
    """Read a name, in quotes or without."""
    if piece.startswith('"'):
        try:
            return check_name(text, offset, str(json.loads(piece)))
        except ValueError as error:
            if not isinstance(error, json.JSONDecodeError):
                raise
            raise_at_offset(text, offset, f"{what} is not closed by a quote, or more stands behind it")
    if '"' in piece or not piece:
        raise_at_offset(
            text, offset, f"{what} is {'missing' if not piece else 'partly in quotes'}: write it whole, or all of it in quotes"
        )
    return check_name(text, offset, piece)


def write_indented_tree(tree: Any, first: str) -> str:
    """Return the tree as indented text."""
    lines: list[str] = []
    stack: list[tuple[Any, int]] = [(tree, 0)]
    while stack:
        node, depth = stack.pop()
        facts = node if isinstance(node, dict) else {"children" if isinstance(node, list) else "value": node}
        side = first if depth % 2 == 0 else _other_side(first)
        says = [side.upper()] if depth == 0 or "children" in facts else []
        if name := facts.get("name", ""):
            says.append(_quote_if_unclear(name))
        leaf = "" if "value" not in facts else f": {facts['value']!r}" if says else f"{facts['value']!r}"
        move = f"{_quote_if_unclear(facts['move'])} -> " if "move" in facts else ""
        lines.append(f"{'  ' * depth}{move}{' '.join(says)}{leaf}\n")
        stack.extend((child, depth + 1) for child in reversed(facts.get("children", [])))
    return "".join(lines)


def _quote_if_unclear(name: str) -> str:
    """Return a name, in quotes if it could be taken for something else."""
    unclear = (
        is_number(name)
        or SIDE_PATTERN.match(name)
        or name.startswith(("#", "[", "{"))
        or any(sign in name for sign in ('"', ":", "->", "\\"))
    )
    return json.dumps(name, ensure_ascii=False) if unclear else name
