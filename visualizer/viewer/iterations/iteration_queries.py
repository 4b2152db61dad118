"""Answers about a search in iterations, in milliseconds: the iterations around a step, a picture of the tree, the next visit.

They are independent of HTTP: tree_delivery.py serves them. The parameters come from outside, so every one of them is checked.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from engine.tree.tree import SearchTree
from visualizer.viewer.iterations.iteration_blocks import describe_block
from visualizer.viewer.iterations.tree_picture import find_picture
from visualizer.viewer.large_trees.tree_queries import Answer, BadQuery, Query, encode_json


def prepare_iterations(tree: SearchTree) -> None:
    """Compute what all answers need. It takes about 0.2 s for a million iterations."""
    len(tree.timeline)
    tree.timeline.best_moves  # noqa: B018 - a cached property
    if tree.iterations:
        find_picture(tree, tree.iterations)


def answer_iteration_query(tree: SearchTree, name: str, parameters: Mapping[str, str]) -> Answer:
    """Answer the query with this name: one of ITERATION_QUERIES."""
    if name not in ITERATION_QUERIES:
        raise BadQuery(f"there is no query {name[:20]!r}: known are {', '.join(ITERATION_QUERIES)}")
    return encode_json(ITERATION_QUERIES[name](Query(tree, parameters)))


def show_block(query: Query) -> dict[str, Any]:
    """Answer the block with the iteration `iteration`, or with that of the step `step`."""
    if "iteration" in query.parameters:
        return describe_block(query.tree, _read_iteration(query))
    step, count = query.read_number("step"), len(query.tree.timeline)
    if step >= count:
        raise BadQuery(f"there is no step {step:,}: the search has {count:,}, from 0")
    return describe_block(query.tree, query.tree.timeline.iteration_of(step))


def show_picture(query: Query) -> dict[str, Any]:
    """Answer the picture of the tree at the time `iteration`."""
    return find_picture(query.tree, _read_iteration(query)).describe()


def find_visit(query: Query) -> dict[str, int] | None:
    """Answer the first step of the next iteration after `iteration` that passes through the node `row`; null: there is none."""
    tree, row = query.tree, query.read_row("row")
    passed = tree.replay.history(row).iterations
    place = int(np.searchsorted(passed, np.int32(_read_iteration(query)), side="right"))
    return None if place == len(passed) else {"step": tree.timeline.find(int(passed[place]))}


def find_iteration(query: Query) -> dict[str, int]:
    """Answer the first step of an iteration."""
    return {"step": query.tree.timeline.find(_read_iteration(query))}


def _read_iteration(query: Query) -> int:
    iteration = query.read_number("iteration")
    if not 1 <= iteration <= query.tree.iterations:
        raise BadQuery(f"there is no iteration {iteration:,}: choose 1 to {query.tree.iterations:,}")
    return iteration


ITERATION_QUERIES: dict[str, Callable[[Query], Any]] = {
    "block": show_block,
    "picture": show_picture,
    "visit": find_visit,
    "iteration": find_iteration,
}
