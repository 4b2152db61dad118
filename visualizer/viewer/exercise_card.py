"""An exercise in the browser: a tree to answer on. The server grades the answers; progress stays in the browser."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import streamlit as st

from engine.games.capabilities import game_size
from engine.games.chance_outcomes import format_probability
from engine.learning.exercise import EXERCISE_TYPES, answer_format
from engine.learning.exercise_types import cut, mistake
from engine.learning.model import DIFFICULTIES, Exercise, GradedItem
from engine.learning.row_mapping import list_nodes
from engine.tree.node import Node
from visualizer.narration.exercise_messages import COUNT_LABELS, exercise_prompt
from visualizer.narration.numbers import format_number
from visualizer.viewer.board_picker import displayed_board
from visualizer.viewer.bundle import create_component

COMPONENT_KEY = "exercise"
MESSAGE_NAMES = ("answer", "hint", "open", "show", "summary")  # from the browser
MAX_CACHED_EXERCISES = 200


def show_exercise_card(
    exercise: Exercise,
    reply: dict[str, Any] | None,
    handlers: dict[str, Callable[[dict[str, Any]], None]],
    screen: tuple[str, int] | None = None,
) -> None:
    """Show an exercise, and the reply to the last message.

    `handlers` has a function for each type of message. It is called before the page runs again. Messages are untrusted.
    `screen` is the lesson and the number of the screen that shows the exercise.
    """

    def make_handler(name: str) -> Callable[[], None]:
        def handle_message() -> None:
            message = st.session_state.get(COMPONENT_KEY, {}).get(name)
            if isinstance(message, dict):
                handlers[name](message)

        return handle_message

    callbacks = {f"on_{name}_change": make_handler(name) for name in MESSAGE_NAMES}
    create_component("exercise")(
        key=COMPONENT_KEY, data={"exercise": exercise_json(exercise), "reply": reply, "screen": screen}, **callbacks
    )


def exercise_id(exercise: Exercise) -> str:
    """Return the id that identifies an exercise in messages between browser and server."""
    if exercise.is_user_tree:
        size = game_size(exercise.question.game)
        return f"{exercise.kind} {size.digest if size else ''} {exercise.question.options.get('cut_on_equal')}"
    return f"{exercise.kind} {exercise.seed} {exercise.difficulty}"


def find_item_rows(exercise: Exercise, item: GradedItem) -> list[int]:
    """Return the rows to highlight for a part: its own node, or the right answer."""
    if item.part.isdigit():
        return [int(item.part)]
    return [item.expected] if item.part == mistake.ANSWER_PART or (item.part == cut.ANSWER_PART and item.expected) else []


@lru_cache(MAX_CACHED_EXERCISES)
def exercise_json(exercise: Exercise) -> dict[str, Any]:
    """Return the data that the browser needs to show an exercise. The answer is not included."""
    kind = EXERCISE_TYPES[exercise.kind]
    return {
        "id": exercise_id(exercise),
        "kind": kind.name,
        "seed": exercise.seed,
        "difficulty": exercise.difficulty,
        "title": kind.title,
        "prompt": exercise_prompt(exercise),
        "format": kind.answer_format,
        "parts": list(kind.allowed_parts(exercise)),
        "counts": COUNT_LABELS if kind.answer_format == "count" else {},
        "nodes": _reply_nodes_json(exercise) if kind.answer_format == "reply" else _tree_nodes_json(exercise),
        "own": exercise.is_user_tree,
        "kinds": [
            {"name": other.name, "title": other.title}
            for other in EXERCISE_TYPES.values()
            if other.user_tree_algorithm or not exercise.is_user_tree
        ],
        "difficulties": list(DIFFICULTIES),
        **(_position_json(exercise) if kind.answer_format == "reply" else {}),
    }


def _tree_nodes_json(exercise: Exercise) -> list[dict[str, Any]]:
    """Return all nodes of the tree. Leaves have a value; the calls of a faulty search have their window and result, too."""
    tree = exercise.full_tree
    nodes = [_node_json(tree[row], row) for row in range(len(tree))]
    if tree.has_iterations:
        for counted, shown in zip(list_nodes(tree), nodes, strict=True):
            shown["counts"] = [f"n {counted.visits}", f"{counted.mean:.2f}"]
    if answer_format(exercise) == "window":
        for row, node in enumerate(nodes):
            node["visited"] = row in exercise.visited_rows
    if answer_format(exercise) == "call":
        record = mistake.faulty_search(exercise)
        calls = {full_row: record[row] for row, full_row in enumerate(mistake.map_record_rows(exercise))}
        for row, node in enumerate(nodes):
            node["visited"] = row in calls
            if row in calls:
                node |= {
                    "alpha": format_number(calls[row].alpha),
                    "beta": format_number(calls[row].beta),
                    "result": format_number(calls[row].value),
                }
    return nodes


def _node_json(node: Node, row: int) -> dict[str, Any]:
    path = node.path
    return {
        "row": row,
        "parent": int(path[-2]) if len(path) > 1 else -1,
        "turn": node.turn,
        "name": node.move_name,
        "edge": format_probability(node.probability) if len(path) > 1 and path[-2].turn == "chance" else node.move_name,
        "value": format_number(node.value) if node.is_leaf else None,
        "visited": True,
    }


def _reply_nodes_json(exercise: Exercise) -> list[dict[str, Any]]:
    """Return the node in question, with its replies as leaves."""
    maximizing = exercise.search_tree[exercise.node].maximizing
    turn, other = ("max", "min") if maximizing else ("min", "max")
    root = {"row": 0, "parent": -1, "turn": turn, "name": "", "value": None, "visited": True}
    replies = enumerate(cut.list_replies(exercise), start=1)
    return [root] + [
        {"row": row, "parent": 0, "turn": other, "name": reply.name, "value": format_number(reply.value), "visited": True}
        for row, reply in replies
    ]


def _position_json(exercise: Exercise) -> dict[str, Any]:
    """Return the board at the node, and its window."""
    node = exercise.search_tree[exercise.node]
    board = displayed_board(exercise.question.game, node.state, node.parent.state)
    return {"board": board["board"], "last": board["last"], "alpha": format_number(node.alpha), "beta": format_number(node.beta)}
