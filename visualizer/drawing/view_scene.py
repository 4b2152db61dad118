"""The picture of a view as a scene, for PDF pages. Layout and styles are those of .svg."""

from collections.abc import Iterator, Mapping

import numpy as np

from visualizer.drawing.back_links import MAX_LINKS, find_back_links
from visualizer.drawing.label_columns import NO_OTHER_PARTS
from visualizer.drawing.node_styles import NodeStyles
from visualizer.drawing.scene import Item, Label, Line, Scene, Shape, circle_points
from visualizer.drawing.theme import NodeStyle
from visualizer.drawing.tree_drawing import (
    DOUBLE_OVERHANG,
    MIN_EDGE_HEIGHT,
    MOVE_FONT,
    MOVE_HEIGHT,
    NOTE_FONT,
    NOTE_LINE_HEIGHT,
    STUB_SIZE,
    TRIANGLE_HEIGHT,
    VALUE_FONT,
    NodeTexts,
    TreeLayout,
    lay_out_view,
    make_node_texts,
)
from visualizer.drawing.view import STUB, ViewItems
from visualizer.narration.captions import BOUND_SIGNS, search_title
from visualizer.narration.text_width import shorten_name

Point = tuple[float, float]
PLAIN_LINE_WIDTH, BOLD_LINE_WIDTH, CROSS_LINE_WIDTH = 1, 3, 1.5  # widths of lines
ARC_SEGMENTS = 12  # straight pieces of a back link


def draw_view(part: ViewItems, windows: bool = True, elsewhere: Mapping[int, int] = NO_OTHER_PARTS) -> Scene:
    """Draw a view without caption and legend. `elsewhere` maps rows with hidden subtrees to the parts that show them."""
    texts = make_node_texts(part, windows, elsewhere=elsewhere)
    drawing, styles = lay_out_view(part, texts, frame=False), NodeStyles(part)
    items: list[Item] = []
    order = np.argsort(styles.principal[1:], kind="stable") + 1  # the bold edges over the others
    for item in map(int, order):
        items.append(_draw_edge(drawing, item, NodeStyles.all[styles.codes[item]]))
    items += _draw_links(drawing)
    for item in range(len(part)):
        items += _draw_node(drawing, texts, item, NodeStyles.all[styles.codes[item]])
    return Scene(search_title(part.tree), drawing.width, drawing.height, tuple(items))


def _draw_edge(drawing: TreeLayout, item: int, style: NodeStyle) -> Line:
    """Draw the edge that leads to an item: straight, or with corners where it would run through its neighbours."""
    above = int(drawing.part.parent[item])
    x, y = float(drawing.x[item]), float(drawing.y[item])
    from_x, from_y = float(drawing.x[above]), float(drawing.y[above])
    points: list[Point] = [(from_x, from_y + float(drawing.below[above]))]
    if drawing.corners:
        points += [(from_x, y - MIN_EDGE_HEIGHT + 14), (x, y - MIN_EDGE_HEIGHT + 14)]
    elif drawing.below[above] < drawing.lowest[above]:
        points.append((from_x, from_y + float(drawing.lowest[above])))
    points.append((x, y - MOVE_HEIGHT))
    bold = style.bold and not style.stub
    return Line(tuple(points), "text" if bold else "edge", BOLD_LINE_WIDTH if bold else PLAIN_LINE_WIDTH, dashed=style.stub)


def _draw_links(drawing: TreeLayout) -> Iterator[Line]:
    links = find_back_links(drawing.part)
    for item, source in links if len(links) <= MAX_LINKS else []:
        (x, y), (to_x, to_y) = ((float(drawing.x[at]), float(drawing.y[at]) + TRIANGLE_HEIGHT / 2) for at in (item, source))
        distance = abs(to_x - x)
        middle, top = (
            (x + to_x) / 2 + (TRIANGLE_HEIGHT if distance < TRIANGLE_HEIGHT else 0),
            min(y, to_y) - TRIANGLE_HEIGHT / 2 - distance / 12,
        )
        turns = np.linspace(0, 1, ARC_SEGMENTS + 1)
        points = tuple(
            (
                float((1 - t) ** 2 * x + 2 * t * (1 - t) * middle + t**2 * to_x),
                float((1 - t) ** 2 * y + 2 * t * (1 - t) * top + t**2 * to_y),
            )
            for t in turns
        )
        yield Line(points, "text", 1.4, dotted=True)


