"""A drawing of lines, shapes and words, in pixels from the upper left; as SVG, for Graphviz (PNG, PDF) and as TikZ.

Colours are named by what they are for (`text`, `muted`, `edge`, `series0`, `max3` ...); which they are, the theme says.
"""

from collections.abc import Iterator
from typing import NamedTuple

from visualizer.drawing.graphviz_pictures import render
from visualizer.drawing.theme import DARK, FONT, IN_THE_DARK, LIGHT, Palette, level_colours, mixed
from visualizer.narration.escapes import latex, plain, xml

DASHES, DOTS = "6 4", "1 3"
LETTER, BOLD_LETTER = 0.62, 0.71  # width of a character, of its font's size: a digit, which is wider than most letters
FIRST_FONT = FONT.split(",")[0]
HOLLOW = 1.6  # width of the outline of a hollow shape
POINT = 0.75  # of a pixel
LONGEST_PIECE = 4000  # characters: escapes at most double them
IN_PLACE = "nop2"  # the layout of Graphviz that leaves everything where it is; no other can write on a background


class Line(NamedTuple):
    points: tuple[tuple[float, float], ...]
    colour: str
    width: float = 1
    dashed: bool = False
    dotted: bool = False


class Shape(NamedTuple):
    """A closed outline, filled or hollow."""

    points: tuple[tuple[float, float], ...]
    colour: str
    filled: bool = True
    tooltip: str = ""


class Label(NamedTuple):
    x: float
    y: float  # of the baseline
    text: str
    colour: str = "text"
    size: float = 12
    anchor: str = "start"  # start, middle, end
    bold: bool = False

    @property
    def width(self) -> float:
        return len(self.text) * self.size * (BOLD_LETTER if self.bold else LETTER)


Item = Line | Shape | Label


class Sketch(NamedTuple):
    title: str  # for those who cannot see it
    width: int
    height: int
    items: tuple[Item, ...]


def below(upper: Sketch, lower: Sketch) -> Sketch:
    """Two pictures as one, of the title of the upper one."""

    def moved(item: Item) -> Item:
        if isinstance(item, Label):
            return item._replace(y=item.y + upper.height)
        return item._replace(points=tuple((x, y + upper.height) for x, y in item.points))

    items = (*upper.items, *map(moved, lower.items))
    return Sketch(upper.title, max(upper.width, lower.width), upper.height + lower.height, items)


def box(x: float, y: float, width: float, height: float, colour: str, tooltip: str = "") -> Shape:
    """A rectangle; the outline that a shape has, a pixel wide, lies within."""
    left, top, right, bottom = x + 0.5, y + 0.5, x + width - 0.5, y + height - 0.5
    return Shape(((left, top), (right, top), (right, bottom), (left, bottom)), colour, True, tooltip)


def placed(item: Item, x: float, y: float, scale: float) -> Item:
    """An item of a picture that stands somewhere else, in another size."""
    if isinstance(item, Label):
        return item._replace(x=x + item.x * scale, y=y + item.y * scale, size=item.size * scale)
    return item._replace(points=tuple((x + right * scale, y + down * scale) for right, down in item.points))


def line_style(item: Line | Shape) -> str:
    """How a line is broken, as Graphviz and TikZ call it."""
    return "" if isinstance(item, Shape) else "dashed" if item.dashed else "dotted" if item.dotted else ""


def reach(item: Item) -> float:
    """How far to the right it goes."""
    if isinstance(item, Label):
        return item.x + item.width * {"start": 1, "middle": 0.5, "end": 0}[item.anchor]
    return max(x for x, _ in item.points)


def colours(palette: Palette) -> dict[str, str]:
    """The colour of each name."""
    named = {"ground": palette.background, "text": palette.text, "muted": palette.muted, "edge": palette.edge}
    for side, line, fill in zip(("min", "max"), palette.lines, palette.fills, strict=True):
        named |= {f"{side}line": line, f"{side}fill": fill}
    named["bar"] = mixed(palette.background, palette.edge, 0.6)
    return named | {f"series{number}": colour for number, colour in enumerate(palette.series)} | level_colours(palette)


