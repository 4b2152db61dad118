"""Map the rows of one search to those of another search of the same tree."""

from engine.tree.node import Node
from engine.tree.tree import SearchTree

MovePath = tuple[int, ...]


def move_paths(tree: SearchTree) -> list[MovePath]:
    """Return the moves that lead to each row."""
    paths: list[MovePath] = []
    path: list[int] = []
    for depth, move in zip(tree.columns.depth.tolist(), tree.columns.move.tolist(), strict=True):
        path = [*path[: depth - 1], move] if depth else []
        paths.append(tuple(path))
    return paths


def map_rows(full_tree: SearchTree, tree: SearchTree) -> list[int]:
    """Return for each row of a search its row in the full tree."""
    full_rows = {path: row for row, path in enumerate(move_paths(full_tree))}
    return [full_rows[path] for path in move_paths(tree)]


def list_nodes(tree: SearchTree) -> list[Node]:
    """Return all nodes of a small tree."""
    return [tree[row] for row in range(len(tree))]
