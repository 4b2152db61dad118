"""The path view of one step as items of a scene, large enough for the back of a room.

One row per depth. A line from a node goes down to a bar, along it and down to the child, so that it crosses no text.
Filled: done. Thick outline: on the path. Thin outline: not visited yet. Dashed outline: cutoff, the value is a bound.
Crossed out: skipped.
`viewer/assets/draw/path_view.js` draws the same view in the browser.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from engine.games.quirks import AS_TYPED
from engine.record.columns import NONE, STATUS_NAMES
from engine.tree.expectation import Expectation
from engine.tree.trace import CUT, DONE, DRIVER, FUTURE, LEAVE_CUT, ON_PATH, RETURN, Step, Trace
from visualizer.drawing.frames.path_items import PathItem, PathItems, choose_shown_levels, choose_shown_slots
from visualizer.drawing.pdf_pages import text_width
from visualizer.drawing.scene import Item, Label, Line, Shape, circle_points
from visualizer.drawing.theme import NodeStyle, choose_style
from visualizer.drawing.view import NODE, principal_rows
from visualizer.narration.captions import BOUND_SIGNS
from visualizer.narration.numbers import distinct_formatter, format_number
from visualizer.narration.pseudocode import format_code_line
from visualizer.narration.step_facts import cutoff_bound

Point = tuple[float, float]

# sizes in pixels of a frame of 1280 x 720
HALF_WIDTH, HALF_HEIGHT = 24, 20  # of a triangle
RING_RADIUS = 33  # around the current node
MIN_LEVEL_GAP, MAX_LEVEL_GAP = 96, 170  # from level to level
MIN_SLOT_WIDTH = 62
VALUE_FONT, NAME_FONT, NOTE_FONT, MIN_NOTE_FONT = 24, 20, 22, 15
LEVEL_NAME_WIDTH = 96  # of the sides to move, at the left
BAR_RISE = HALF_HEIGHT + NAME_FONT + 3  # of the bar above the middle of a child
BAR_SHARE = 0.25  # of half the height: how far the bar of a cutoff is from the middle
THIN, NORMAL, THICK, CAUSE_WIDTH = 1.5, 2.5, 5.0, 5.0
CAUSE_COLOUR = "series2"
NOTE_GAP = 14  # between two notes
PILL_PADDING = 7
PILL_HALF_HEIGHT = NOTE_FONT * 0.5 + PILL_PADDING - 1


@dataclass(frozen=True)
class Area:
    """A rectangle of the frame."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + self.height


@dataclass
class _PlacedLevels:
    """The visible items with their places, for one step."""

    step: Step
    area: Area
    gap: float
    rows: list[list[PathItem]] = field(default_factory=list)
    places: dict[int, Point] = field(default_factory=dict)  # by row
    points: dict[tuple[int, int], Point] = field(default_factory=dict)  # by level and slot
    path: list[int] = field(default_factory=list)


