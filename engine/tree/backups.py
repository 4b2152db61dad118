"""Backups: the value of a node from its children, and what that value proves.

An algorithm declares its backup by name. Each backup is one small object. It answers for a node: what its value is after some
of its children have come back (`so_far`), which child proves its value (`best`), and for a tree what every value proves
(`bounds`). The sentences are in visualizer/narration: they choose by the turn of the node.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.games.chance_outcomes import needed_range
from engine.games.quirks import AS_TYPED, FRESH_ROOT_WINDOWS
from engine.record.columns import OPEN, ROOT, STATUS_BITS
from engine.tree.bounds import compute_bounds
from engine.tree.chance_bounds import compute_chance_bounds
from engine.tree.visits import most_visited_child, visit_bounds

if TYPE_CHECKING:
    from engine.tree.node import Node
    from engine.tree.tree import SearchTree

Progress = tuple[float, float, float | None]  # alpha, beta and the value so far; None: nothing has come back


class MinMaxBackup:
    """The best value for the side to move."""

    def so_far(self, node: Node, before_row: int) -> Progress:
        """Return alpha, beta and the best value at the node after the children in rows before `before_row` have come back.

        A probe that is searched again changes none of them. A node that stands pat begins with its static value.
        """
        tree = node.tree
        columns, rows, maximizing = tree.columns, tree.child_rows(node), node.maximizing
        moves, flags, values = columns.move.data, columns.flags.data, columns.value.data
        static, alpha, beta = node.static, node.alpha, node.beta
        found = static  # as it is stored
        for place, row in enumerate(rows, start=1):
            if row >= before_row:
                break
            again = moves[rows[place]] == moves[row] if place < len(rows) else tree[row].is_repeated
            if again or flags[row] & STATUS_BITS == OPEN:
                continue
            if found is None or (values[row] > found if maximizing else values[row] < found):
                found = values[row]
        if found is None:
            return alpha, beta, None
        narrowed = best = tree.public_number(found)
        if tree.quirk == AS_TYPED and not maximizing:
            best = min(0.0, best)
        fresh = tree.quirk == FRESH_ROOT_WINDOWS and node == ROOT
        if not tree.windows or fresh:
            return alpha, beta, best
        return (max(alpha, narrowed), beta, best) if maximizing else (alpha, min(beta, narrowed), best)

    def best(self, node: Node) -> Node | None:
        """Return the first child that proves the value of a node, using only the rows below it."""
        if node.stands_pat:
            return None
        tree = node.tree
        value, move = tree.columns.value, tree.columns.move
        own, proving = value[node], None
        for row in tree.child_rows(node):
            if proving is not None and move[row] != move[proving]:
                break
            if value[row] == own and node.is_proved_by(row):
                proving = row
        return None if proving is None else tree[proving]

    def bounds(self, tree: SearchTree) -> np.ndarray:
        """Return what each value proves: an index into BOUND_NAMES."""
        return compute_bounds(tree.columns, 0.0 if tree.starts_at_zero else np.inf)


class ExpectationBackup(MinMaxBackup):
    """The average where chance moves, weighted by probability; elsewhere the best value for the side to move."""

    def so_far(self, node: Node, before_row: int) -> Progress:
        """Return the window, and at a chance node the sum of probability x value over the outcomes that have come back.

        A probe counts only where no full call of its outcome follows: it settled the outcome.
        """
        if node.turn != "chance":
            return super().so_far(node, before_row)
        columns, total, known = node.tree.columns, 0.0, False
        for child in node.children:
            if child >= before_row or child.status == "open":
                break
            if not child.is_repeated:
                total, known = total + float(columns.weight[child] * columns.value[child]), True
        return node.alpha, node.beta, total if known else None

    def best(self, node: Node) -> Node | None:
        """Return the child that proves the value; None at a chance node, where nobody chooses."""
        return None if node.turn == "chance" else super().best(node)

    def bounds(self, tree: SearchTree) -> np.ndarray:
        """Return what each value proves: an index into BOUND_NAMES."""
        if len(tree.columns.weight) == 0:
            return super().bounds(tree)
        return compute_chance_bounds(tree.columns, *(needed_range(tree.game) if tree.windows else (-np.inf, np.inf)))


class VisitsBackup(MinMaxBackup):
    """The average result of the iterations that passed through a node. Values prove nothing; the most visited move is best."""

    def best(self, node: Node) -> Node | None:
        """Return the child with most visits."""
        return most_visited_child(node)

    def bounds(self, tree: SearchTree) -> np.ndarray:
        """Return what each value proves: an index into BOUND_NAMES."""
        return visit_bounds(tree)


MINMAX, EXPECTATION, VISITS = "minmax", "expectation", "visits"
BACKUPS: dict[str, MinMaxBackup] = {MINMAX: MinMaxBackup(), EXPECTATION: ExpectationBackup(), VISITS: VisitsBackup()}
