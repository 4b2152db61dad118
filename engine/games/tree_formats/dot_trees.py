"""Trees in a small part of DOT: nodes, edges and their attributes in one graph.

    digraph {
      first = min;                      // MAX moves first unless this is said
      A -> B [label="a1"];              // the label of an edge is the name of the move
      A -> { C D };
      B [label="x", value=3];           // a leaf has a value, or a label that is a number
      C [label="12"]; D [value=2];
    }

The name of a node is its attribute `name`, or a label that is no number, or else what it is called in the graph; label="" is no
name. Other attributes, and those of all nodes or edges, are allowed and say nothing. No subgraphs, ports or HTML.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from engine.core.errors import shortened
from engine.games.tree_formats.diagnostics import MAX_NODES, ReadTree, check_name, check_size, is_number, number, refuse

TOKEN = re.compile(
    r"""(?P<blank>\s+|//[^\n]*|\#[^\n]*|/\*.*?\*/)
      | (?P<arrow>->|--)
      | (?P<sign>[{}\[\];,=])
      | (?P<text>"(?:[^"\\]|\\.)*")
      | (?P<id>[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?![\w.])|[^\W0-9]\w*)
      | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
END = "end"
MOST_STATEMENTS = 3 * MAX_NODES  # a node, an edge, and what separates them


class Token(NamedTuple):
    kind: str
    piece: str
    offset: int


class Vertex:
    """A node of the graph: where it was met first, its attributes, and the edge that leads to it."""

    __slots__ = ("attributes", "children", "edge", "name", "offset", "parent")

    def __init__(self, name: str, offset: int):
        self.name, self.offset = name, offset
        self.attributes: dict[str, str] = {}
        self.children: list[Vertex] = []
        self.parent: Vertex | None = None
        self.edge: dict[str, str] = {}


def is_dot(text: str) -> bool:
    """Whether a text begins as a graph does."""
    tokens = (match[0].lower() for match in TOKEN.finditer(text) if match.lastgroup != "blank")
    begins = next(tokens, "")
    if begins == "strict":
        begins = next(tokens, "")
    return begins in ("graph", "digraph") and "{" in (next(tokens, ""), next(tokens, ""))


def read(text: str) -> ReadTree:
    """The tree of a graph."""
    return _Reading(text).whole()