class PathView:
    """The path view of a tree, drawn step by step."""

    def __init__(self, trace: Trace, max_depth: int, stubs: bool = True):
        self._trace, self._tree = trace, trace.tree
        self._level_count = max_depth + 1
        self._items = PathItems(trace.tree, stubs)

    def draw_step(self, step: Step, area: Area) -> Iterator[Item]:
        """Yield the picture of a step, from back to front."""
        placed = self._place_items(step, area)
        yield from self._draw_level_names(placed)
        cause_rows = self._cause_rows(step)
        placed_items = [(level, item) for level, items in enumerate(placed.rows) for item in items]
        edges = [self._draw_edge(placed, level, item) for level, item in placed_items if item.owner in placed.places]
        yield from sorted(edges, key=lambda edge: edge.width)  # the path over the others
        for row in cause_rows:
            yield from self._draw_cause_edge(placed, row)
        for level, item in placed_items:
            yield from self._draw_item(placed, level, item)
        for level, items in enumerate(placed.rows):
            yield from self._draw_notes(placed, level, items)
        yield from self._draw_cause_labels(placed)

    # ---- places

    def _place_items(self, step: Step, area: Area) -> _PlacedLevels:
        tree, node = self._tree, step.node
        max_levels = max(2, int((area.height - 2 * HALF_HEIGHT - VALUE_FONT - 8) // MIN_LEVEL_GAP) + 1)
        shown = choose_shown_levels(self._level_count, node.depth, max_levels)
        room = area.height - 2 * HALF_HEIGHT - VALUE_FONT - 12
        gap = min(room / max(len(shown) - 1, 1), MAX_LEVEL_GAP)
        path = tree.path(step.child if step.kind == RETURN and step.child is not None else node)
        placed = _PlacedLevels(step, area, gap, path=path)
        left, width = area.left + LEVEL_NAME_WIDTH, area.width - LEVEL_NAME_WIDTH
        levels = self._items.levels(path, self._level_count)
        for level, depth in enumerate(shown):
            if depth >= len(levels):
                break
            on_path = path[depth] if depth < len(path) else NONE
            level_items = choose_shown_slots(levels[depth], on_path, max(3, int(width / MIN_SLOT_WIDTH)))
            placed.rows.append(level_items.items)
            for item in level_items.items:
                point = left + (item.slot + 0.5) * width / item.slots, area.top + HALF_HEIGHT + 6 + level * gap
                placed.points[level, item.slot] = point
                if not item.is_stub:
                    placed.places[item.row] = point
        return placed

    def _draw_level_names(self, placed: _PlacedLevels) -> Iterator[Item]:
        for level, items in enumerate(placed.rows):
            _, y = placed.points[level, items[0].slot]
            side = items[0].turn
            yield Shape(_node_outline(placed.area.left + 11, y, 11, 9, side), f"{side}line")
            yield Label(placed.area.left + 30, y + 7, side.upper(), "text", NAME_FONT, bold=True)
        depth = self._tree[placed.rows[0][0].row].depth if not placed.rows[0][0].is_stub else 0
        if depth > 0:
            _, y = placed.points[0, placed.rows[0][0].slot]
            yield Label(placed.area.left, y + NAME_FONT + 12, f"↑ {depth} more", "muted", NAME_FONT - 2)

    # ---- lines

    def _edge_points(self, placed: _PlacedLevels, item: PathItem, point: Point) -> tuple[Point, ...]:
        (x, y), (from_x, from_y) = point, placed.places[item.owner]
        bar = y - BAR_RISE
        return (from_x, from_y + HALF_HEIGHT), (from_x, bar), (x, bar), (x, y - HALF_HEIGHT)

    def _draw_edge(self, placed: _PlacedLevels, level: int, item: PathItem) -> Line:
        points = self._edge_points(placed, item, placed.points[level, item.slot])
        if item.is_stub:
            return Line(points, "edge", THIN, dashed=self._is_cut(item.owner, placed.step.number))
        state = self._trace.state_at(item.row, placed.step.number)
        on_path = item.row in placed.path and state != FUTURE
        return Line(points, "text" if on_path else "edge", THICK - 1 if on_path else THIN if state == FUTURE else NORMAL)

    def _cause_rows(self, step: Step) -> list[int]:
        """Return the rows whose edges lead from a cutoff to its cause."""
        if step.kind != LEAVE_CUT or step.cause is None:
            return []
        route = self._tree.path(step.node)[step.cause.ancestor.depth + 1 :]
        return route if step.cause.child is None else [*route, int(step.cause.child)]

    def _draw_cause_edge(self, placed: _PlacedLevels, row: int) -> Iterator[Item]:
        item = next((item for items in placed.rows for item in items if item.row == row), None)
        if item is not None and item.owner in placed.places:
            yield Line(self._edge_points(placed, item, placed.places[row]), CAUSE_COLOUR, CAUSE_WIDTH, dashed=True)

    # ---- nodes

    def _is_cut(self, row: int, number: int) -> bool:
        return self._trace.state_at(row, number) == CUT

    def _node_style(self, row: int, number: int) -> NodeStyle:
        """Return the style of a node. The principal variation is bold when the search is done."""
        node, last = self._tree[row], self._tree.root
        finished = last.status != "open" and number >= self._trace.leave(last)
        principal = finished and row in principal_rows(self._tree, last)
        return choose_style(NODE, int(self._tree.turn[row]), STATUS_NAMES.index(node.status), principal)

    def _draw_item(self, placed: _PlacedLevels, level: int, item: PathItem) -> Iterator[Item]:
        x, y = placed.points[level, item.slot]
        number = placed.step.number
        if item.owner != NONE:
            clear = RING_RADIUS + 1 if item.row in self._ringed_rows(placed.step) else 8  # of the ring, or of the line
            room = min(self._slot_width(placed, item), placed.area.right - x) - clear - 4
            name = item.short_name if item.short_name and text_width(item.name, NAME_FONT) > room else item.name
            yield Label(x + clear, y - HALF_HEIGHT - 5, _fit_text(name, NAME_FONT, room), "muted", NAME_FONT)
        side = item.turn
        outline = _node_outline(x, y, HALF_WIDTH, HALF_HEIGHT, side)
        if item.is_stub and self._is_cut(item.owner, number):
            for way in (1, -1):
                yield Line(((x - 13, y - way * 13), (x + 13, y + way * 13)), "text", NORMAL + 1)
            return
        state = FUTURE if item.is_stub else self._trace.state_at(item.row, number)
        if state == FUTURE:
            yield _outline(outline, f"{side}line", THIN)
            return
        if state == ON_PATH:
            yield Shape(outline, "ground")
            yield _outline(outline, f"{side}line", THICK)
        else:
            yield from self._draw_done(x, y, outline, self._node_style(item.row, number), f"{side}line")
        if item.row == placed.step.node:
            ring = circle_points(x, y, RING_RADIUS)
            yield _outline(ring, f"{side}line", NORMAL)

    def _draw_done(self, x: float, y: float, outline: tuple[Point, ...], style: NodeStyle, line: str) -> Iterator[Item]:
        if style.answered:
            outline = (x, y - HALF_HEIGHT), (x + HALF_HEIGHT, y), (x, y + HALF_HEIGHT), (x - HALF_HEIGHT, y)
        yield Shape(outline, line)
        if style.bold:
            yield _outline(outline, "text", THICK)
        if style.dashed:  # a bar marks a cutoff, as in the viewer
            bar = y + HALF_HEIGHT * BAR_SHARE * (1 if style.points_up else 0 if style.is_chance else -1)
            yield Line(((x - HALF_WIDTH, bar), (x + HALF_WIDTH, bar)), "ground", THICK)

    # ---- texts

    def _slot_width(self, placed: _PlacedLevels, item: PathItem) -> float:
        return (placed.area.width - LEVEL_NAME_WIDTH) / item.slots

    def _draw_notes(self, placed: _PlacedLevels, level: int, items: list[PathItem]) -> Iterator[Item]:
        """Yield the values of the nodes that are done, and the bounds and the window of the path."""
        number, step = placed.step.number, placed.step
        is_cutoff = step.kind == LEAVE_CUT
        for item in items:
            if item.is_stub or (is_cutoff and item.row in (step.node, self._cause_child(step))):
                continue
            x, y = placed.points[level, item.slot]
            state = self._trace.state_at(item.row, number)
            has_line_below = item.row in placed.path[:-1] or any(below.owner == item.row for row in placed.rows for below in row)
            if state in (DONE, CUT):
                words = self._value_text(item.row)
                if not has_line_below:
                    low = RING_RADIUS if item.row == step.node else HALF_HEIGHT + 3
                    size = _fit_size(words, VALUE_FONT, self._slot_width(placed, item) - 6)
                    yield Label(x, y + low + VALUE_FONT - 2, words, "text", size, "middle", bold=True)
                    continue
                yield from self._draw_beside(placed, level, item, [(words, True)])
            elif state == ON_PATH:
                yield from self._draw_beside(placed, level, item, self._path_notes(item, step))

    def _draw_beside(self, placed: _PlacedLevels, level: int, item: PathItem, notes: list[tuple[str, bool]]) -> Iterator[Item]:
        """Yield notes right of a node, or below it right of its line if the next node is too near."""
        x, y = placed.points[level, item.slot]
        is_current = item.row == placed.step.node
        start = x + (RING_RADIUS if is_current else HALF_WIDTH) + 8
        following = [placed.points[level, other.slot][0] for other in placed.rows[level] if other.slot > item.slot]
        end = min(following, default=placed.area.right + HALF_WIDTH) - HALF_WIDTH - 8
        base, size = y + NOTE_FONT * 0.36, float(NOTE_FONT)
        if start + _notes_width(notes) > end:
            base = y + (RING_RADIUS if is_current else HALF_HEIGHT) + NOTE_FONT - 3
            base = min(base, y + placed.gap - BAR_RISE - 5)
            left, right = self._free_below(placed, level, item)
            if _notes_width(notes) * MIN_NOTE_FONT / NOTE_FONT > right - left:
                notes = notes[:1]  # the window is in the line of code, too
            start = max(left, min(x + (14 if is_current else 8), right - _notes_width(notes)))
            size = min(size, size * (right - start) / max(_notes_width(notes), 1))
            if start < x:  # it covers the line
                yield Shape(_rectangle(start - 3, base - size * 0.8, _notes_width(notes) * size / NOTE_FONT + 6, size), "ground")
        for words, bold in notes:
            yield Label(start, base, words, "text", size, bold=bold)
            start += text_width(words, size, bold) + NOTE_GAP * size / NOTE_FONT

    def _free_below(self, placed: _PlacedLevels, level: int, item: PathItem) -> tuple[float, float]:
        """Return the free stretch below a node, between the values of the nodes beside it."""
        left, right = placed.area.left + LEVEL_NAME_WIDTH, placed.area.right
        for other in placed.rows[level]:
            if other.slot == item.slot or other.is_stub or self._trace.state_at(other.row, placed.step.number) == FUTURE:
                continue
            x, _ = placed.points[level, other.slot]
            half = min(text_width(self._value_text(other.row), VALUE_FONT, True), self._slot_width(placed, other) - 6) / 2 + 6
            if other.slot < item.slot:
                left = max(left, x + half)
            else:
                right = min(right, x - half)
        return left, right

    def _value_text(self, row: int) -> str:
        node = self._tree[row]
        return f"{BOUND_SIGNS[node.bound]} {_short_number(node.value)}".strip()

    def _path_notes(self, item: PathItem, step: Step) -> list[tuple[str, bool]]:
        """Return the bound so far of a node on the path, and the window of the current one."""
        alpha, beta, best = self._trace.window_at(item.row, step.number)
        is_current = item.row == step.node and step.kind != DRIVER
        notes = []
        if item.turn == "chance":  # outcomes that are left may lower or raise the sum
            notes += self._chance_notes(self._trace.expectation_at(item.row, step.number))
        elif best is not None:
            notes.append((f"{BOUND_SIGNS[self._bound_so_far(item.row, best, step.number)]} {_short_number(best)}", True))
        if is_current and self._tree.windows:
            written = distinct_formatter(alpha, beta)
            notes.append((f"[{written(alpha)}, {written(beta)}]", False))
        return notes

    def _chance_notes(self, expected: Expectation) -> list[tuple[str, bool]]:
        """Return the sum of the outcomes so far, and the bounds of the expectation."""
        notes, bounds = [], expected.bounds
        if expected.counted:
            among = "" if expected.outcomes is None else f" ({expected.counted} of {expected.outcomes})"
            notes.append((f"sum {_short_number(expected.total)}{among}", True))
        if bounds is not None and bounds != self._tree.value_range:
            notes.append((" to ".join(map(_short_number, bounds)), False))
        return notes

    def _bound_so_far(self, row: int, best: float, number: int) -> str:
        """Return what the best value so far proves: a lower bound at MAX if a move guarantees it, else only a hope."""
        node = self._tree[row]
        sure, hoped = ("lower", "upper") if node.maximizing else ("upper", "lower")
        if self._tree.quirk == AS_TYPED and not node.maximizing and best == 0:
            return sure
        if node.static is not None and best == node.static:
            return sure
        returned = (child for child in node.children_worth(best) if self._trace.state_at(child, number - 1) in (DONE, CUT))
        return sure if any(node.is_proved_by(child) for child in returned) else hoped

    # ---- the cause of a cutoff

    def _cause_child(self, step: Step) -> int:
        """Return the row that guarantees the bound of a cutoff; NONE if there is none."""
        if step.cause is None:
            return NONE
        return int(step.cause.ancestor if step.cause.child is None else step.cause.child)

    def _ringed_rows(self, step: Step) -> tuple[int, int]:
        return int(step.node), self._cause_child(step)

    def _draw_cause_labels(self, placed: _PlacedLevels) -> Iterator[Item]:
        """Yield the comparison at the cut node, and the bound at the move that is its cause."""
        step = placed.step
        if step.kind != LEAVE_CUT:
            return
        bound = cutoff_bound(step.node)
        source = f"{'β' if step.node.fails_high else 'α'} = {_short_number(bound)}"
        child = self._cause_child(step)
        if child in placed.places:
            x, y = placed.places[child]
            yield _outline(circle_points(x, y, RING_RADIUS), CAUSE_COLOUR, NORMAL + 0.5)
            yield from _draw_pill(source, x, y + RING_RADIUS + 10, placed.area, centred=True)
        x, y = placed.places[int(step.node)]
        test = format_code_line(step) or source
        width = text_width(test, NOTE_FONT, True) + 2 * PILL_PADDING
        following = [at for at, height in placed.points.values() if height == y and at > x]
        fits_beside = x + RING_RADIUS + 8 + width < min(following, default=placed.area.right) - HALF_WIDTH
        if fits_beside or placed.gap - BAR_RISE < RING_RADIUS + 2 * PILL_HALF_HEIGHT + 6:
            yield from _draw_pill(test, x + RING_RADIUS + 8, y, placed.area)
        else:
            yield from _draw_pill(test, x + 10, y + RING_RADIUS + PILL_HALF_HEIGHT + 2, placed.area)


def _draw_pill(words: str, x: float, y: float, area: Area, centred: bool = False) -> Iterator[Item]:
    """Yield words in a box that covers what is behind it. `y` is its middle."""
    width, half = text_width(words, NOTE_FONT, True) + 2 * PILL_PADDING, PILL_HALF_HEIGHT
    left = max(area.left, min(x - width / 2 if centred else x, area.right - width))
    box = _rectangle(left, y - half, width, 2 * half)
    yield Shape(box, "ground")
    yield _outline(box, CAUSE_COLOUR, NORMAL)
    yield Label(left + PILL_PADDING, y + NOTE_FONT * 0.36, words, "text", NOTE_FONT, bold=True)


def _rectangle(left: float, top: float, width: float, height: float) -> tuple[Point, ...]:
    return (left, top), (left + width, top), (left + width, top + height), (left, top + height)


def _node_outline(x: float, y: float, half_width: float, half_height: float, turn: str) -> tuple[Point, ...]:
    if turn == "chance":
        return circle_points(x, y, half_height)
    tip = -half_height if turn == "max" else half_height
    return (x, y + tip), (x + half_width, y - tip), (x - half_width, y - tip)


def _outline(points: tuple[Point, ...], colour: str, width: float) -> Line:
    return Line((*points, points[0]), colour, width)


def _notes_width(notes: list[tuple[str, bool]]) -> float:
    """Return the width of notes in one line, in their normal size."""
    return sum(text_width(words, NOTE_FONT, bold) for words, bold in notes) + NOTE_GAP * max(len(notes) - 1, 0)


def _short_number(value: float) -> str:
    """Return a number of at most four digits, unless it is a whole number."""
    return format_number(value, 4)


def _fit_size(words: str, size: float, max_width: float) -> float:
    """Return the font size at which words fit, at most `size`."""
    return min(size, size * max_width / max(text_width(words, size, True), 1))


def _fit_text(words: str, size: float, max_width: float) -> str:
    """Shorten words until they fit."""
    while len(words) > 2 and text_width(words, size) > max_width:
        words = words[:-2] + "…"
    return words
