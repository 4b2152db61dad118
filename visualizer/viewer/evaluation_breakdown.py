"""Why a leaf is worth what it is worth: asked in the viewer, answered through a mount of its own: the tree stays."""

from collections.abc import Iterable
from typing import Any
from uuid import uuid4

from engine import SearchTree
from engine.games.evaluation_parts import Part, evaluation_parts, parts_note
from visualizer.narration.numbers import number
from visualizer.viewer.bundle import component

NOT_TOLD = "This game does not say what its values are made of."
NOTHING = "Nothing on this board counts for either side."
PUBLISHED = "The program as published does not ask its evaluation here: it gives back this number whatever the board looks like."


def tell_reasons(tree: SearchTree, row: int) -> None:
    """Send the parts of a leaf's value to the viewer."""
    component("evaluation_breakdown")(key="reasons", data=reasons(tree, row) | {"token": uuid4().hex})


def reasons(tree: SearchTree, row: int) -> dict[str, Any]:
    """What the viewer shows: the value, what it is made of, and what else there is to say."""
    node = tree[row]
    parts = evaluation_parts(tree.game, node.state)
    told = {"node": row, "value": number(node.value), "groups": [], "sum": "", "note": ""}
    if parts is None:
        return told | {"note": NOT_TOLD}
    if node.value != tree.game.evaluate(node.state):
        return told | {"note": PUBLISHED}
    if not parts:
        return told | {"note": NOTHING}
    gains = {side: sum(part.points for part in parts if part.points * sign > 0) for side, sign in (("MAX", 1), ("MIN", -1))}
    note = parts_note(tree.game)
    return told | {"groups": grouped(parts), "sum": f"MAX {signed(gains['MAX'])}, MIN {signed(gains['MIN'])}", "note": note}


def grouped(parts: Iterable[Part]) -> list[dict[str, Any]]:
    """Parts that say the same, together: of each group the words, the points as a sum, and the cells of each part."""
    groups: dict[tuple[str, float], list[Part]] = {}
    for part in parts:
        groups.setdefault((part.words, part.points), []).append(part)
    return [
        {"words": words, "points": _points(points, len(alike)), "cells": [part.cells for part in alike]}
        for (words, points), alike in sorted(groups.items(), key=lambda group: -abs(group[0][1]) * len(group[1]))
    ]


def _points(points: float, count: int) -> str:
    return signed(points) if count == 1 else f"{count} × {signed(points)} = {signed(count * points)}"


def signed(points: float) -> str:
    """
    >>> signed(3), signed(-0.5), signed(0)
    ('+3', '−0.5', '0')
    """
    return f"+{number(points)}" if points > 0 else number(points)
