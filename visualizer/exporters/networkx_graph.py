"""A view as a networkx graph, with all known facts about nodes and edges as attributes."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.games.capabilities import declared_name
from engine.record.columns import BOUND_NAMES, STANDS_PAT, STATUS_NAMES
from engine.tree.tree import SearchTree
from visualizer.drawing.label_columns import exported_columns, format_boards, move_names
from visualizer.drawing.node_styles import NodeStyles
from visualizer.drawing.size_limits import check_size
from visualizer.drawing.view import ITEM_KIND_NAMES, STUB, View, ViewItems, select_items

if TYPE_CHECKING:
    import networkx

MAX_NODES = 200_000  # networkx takes about a kilobyte for each
STUB_ATTRIBUTES = ("kind", "depth", "side")


class GraphAttributes:
    """The attributes of the nodes and edges of a graph. Nodes are in the order of the view, edges sorted by the node above."""

    def __init__(self, tree: SearchTree, view: View | None = None, boards: bool = False):
        self._part = part = select_items(tree, view, every_pass=True)
        check_size("a networkx graph", len(part), MAX_NODES)
        self._looks, self._names = NodeStyles(part), move_names(part)
        self._keys: list[Any] = [row if row >= 0 else f"s{item}" for item, row in enumerate(part.row.tolist())]
        self._columns = _attribute_columns(part, self._looks, boards)
        self._static = _find_static_values(part)

    @property
    def node_attribute_types(self) -> dict[str, type]:
        """Return the attributes of nodes, with their types."""
        kinds = {name: type(column[0]) for name, column in self._columns.items()}
        return kinds | ({"static": float} if self._static else {})

    @property
    def edge_attribute_types(self) -> dict[str, type]:
        """Return the attributes of edges, with their types."""
        return {"move": int, "name": str, "principal": bool} if (self._part.parent >= 0).any() else {}

    def nodes(self) -> Iterator[tuple[Any, dict[str, Any]]]:
        """Yield each node with its attributes. A skipped move has only type, depth and side."""
        for item, key in enumerate(self._keys):
            named = STUB_ATTRIBUTES if self._part.kind[item] == STUB else self._columns
            known = {name: self._columns[name][item] for name in named}
            if item in self._static:
                known["static"] = self._static[item]
            yield key, known

    def edges(self) -> Iterator[tuple[Any, Any, dict[str, Any]]]:
        """Yield each edge, from above to below, with its attributes."""
        part, above = self._part, self._part.parent
        below = np.flatnonzero(above >= 0)
        for item in below[np.argsort(above[below], kind="stable")].tolist():
            known = {
                "move": int(part.move[item]),
                "name": self._names.text(item),
                "principal": bool(self._looks.principal[item]),
            }
            yield self._keys[int(above[item])], self._keys[item], known


def _attribute_columns(part: ViewItems, styles: NodeStyles, boards: bool) -> dict[str, list[Any]]:
    tree, row = part.tree, part.row
    columns = {
        "kind": [ITEM_KIND_NAMES[kind] for kind in part.kind],
        "depth": (part.depth + int(tree.depth[part.view.root])).tolist(),
        "side": [NodeStyles.all[code].turn_name for code in styles.codes],
        "status": [STATUS_NAMES[status] for status in tree.status[row]],
        "value": tree.value[row].tolist(),
        "bound": [BOUND_NAMES[bound] for bound in tree.bound[row]],
        "alpha": tree.alpha[row].tolist(),
        "beta": tree.beta[row].tolist(),
        "pruned": tree.pruned[row].tolist(),
        "skipped": tree.columns.skipped[row].tolist(),
        "principal": styles.principal.tolist(),
        "hidden": part.hidden.tolist(),
        "hidden_cutoffs": part.hidden_cutoffs.tolist(),
    }
    if boards:
        columns["board"] = format_boards(part)
    if tree.notes:
        columns["pass"] = [tree.pass_number(int(one)) + 1 for one in row]
    return columns | {name: column[row].tolist() for name, column in exported_columns(tree).items()}


def _find_static_values(part: ViewItems) -> dict[int, float]:
    """Return the static values of the items that stood pat."""
    columns = part.tree.columns
    if len(columns.static) == 0:
        return {}
    stood = np.flatnonzero((part.kind != STUB) & (columns.flags[part.row] & STANDS_PAT > 0))
    return dict(zip(stood.tolist(), map(float, columns.static[part.row[stood]]), strict=True))


def to_networkx(tree: SearchTree, view: View | None = None, boards: bool = False) -> "networkx.DiGraph":
    """Return the tree as a DiGraph, at most 200,000 nodes. A node is its row; a skipped move is a node "s" and a number.

    Nodes: kind (node, collapsed, stub), depth, side, status, value, bound, alpha, beta, pruned, skipped, principal, hidden,
    hidden_cutoffs. Some have more: board with `boards`, pass in a search of several passes, link where links are recorded, static
    if the node stood pat. A stub has kind, depth and side only. Edges: move, name, principal. Each pass is a tree of its own.
    """
    import networkx

    facts = GraphAttributes(tree, view, boards)
    graph = networkx.DiGraph(name=declared_name(tree.game), algorithm=tree.algorithm)
    graph.add_nodes_from(facts.nodes())
    graph.add_edges_from(facts.edges())
    return graph
