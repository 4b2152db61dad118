"""Trees in a subset of DOT: nodes, edges and their attributes in one graph.

    digraph {
      first = min;                      // MAX moves first unless this says otherwise
      range = "-10 10";                 // the least and the greatest value, which Star1 and Star2 use
      A -> B [label="a1"];              // the label of an edge is the name of the move
      A -> { C D };
      B [label="x", value=3];           // a leaf has a value, or a label that is a number
      C [label="12"]; D [value=2];
      E [shape=circle];                 // chance moves: every edge has a probability
      E -> F [p="1/6"];
    }

The name of a node is its attribute `name`, or a label that is not a number, or else its identifier in the graph; label="" means
no name. Other attributes, and defaults for all nodes or edges, are allowed and ignored. No subgraphs, ports or HTML.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from engine.core.errors import BadTree, short_repr
from engine.games.tree_formats.chance_lists import ChanceList, check_probabilities, read_probability
from engine.games.tree_formats.diagnostics import (
    MAX_NODES,
    ReadTree,
    check_name,
    check_tree_size,
    is_number,
    raise_at_offset,
    read_number,
    read_range,
    write_range,
)

TOKEN_PATTERN = re.compile(
    r"""(?P<blank>\s+|//[^\n]*|\#[^\n]*|/\*.*?\*/)
      | (?P<arrow>->|--)
      | (?P<sign>[{}\[\];,=])
      | (?P<text>"(?:[^"\\]|\\.)*")
      | (?P<id>[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?![\w.])|[^\W0-9]\w*)
      | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
END = "end"
MAX_STATEMENTS = 3 * MAX_NODES  # for each node: itself, an edge, and a separator


class Token(NamedTuple):
    kind: str
    piece: str
    offset: int


class Vertex:
    """A node of the graph: its first place in the text, its attributes, and the edge that leads to it."""

    __slots__ = ("attributes", "children", "edge", "name", "offset", "parent")

    def __init__(self, name: str, offset: int):
        self.name, self.offset = name, offset
        self.attributes: dict[str, str] = {}
        self.children: list[Vertex] = []
        self.parent: Vertex | None = None
        self.edge: dict[str, str] = {}


def is_dot(text: str) -> bool:
    """Return True if a text begins like a graph."""
    tokens = (match[0].lower() for match in TOKEN_PATTERN.finditer(text) if match.lastgroup != "blank")
    begins = next(tokens, "")
    if begins == "strict":
        begins = next(tokens, "")
    return begins in ("graph", "digraph") and "{" in (next(tokens, ""), next(tokens, ""))


def read_dot_tree(text: str) -> ReadTree:
    """Read the tree of a graph."""
    return _DotParser(text).parse_tree()