def used(sketch: Sketch, palette: Palette) -> dict[str, str]:
    """The colours that a picture needs."""
    names = {"ground", *(item.colour for item in sketch.items)}
    return {name: colour for name, colour in colours(palette).items() if name in names}


# ---- SVG


def to_svg(sketch: Sketch) -> str:
    """A picture that is light or dark as the reader likes."""
    size = f'width="{sketch.width}" height="{sketch.height}" viewBox="0 0 {sketch.width} {sketch.height}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} class="sketch" role="img">\n<title>{xml(sketch.title)}</title>\n'
        f"<style>\n{_css(sketch)}</style>\n"
        f'<rect class="ground" width="{sketch.width}" height="{sketch.height}"/>\n'
        + "".join(_svg_item(item) for item in sketch.items)
        + "</svg>\n"
    )


def _svg_item(item: Item) -> str:
    if isinstance(item, Label):
        bold = ' font-weight="bold"' if item.bold else ""
        place = f'x="{item.x:g}" y="{item.y:g}" font-size="{item.size}" text-anchor="{item.anchor}"'
        return f'<text class="{item.colour}" {place}{bold}>{xml(item.text)}</text>\n'
    path = "M" + "L".join(f"{x:g},{y:g}" for x, y in item.points)
    if isinstance(item, Shape):
        shape = f'<path class="{item.colour}{"" if item.filled else " hollow"}" d="{path}Z"'
        return f"{shape}><title>{xml(item.tooltip)}</title></path>\n" if item.tooltip else f"{shape}/>\n"
    dashes = f' stroke-dasharray="{DASHES if item.dashed else DOTS}"' if item.dashed or item.dotted else ""
    return f'<path class="line {item.colour}" stroke-width="{item.width:g}"{dashes} d="{path}"/>\n'


def _css(sketch: Sketch) -> str:
    """Every rule is for these pictures only: others may stand in the same page."""
    rules = f".sketch text{{font-family:{FONT}}}\n"
    light, dark = ("".join(_css_colours(sketch, palette)) for palette in (LIGHT, DARK))
    rules += f"{light}{IN_THE_DARK}{{\n{dark}}}\n"
    return rules + f".sketch .line{{fill:none}}.sketch .hollow{{fill:none;stroke-width:{HOLLOW}}}\n"


def _css_colours(sketch: Sketch, palette: Palette) -> Iterator[str]:
    for name, colour in used(sketch, palette).items():
        yield f".sketch .{name}{{fill:{colour}}}.sketch path.{name}{{stroke:{colour}}}\n"


# ---- Graphviz


def to_picture(sketch: Sketch, kind: str) -> bytes:
    """The picture as png or pdf, light."""
    return render(to_dot(sketch), kind, layout=IN_PLACE)


def to_dot(sketch: Sketch) -> bytes:
    """One empty node of the picture's size, and the picture as the background of the graph."""
    ops = [*_xdot_colour("c", "ground"), *_xdot_colour("C", "ground"), "P 4 " + _xdot_points(sketch, _corners(sketch))]
    for item in sketch.items:
        ops += _xdot_item(sketch, item)
    background = '" + "'.join(_quotable(ops))
    size = f"width={sketch.width * POINT / 72:.4f}, height={sketch.height * POINT / 72:.4f}"
    middle = f"{sketch.width * POINT / 2:g},{sketch.height * POINT / 2:g}"
    node = f'picture [pos="{middle}", shape=none, fixedsize=true, label="", margin=0, {size}]'
    return f'digraph {{ pad=0; margin=0; _background="{background}"; {node} }}\n'.encode()


