"""Trees as indented text: one node per line, its children indented below it.

    MAX                  the side to move is optional; below the root the sides must alternate
      a1 -> MIN B        a move, then the name of the node that it leads to
        b1 -> 3          a leaf
        b2 -> x: 12      a leaf with a name
      C                  a node by its name alone; in quotes if it could be read as something else: "3"
        2
        4
      CHANCE             chance moves; the probability of each outcome, and its name if it has one, stand before the arrow
        1/6 -> 3
        5/6 other -> 2

A first line such as RANGE -10 10 names the least and the greatest value, which Star1 and Star2 use.
Lines that begin with # are comments. Several lines at the outermost level are the children of an implied root.
"""

import json
import re
from collections.abc import Iterator
from io import StringIO
from typing import Any, NamedTuple

from engine.core.errors import BadTree
from engine.games.tree_formats.chance_lists import ChanceList, check_probabilities, read_probability
from engine.games.tree_formats.diagnostics import (
    ReadTree,
    check_name,
    check_tree_size,
    is_number,
    raise_at_offset,
    read_number,
    read_range,
    write_range,
)

PIECE_PATTERN = re.compile(r'"(?:[^"\\]|\\.)*"|->|:|[^":\-]+|.')
SIDE_PATTERN = re.compile(r"(MAX|MIN|CHANCE)(?:\s+|$)")
PROBABILITY_PATTERN = re.compile(r"([0-9]+/[0-9]+|[0-9]*\.?[0-9]+)(?:\s+|$)")
RANGE_PATTERN = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\r?\n)*(RANGE[ \t]+([-+\u2212.0-9][^\n]*))(?:\n|$)")
CHANCE = "chance"
MAX_LINE_CHARS = 2000  # far more than two names and a value need


class NodeLine(NamedTuple):
    """A node that was read from a line."""

    offset: int  # where it begins
    indent: int
    node: dict[str, Any]
    side: str  # the side to move, or CHANCE; empty if the line does not name it

    @property
    def inner_key(self) -> str:
        """Return the key of its children."""
        return "chance" if self.side == CHANCE else "children"


def read_indented_tree(text: str) -> ReadTree:
    """Read the tree of an indented text."""
    value_range = None
    if match := RANGE_PATTERN.match(text):
        value_range = read_range(text, match.start(2), match[2])
        text = f"{text[: match.start(1)]}#{text[match.start(1) + 1 :]}"  # a comment for what follows
    tops: list[NodeLine] = []
    path: list[NodeLine] = []  # from the root to the line above
    first: str | None = None
    lines: list[NodeLine] = []  # every line; checked for values and children at the end
    for count, line in enumerate(_read_lines(text), start=1):
        while path and path[-1].indent > line.indent:
            left = path.pop()
            if not path or path[-1].indent < line.indent:
                raise_at_offset(
                    text,
                    line.offset,
                    f"this line is indented by {line.indent}: use {_describe_fitting_indents(path, left)}, like a line above",
                )
        if path and path[-1].indent == line.indent:
            path.pop()
        if path:
            _add_child(text, path[-1], line)
        else:
            tops.append(line)
        check_tree_size(text, line.offset, count, len(path))
        first = _find_first_side(text, line, sum(above.side != CHANCE for above in path), first)
        path.append(line)
        lines.append(line)
    for line in lines:
        if "value" not in line.node and line.inner_key not in line.node:
            raise_at_offset(
                text, line.offset, "this node has neither a value nor children: write 'name: 3', or indent its children below it"
            )
        if line.inner_key == "chance":
            _check_sum(text, line)
    return _build_tree(text, tops, first)._replace(value_range=value_range)


def _describe_fitting_indents(path: list[NodeLine], left: NodeLine) -> str:
    return " or ".join(str(line.indent) for line in [*path[-1:], left])


def _add_child(text: str, parent: NodeLine, line: NodeLine) -> None:
    if "value" in parent.node:
        raise_at_offset(text, line.offset, "the parent of this line has a value: a node has a value or children, not both")
    if parent.side == CHANCE:
        _split_probability(text, line)
    parent.node.setdefault(parent.inner_key, []).append(line.node)


def _split_probability(text: str, line: NodeLine) -> None:
    """Take the probability from what stands before the arrow of an outcome."""
    match = PROBABILITY_PATTERN.match(line.node.get("move", ""))
    if match is None:
        raise_at_offset(text, line.offset, "chance moves above this line: write its probability before an arrow, as 1/6 -> 3")
    try:
        read_probability(match[1])
    except BadTree as error:
        raise_at_offset(text, line.offset, str(error))
    name = line.node.pop("move")[match.end() :]
    line.node["p"] = match[1]
    if name:
        line.node["move"] = check_name(text, line.offset, name)


