"""Scenes as pixels, drawn by Pillow in the font of PDF pages. The same scene always gives the same pixels."""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from math import ceil, floor, hypot
from typing import TYPE_CHECKING

from visualizer.drawing.pdf_pages import ANCHOR_SHARES, FONT_FILES, replace_unsupported
from visualizer.drawing.scene import HOLLOW_LINE_WIDTH, Label, Line, Scene, StepArea, colours_by_name
from visualizer.drawing.theme import LIGHT, Palette

if TYPE_CHECKING:  # it takes long to import, and only animations need it
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

Point = tuple[float, float]
OVERSAMPLING = 2  # everything is drawn this many times larger and scaled down, so that edges are smooth
DASHES = {"dashed": (9.0, 6.0), "dotted": (2.0, 5.0)}  # pixels of a dash and of the gap after it


def draw_scene(scene: Scene, size: tuple[int, int], palette: Palette = LIGHT) -> "Image":
    """Return a scene as an RGB picture of this size."""
    from PIL import Image, ImageDraw

    scale = min(size[0] / scene.width, size[1] / scene.height) * OVERSAMPLING
    colours = colours_by_name(palette)
    picture = Image.new("RGB", (size[0] * OVERSAMPLING, size[1] * OVERSAMPLING), colours["ground"])
    pen = ImageDraw.Draw(picture)
    for item in scene.items:
        colour = colours[item.colour]
        if isinstance(item, Label):
            _draw_label(pen, item, colour, scale)
        elif isinstance(item, Line):
            _draw_line(pen, item, colour, scale)
        elif isinstance(item, StepArea):
            _fill_area(pen, item, colour, scale)
        elif item.filled:
            pen.polygon(_scale_points(item.points, scale), fill=colour)
        else:
            _draw_line(pen, Line((*item.points, item.points[0]), item.colour, HOLLOW_LINE_WIDTH), colour, scale)
    return picture.reduce(OVERSAMPLING)


def _fill_area(pen: "ImageDraw", area: StepArea, colour: str, scale: float) -> None:
    """Fill the steps of an area one by one, to the pixel: polygons of Pillow are a pixel wider."""
    points = [(round(x * scale), round(y * scale)) for x, y in area.points]
    bottom = points[0][1]
    for (left, top), (right, _) in zip(points[1::2], points[2::2], strict=False):
        if top < bottom and left < right:
            pen.rectangle((left, top, right - 1, bottom - 1), fill=colour)


def _scale_points(points: tuple[Point, ...], scale: float) -> list[Point]:
    return [(x * scale, y * scale) for x, y in points]


def _draw_label(pen: "ImageDraw", label: Label, colour: str, scale: float) -> None:
    text, font = replace_unsupported(label.text), _load_font(max(1, round(label.size * scale)), label.bold)
    left = label.x * scale - font.getlength(text) * ANCHOR_SHARES[label.anchor]
    pen.text((round(left), round(label.y * scale)), text, fill=colour, font=font, anchor="ls")


@cache
def _load_font(size: int, bold: bool) -> "FreeTypeFont":
    from PIL import ImageFont

    return ImageFont.truetype(FONT_FILES[bold], size, layout_engine=ImageFont.Layout.BASIC)


def _draw_line(pen: "ImageDraw", line: Line, colour: str, scale: float) -> None:
    width = max(1, round(line.width * scale))
    points = _scale_points(line.points, scale)
    if not line.dashed and not line.dotted:
        closed = points[0] == points[-1]
        pen.line([*points, *points[1:2]] if closed else points, fill=colour, width=width, joint="curve")
        return
    dash, gap = DASHES["dashed" if line.dashed else "dotted"]
    for piece in _split_into_dashes(points, dash * scale, gap * scale):
        pen.line(piece, fill=colour, width=width)


def _split_into_dashes(points: list[Point], dash: float, gap: float) -> Iterator[list[Point]]:
    """Yield the dashes along a line. A dash ends at a corner and goes on behind it."""
    walked, period = 0.0, dash + gap
    for (x, y), (to_x, to_y) in pairwise(points):
        length = hypot(to_x - x, to_y - y)
        if not length:
            continue
        for number in range(floor(walked / period), ceil((walked + length) / period)):
            start, stop = max(number * period - walked, 0.0), min(number * period + dash - walked, length)
            if start < stop:
                yield [(x + (to_x - x) * at / length, y + (to_y - y) * at / length) for at in (start, stop)]
        walked += length
