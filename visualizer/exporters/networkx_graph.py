"""A view as a networkx graph, with everything known about nodes and edges as attributes."""

from typing import TYPE_CHECKING, Any

import numpy as np

from engine.games.declarations import name_of
from engine.record.columns import BOUND_NAMES, STATUS_NAMES
from engine.tree.tree import SearchTree
from visualizer.drawing.limits import check_size
from visualizer.drawing.looks import Looks
from visualizer.drawing.text_columns import boards as board_texts
from visualizer.drawing.text_columns import move_names
from visualizer.drawing.view import KIND_NAMES, STUB, View, shown

if TYPE_CHECKING:
    import networkx

MOST_NODES = 200_000  # networkx takes about a kilobyte for each


def to_networkx(tree: SearchTree, view: View | None = None, boards: bool = False) -> "networkx.DiGraph":
    """The tree as a DiGraph, at most 200,000 nodes. A node is its row; a skipped move is a node "s" and a number.

    Nodes: kind (node, collapsed, stub), depth, side, status, value, bound, alpha, beta, pruned, skipped, principal, hidden,
    hidden_cutoffs; with `boards` also board, of several passes also pass, where links are recorded also link. A stub has kind,
    depth and side only. Edges: move, name, principal. Each pass is a tree of its own.
    """
    import networkx

    part = shown(tree, view, every_pass=True)
    check_size("a networkx graph", len(part), MOST_NODES)
    graph = networkx.DiGraph(name=name_of(tree.game), algorithm=tree.algorithm)
    row = part.row
    looks, names = Looks(part), move_names(part)
    keys: list[Any] = [int(row[item]) if row[item] >= 0 else f"s{item}" for item in range(len(part))]
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
    of_stub = ("kind", "depth", "side")
    for item, key in enumerate(keys):
        known = of_stub if part.kind[item] == STUB else columns
        graph.add_node(key, **{name: columns[name][item] for name in known})
        if part.kind[item] != STUB and (static := tree[int(row[item])].static) is not None:
            graph.nodes[key]["static"] = static
    for item in np.flatnonzero(part.parent >= 0).tolist():
        graph.add_edge(
            keys[int(part.parent[item])],
            keys[item],
            move=int(part.move[item]),
            name=names.text(item),
            principal=bool(looks.principal[item]),
        )
    return graph
