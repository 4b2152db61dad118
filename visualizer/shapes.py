"""Charts as boxes and lines of text, laid out once and written as SVG (light and dark) or as DOT for PNG and PDF (light)."""

from collections.abc import Iterable
from typing import NamedTuple

from visualizer.escapes import dot as dot_text
from visualizer.escapes import xml
from visualizer.theme import FONT, Palette

DIGIT, BOLD_DIGIT = 0.62, 0.71  # width of a character, of its font's size
POINTS = 96.0  # pixels of ours in an inch, so that DOT and SVG come out alike
DOT_FONT = "DejaVu Sans"


class Box(NamedTuple):
    x: float
    y: float
    width: float
    height: float
    colour: str  # a name that the palettes give a colour
    title: str = ""  # a tooltip


class Line(NamedTuple):
    """A line of text; `y` is its middle."""

    x: float
    y: float
    text: str
    size: int = 12
    anchor: str = "middle"  # or start, end: what `x` is
    bold: bool = False
    muted: bool = False

    @property
    def width(self) -> float:
        return len(self.text) * self.size * (BOLD_DIGIT if self.bold else DIGIT)


class Chart(NamedTuple):
    title: str
    width: int
    height: int
    boxes: list[Box]
    lines: list[Line]


def svg(chart: Chart, palettes: tuple[Palette, Palette], colours: tuple[dict[str, str], dict[str, str]]) -> bytes:
    """The chart for light and dark; `colours` are those of the boxes."""
    light, dark = (_css(palette, named) for palette, named in zip(palettes, colours, strict=True))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{chart.width}" height="{chart.height}" '
        f'viewBox="0 0 {chart.width} {chart.height}" class="plychart" role="img">\n<title>{xml(chart.title)}</title>\n<style>\n'
        f".plychart text{{font-family:{FONT};dominant-baseline:central}}\n{light}"
        f"@media (prefers-color-scheme:dark){{\n{dark}}}\n</style>\n"
        f'<rect class="ground" width="{chart.width}" height="{chart.height}"/>\n'
    ]
    for box in chart.boxes:
        shape = f'<rect class="{box.colour}" x="{box.x:g}" y="{box.y:g}" width="{box.width:g}" height="{box.height:g}"'
        parts.append(f"{shape}><title>{xml(box.title)}</title></rect>\n" if box.title else f"{shape}/>\n")
    for line in chart.lines:
        style = f'font-size="{line.size}" text-anchor="{line.anchor}"' + ' font-weight="bold"' * line.bold
        kind = ' class="muted"' if line.muted else ""
        parts.append(f'<text{kind} x="{line.x:g}" y="{line.y:g}" {style}>{xml(line.text)}</text>\n')
    return "".join([*parts, "</svg>\n"]).encode()


def _css(palette: Palette, colours: dict[str, str]) -> str:
    fills = {"ground": palette.background, "muted": palette.muted, **colours}
    rules = "".join(f".plychart .{name}{{fill:{colour}}}\n" for name, colour in fills.items())
    return f".plychart text{{fill:{palette.text}}}\n{rules}"


def dot(chart: Chart, palette: Palette, colours: dict[str, str]) -> bytes:
    """The chart as a graph without edges whose nodes have their places: what neato draws."""
    nodes = [_node(0, chart, Box(0, 0, chart.width, chart.height, "ground"), palette.background, "", "")]
    nodes += [_node(number, chart, box, colours[box.colour], "", "") for number, box in enumerate(chart.boxes, start=1)]
    for number, line in enumerate(chart.lines, start=len(nodes)):
        left = line.x - {"start": 0, "middle": line.width / 2, "end": line.width}[line.anchor]
        place = Box(left, line.y - line.size, line.width, 2 * line.size, "")
        justified = {"start": "\\l", "middle": "", "end": "\\r"}[line.anchor]
        colour = palette.muted if line.muted else palette.text
        font = f'fontname="{DOT_FONT}{" Bold" * line.bold}" fontsize={line.size * 72 / POINTS:g} fontcolor="{colour}"'
        nodes.append(_node(number, chart, place, "", dot_text(line.text) + justified, font))
    head = "graph {\n  node [shape=box fixedsize=true margin=0 penwidth=0];\n"
    return "".join([head, *nodes, "}\n"]).encode()


def _node(number: int, chart: Chart, box: Box, colour: str, label: str, font: str) -> str:
    x, y = (box.x + box.width / 2) / POINTS, (chart.height - box.y - box.height / 2) / POINTS
    fill = f'style=filled fillcolor="{colour}"' if colour else 'style=""'
    size = f"width={box.width / POINTS:.4f} height={box.height / POINTS:.4f}"
    return f'  n{number} [pos="{x:.4f},{y:.4f}!" {size} {fill} label="{label}" {font}];\n'


def extent(lines: Iterable[Line]) -> float:
    """How far to the right the lines reach."""
    return max((line.x + {"start": line.width, "middle": line.width / 2, "end": 0}[line.anchor] for line in lines), default=0.0)
