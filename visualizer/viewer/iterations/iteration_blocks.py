"""A few iterations as the browser shows them: their steps with sentences and numbers, the boards, and the playouts.

A block never changes, so a browser may cache it. `assets/model/iteration_blocks.js` reads it.
"""

import math
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from engine.games.boards import build_board, changed_cells, find_board
from engine.tree.iteration_timeline import EXPAND, SELECT, SIMULATE, Candidate, Count, IterationStep, IterationTimeline
from engine.tree.tree import SearchTree
from engine.tree.visits import is_max_moving_into
from visualizer.narration.iteration_sentences import (
    find_iteration_line,
    iteration_sentence,
    node_phrase,
    write_formula,
    write_line_numbers,
    write_rule,
)
from visualizer.viewer.iterations.tree_picture import find_picture, picture_time

BLOCK_ITERATIONS = 4  # so few take only milliseconds
NO_ROW = -1  # no move of the root has been visited
MAX_FILM_PLIES = 120  # of a playout; a longer one is shown up to there


def first_of_block(iteration: int) -> int:
    """Return the first iteration of the block of an iteration.

    >>> [first_of_block(iteration) for iteration in (1, 4, 5)]
    [1, 1, 5]
    """
    return iteration - (iteration - 1) % BLOCK_ITERATIONS


def describe_block(tree: SearchTree, iteration: int) -> dict[str, Any]:
    """Return the block of an iteration, with the counts of its picture before its first iteration."""
    first = first_of_block(iteration)
    last = min(first + BLOCK_ITERATIONS - 1, tree.iterations)
    visits, totals = find_picture(tree, last).counts_at(first - 1)
    return {
        "first": first,
        "picture": picture_time(tree, last),
        "visits": visits,
        "totals": totals,
        "iterations": [describe_iteration(tree, number) for number in range(first, last + 1)],
    }


def describe_iteration(tree: SearchTree, iteration: int) -> dict[str, Any]:
    """Return one iteration: its path, its steps, the boards along its path and those of its playout."""
    timeline: IterationTimeline = tree.timeline
    path = tree.path(int(tree.log.leaf[iteration - 1]))
    steps = timeline.steps_of(iteration)
    return {
        "number": iteration,
        "start": steps[0].number,
        "path": path,
        "names": [tree[row].move_name for row in path],
        "outcome": tree.log.outcome[iteration - 1].item(),
        "bestBefore": int(timeline.best_moves[iteration - 2]) if iteration > 1 else NO_ROW,
        "bestRow": int(timeline.best_moves[iteration - 1]),
        "steps": [_describe_step(step) for step in steps],
        **_describe_boards(tree, path, iteration),
    }


def _describe_step(step: IterationStep) -> dict[str, Any]:
    shared = {
        "kind": step.kind,
        "depth": step.node.depth,
        "words": iteration_sentence(step),
        "line": find_iteration_line(step),
        "numbers": write_line_numbers(step),
    }
    if step.kind == SELECT:
        bars = [_describe_candidate(one, step) for one in step.candidates]
        return shared | {"bars": bars, "formula": write_formula(step), "rule": write_rule(step)}
    if step.kind == EXPAND:
        return shared | {"untried": step.untried, "added": None if step.child is None else step.child.move_name}
    if step.kind == SIMULATE:
        return shared | {"plies": step.playout}
    side = "MAX" if is_max_moving_into(step.node) else "MIN"
    counts = {"before": _describe_count(step.before), "after": _describe_count(step.after)}
    return shared | counts | {"side": side, "phrase": node_phrase(step.node)}


def _describe_candidate(one: Candidate, step: IterationStep) -> dict[str, Any]:
    return {
        "row": int(one.node),
        "name": one.node.move_name,
        "phrase": node_phrase(one.node),
        "visits": one.visits,
        "mean": one.mean,
        "bonus": one.bonus,
        "prior": one.node.prior if len(one.node.tree.columns.prior) else None,
        "chosen": one.node == step.child,
        "proven": one.proven,
    }


def _describe_count(count: Count | None) -> list[float | None]:
    visits, mean = count or Count(0, math.nan)
    return [visits, None if math.isnan(mean) else mean]


def _describe_boards(tree: SearchTree, path: list[int], iteration: int) -> dict[str, Any]:
    """Return the changes of the board along the path and in the playout; nothing for a game without a board."""
    if find_board(tree.game, tree.search.root) is None:
        return {"changes": None, "film": None}
    states = [tree.search.root]
    for row in path[1:]:
        states.append(tree.child_state(states[-1], row))
    played = tree.timeline.playout(iteration)[: MAX_FILM_PLIES + 1]
    return {"changes": _list_changes(tree.game, states), "film": _list_changes(tree.game, played)}


def _list_changes(game: Any, states: Iterable[Any]) -> list[list[tuple[int, int]]]:
    boards = (build_board(game, state) for state in states)
    return [list(changed_cells(before, after)) for before, after in pairwise(boards)]
