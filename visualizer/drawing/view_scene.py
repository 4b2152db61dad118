"""A picture of a view as a sketch, for pages that we write ourselves: the same layout and looks as .svg."""

from collections.abc import Iterator, Mapping

import numpy as np

from visualizer.drawing.back_links import MOST as MOST_LINKS
from visualizer.drawing.back_links import back_links
from visualizer.drawing.label_columns import NOTHING_ELSEWHERE
from visualizer.drawing.node_styles import Looks
from visualizer.drawing.scene import Item, Label, Line, Shape, Sketch
from visualizer.drawing.theme import Look
from visualizer.drawing.tree_drawing import (
    ABOVE,
    DOUBLE,
    EDGE,
    HEIGHT,
    LINE,
    MOVE_FONT,
    NOTE_FONT,
    STUB_SIZE,
    VALUE_FONT,
    Drawing,
    Texts,
    draw,
    texts_of,
)
from visualizer.drawing.view import STUB, Shown
from visualizer.narration.captions import SIGNS, title
from visualizer.narration.text_width import short

Point = tuple[float, float]
PLAIN, BOLD, CROSS = 1, 3, 1.5  # widths of lines
ARC = 12  # straight pieces of a back link


def view_sketch(part: Shown, windows: bool = True, elsewhere: Mapping[int, int] = NOTHING_ELSEWHERE) -> Sketch:
    """Draw a view without caption and legend. `elsewhere` has the parts that show what is hidden below some rows."""
    texts = texts_of(part, windows, elsewhere=elsewhere)
    drawing, looks = draw(part, texts, frame=False), Looks(part)
    items: list[Item] = []
    order = np.argsort(looks.principal[1:], kind="stable") + 1  # the bold edges over the others
    for item in map(int, order):
        items.append(_edge(drawing, item, Looks.all[looks.codes[item]]))
    items += _links(drawing)
    for item in range(len(part)):
        items += _node(drawing, texts, item, Looks.all[looks.codes[item]])
    return Sketch(title(part.tree), drawing.width, drawing.height, tuple(items))


def _edge(drawing: Drawing, item: int, look: Look) -> Line:
    """The edge that leads to an item: straight, or with corners where it would run through its neighbours."""
    above = int(drawing.part.parent[item])
    x, y = float(drawing.x[item]), float(drawing.y[item])
    from_x, from_y = float(drawing.x[above]), float(drawing.y[above])
    points: list[Point] = [(from_x, from_y + float(drawing.below[above]))]
    if drawing.corners:
        points += [(from_x, y - EDGE + 14), (x, y - EDGE + 14)]
    elif drawing.below[above] < drawing.lowest[above]:
        points.append((from_x, from_y + float(drawing.lowest[above])))
    points.append((x, y - ABOVE))
    bold = look.bold and not look.stub
    return Line(tuple(points), "text" if bold else "edge", BOLD if bold else PLAIN, dashed=look.stub)


def _links(drawing: Drawing) -> Iterator[Line]:
    links = back_links(drawing.part)
    for item, source in links if len(links) <= MOST_LINKS else []:
        (x, y), (to_x, to_y) = ((float(drawing.x[at]), float(drawing.y[at]) + HEIGHT / 2) for at in (item, source))
        apart = abs(to_x - x)
        middle, top = (x + to_x) / 2 + (HEIGHT if apart < HEIGHT else 0), min(y, to_y) - HEIGHT / 2 - apart / 12
        turns = np.linspace(0, 1, ARC + 1)
        points = tuple(
            (
                float((1 - t) ** 2 * x + 2 * t * (1 - t) * middle + t**2 * to_x),
                float((1 - t) ** 2 * y + 2 * t * (1 - t) * top + t**2 * to_y),
            )
            for t in turns
        )
        yield Line(points, "text", 1.4, dotted=True)


def _node(drawing: Drawing, texts: Texts, item: int, look: Look) -> Iterator[Item]:
    x, y = float(drawing.x[item]), float(drawing.y[item])
    side = "max" if look.side else "min"
    if drawing.part.parent[item] >= 0:
        yield Label(x, y - 9, short(texts.move.text(item)), "muted", MOVE_FONT, "middle")
    if drawing.part.kind[item] == STUB:
        yield from _stub(x, y, look, f"{side}line")
        return
    outline = _outline(x, y, drawing.triangle / 2, look)
    yield Shape(outline, f"{side}fill")
    yield Line((*outline, outline[0]), f"{side}line", BOLD if look.bold else PLAIN, look.dashed, look.dotted)
    if look.double:
        outer = _outer(x, y, drawing.triangle / 2 + DOUBLE, look)
        yield Line((*outer, outer[0]), f"{side}line", BOLD if look.bold else PLAIN)
    sign = list(SIGNS.values())[int(texts.sign[item])]
    value = f"{sign} {texts.value.text(item)}".strip()  # readers of PDF have wider signs than the metrics promise
    base = HEIGHT / 2 + 4 if look.answered else HEIGHT - 6 if look.side else 15
    yield Label(x, y + base, value, "text", VALUE_FONT, "middle")
    notes = []
    if texts.alpha and texts.beta:
        notes.append(f"[{texts.alpha.text(item)}, {texts.beta.text(item)}]")
    notes += [note for note in texts.hidden.text(item).split(", ") if note]
    for number, note in enumerate(notes):
        yield Label(x, y + HEIGHT + LINE + 2 + LINE * number, note, "muted", NOTE_FONT, "middle")


def _outline(x: float, y: float, half: float, look: Look) -> tuple[Point, ...]:
    """A triangle hanging from its top; a diamond for what the table answered."""
    if look.answered:
        return (x, y), (x + half, y + HEIGHT / 2), (x, y + HEIGHT), (x - half, y + HEIGHT / 2)
    if look.side:
        return (x, y), (x + half, y + HEIGHT), (x - half, y + HEIGHT)
    return (x - half, y), (x + half, y), (x, y + HEIGHT)


def _outer(x: float, y: float, half: float, look: Look) -> tuple[Point, ...]:
    """The outer line of a doubled triangle."""
    if look.side:
        return (x, y - 5.5), (x + half, y + HEIGHT + 3), (x - half, y + HEIGHT + 3)
    return (x - half, y - 3), (x + half, y - 3), (x, y + HEIGHT + 5.5)


def _stub(x: float, y: float, look: Look, colour: str) -> Iterator[Item]:
    """A small triangle, crossed out."""
    half, cross = STUB_SIZE / 2, STUB_SIZE / 2 - 1
    base, tip = (y + STUB_SIZE, y) if look.side else (y, y + STUB_SIZE)
    yield Line(((x - half, base), (x + half, base), (x, tip), (x - half, base)), colour)
    for way in (1, -1):
        yield Line(((x - way * cross, y + 1), (x + way * cross, y + STUB_SIZE - 1)), "text", CROSS)