class _DotParser:
    """A parser for one text in DOT."""

    def __init__(self, text: str):
        self.text = text
        self.tokens = self._iterate_tokens()
        self.now = next(self.tokens)
        self.vertices: dict[str, Vertex] = {}
        self.first: str | None = None
        self.value_range: tuple[float, float] | None = None

    def _iterate_tokens(self) -> Iterator[Token]:
        for match in TOKEN_PATTERN.finditer(self.text):
            if match.lastgroup != "blank":
                yield Token(str(match.lastgroup), match[0], match.start())
        yield Token(END, "", len(self.text))

    def _next_token(self) -> Token:
        token = self.now
        if token.kind != END:
            self.now = next(self.tokens)
        return token

    def _refuse_token(self, token: Token, wanted: str) -> Any:
        found = "the end of the text" if token.kind == END else short_repr(token.piece)
        raise_at_offset(self.text, token.offset, f"expected {wanted}, found {found}")

    def _expect_sign(self, piece: str) -> None:
        token = self._next_token()
        if token.piece != piece or token.kind == "text":
            self._refuse_token(token, piece)

    def _read_id(self, wanted: str) -> tuple[str, int]:
        token = self._next_token()
        if token.kind == "text":
            return re.sub(r'\\([\\"])|\\[nlr]', lambda match: match[1] or " ", token.piece[1:-1]), token.offset
        if token.kind != "id":
            self._refuse_token(token, wanted)
        return token.piece, token.offset

    def parse_tree(self) -> ReadTree:
        if self.now.piece.lower() == "strict":
            self._next_token()
        self._next_token()  # graph or digraph
        if self.now.kind in ("id", "text"):
            self._next_token()
        self._expect_sign("{")
        statements = 0
        while self.now.piece != "}" or self.now.kind == "text":
            statements += 1
            if statements > MAX_STATEMENTS:
                self._refuse_token(self.now, f"}} (a graph has at most {MAX_STATEMENTS:,} statements)")
            self._read_statement()
        self._next_token()
        if self.now.kind != END:
            self._refuse_token(self.now, "the end of the text (one graph is one tree)")
        return ReadTree(self._build_tree(self._find_root()), self.first, self.value_range)

    def _read_statement(self) -> None:
        if self.now.piece == ";" and self.now.kind == "sign":
            self._next_token()
            return
        quoted = self.now.kind == "text"
        if not quoted and self.now.piece.lower() == "subgraph":
            self._refuse_token(self.now, "a node or an edge (subgraphs are not supported)")
        name, offset = self._read_id("a node, an edge or }")
        if self.now.kind == "sign" and self.now.piece == "=":
            self._next_token()
            self._set_graph_attribute(name, *self._read_id("a value"))
        elif not quoted and name.lower() in ("graph", "node", "edge"):
            attributes = self._read_attributes()
            for key in attributes if name.lower() == "graph" else ():
                self._set_graph_attribute(key, attributes[key], offset)
        elif self.now.kind == "arrow":
            self._read_edges(self._get_or_add_vertex(name, offset))
        else:
            self._get_or_add_vertex(name, offset).attributes.update(self._read_attributes())

    def _set_graph_attribute(self, name: str, value: str, offset: int) -> None:
        if name == "first":
            if value.lower() not in ("max", "min"):
                raise_at_offset(self.text, offset, f"{short_repr(value)} is not a side: write first=max or first=min")
            self.first = value.lower()
        elif name == "range":
            self.value_range = read_range(self.text, offset, value)

    def _read_edges(self, tail: Vertex) -> None:
        """Read the rest of A -> B -> { C D } [label="x"] after its first node."""
        linked: list[Vertex] = []
        tails = [tail]
        while self.now.kind == "arrow":
            if len(tails) > 1:
                self._refuse_token(self.now, "; (a group of children ends the edge)")
            self._next_token()
            heads = self._read_heads()
            for head, offset in heads:
                self._add_edge(tails[0], head, offset)
                linked.append(head)
            tails = [head for head, _ in heads]
        attributes = self._read_attributes()
        for head in linked:
            head.edge = attributes

    def _read_heads(self) -> list[tuple[Vertex, int]]:
        if self.now.piece != "{" or self.now.kind == "text":
            name, offset = self._read_id("a node")
            return [(self._get_or_add_vertex(name, offset), offset)]
        self._next_token()
        heads = []
        while self.now.piece != "}" or self.now.kind == "text":
            if self.now.kind == "sign" and self.now.piece in (";", ","):
                self._next_token()
                continue
            name, offset = self._read_id("a node or }")
            heads.append((self._get_or_add_vertex(name, offset), offset))
        if not heads:
            self._refuse_token(self.now, "a child")
        self._next_token()
        return heads

    def _add_edge(self, tail: Vertex, head: Vertex, offset: int) -> None:
        if head.parent is not None:
            parent = short_repr(head.parent.name)
            raise_at_offset(
                self.text, offset, f"{short_repr(head.name)} is already a child of {parent}: in a tree each node has one parent"
            )
        head.parent = tail
        tail.children.append(head)

    def _read_attributes(self) -> dict[str, str]:
        found: dict[str, str] = {}
        while self.now.kind == "sign" and self.now.piece == "[":
            self._next_token()
            while self.now.piece != "]" or self.now.kind == "text":
                if self.now.kind == "sign" and self.now.piece in (";", ","):
                    self._next_token()
                    continue
                name, _ = self._read_id("an attribute or ]")
                self._expect_sign("=")
                found[name], _ = self._read_id("a value")
            self._next_token()
        return found

    def _get_or_add_vertex(self, name: str, offset: int) -> Vertex:
        if name not in self.vertices:
            check_tree_size(self.text, offset, len(self.vertices) + 1, 0)
            self.vertices[name] = Vertex(name, offset)
        return self.vertices[name]

    def _find_root(self) -> Vertex:
        roots = [vertex for vertex in self.vertices.values() if vertex.parent is None]
        if not roots:
            problem = "the edges form a cycle: remove one of them" if self.vertices else "the graph has no nodes: write A -> B"
            raise_at_offset(self.text, 0, problem)
        if len(roots) > 1:
            raise_at_offset(
                self.text,
                roots[1].offset,
                f"{short_repr(roots[0].name)} and {short_repr(roots[1].name)} have no parent: a tree has one root",
            )
        return roots[0]

    def _build_tree(self, root: Vertex) -> Any:
        """Build the nodes as data, level by level."""
        whole: list[Any] = []
        level: list[tuple[Vertex, list[Any]]] = [(root, whole)]
        height = visited = 0
        while level:
            deeper: list[tuple[Vertex, list[Any]]] = []
            check_tree_size(self.text, level[0][0].offset, 1, height)
            for vertex, siblings in level:
                visited += 1
                node = self._build_node(vertex)
                siblings.append(node)
                deeper.extend((child, node["chance" if "chance" in node else "children"]) for child in vertex.children)
            level, height = deeper, height + 1
        if visited < len(self.vertices):
            raise_at_offset(self.text, 0, "some edges form a cycle apart from the root: remove one of them")
        return whole[0]

    def _build_node(self, vertex: Vertex) -> dict[str, Any]:
        attributes, node = vertex.attributes, dict[str, Any]()
        label = attributes.get("label")
        name = attributes.get("name", vertex.name if label is None else "" if is_number(label.strip()) else label).strip()
        value = attributes.get("value")
        if vertex.children:
            node["chance" if self._is_chance(vertex) else "children"] = []
            if value is not None:
                raise_at_offset(
                    self.text, vertex.offset, f"{short_repr(vertex.name)} has a value and children: a node has only one of them"
                )
        else:
            value = next((text for text in (value, label, vertex.name) if text is not None), "") if value is None else value
            if not is_number(value.strip()):
                raise_at_offset(
                    self.text,
                    vertex.offset,
                    f"the leaf {short_repr(vertex.name)} has no value: write {vertex.name[:20]} [value=3]",
                )
            node["value"] = read_number(self.text, vertex.offset, value.strip())
            if "name" not in attributes and label is None and is_number(vertex.name):
                name = ""
        if name:
            node["name"] = check_name(self.text, vertex.offset, name)
        move = vertex.edge.get("label", "").strip()
        if "p" in vertex.edge:
            node["p"] = vertex.edge["p"].strip()
            move = "" if move == node["p"] else move
        if move:
            node["move"] = check_name(self.text, vertex.offset, move)
        return node

    def _is_chance(self, vertex: Vertex) -> bool:
        """Return True if chance moves at a node: its edges have probabilities, which must add up to 1."""
        odds = [child.edge.get("p") for child in vertex.children]
        if not any(odds):
            return False
        try:
            check_probabilities(ChanceList(vertex.children, [read_probability(p and p.strip()) for p in odds]))
        except BadTree as error:
            raise_at_offset(self.text, vertex.offset, str(error).replace(repr(None), f"an edge of {vertex.name[:20]} without p"))
        return True


