"""Where the nodes of one search are in another search of the same tree."""

from engine.tree.node import Node
from engine.tree.tree import SearchTree

Path = tuple[int, ...]


def paths(tree: SearchTree) -> list[Path]:
    """The moves that lead to each row."""
    found: list[Path] = []
    here: list[int] = []
    for depth, move in zip(tree.columns.depth.tolist(), tree.columns.move.tolist(), strict=True):
        here = [*here[: depth - 1], move] if depth else []
        found.append(tuple(here))
    return found


def rows_in(whole: SearchTree, tree: SearchTree) -> list[int]:
    """For each row of a search of the same tree, its row in the whole one."""
    places = {path: row for row, path in enumerate(paths(whole))}
    return [places[path] for path in paths(tree)]


def nodes(tree: SearchTree) -> list[Node]:
    """All nodes of a small tree."""
    return [tree[row] for row in range(len(tree))]