def _check_sum(text: str, line: NodeLine) -> None:
    outcomes = line.node["chance"]
    try:
        check_probabilities(ChanceList(outcomes, [read_probability(node["p"]) for node in outcomes]))
    except BadTree as error:
        raise_at_offset(text, line.offset, str(error))


def _find_first_side(text: str, line: NodeLine, depth: int, first: str | None) -> str | None:
    """Return the side that moves at the root, if this line or an earlier one shows it."""
    if line.side in ("", CHANCE):
        return first
    root_side = line.side if depth % 2 == 0 else _other_side(line.side)
    if first not in (None, root_side):
        raise_at_offset(
            text,
            line.offset,
            f"{line.side.upper()} cannot move here: the sides alternate, and it is {_other_side(line.side).upper()}'s turn",
        )
    return root_side


def _other_side(side: str) -> str:
    return "min" if side == "max" else "max"


def _build_tree(text: str, tops: list[NodeLine], first: str | None) -> ReadTree:
    if not tops:
        raise_at_offset(text, 0, "there are no nodes: write one per line, with its children indented below it")
    if len(tops) == 1:
        if "move" in tops[0].node:
            raise_at_offset(text, tops[0].offset, "no move leads to the root: remove the text before the arrow")
        return ReadTree(tops[0].node, first)
    if first is not None:  # the side was that of the children
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
            raise_at_offset(text, offset, "the indentation mixes characters: use only spaces or only tabs in all lines")
        if len(content) > MAX_LINE_CHARS:
            raise_at_offset(text, offset, f"this line has {len(content):,} characters: the limit is {MAX_LINE_CHARS:,}")
        yield _read_node_line(text, offset, len(indent), content)


def _read_node_line(text: str, offset: int, indent: int, content: str) -> NodeLine:
    """Read a line of the form MOVE -> SIDE NAME: VALUE. Most of its parts are optional."""
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
    if match := SIDE_PATTERN.match(before):
        side, before = match[1].lower(), before[match.end() :]
    if before and (value or side or not is_number(before)):
        node["name"] = _read_name(text, offset, before, "the name")
    elif before:
        value = before
    if value:
        node["value"] = read_number(text, offset + content.rindex(value), value)
    elif not before and not side:
        raise_at_offset(text, offset, "this line has no node: write a value, a name, or both as 'name: 3'")
    return NodeLine(offset, indent, node, side)


def _read_name(text: str, offset: int, piece: str, what: str) -> str:
    """Read a name, in quotes or without."""
    if piece.startswith('"'):
        try:
            return check_name(text, offset, str(json.loads(piece)))
        except ValueError as error:
            if not isinstance(error, json.JSONDecodeError):
                raise
            raise_at_offset(text, offset, f"{what} has no closing quote, or text follows the quote")
    if '"' in piece or not piece:
        problem = "is only partly in quotes: quote all of it" if piece else "is missing: write it, in quotes if necessary"
        raise_at_offset(text, offset, f"{what} {problem}")
    return check_name(text, offset, piece)


def write_indented_tree(tree: Any, first: str) -> str:
    """Return the tree as indented text."""
    lines: list[str] = [f"RANGE {limits}\n"] if (limits := write_range(tree)) else []
    stack: list[tuple[Any, int, int]] = [(tree, 0, 0)]  # with its depth, and the moves of the two sides on the way
    while stack:
        node, depth, plies = stack.pop()
        facts = node if isinstance(node, dict) else {"children" if isinstance(node, list) else "value": node}
        side = CHANCE if "chance" in facts else first if plies % 2 == 0 else _other_side(first)
        words = [side.upper()] if depth == 0 or "value" not in facts else []
        if name := facts.get("name", ""):
            words.append(_quote_if_unclear(name))
        leaf = "" if "value" not in facts else f": {facts['value']!r}" if words else f"{facts['value']!r}"
        before = [str(facts[key]) for key in ("p", "move") if key in facts]
        move = f"{' '.join(before) if 'p' in facts else _quote_if_unclear(before[0])} -> " if before else ""
        lines.append(f"{'  ' * depth}{move}{' '.join(words)}{leaf}\n")
        below = facts.get("chance") or facts.get("children", [])
        stack.extend((child, depth + 1, plies + (side != CHANCE)) for child in reversed(below))
    return "".join(lines)


def _quote_if_unclear(name: str) -> str:
    """Return a name, in quotes if it could be read as something else."""
    unclear = (
        is_number(name)
        or SIDE_PATTERN.match(name)
        or RANGE_PATTERN.match(name)
        or name.startswith(("#", "[", "{"))
        or any(sign in name for sign in ('"', ":", "->", "\\"))
    )
    return json.dumps(name, ensure_ascii=False) if unclear else name
