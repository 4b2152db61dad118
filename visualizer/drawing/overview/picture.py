"""The picture of a whole search on one page: the overview with axes, legend and the largest subtrees."""

import itertools
from collections.abc import Iterator

import numpy as np

from engine.record.columns import CUTOFF, STATUS_BITS
from engine.tree.tree import SearchTree
from visualizer.drawing.overview.bands import Band, Bar, draw_steps, lay_out_band
from visualizer.drawing.overview.cells import OverviewCells, OverviewView, compute_cells, make_view
from visualizer.drawing.overview.colourings import Colouring, HowLeft, NodeClass, find_colouring
from visualizer.drawing.overview.costliest import SearchPart, find_largest_parts
from visualizer.drawing.scene import Item, Label, Line, Scene, StepArea
from visualizer.drawing.view import WHOLE_TREE, BadView, View
from visualizer.narration.captions import BOUND_SIGNS, STATUS_LABELS, search_title, summarize_result
from visualizer.narration.numbers import format_count, format_number
from visualizer.narration.text_width import shorten_name

WIDTH, LEFT, RIGHT = 2000, 70, 210  # pixels of the picture, and beside the bars
PLOT_WIDTH = WIDTH - LEFT - RIGHT
TOP, MAX_PLOT_HEIGHT = 96, 620
MIN_PITCH, MAX_PITCH = 10, 46  # from one depth to the next
MAX_DEPTHS = 120
TITLE_SIZE, TEXT_SIZE, SMALL_SIZE = 20, 14, 12
LINE_HEIGHT = 22
TICK_SPACE = 110  # pixels between two numbers of the axis, at least
MIN_SKIPPING_PIXELS = 8  # narrower bars show no skipped moves
SKIPPED_BAR, MIN_SKIPPED_BAR, SKIPPED_GAP = 26, 4, 2  # widths of the empty bar of a skipped move, and of the gap beside it
MIN_TOOLTIP_PIXELS = 6
DARK_FILLS = {"strong", "answered", "above3", "below3", *(f"accent{step}" for step in range(3, 8))}
READING_NOTE = (
    "Each bar is a node, as wide as its subtree. Where several nodes share a pixel, each colour is as tall as its share."
)


def draw_overview(tree: SearchTree, view: View | None = None, colouring: str = HowLeft.name) -> Scene:
    """Return the picture of a search, or of the subtree or the first nodes that a view names."""
    style = find_colouring(colouring, tree)
    part = _choose_rows(tree, view or WHOLE_TREE)
    cells = compute_cells(tree, part, style)
    largest = find_largest_parts(tree, part)
    return _Picture(tree, cells, style, largest, (view or WHOLE_TREE).stubs).draw()


def check_overview(view: View) -> None:
    """Raise BadView for a view that is not a subtree, a number of plies or the first nodes."""
    if view.principal or view.around is not None or view.collapse:
        raise BadView(
            "an overview shows every node of a search, a subtree, some plies or the first nodes: "
            "leave out the principal variation, the nodes around a node, and collapsed nodes"
        )


def _choose_rows(tree: SearchTree, view: View) -> OverviewView:
    """Return the range of rows and depths that a view names."""
    check_overview(view)
    if not 0 <= view.root < len(tree):
        raise BadView(f"there is no node {view.root}: the tree has {len(tree):,} nodes")
    last = int(tree.columns.end[view.root]) if view.root else len(tree)
    if view.first is not None:
        last = min(last, view.root + view.first)
    top = int(tree.columns.depth[view.root])
    depths = min(int(tree.columns.depth[view.root : last].max()) - top + 1, MAX_DEPTHS)
    if view.max_depth is not None:
        depths = min(depths, view.max_depth + 1)
    return make_view(tree, PLOT_WIDTH, view.root, last, top, depths)


