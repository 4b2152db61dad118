"""Queries on a tree made of numbers, lists and dicts with names."""

from collections.abc import Iterator
from typing import Any


def iterate_levels(tree: Any) -> Iterator[list[Any]]:
    """Yield the nodes of each level, from the root down, without recursion."""
    level = [tree]
    while level:
        yield level
        level = [child for node in level for child in child_nodes(node)]


def child_nodes(node: Any) -> list[Any]:
    if isinstance(node, dict):
        node = node.get("children") or node.get("chance", [])
    return node if isinstance(node, list) else []


def count_nodes(tree: Any) -> int:
    return sum(map(len, iterate_levels(tree)))


def has_names(tree: Any) -> bool:
    return any(isinstance(node, dict) for level in iterate_levels(tree) for node in level)
