"""The parts that make up the value of a leaf, as the viewer reads them."""

from collections.abc import Iterable
from typing import Any

from engine import SearchTree
from engine.games.evaluation_parts import EvaluationPart, evaluation_parts, parts_note
from visualizer.narration.numbers import format_number

NO_PARTS_NOTE = "This game does not explain its evaluation."
NOTHING_COUNTS_NOTE = "Nothing on this board counts for either side."
PUBLISHED_VALUE_NOTE = "The program as published does not evaluate the board here: it always returns this number."


def build_breakdown(tree: SearchTree, row: int) -> dict[str, Any]:
    """Return the data that the viewer shows: the value, its parts, and a note."""
    node = tree[row]
    parts = evaluation_parts(tree.game, node.state)
    breakdown = {"node": row, "value": format_number(node.value), "groups": [], "sum": "", "note": ""}
    if parts is None:
        return breakdown | {"note": NO_PARTS_NOTE}
    if node.value != tree.game.evaluate(node.state):
        return breakdown | {"note": PUBLISHED_VALUE_NOTE}
    if not parts:
        return breakdown | {"note": NOTHING_COUNTS_NOTE}
    gains = {side: sum(part.points for part in parts if part.points * sign > 0) for side, sign in (("MAX", 1), ("MIN", -1))}
    note = parts_note(tree.game)
    return breakdown | {
        "groups": group_parts(parts),
        "sum": f"MAX {format_signed(gains['MAX'])}, MIN {format_signed(gains['MIN'])}",
        "note": note,
    }


def group_parts(parts: Iterable[EvaluationPart]) -> list[dict[str, Any]]:
    """Group parts with the same words and points. Each group has the words, the points as a sum, and the cells of each part."""
    groups: dict[tuple[str, float], list[EvaluationPart]] = {}
    for part in parts:
        groups.setdefault((part.words, part.points), []).append(part)
    return [
        {"words": words, "points": _format_points(points, len(alike)), "cells": [part.cells for part in alike]}
        for (words, points), alike in sorted(groups.items(), key=lambda group: -abs(group[0][1]) * len(group[1]))
    ]


def _format_points(points: float, count: int) -> str:
    return format_signed(points) if count == 1 else f"{count} × {format_signed(points)} = {format_signed(count * points)}"


def format_signed(points: float) -> str:
    """Return points with their sign.

    >>> format_signed(3), format_signed(-0.5), format_signed(0)
    ('+3', '−0.5', '0')
    """
    return f"+{format_number(points)}" if points > 0 else format_number(points)