class _Picture:
    """The parts of the picture, from top to bottom."""

    def __init__(self, tree: SearchTree, cells: OverviewCells, colouring: Colouring, largest: list[SearchPart], skipped: bool):
        self.tree, self.cells, self.colouring, self.largest = tree, cells, colouring, largest
        self.with_skipped = skipped
        self.view = cells.view
        self.pitch = max(MIN_PITCH, min(MAX_PITCH, MAX_PLOT_HEIGHT // self.view.depths))
        self.gutter = max(1, self.pitch // 6)  # below each band, for the skipped moves
        self.numbers = {part.row: number for number, part in enumerate(largest, 1)}
        self.row_pixels = PLOT_WIDTH / (self.view.last_row - self.view.first_row)

    def draw(self) -> Scene:
        bands = [self._lay_out(level) for level in range(self.view.depths)]
        bottom = TOP + self.view.depths * self.pitch
        items = [*self._draw_head(), *self._draw_counts()]
        for level, band in enumerate(bands):
            items += self._draw_band(level, band)
        items += self._draw_axis(bottom)
        legend, below = self._draw_legend(bottom + 66)
        parts, height = self._draw_largest(below + 14)
        return Scene(f"Overview: {search_title(self.tree)}", WIDTH, height, (*items, *legend, *parts))

    def _lay_out(self, level: int) -> Band:
        return lay_out_band(self.tree, self.cells, level, self.colouring, self.pitch - self.gutter)

    def _draw_head(self) -> Iterator[Item]:
        whole = len(self.tree) == self.view.last_row - self.view.first_row
        yield Label(LEFT, 32, search_title(self.tree), "text", TITLE_SIZE, "start", True)
        yield Label(LEFT, 56, summarize_result(self.tree, whole), "muted", TEXT_SIZE)
        yield Label(LEFT - 10, TOP - 10, "depth", "muted", SMALL_SIZE, "end")

    def _draw_counts(self) -> Iterator[Item]:
        """Draw the depths on the left, and the counts of each depth on the right."""
        for x, title in ((WIDTH - 110, "nodes"), (WIDTH - 20, "cutoffs")):
            yield Label(x, TOP - 10, title, "muted", SMALL_SIZE, "end")
        for level in range(self.view.depths):
            y = TOP + level * self.pitch + (self.pitch - self.gutter) / 2 + 4
            size = min(SMALL_SIZE, self.pitch - 1)
            yield Label(LEFT - 10, y, str(self.view.first_depth + level), "text", size, "end")
            yield Label(WIDTH - 110, y, f"{int(self.cells.counts[level].sum()):,}", "text", size, "end")
            yield Label(WIDTH - 20, y, f"{int(self.cells.cutoffs[level].sum()):,}", "text", size, "end")

    def _draw_band(self, level: int, band: Band) -> Iterator[Item]:
        bottom = TOP + level * self.pitch + self.pitch - self.gutter
        for colour, heights in band.merged:
            yield from draw_steps(heights, LEFT, bottom, colour)
        for bar in band.bars:
            yield from self._draw_bar(level, bar, bottom)
        if self.with_skipped and self.gutter >= 3:
            yield from self._draw_skipped(band, bottom + self.gutter)

    def _draw_bar(self, level: int, bar: Bar, bottom: int) -> Iterator[Item]:
        left, right = LEFT + bar.left, LEFT + bar.right
        if right - left >= 4:
            left += 1  # so that neighbours are told apart
        height = self.pitch - self.gutter
        tooltip = self._describe_bar(bar.row) if right - left >= MIN_TOOLTIP_PIXELS else ""
        yield StepArea(((left, bottom), (left, bottom - height), (right, bottom - height), (right, bottom)), bar.colour, tooltip)
        size = min(SMALL_SIZE, height - 2)
        for words in self._bar_texts(bar.row):
            label = Label((left + right) / 2, bottom - height / 2 + size * 0.36, words, _text_colour(bar.colour), size, "middle")
            if size >= 8 and label.width + 6 <= right - left:
                yield label._replace(bold=bar.row in self.numbers)
                break

    def _bar_texts(self, row: int) -> list[str]:
        """Return texts for a bar, the longest first: its number among the largest, its move or pass, its value."""
        node = self.tree[row]
        value = "" if node.status == "open" else f": {BOUND_SIGNS[node.bound]}{format_number(node.value)}"
        if node.depth == 0:
            name, short = self._name_pass(row), f"pass {self.tree.pass_number(row) + 1}" if self.tree.notes else "root"
        else:
            short = shorten_name(node.move_name)
            name = f"move {short}"
        number = f"#{self.numbers[row]}" if row in self.numbers else ""
        if number:
            return [f"{number} {name}{value}", f"{number} {name}", number]
        return [name + value, short + value, short]

    def _name_pass(self, row: int) -> str:
        """Return the name of a root: its pass, if there are several."""
        if not self.tree.notes:
            return "root"
        number = self.tree.pass_number(row)
        K = self.tree.passes[number].K
        return f"pass {number + 1}" if K is None else f"pass {number + 1}, K={K}"

    def _describe_bar(self, row: int) -> str:
        node = self.tree[row]
        move = f"move {node.move_name}, " if node.depth else ""
        value = "" if node.status == "open" else f", value {BOUND_SIGNS[node.bound]}{format_number(node.value)}"
        nodes = format_count(int(self.tree.columns.end[row]) - row, "node")
        return f"node {row:,}, {move}{nodes}, {STATUS_LABELS[node.status]}{value}"

    def _draw_skipped(self, band: Band, bottom: int) -> Iterator[Item]:
        """Draw an empty bar for each skipped move, below the right end of the bar of the node that skipped it."""
        outer, inner = np.zeros(PLOT_WIDTH, np.int64), np.zeros(PLOT_WIDTH, np.int64)
        flags, skipped = self.tree.columns.flags, self.tree.columns.skipped
        for bar in band.bars:
            room = bar.right - bar.left - 1
            if flags[bar.row] & STATUS_BITS != CUTOFF or room < MIN_SKIPPING_PIXELS:
                continue
            moves = int(skipped[bar.row])
            width = max(MIN_SKIPPED_BAR, min(SKIPPED_BAR, int(self.row_pixels), room // moves - SKIPPED_GAP))
            for move in range(min(moves, room // (width + SKIPPED_GAP))):
                right = bar.right - move * (width + SKIPPED_GAP)
                outer[right - width : right], inner[right - width + 1 : right - 1] = self.gutter - 1, self.gutter - 3
        yield from draw_steps(outer, LEFT, bottom, "muted")
        yield from draw_steps(np.maximum(inner, 0), LEFT, bottom - 1, "ground")

    def _draw_axis(self, top: int) -> Iterator[Item]:
        view = self.view
        yield Line(((LEFT, top + 2), (LEFT + PLOT_WIDTH, top + 2)), "edge")
        step = _choose_step((view.last_row - view.first_row) * TICK_SPACE / PLOT_WIDTH)
        for row in range(-(-view.first_row // step) * step, view.last_row, step):
            x = LEFT + round((row - view.first_row) * self.row_pixels)
            yield Line(((x, top + 2), (x, top + 8)), "edge")
            yield Label(x, top + 23, f"{row:,}", "text", SMALL_SIZE, "middle" if x > LEFT else "start")
        hidden = int(self.tree.height + 1 - view.first_depth - view.depths)
        more = f"; {hidden:,} deeper levels are not drawn" if hidden > 0 and view.depths == MAX_DEPTHS else ""
        yield Label(LEFT, top + 43, f"nodes in the order of visiting{more}", "muted", SMALL_SIZE)

    def _draw_legend(self, top: int) -> tuple[list[Item], int]:
        """Return the legend, and the y below it."""
        total = max(1, int(self.cells.counts.sum()))
        items: list[Item] = [Label(LEFT, top, f"Colour: {self.colouring.title}", "text", TEXT_SIZE, "start", True)]
        x, y = LEFT, top + LINE_HEIGHT
        for one, count in self._present_classes():
            label = Label(x + 24, y, f"{one.label}: {count:,} ({_format_share(count / total)})", "text", TEXT_SIZE)
            if x > LEFT and label.x + label.width > WIDTH - 20:
                x, y = LEFT, y + LINE_HEIGHT
                label = label._replace(x=x + 24, y=y)
            items += [_draw_swatch(x, y, one.colour), label]
            x = int(label.x + label.width * 0.92) + 20
        y += LINE_HEIGHT
        if self.with_skipped and self.tree.skipped and self.gutter >= 3:
            items += [_draw_swatch(LEFT, y, "muted"), StepArea(_box_points(LEFT + 1, y - 11, 14, 10), "ground")]
            items.append(Label(LEFT + 24, y, "empty: a move that a cutoff skipped", "text", TEXT_SIZE))
            y += LINE_HEIGHT
        return [*items, Label(LEFT, y, READING_NOTE, "muted", TEXT_SIZE)], y + LINE_HEIGHT

    def _present_classes(self) -> list[tuple[NodeClass, int]]:
        counts = self.cells.classes.sum(axis=(0, 1))
        return [(one, int(counts[one.code])) for one in self.colouring.list_classes(self.tree) if counts[one.code]]

    def _draw_largest(self, top: int) -> tuple[list[Item], int]:
        """Return the list of the largest subtrees in two columns, and the height of the picture."""
        if not self.largest:
            return [], top
        title = (
            f"The {len(self.largest)} largest subtrees that do not overlap" if len(self.largest) > 1 else "The largest subtree"
        )
        items: list[Item] = [Label(LEFT, top, title, "text", TEXT_SIZE, "start", True)]
        half = -(-len(self.largest) // 2)
        for number, part in enumerate(self.largest):
            column, line = divmod(number, half)
            words = f"#{number + 1}  {shorten_name(part.title, 60)}: {part.nodes:,} nodes ({_format_share(part.share)})"
            items.append(Label(LEFT + column * (PLOT_WIDTH // 2), top + (line + 1) * LINE_HEIGHT, words, "text", TEXT_SIZE))
        return items, top + (half + 1) * LINE_HEIGHT + 10


def _text_colour(fill: str) -> str:
    return "ground" if fill in DARK_FILLS else "text"


def _draw_swatch(x: int, y: int, colour: str) -> StepArea:
    return StepArea(_box_points(x, y - 12, 16, 12), colour)


def _box_points(x: int, y: int, width: int, height: int) -> tuple[tuple[float, float], ...]:
    return (x, y + height), (x, y), (x + width, y), (x + width, y + height)


def _format_share(share: float) -> str:
    """Format a share in percent. A share that is not zero never looks like zero.

    >>> _format_share(0.2137), _format_share(0.0421), _format_share(0.00001)
    ('21 %', '4.2 %', 'less than 0.1 %')
    """
    percent = 100 * share
    if percent < 0.1:
        return "less than 0.1 %"
    return f"{percent:.0f} %" if percent >= 9.95 else f"{percent:.1f} %"


def _choose_step(least: float) -> int:
    """Return the next round number: 1, 2 or 5 with zeros.

    >>> _choose_step(0.3), _choose_step(170), _choose_step(2_100_000)
    (1, 200, 5000000)
    """
    return next(factor * 10**power for power in itertools.count() for factor in (1, 2, 5) if factor * 10**power >= least)