def write_dot_tree(tree: Any, first: str) -> str:
    """Return the tree as a graph for Graphviz. Reading it gives the same tree."""
    lines = ["digraph tree {", f"  first={first};"]
    lines += [f'  range="{limits}";'] if (limits := write_range(tree)) else []
    stack: list[tuple[Any, int]] = [(tree, -1)]
    number_of = 0
    while stack:
        node, parent = stack.pop()
        facts = node if isinstance(node, dict) else {"children" if isinstance(node, list) else "value": node}
        name, value = facts.get("name", ""), facts.get("value")
        label = name if value is None else f"{name}: {value!r}" if name else repr(value)
        attributes = [f"label={_quote_string(label)}"] + ["shape=circle"] * ("chance" in facts)
        attributes += [f"name={_quote_string(name)}"] if name and (value is not None or is_number(name)) else []
        attributes += [f"value={_quote_string(repr(value))}"] if name and value is not None else []
        lines.append(f"  n{number_of} [{', '.join(attributes)}];")
        if parent >= 0:
            named = {"label": facts.get("move", facts.get("p")), "p": facts.get("p")}
            edge = ", ".join(f"{key}={_quote_string(str(told))}" for key, told in named.items() if told is not None)
            lines.append(f"  n{parent} -> n{number_of}{f' [{edge}]' if edge else ''};")
        below = facts.get("chance") or facts.get("children", [])
        stack.extend((child, number_of) for child in reversed(below))
        number_of += 1
    return "\n".join([*lines, "}"]) + "\n"


def _quote_string(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