class _Reading:
    def __init__(self, text: str):
        self.text = text
        self.tokens = self._tokens()
        self.now = next(self.tokens)
        self.vertices: dict[str, Vertex] = {}
        self.first: str | None = None

    def _tokens(self) -> Iterator[Token]:
        for match in TOKEN.finditer(self.text):
            if match.lastgroup != "blank":
                yield Token(str(match.lastgroup), match[0], match.start())
        yield Token(END, "the end", len(self.text))

    def _next(self) -> Token:
        token = self.now
        if token.kind != END:
            self.now = next(self.tokens)
        return token

    def _refuse(self, token: Token, wanted: str) -> Any:
        refuse(self.text, token.offset, f"{shortened(token.piece)} where {wanted} would do")

    def _take(self, piece: str) -> None:
        token = self._next()
        if token.piece != piece or token.kind == "text":
            self._refuse(token, piece)

    def _id(self, wanted: str) -> tuple[str, int]:
        token = self._next()
        if token.kind == "text":
            return re.sub(r'\\([\\"])|\\[nlr]', lambda match: match[1] or " ", token.piece[1:-1]), token.offset
        if token.kind != "id":
            self._refuse(token, wanted)
        return token.piece, token.offset

    def whole(self) -> ReadTree:
        if self.now.piece.lower() == "strict":
            self._next()
        self._next()  # graph or digraph
        if self.now.kind in ("id", "text"):
            self._next()
        self._take("{")
        statements = 0
        while self.now.piece != "}" or self.now.kind == "text":
            statements += 1
            if statements > MOST_STATEMENTS:
                self._refuse(self.now, f"}} (a graph of {MOST_STATEMENTS:,} statements is as large as can be)")
            self._statement()
        self._next()
        if self.now.kind != END:
            self._refuse(self.now, "nothing: one graph is one tree")
        return ReadTree(self._tree(self._root()), self.first)

    def _statement(self) -> None:
        if self.now.piece == ";" and self.now.kind == "sign":
            self._next()
            return
        quoted = self.now.kind == "text"
        if not quoted and self.now.piece.lower() == "subgraph":
            self._refuse(self.now, "a node or an edge, and no subgraph,")
        name, offset = self._id("a node, an edge or }")
        if self.now.kind == "sign" and self.now.piece == "=":
            self._next()
            self._graph_attribute(name, *self._id("a value"))
        elif not quoted and name.lower() in ("graph", "node", "edge"):
            attributes = self._attributes()
            if name.lower() == "graph" and "first" in attributes:
                self._graph_attribute("first", attributes["first"], offset)
        elif self.now.kind == "arrow":
            self._edges(self._vertex(name, offset))
        else:
            self._vertex(name, offset).attributes.update(self._attributes())

    def _graph_attribute(self, name: str, value: str, offset: int) -> None:
        if name == "first":
            if value.lower() not in ("max", "min"):
                refuse(self.text, offset, f"{shortened(value)} does not move first: max or min does")
            self.first = value.lower()

    def _edges(self, tail: Vertex) -> None:
        """What follows the first node of A -> B -> { C D } [label="x"]."""
        made: list[Vertex] = []
        tails = [tail]
        while self.now.kind == "arrow":
            if len(tails) > 1:
                self._refuse(self.now, "; (nothing follows a group of children)")
            self._next()
            heads = self._heads()
            for head, offset in heads:
                self._connect(tails[0], head, offset)
                made.append(head)
            tails = [head for head, _ in heads]
        attributes = self._attributes()
        for head in made:
            head.edge = attributes

    def _heads(self) -> list[tuple[Vertex, int]]:
        if self.now.piece != "{" or self.now.kind == "text":
            name, offset = self._id("a node")
            return [(self._vertex(name, offset), offset)]
        self._next()
        heads = []
        while self.now.piece != "}" or self.now.kind == "text":
            if self.now.kind == "sign" and self.now.piece in (";", ","):
                self._next()
                continue
            name, offset = self._id("a node or }")
            heads.append((self._vertex(name, offset), offset))
        if not heads:
            self._refuse(self.now, "a child")
        self._next()
        return heads

    def _connect(self, tail: Vertex, head: Vertex, offset: int) -> None:
        if head.parent is not None:
            twice = "twice" if head.parent is tail else f"from {shortened(head.parent.name)} already"
            refuse(self.text, offset, f"an edge leads to {shortened(head.name)} {twice}: in a tree one edge leads to each node")
        head.parent = tail
        tail.children.append(head)

    def _attributes(self) -> dict[str, str]:
        found: dict[str, str] = {}
        while self.now.kind == "sign" and self.now.piece == "[":
            self._next()
            while self.now.piece != "]" or self.now.kind == "text":
                if self.now.kind == "sign" and self.now.piece in (";", ","):
                    self._next()
                    continue
                name, _ = self._id("an attribute or ]")
                self._take("=")
                found[name], _ = self._id("a value")
            self._next()
        return found

    def _vertex(self, name: str, offset: int) -> Vertex:
        if name not in self.vertices:
            check_size(self.text, offset, len(self.vertices) + 1, 0)
            self.vertices[name] = Vertex(name, offset)
        return self.vertices[name]

    def _root(self) -> Vertex:
        roots = [vertex for vertex in self.vertices.values() if vertex.parent is None]
        if not roots:
            why = "the edges go round in a circle: leave one out" if self.vertices else "the graph has no node: write A -> B"
            refuse(self.text, 0, why)
        if len(roots) > 1:
            refuse(
                self.text,
                roots[1].offset,
                f"no edge leads to {shortened(roots[1].name)}, nor to {shortened(roots[0].name)}: a tree has one root",
            )
        return roots[0]

    def _tree(self, root: Vertex) -> Any:
        """The nodes as data, level by level."""
        whole: list[Any] = []
        level: list[tuple[Vertex, list[Any]]] = [(root, whole)]
        height = met = 0
        while level:
            deeper: list[tuple[Vertex, list[Any]]] = []
            check_size(self.text, level[0][0].offset, 1, height)
            for vertex, siblings in level:
                met += 1
                node = self._node(vertex)
                siblings.append(node)
                deeper.extend((child, node["children"]) for child in vertex.children)
            level, height = deeper, height + 1
        if met < len(self.vertices):
            refuse(self.text, 0, "some edges go round in a circle, apart from the root: leave one of them out")
        return whole[0]

    def _node(self, vertex: Vertex) -> dict[str, Any]:
        attributes, node = vertex.attributes, dict[str, Any]()
        label = attributes.get("label")
        name = attributes.get("name", vertex.name if label is None else "" if is_number(label.strip()) else label).strip()
        value = attributes.get("value")
        if vertex.children:
            node["children"] = []
            if value is not None:
                refuse(self.text, vertex.offset, f"{shortened(vertex.name)} has a value and children: a node has one of them")
        else:
            value = next((said for said in (value, label, vertex.name) if said is not None), "") if value is None else value
            if not is_number(value.strip()):
                refuse(
                    self.text,
                    vertex.offset,
                    f"the leaf {shortened(vertex.name)} has no number: write {vertex.name[:20]} [value=3]",
                )
            node["value"] = number(self.text, vertex.offset, value.strip())
            if "name" not in attributes and label is None and is_number(vertex.name):
                name = ""
        if name:
            node["name"] = check_name(self.text, vertex.offset, name)
        if move := vertex.edge.get("label", "").strip():
            node["move"] = check_name(self.text, vertex.offset, move)
        return node


def write(tree: Any, first: str) -> str:
    """The tree as a graph that Graphviz draws, and that is read again as the same tree."""
    lines = ["digraph tree {", f"  first={first};"]
    stack: list[tuple[Any, int]] = [(tree, -1)]
    number_of = 0
    while stack:
        node, parent = stack.pop()
        facts = node if isinstance(node, dict) else {"children" if isinstance(node, list) else "value": node}
        name, value = facts.get("name", ""), facts.get("value")
        shown = name if value is None else f"{name}: {value!r}" if name else repr(value)
        says = [f"label={_quoted(shown)}"]
        says += [f"name={_quoted(name)}"] if name and (value is not None or is_number(name)) else []
        says += [f"value={_quoted(repr(value))}"] if name and value is not None else []
        lines.append(f"  n{number_of} [{', '.join(says)}];")
        if parent >= 0:
            move = f" [label={_quoted(facts['move'])}]" if "move" in facts else ""
            lines.append(f"  n{parent} -> n{number_of}{move};")
        stack.extend((child, number_of) for child in reversed(facts.get("children", [])))
        number_of += 1
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
