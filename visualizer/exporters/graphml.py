"""GraphML, for yEd, Gephi and similar tools: the same file that networkx would write, without networkx."""

from collections.abc import Iterator
from typing import Any
from xml.sax.saxutils import escape

from engine.tree.tree import SearchTree
from visualizer.drawing.view import View
from visualizer.exporters.networkx_graph import MAX_NODES, GraphAttributes
from visualizer.narration.escapes import sanitize_line

EXTENSION = ".graphml"
DESCRIPTION = "GraphML for graph tools, up to 200,000 nodes"
MEDIA_TYPE = "application/graphml+xml"
MAX_ITEMS = MAX_NODES
AT_ONCE = 2_000  # an element has many attributes

NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
HEAD = (
    f'<graphml xmlns="{NAMESPACE}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
    f'xsi:schemaLocation="{NAMESPACE} {NAMESPACE}/1.0/graphml.xsd">'
)
ATTRIBUTE_TYPES = {bool: "boolean", int: "long", float: "double", str: "string"}  # of attributes, all of one name alike


def chunks(tree: SearchTree, view: View | None = None, boards: bool = False) -> Iterator[bytes]:
    """Return the graph element by element. Characters that XML forbids are removed from names."""
    facts = GraphAttributes(tree, view, boards)
    return (f"{text}\n".encode("ascii", "xmlcharrefreplace") for text in _write_elements(facts))


def _write_elements(facts: GraphAttributes) -> Iterator[str]:
    yield HEAD
    yield from reversed(
        [*_declare_attributes("node", facts.node_attribute_types), *_declare_attributes("edge", facts.edge_attribute_types)]
    )  # as networkx does
    yield '  <graph edgedefault="directed">'
    for node, known in facts.nodes():
        if "board" in known:
            known["board"] = "\n".join(sanitize_line(line) for line in known["board"].split("\n"))
        yield _format_element("node", f'id="{node}"', known)
    for source, target, known in facts.edges():
        known["name"] = sanitize_line(known["name"])
        yield _format_element("edge", f'source="{source}" target="{target}"', known)
    yield "  </graph>\n</graphml>"


def _declare_attributes(target: str, kinds: dict[str, type]) -> Iterator[str]:
    """Yield a declaration for each attribute of nodes or edges."""
    for name, kind in kinds.items():
        yield f'  <key id="{name}" for="{target}" attr.name="{name}" attr.type="{ATTRIBUTE_TYPES[kind]}" />'


def _format_element(kind: str, names: str, known: dict[str, Any]) -> str:
    data = "\n".join(
        f'      <data key="{name}">{text}</data>' if (text := _format_value(value)) else f'      <data key="{name}" />'
        for name, value in known.items()
    )
    return f"    <{kind} {names}>\n{data}\n    </{kind}>"


def _format_value(value: Any) -> str:
    return escape(value) if isinstance(value, str) else str(value)
