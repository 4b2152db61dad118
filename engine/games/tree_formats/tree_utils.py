"""What can be asked of a tree made of numbers, lists and dicts with names."""

from collections.abc import Iterator
from typing import Any


def levels(tree: Any) -> Iterator[list[Any]]:
    """All nodes, from the root down; never by recursion."""
    level = [tree]
    while level:
        yield level
        level = [child for node in level for child in children_of(node)]


def children_of(node: Any) -> list[Any]:
    if isinstance(node, dict):
        node = node.get("children", [])
    return node if isinstance(node, list) else []


def number_of_nodes(tree: Any) -> int:
    return sum(map(len, levels(tree)))


def has_names(tree: Any) -> bool:
    return any(isinstance(node, dict) for level in levels(tree) for node in level)
