"""The first message of a search in iterations: what is the same for all of them, the timeline, and the iterations to start with.

A page asks the server for all other iterations. A file and a notebook have no server, so they get as many as fit.
"""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.games.boards import find_board
from engine.games.capabilities import move_phrase
from engine.tree.tree import SearchTree
from visualizer.narration.iteration_sentences import iteration_code
from visualizer.viewer.board_data import board_json
from visualizer.viewer.iterations.iteration_blocks import BLOCK_ITERATIONS, describe_block, first_of_block
from visualizer.viewer.iterations.tree_picture import find_picture, picture_time
from visualizer.viewer.viewer_params import ITERATION_PARAMS

TIMELINE_BUCKETS = 600
MAX_MIND_CHANGES = 2_000  # that are marked and found; the first ones
MAX_FILE_ITERATIONS = 240  # in a file: half of them at the start, half at the end


def build_iteration_payload(tree: SearchTree, iterations: Sequence[int] = (), opening: int | None = None) -> bytes:
    """Return the message. It brings `iterations` and the one of the step `opening`; None: the first step that selects a child."""
    step = find_opening(tree) if opening is None else opening
    wanted = [*iterations, tree.timeline.iteration_of(step)]
    firsts = sorted({first_of_block(number) for number in wanted if 1 <= number <= tree.iterations})
    blocks = [describe_block(tree, first) for first in firsts]
    times = sorted({block["picture"] for block in blocks} | {picture_time(tree, tree.iterations)})
    meta = {
        "algorithm": tree.algorithm,
        "iterations": tree.iterations,
        "steps": len(tree.timeline),
        "nodes": len(tree),
        "opening": step,
        "blockIterations": BLOCK_ITERATIONS,
        "code": [line.words for line in iteration_code(tree)],
        "board": _describe_board(tree),
        "hasChance": tree.has_chance,
        "timeline": _describe_timeline(tree),
        "urlParams": [parameter._asdict() for parameter in ITERATION_PARAMS],
    }
    data = {"meta": meta, "blocks": blocks, "pictures": [find_picture(tree, time).describe() for time in times]}
    return json.dumps(data, separators=(",", ":"), allow_nan=False).encode()


def find_opening(tree: SearchTree) -> int:
    """Return the step that a page opens with: the first one that selects a child, if there is one."""
    first = tree.timeline.next("select", -1)
    return 0 if first is None else tree.timeline.find(tree.timeline.iteration_of(first))


def choose_file_iterations(tree: SearchTree) -> list[int]:
    """Return the iterations that a file has room for: all of a short search, else the first and the last ones."""
    count, half = tree.iterations, MAX_FILE_ITERATIONS // 2
    if count <= MAX_FILE_ITERATIONS:
        return list(range(1, count + 1))
    return [*range(1, half + 1), *range(count - half + 1, count + 1)]


def _describe_board(tree: SearchTree) -> dict[str, Any] | None:
    board = find_board(tree.game, tree.search.root)
    return None if board is None else board_json(board)


def _describe_timeline(tree: SearchTree) -> dict[str, Any]:
    """Return the smallest and greatest depth of the leaves in each part of the search, and where the best move changes."""
    depths = tree.columns.depth[tree.log.leaf]
    starts = np.unique(
        np.linspace(0, tree.iterations, min(TIMELINE_BUCKETS, max(tree.iterations, 1)), endpoint=False).astype(np.int64)
    )
    changes = [1, *tree.timeline.mind_changes[: MAX_MIND_CHANGES - 1]] if tree.iterations else []
    best = tree.timeline.best_moves
    named = [(time, best[time - 1]) for time in changes if best[time - 1] >= 0]
    return {
        "starts": starts.tolist() if tree.iterations else [],
        "steps": [tree.timeline.find(start + 1) for start in starts.tolist()] if tree.iterations else [],
        "low": np.minimum.reduceat(depths, starts).tolist() if tree.iterations else [],
        "high": np.maximum.reduceat(depths, starts).tolist() if tree.iterations else [],
        "changes": [[time, tree.timeline.last_of(time), move_phrase(tree.game, tree[int(row)].move_name)] for time, row in named],
        "omitted": max(0, len(tree.timeline.mind_changes) - MAX_MIND_CHANGES + 1),
    }
