"""Trees as flat lists, level by level. They are quickly sent to another process, even if the tree is deep."""

from typing import Any, NamedTuple

from engine.games.tree_formats.chance_lists import ChanceList
from engine.games.tree_formats.tree_utils import child_nodes


class NodeNames(NamedTuple):
    """The names in a tree: of a node, of the move that leads to it, and of its children."""

    name: str
    move: str
    children: "list[NodeNames]"


class FlatTree(NamedTuple):
    """All nodes from the root down. The children of a node stand together, in the order of their parents."""

    counts: list[int]  # of children; 0: a leaf
    leaves: list[int | float]  # values of the leaves only
    names: list[str] | None  # None: the tree has none
    moves: list[str] | None
    probabilities: dict[int, tuple[Any, ...]] = {}  # noqa: RUF012 # by number of the node: of the outcomes of a chance node


def flatten_tree(tree: Any, labels: NodeNames | None) -> FlatTree:
    """Flatten a tree of numbers and lists, and the names of its nodes."""
    counts: list[int] = []
    leaves: list[int | float] = []
    level = [tree]
    probabilities: dict[int, tuple[Any, ...]] = {}
    while level:
        for place, node in enumerate(level, start=len(counts)):
            if isinstance(node, ChanceList):
                probabilities[place] = node.probabilities
        counts.extend(len(child_nodes(node)) for node in level)
        leaves.extend(node for node in level if not isinstance(node, list))
        level = [child for node in level for child in child_nodes(node)]
    if labels is None:
        return FlatTree(counts, leaves, None, None, probabilities)
    names: list[str] = []
    moves: list[str] = []
    labelled = [labels]
    while labelled:
        names.extend(label.name for label in labelled)
        moves.extend(label.move for label in labelled)
        labelled = [child for label in labelled for child in label.children]
    return FlatTree(counts, leaves, names, moves, probabilities)


def rebuild_tree(tree: FlatTree) -> tuple[Any, NodeNames | None]:
    """Rebuild a flattened tree from its last node up: children are made before their parents."""
    nodes: list[Any] = [None] * len(tree.counts)
    labels: list[Any] = [None] * len(tree.counts)
    leaves, stop = reversed(tree.leaves), len(tree.counts)
    for node in range(len(tree.counts) - 1, -1, -1):
        start = stop - tree.counts[node]
        nodes[node] = nodes[start:stop] if start < stop else next(leaves)
        if node in tree.probabilities:
            nodes[node] = ChanceList(nodes[node], tree.probabilities[node])
        if tree.names is not None and tree.moves is not None:
            labels[node] = NodeNames(tree.names[node], tree.moves[node], labels[start:stop])
        stop = start
    return nodes[0], labels[0]
