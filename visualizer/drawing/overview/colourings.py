"""The colourings of the overview. Each sorts the nodes into at most eight classes and gives every class a colour and a label."""

import math
from typing import NamedTuple, Protocol

import numpy as np

from engine.core.errors import PlyscopeError, UnknownName
from engine.record.columns import CUTOFF, EXHAUSTED, HORIZON, OPEN, STATUS_BITS, STATUS_NAMES, TABLE, TERMINAL
from engine.tree.depth_index import ALL_TYPE, CUT_TYPE, MAX_SEPARATE_SKIPPED, OPEN_TYPE, PV_TYPE, ClassCounts
from engine.tree.tree import SearchTree
from visualizer.narration.captions import STATUS_LABELS
from visualizer.narration.numbers import distinct_formatter, format_count

MAX_SAMPLED_ROWS = 1 << 13  # values that the ranges are chosen from
EQUAL_CLASS, UNFINISHED_CLASS = 3, 7  # of values: three ranges below the root's, three above


class NodeClass(NamedTuple):
    """One class of a colouring."""

    code: int  # in the index
    label: str
    colour: str  # its name in the theme


class Colouring(Protocol):
    """One way to colour the nodes. The classes are listed from the bottom of a bar to its top."""

    name: str
    title: str

    def list_classes(self, tree: SearchTree) -> list[NodeClass]: ...
    def count_rows(self, tree: SearchTree) -> ClassCounts: ...


class HowLeft:
    """Colour by how the search left the node: by a cutoff, after all moves, as a leaf, or with the table's answer."""

    name = "how-left"
    title = "how the search left the node"
    COLOURS = (
        (CUTOFF, "accent5"),
        (TABLE, "answered"),
        (OPEN, "unfinished"),
        (TERMINAL, "strong"),
        (EXHAUSTED, "inner"),
        (HORIZON, "plain"),
    )

    def list_classes(self, tree: SearchTree) -> list[NodeClass]:
        return [NodeClass(status, STATUS_LABELS[STATUS_NAMES[status]], colour) for status, colour in self.COLOURS]

    def count_rows(self, tree: SearchTree) -> ClassCounts:
        return tree.depth_index.statuses


class Value:
    """Colour by the value compared with that of the root: better for MIN, equal, or better for MAX."""

    name = "value"
    title = "value, compared with the root's"
    COLOURS = ("below3", "below2", "below1", "inner", "above1", "above2", "above3", "unfinished")

    def list_classes(self, tree: SearchTree) -> list[NodeClass]:
        centre, near, far = _choose_value_ranges(tree)
        show = distinct_formatter(centre - far, centre - near, centre, centre + near, centre + far)
        low, lower, equal, higher, high = map(show, (centre - far, centre - near, centre, centre + near, centre + far))
        labels = (
            f"{low} or less",
            f"above {low}, at most {lower}",
            f"above {lower}, below {equal}",
            f"{equal}, as the root",
            f"above {equal}, below {higher}",
            f"{higher} or more, below {high}",
            f"{high} or more",
            STATUS_LABELS["open"],
        )
        return [NodeClass(code, *style) for code, style in enumerate(zip(labels, self.COLOURS, strict=True))]

    def count_rows(self, tree: SearchTree) -> ClassCounts:
        centre, near, far = _choose_value_ranges(tree)
        above = [math.nextafter(number, math.inf) for number in (centre - far, centre - near, centre)]
        return tree.depth_index.value_ranges((*above[:2], centre, above[2], centre + near, centre + far))


class Saved:
    """Colour by the number of moves that a cutoff saved."""

    name = "saved"
    title = "moves that a cutoff skipped"

    def list_classes(self, tree: SearchTree) -> list[NodeClass]:
        most = MAX_SEPARATE_SKIPPED
        skipped = [NodeClass(moves, format_count(moves, "move"), f"accent{moves}") for moves in range(most - 1, 0, -1)]
        skipped.insert(0, NodeClass(most, f"{most} moves or more", f"accent{most}"))
        return [*skipped, NodeClass(0, "no cutoff", "plain")]

    def count_rows(self, tree: SearchTree) -> ClassCounts:
        return tree.depth_index.skipped_moves


class NodeType:
    """Colour by the type of the node: PV, CUT or ALL (Knuth and Moore's types 1, 2 and 3)."""

    name = "node-type"
    title = "type of the node"

    def list_classes(self, tree: SearchTree) -> list[NodeClass]:
        return [
            NodeClass(PV_TYPE, "PV: value inside the window", "strong"),
            NodeClass(CUT_TYPE, "CUT: value reached the other side's bound", "accent5"),
            NodeClass(OPEN_TYPE, STATUS_LABELS["open"], "unfinished"),
            NodeClass(ALL_TYPE, "ALL: no move improved the window", "inner"),
        ]

    def count_rows(self, tree: SearchTree) -> ClassCounts:
        return tree.depth_index.node_types


COLOURINGS: dict[str, Colouring] = {colouring.name: colouring for colouring in (HowLeft(), Value(), Saved(), NodeType())}


def find_colouring(name: str, tree: SearchTree | None = None) -> Colouring:
    """Return the colouring with this name. Raise PlyscopeError if there is none, or if the tree does not have what it shows."""
    if name not in COLOURINGS:
        raise UnknownName("colouring", name, COLOURINGS)
    if tree is not None and isinstance(COLOURINGS[name], NodeType) and not tree.windows:
        raise PlyscopeError(f"{tree.algorithm} has no windows, so it has no PV, CUT and ALL nodes: choose another colouring")
    return COLOURINGS[name]


def _choose_value_ranges(tree: SearchTree) -> tuple[float, float, float]:
    """Return the value of the root, and two distances from it that a third of the other values each lie within."""
    step = -(-len(tree) // MAX_SAMPLED_ROWS)
    centre = tree.root.value if math.isfinite(tree.root.value) else 0.0
    values = tree.columns.value[::step][tree.columns.flags[::step] & STATUS_BITS != OPEN].astype(np.float64)
    distances = np.abs(values - centre)
    distances = np.sort(distances[(distances > 0) & (distances < math.inf)])
    if len(distances) == 0:
        return centre, 1.0, 2.0
    near, far = (float(distances[len(distances) * third // 3]) for third in (1, 2))
    if far <= near:
        far = float(distances[-1]) if distances[-1] > near else 2 * near
    return centre, near, far
