"""GraphML, written by networkx, for yEd, Gephi and the like."""

from collections.abc import Iterator

from engine.tree.tree import SearchTree
from visualizer.drawing.view import View
from visualizer.exporters.networkx_graph import MOST_NODES, to_networkx
from visualizer.text.escapes import plain

EXTENSION = ".graphml"
DESCRIPTION = "GraphML for graph tools, up to 200,000 nodes"
MEDIA_TYPE = "application/graphml+xml"
MAX_ITEMS = MOST_NODES


def chunks(tree: SearchTree, view: View | None = None, boards: bool = False) -> Iterator[bytes]:
    """The graph, line by line; names without the characters that XML forbids."""
    import networkx

    graph = to_networkx(tree, view, boards)
    graph.graph.clear()  # networkx would write them as attributes of its own kind
    for _, _, edge in graph.edges(data=True):
        edge["name"] = plain(edge["name"])
    for _, node in graph.nodes(data=True):
        if "board" in node:
            node["board"] = "\n".join(plain(line) for line in node["board"].split("\n"))
    return (line.encode() + b"\n" for line in networkx.generate_graphml(graph, named_key_ids=True))
