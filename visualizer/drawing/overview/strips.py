"""Overviews of several searches above each other, all at the same scale: the eye sees how much longer one of them took."""

import functools
import math
from functools import cached_property

from engine.analysis.alignment import Alignment
from engine.tree.depth_index import ClassCounts
from engine.tree.tree import SearchTree
from visualizer.drawing.overview.bands import draw_steps, lay_out_band
from visualizer.drawing.overview.cells import compute_cells, make_view
from visualizer.drawing.overview.colourings import Colouring, HowLeft, NodeClass
from visualizer.drawing.scene import Item, Label, Line, Scene, StepArea, stack_scenes
from visualizer.narration.numbers import format_count

WIDTH, LEFT, RIGHT = 1200, 4, 4  # pixels of the picture, and beside the bars
PLOT_WIDTH = WIDTH - LEFT - RIGHT
TITLE_HEIGHT, GAP = 24, 12
PITCH, GUTTER = 10, 1  # pixels from one depth to the next, and between them
MAX_DEPTHS = 60
TEXT_SIZE = 14
VISITED, SAVED = 1, 0


class SavedByCutoffs:
    """Colour the nodes of minimax by whether alpha-beta visits them, too. Whatever it does not visit is the work it saves."""

    name = "saved-nodes"
    title = "nodes that alpha-beta visits, too"

    def __init__(self, alignment: Alignment):
        self._alignment = alignment

    def list_classes(self, tree: SearchTree) -> list[NodeClass]:
        return [NodeClass(VISITED, "visited by alpha-beta, too", "accent5"), NodeClass(SAVED, "saved", "plain")]

    def count_rows(self, tree: SearchTree) -> ClassCounts:
        return self._counts

    @cached_property
    def _counts(self) -> ClassCounts:
        return self._alignment.minimax.depth_index.count_marked(self._alignment.visited)


def draw_strip(tree: SearchTree, title: str, most_nodes: int, colouring: Colouring | None = None) -> Scene:
    """Return the overview of a search. A search of `most_nodes` is as wide as the picture, others are narrower in proportion."""
    style = HowLeft() if colouring is None else colouring
    width = max(1, round(PLOT_WIDTH * len(tree) / most_nodes))
    depths = min(tree.height + 1, MAX_DEPTHS)
    cells = compute_cells(tree, make_view(tree, width, depths=depths), style)
    words = f"{title}: {format_count(len(tree), 'node')}"
    items: list[Item] = [Label(LEFT, TITLE_HEIGHT - 8, words, "text", TEXT_SIZE, "start", True)]
    for level in range(depths):
        bottom = TITLE_HEIGHT + (level + 1) * PITCH - GUTTER
        band = lay_out_band(tree, cells, level, style, PITCH - GUTTER)
        for colour, heights in band.merged:
            items += draw_steps(heights, LEFT, bottom, colour)
        for bar in band.bars:
            left, right = LEFT + bar.left + (bar.right - bar.left >= 4), LEFT + bar.right
            top = bottom - PITCH + GUTTER
            items.append(StepArea(((left, bottom), (left, top), (right, top), (right, bottom)), bar.colour))
    height = TITLE_HEIGHT + depths * PITCH + GAP
    items.append(Line(((LEFT, height - GAP + 2), (LEFT + width, height - GAP + 2)), "edge"))
    return Scene(f"Overview of {words}", WIDTH, height, tuple(items))


def present_classes(tree: SearchTree, colouring: Colouring | None = None) -> list[NodeClass]:
    """Return the classes of a colouring that occur in a tree."""
    style = HowLeft() if colouring is None else colouring
    totals = style.count_rows(tree).running[-1]
    return [one for one in style.list_classes(tree) if totals[one.code]]


def draw_strip_legend(classes: list[NodeClass]) -> Scene:
    """Return a line with a swatch and a label for each class."""
    items: list[Item] = []
    x = float(LEFT)
    for one in classes:
        box = ((x, 18), (x, 6), (x + 16, 6), (x + 16, 18))
        label = Label(x + 22, 17, one.label, "text", TEXT_SIZE)
        items += [StepArea(box, one.colour), label]
        x = label.x + label.width * 0.92 + 16
    return Scene("Legend", max(WIDTH, math.ceil(x)), TITLE_HEIGHT + GAP, tuple(items))


def stack_strips(strips: list[Scene]) -> Scene:
    """Return all strips as one scene, from top to bottom."""
    return functools.reduce(stack_scenes, strips)