def _draw_node(drawing: TreeLayout, texts: NodeTexts, item: int, style: NodeStyle) -> Iterator[Item]:
    x, y = float(drawing.x[item]), float(drawing.y[item])
    side = style.turn_name
    if drawing.part.parent[item] >= 0:
        yield Label(x, y - 9, shorten_name(texts.move.text(item)), "muted", MOVE_FONT, "middle")
    if drawing.part.kind[item] == STUB:
        yield from _draw_stub(x, y, style, f"{side}line")
        return
    outline = _node_outline(x, y, drawing.triangle / 2, style)
    yield Shape(outline, f"{side}fill")
    yield Line(
        (*outline, outline[0]), f"{side}line", BOLD_LINE_WIDTH if style.bold else PLAIN_LINE_WIDTH, style.dashed, style.dotted
    )
    if style.double:
        outer = _outer_outline(x, y, drawing.triangle / 2 + DOUBLE_OVERHANG, style)
        yield Line((*outer, outer[0]), f"{side}line", BOLD_LINE_WIDTH if style.bold else PLAIN_LINE_WIDTH)
    sign = list(BOUND_SIGNS.values())[int(texts.sign[item])]
    value = f"{sign} {texts.value.text(item)}".strip()  # the sign needs some space
    is_centred = style.answered or style.is_chance
    base = TRIANGLE_HEIGHT / 2 + 4 if is_centred else TRIANGLE_HEIGHT - 6 if style.points_up else 15
    yield Label(x, y + base, value, "text", VALUE_FONT, "middle")
    notes = []
    if texts.alpha and texts.beta:
        notes.append(f"[{texts.alpha.text(item)}, {texts.beta.text(item)}]")
    notes += [note for note in texts.hidden.text(item).split(", ") if note]
    for number, note in enumerate(notes):
        yield Label(x, y + TRIANGLE_HEIGHT + NOTE_LINE_HEIGHT + 2 + NOTE_LINE_HEIGHT * number, note, "muted", NOTE_FONT, "middle")


def _node_outline(x: float, y: float, half: float, style: NodeStyle) -> tuple[Point, ...]:
    """Return the outline of a node: triangle, circle for chance, or diamond for an answer of the table. Its top is at `y`."""
    if style.answered:
        return (x, y), (x + half, y + TRIANGLE_HEIGHT / 2), (x, y + TRIANGLE_HEIGHT), (x - half, y + TRIANGLE_HEIGHT / 2)
    if style.is_chance:
        return circle_points(x, y + TRIANGLE_HEIGHT / 2, TRIANGLE_HEIGHT / 2)
    if style.points_up:
        return (x, y), (x + half, y + TRIANGLE_HEIGHT), (x - half, y + TRIANGLE_HEIGHT)
    return (x - half, y), (x + half, y), (x, y + TRIANGLE_HEIGHT)


def _outer_outline(x: float, y: float, half: float, style: NodeStyle) -> tuple[Point, ...]:
    """Return the outer line of a doubled shape."""
    if style.is_chance:
        return circle_points(x, y + TRIANGLE_HEIGHT / 2, TRIANGLE_HEIGHT / 2 + DOUBLE_OVERHANG / 2)
    if style.points_up:
        return (x, y - 5.5), (x + half, y + TRIANGLE_HEIGHT + 3), (x - half, y + TRIANGLE_HEIGHT + 3)
    return (x - half, y - 3), (x + half, y - 3), (x, y + TRIANGLE_HEIGHT + 5.5)


def _draw_stub(x: float, y: float, style: NodeStyle, colour: str) -> Iterator[Item]:
    """Draw a small triangle, crossed out."""
    half, cross = STUB_SIZE / 2, STUB_SIZE / 2 - 1
    base, tip = (y + STUB_SIZE, y) if style.points_up else (y, y + STUB_SIZE)
    yield Line(((x - half, base), (x + half, base), (x, tip), (x - half, base)), colour)
    for way in (1, -1):
        yield Line(((x - way * cross, y + 1), (x + way * cross, y + STUB_SIZE - 1)), "text", CROSS_LINE_WIDTH)
