"""GraphML, for yEd, Gephi and the like: the file that networkx would write, without it."""

from collections.abc import Iterator
from typing import Any
from xml.sax.saxutils import escape

from engine.tree.tree import SearchTree
from visualizer.drawing.view import View
from visualizer.exporters.networkx_graph import MOST_NODES, GraphFacts
from visualizer.narration.escapes import plain

EXTENSION = ".graphml"
DESCRIPTION = "GraphML for graph tools, up to 200,000 nodes"
MEDIA_TYPE = "application/graphml+xml"
MAX_ITEMS = MOST_NODES
AT_ONCE = 2_000  # as an element has many attributes

SPACE = "http://graphml.graphdrawing.org/xmlns"
HEAD = (
    f'<graphml xmlns="{SPACE}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
    f'xsi:schemaLocation="{SPACE} {SPACE}/1.0/graphml.xsd">'
)
TYPES = {bool: "boolean", int: "long", float: "double", str: "string"}  # of attributes, all of one name alike


def chunks(tree: SearchTree, view: View | None = None, boards: bool = False) -> Iterator[bytes]:
    """The graph, element by element; names without the characters that XML forbids."""
    facts = GraphFacts(tree, view, boards)
    return (f"{text}\n".encode("ascii", "xmlcharrefreplace") for text in _elements(facts))


def _elements(facts: GraphFacts) -> Iterator[str]:
    yield HEAD
    yield from reversed([*_keys("node", facts.of_nodes), *_keys("edge", facts.of_edges)])  # as networkx does
    yield '  <graph edgedefault="directed">'
    for node, known in facts.nodes():
        if "board" in known:
            known["board"] = "\n".join(plain(line) for line in known["board"].split("\n"))
        yield _element("node", f'id="{node}"', known)
    for source, target, known in facts.edges():
        known["name"] = plain(known["name"])
        yield _element("edge", f'source="{source}" target="{target}"', known)
    yield "  </graph>\n</graphml>"


def _keys(of: str, kinds: dict[str, type]) -> Iterator[str]:
    """A declaration for each attribute of nodes or edges."""
    for name, kind in kinds.items():
        yield f'  <key id="{name}" for="{of}" attr.name="{name}" attr.type="{TYPES[kind]}" />'


def _element(kind: str, names: str, known: dict[str, Any]) -> str:
    data = "\n".join(
        f'      <data key="{name}">{text}</data>' if (text := _text(value)) else f'      <data key="{name}" />'
        for name, value in known.items()
    )
    return f"    <{kind} {names}>\n{data}\n    </{kind}>"


def _text(value: Any) -> str:
    return escape(value) if isinstance(value, str) else str(value)