def _quotable(ops: list[str]) -> Iterator[str]:
    """The drawing in pieces, escaped: Graphviz reads at most 16,384 characters between two quotation marks."""
    piece: list[str] = []
    for op in ops:
        if sum(map(len, piece)) + len(piece) + len(op) > LONGEST_PIECE and piece:
            yield _quoted(piece)
            piece = []
        piece.append(op)
    yield _quoted(piece)


def _quoted(ops: list[str]) -> str:
    return (" ".join(ops) + " ").replace("\\", "\\\\").replace('"', '\\"')


def _corners(sketch: Sketch) -> tuple[tuple[float, float], ...]:
    return (0, 0), (sketch.width, 0), (sketch.width, sketch.height), (0, sketch.height)


def _xdot_item(sketch: Sketch, item: Item) -> Iterator[str]:
    yield from _xdot_colour("c", item.colour)
    if isinstance(item, Label):
        x, y = item.x * POINT, (sketch.height - item.y) * POINT
        anchor = {"start": -1, "middle": 0, "end": 1}[item.anchor]
        yield f"F {item.size * POINT:g} {_xdot_text(FIRST_FONT + ' Bold' * item.bold)}"
        yield f"T {x:.2f} {y:.2f} {anchor} {item.width * POINT:.0f} {_xdot_text(plain(item.text))}"
        return
    width = item.width if isinstance(item, Line) else 1 if item.filled else HOLLOW
    yield f"S {_xdot_text(f'setlinewidth({width * POINT:g})')}"
    yield f"S {_xdot_text(line_style(item) or 'solid')}"
    points = f"{len(item.points)} {_xdot_points(sketch, item.points)}"
    if isinstance(item, Line):
        yield f"L {points}"
    else:
        yield from _xdot_colour("C", item.colour)
        yield f"{'P' if item.filled else 'p'} {points}"


def _xdot_colour(operation: str, name: str) -> Iterator[str]:
    yield f"{operation} {_xdot_text(colours(LIGHT)[name])}"


def _xdot_text(text: str) -> str:
    """A text with its length in bytes before it, as the format wants it."""
    return f"{len(text.encode())} -{text}"


def _xdot_points(sketch: Sketch, points: tuple[tuple[float, float], ...]) -> str:
    return " ".join(f"{x * POINT:.2f} {(sketch.height - y) * POINT:.2f}" for x, y in points)


# ---- TikZ


def to_tikz(sketch: Sketch) -> str:
    """A picture for LaTeX."""
    lines = [r"\begin{tikzpicture}[x=0.75bp, y=-0.75bp, line join=round]"]
    lines += [rf"\definecolor{{sketch{name}}}{{HTML}}{{{colour[1:]}}}" for name, colour in used(sketch, LIGHT).items()]
    lines += [_tikz_item(item) for item in sketch.items]
    return "\n".join([*lines, r"\end{tikzpicture}"]) + "\n"


def _tikz_item(item: Item) -> str:
    if isinstance(item, Label):
        anchor = {"start": "base west", "middle": "base", "end": "base east"}[item.anchor]
        size = r"\normalsize" if item.size > 13 else r"\footnotesize" if item.size >= 10 else r"\tiny"
        text = (r"\bfseries " if item.bold else "") + latex(item.text)
        style = f"anchor={anchor}, inner sep=0pt, font={size}, text=sketch{item.colour}"
        return rf"\node[{style}] at ({item.x:g}, {item.y:g}) {{{text}}};"
    path = " -- ".join(f"({x:g}, {y:g})" for x, y in item.points)
    if isinstance(item, Shape):
        fill = f", fill=sketch{item.colour}" if item.filled else ""
        return rf"\draw[sketch{item.colour}{fill}, line width={(1 if item.filled else HOLLOW) * POINT:g}bp] {path} -- cycle;"
    dashes = f", {style}" if (style := line_style(item)) else ""
    return rf"\draw[sketch{item.colour}, line width={item.width * POINT:g}bp{dashes}] {path};"
