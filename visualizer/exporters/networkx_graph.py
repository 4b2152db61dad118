"""A view as a networkx graph, with everything known about nodes and edges as attributes."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.games.capabilities import name_of
from engine.record.columns import BOUND_NAMES, STANDS_PAT, STATUS_NAMES
from engine.tree.tree import SearchTree
from visualizer.drawing.label_columns import boards as board_texts
from visualizer.drawing.label_columns import move_names
from visualizer.drawing.node_styles import Looks
from visualizer.drawing.size_limits import check_size
from visualizer.drawing.view import KIND_NAMES, STUB, Shown, View, shown

if TYPE_CHECKING:
    import networkx

MOST_NODES = 200_000  # networkx takes about a kilobyte for each
OF_STUBS = ("kind", "depth", "side")


class GraphFacts:
    """Everything known about the nodes and edges of a graph, in its order: nodes as they are shown, edges by the node above."""

    def __init__(self, tree: SearchTree, view: View | None = None, boards: bool = False):
        self._part = part = shown(tree, view, every_pass=True)
        check_size("a networkx graph", len(part), MOST_NODES)
        self._looks, self._names = Looks(part), move_names(part)
        self._keys: list[Any] = [row if row >= 0 else f"s{item}" for item, row in enumerate(part.row.tolist())]
        self._columns = _columns(part, self._looks, boards)
        self._static = _static(part)

    @property
    def of_nodes(self) -> dict[str, type]:
        """What there is to know of nodes, and of what kind it is."""
        kinds = {name: type(column[0]) for name, column in self._columns.items()}
        return kinds | ({"static": float} if self._static else {})

    @property
    def of_edges(self) -> dict[str, type]:
        return {"move": int, "name": str, "principal": bool} if (self._part.parent >= 0).any() else {}

    def nodes(self) -> Iterator[tuple[Any, dict[str, Any]]]:
        """Each node with what is known of it: a skipped move has no more than its place."""
        for item, key in enumerate(self._keys):
            named = OF_STUBS if self._part.kind[item] == STUB else self._columns
            known = {name: self._columns[name][item] for name in named}
            if item in self._static:
                known["static"] = self._static[item]
            yield key, known

    def edges(self) -> Iterator[tuple[Any, Any, dict[str, Any]]]:
        """Each edge, from above to below, with what is known of it."""
        part, above = self._part, self._part.parent
        below = np.flatnonzero(above >= 0)
        for item in below[np.argsort(above[below], kind="stable")].tolist():
            known = {
                "move": int(part.move[item]),
                "name": self._names.text(item),
                "principal": bool(self._looks.principal[item]),
            }
            yield self._keys[int(above[item])], self._keys[item], known


def _columns(part: Shown, looks: Looks, boards: bool) -> dict[str, list[Any]]:
    tree, row = part.tree, part.row
    columns = {
        "kind": [KIND_NAMES[kind] for kind in part.kind],
        "depth": (part.depth + int(tree.depth[part.view.root])).tolist(),
        "side": ["max" if Looks.all[code].side else "min" for code in looks.codes],
        "status": [STATUS_NAMES[status] for status in tree.status[row]],
        "value": tree.value[row].tolist(),
        "bound": [BOUND_NAMES[bound] for bound in tree.bound[row]],
        "alpha": tree.alpha[row].tolist(),
        "beta": tree.beta[row].tolist(),
        "pruned": tree.pruned[row].tolist(),
        "skipped": tree.columns.skipped[row].tolist(),
        "principal": looks.principal.tolist(),
        "hidden": part.hidden.tolist(),
        "hidden_cutoffs": part.hidden_cutoffs.tolist(),
    }
    if boards:
        columns["board"] = board_texts(part)
    if tree.notes:
        columns["pass"] = [tree.pass_number(int(one)) + 1 for one in row]
    if len(tree.columns.link):
        columns["link"] = tree.columns.link[row].tolist()
    return columns


def _static(part: Shown) -> dict[int, float]:
    """Of the items that stood pat, where their value began."""
    columns = part.tree.columns
    if len(columns.static) == 0:
        return {}
    stood = np.flatnonzero((part.kind != STUB) & (columns.flags[part.row] & STANDS_PAT > 0))
    return dict(zip(stood.tolist(), map(float, columns.static[part.row[stood]]), strict=True))


def to_networkx(tree: SearchTree, view: View | None = None, boards: bool = False) -> "networkx.DiGraph":
    """The tree as a DiGraph, at most 200,000 nodes. A node is its row; a skipped move is a node "s" and a number.

    Nodes: kind (node, collapsed, stub), depth, side, status, value, bound, alpha, beta, pruned, skipped, principal, hidden,
    hidden_cutoffs; with `boards` also board, of several passes also pass, where links are recorded also link, of those that stood
    pat also static. A stub has kind, depth and side only. Edges: move, name, principal. Each pass is a tree of its own.
    """
    import networkx

    facts = GraphFacts(tree, view, boards)
    graph = networkx.DiGraph(name=name_of(tree.game), algorithm=tree.algorithm)
    graph.add_nodes_from(facts.nodes())
    graph.add_edges_from(facts.edges())
    return graph
