"""One exercise in the browser: a tree to answer on. What is answered comes back to be graded; progress stays in the browser."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import streamlit as st

from engine.games.capabilities import game_size
from engine.learning.exercise import KINDS, how_answered
from engine.learning.exercise_types import cut, mistake
from engine.learning.model import DIFFICULTIES, Exercise, Item
from engine.tree.node import Node
from visualizer.narration.exercise_messages import COUNTS, prompt
from visualizer.narration.numbers import number
from visualizer.viewer.board_picker import shown_board
from visualizer.viewer.bundle import component

KEY = "exercise"
HEARD = ("answer", "hint", "open", "show", "summary")  # what the browser may send
KEPT = 200


def exercise_card(
    exercise: Exercise,
    reply: dict[str, Any] | None,
    on_heard: dict[str, Callable[[dict[str, Any]], None]],
    screen: tuple[str, int] | None = None,
) -> None:
    """Show an exercise, and the reply to what was sent last. `on_heard` is called by name with what comes, before the page runs
    again; all of it is foreign. `screen`: the lesson and the screen that it is all of."""

    def hearing(name: str) -> Callable[[], None]:
        def heard() -> None:
            sent = st.session_state.get(KEY, {}).get(name)
            if isinstance(sent, dict):
                on_heard[name](sent)

        return heard

    hears = {f"on_{name}_change": hearing(name) for name in HEARD}
    component("exercise")(key=KEY, data={"exercise": exercise_json(exercise), "reply": reply, "screen": screen}, **hears)


def name_of(exercise: Exercise) -> str:
    """By which browser and page mean the same exercise."""
    if exercise.own:
        size = game_size(exercise.question.game)
        return f"{exercise.kind} {size.digest if size else ''} {exercise.question.options.get('cut_on_equal')}"
    return f"{exercise.kind} {exercise.seed} {exercise.difficulty}"


def rows_of(exercise: Exercise, item: Item) -> list[int]:
    """The drawn nodes that a part is about: its own, or the one that is right."""
    if item.part.isdigit():
        return [int(item.part)]
    return [item.wanted] if item.part == mistake.PART or (item.part == cut.PART and item.wanted) else []


@lru_cache(KEPT)
def exercise_json(exercise: Exercise) -> dict[str, Any]:
    """What the browser draws and asks for. The answer is not in it."""
    kind = KINDS[exercise.kind]
    return {
        "id": name_of(exercise),
        "kind": kind.name,
        "seed": exercise.seed,
        "difficulty": exercise.difficulty,
        "title": kind.title,
        "prompt": prompt(exercise),
        "how": kind.how,
        "parts": list(kind.allowed(exercise)),
        "counts": COUNTS if kind.how == "count" else {},
        "nodes": _replies(exercise) if kind.how == "reply" else _nodes(exercise),
        "own": exercise.own,
        "kinds": [
            {"name": other.name, "title": other.title} for other in KINDS.values() if other.searched_by or not exercise.own
        ],
        "difficulties": list(DIFFICULTIES),
        **(_position(exercise) if kind.how == "reply" else {}),
    }


def _nodes(exercise: Exercise) -> list[dict[str, Any]]:
    """All nodes of the tree. Of leaves the value is shown; of a wrong search, all that its calls recorded."""
    whole = exercise.whole
    shown = [_node(whole[row], row) for row in range(len(whole))]
    if how_answered(exercise) == "window":
        for row, node in enumerate(shown):
            node["visited"] = row in exercise.visited
    if how_answered(exercise) == "call":
        record = mistake.record_of(exercise)
        calls = {place: record[row] for row, place in enumerate(mistake.shown_rows(exercise))}
        for row, node in enumerate(shown):
            node["visited"] = row in calls
            if row in calls:
                node |= {"alpha": number(calls[row].alpha), "beta": number(calls[row].beta), "result": number(calls[row].value)}
    return shown


def _node(node: Node, row: int) -> dict[str, Any]:
    path = node.path
    return {
        "row": row,
        "parent": int(path[-2]) if len(path) > 1 else -1,
        "max": node.maximizing,
        "name": node.move_name,
        "value": number(node.value) if node.is_leaf else None,
        "visited": True,
    }


def _replies(exercise: Exercise) -> list[dict[str, Any]]:
    """The node that is asked about, and its replies as leaves."""
    maximizing = exercise.searched[exercise.node].maximizing
    root = {"row": 0, "parent": -1, "max": maximizing, "name": "", "value": None, "visited": True}
    listed = enumerate(cut.replies(exercise), start=1)
    return [root] + [
        {"row": row, "parent": 0, "max": not maximizing, "name": reply.name, "value": number(reply.value), "visited": True}
        for row, reply in listed
    ]


def _position(exercise: Exercise) -> dict[str, Any]:
    """The board at the node, and its window."""
    node = exercise.searched[exercise.node]
    board = shown_board(exercise.question.game, node.state, node.parent.state)
    return {"board": board["board"], "last": board["last"], "alpha": number(node.alpha), "beta": number(node.beta)}
