"""A scene of lines, shapes and labels, in pixels from the upper left, and its output as SVG, PNG (by Graphviz) and TikZ.

Colours are named by their purpose (`text`, `muted`, `edge`, `series0`, `max3` ...). The theme defines them.
"""

from collections.abc import Iterator
from math import cos, pi, sin
from typing import NamedTuple

from engine.record.columns import TURN_NAMES
from visualizer.drawing.graphviz_pictures import render_dot
from visualizer.drawing.theme import DARK, DARK_MEDIA_QUERY, FONT, LIGHT, Palette, level_colours, mix_colours, overview_colours
from visualizer.narration.escapes import escape_latex, escape_xml, sanitize_line

DASH_PATTERN, DOT_PATTERN = "6 4", "1 3"
LETTER_WIDTH, BOLD_LETTER_WIDTH = 0.62, 0.71  # of a digit, relative to the font size; most letters are narrower
FIRST_FONT = FONT.split(",")[0]
HOLLOW_LINE_WIDTH = 1.6  # width of the outline of a hollow shape
POINTS_PER_PIXEL = 0.75
MAX_PIECE_CHARS = 4000  # characters: escapes at most double them
FIXED_LAYOUT = "nop2"  # the Graphviz layout that moves nothing; no other can draw a background
CIRCLE_CORNERS = 40


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


class StepArea(NamedTuple):
    """The area below a line of steps, without an outline. It starts and ends at the bottom; all edges are level or upright."""

    points: tuple[tuple[float, float], ...]
    colour: str
    tooltip: str = ""

    @property
    def filled(self) -> bool:
        return True


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
        return len(self.text) * self.size * (BOLD_LETTER_WIDTH if self.bold else LETTER_WIDTH)


Item = Line | Shape | StepArea | Label


class Scene(NamedTuple):
    title: str  # for screen readers
    width: int
    height: int
    items: tuple[Item, ...]


def stack_scenes(upper: Scene, lower: Scene) -> Scene:
    """Return two scenes as one, the second below the first. It has the title of the upper one."""

    def moved(item: Item) -> Item:
        if isinstance(item, Label):
            return item._replace(y=item.y + upper.height)
        return item._replace(points=tuple((x, y + upper.height) for x, y in item.points))

    items = (*upper.items, *map(moved, lower.items))
    return Scene(upper.title, max(upper.width, lower.width), upper.height + lower.height, items)


def make_box(x: float, y: float, width: float, height: float, colour: str, tooltip: str = "") -> Shape:
    """Return a rectangle. The outline of a shape, a pixel wide, lies within it."""
    left, top, right, bottom = x + 0.5, y + 0.5, x + width - 0.5, y + height - 0.5
    return Shape(((left, top), (right, top), (right, bottom), (left, bottom)), colour, True, tooltip)


def place_item(item: Item, x: float, y: float, scale: float) -> Item:
    """Return an item moved to another place, in another size."""
    if isinstance(item, Label):
        return item._replace(x=x + item.x * scale, y=y + item.y * scale, size=item.size * scale)
    return item._replace(points=tuple((x + right * scale, y + down * scale) for right, down in item.points))


def line_style(item: Line | Shape | StepArea) -> str:
    """Return the dash style of a line, as Graphviz and TikZ call it."""
    return "" if not isinstance(item, Line) else "dashed" if item.dashed else "dotted" if item.dotted else ""


def circle_points(x: float, y: float, radius: float) -> tuple[tuple[float, float], ...]:
    """Return the corners of a polygon that looks like a circle."""
    turns = [2 * pi * corner / CIRCLE_CORNERS for corner in range(CIRCLE_CORNERS)]
    return tuple((x + radius * cos(turn), y + radius * sin(turn)) for turn in turns)


def right_edge(item: Item) -> float:
    """Return the x of the item's right edge."""
    if isinstance(item, Label):
        return item.x + item.width * {"start": 1, "middle": 0.5, "end": 0}[item.anchor]
    return max(x for x, _ in item.points)


def colours_by_name(palette: Palette) -> dict[str, str]:
    """Return the colour of each name."""
    named = {"ground": palette.background, "text": palette.text, "muted": palette.muted, "edge": palette.edge}
    for turn, line, fill in zip(TURN_NAMES, palette.lines, palette.fills, strict=True):
        named |= {f"{turn}line": line, f"{turn}fill": fill}
    named["bar"] = mix_colours(palette.background, palette.edge, 0.6)
    named |= {f"series{number}": colour for number, colour in enumerate(palette.series)}
    return named | level_colours(palette) | overview_colours(palette)


def used_colours(scene: Scene, palette: Palette) -> dict[str, str]:
    """Return the colours that a scene needs."""
    names = {"ground", *(item.colour for item in scene.items)}
    return {name: colour for name, colour in colours_by_name(palette).items() if name in names}


# ---- SVG


def to_svg(scene: Scene) -> str:
    """Return a scene as SVG, light or dark as the reader prefers."""
    size = f'width="{scene.width}" height="{scene.height}" viewBox="0 0 {scene.width} {scene.height}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} class="scene" role="img">\n<title>{escape_xml(scene.title)}</title>\n'
        f"<style>\n{_css_rules(scene)}</style>\n"
        f'<rect class="ground" width="{scene.width}" height="{scene.height}"/>\n'
        + "".join(_svg_item(item) for item in scene.items)
        + "</svg>\n"
    )


def _svg_item(item: Item) -> str:
    if isinstance(item, Label):
        bold = ' font-weight="bold"' if item.bold else ""
        place = f'x="{item.x:g}" y="{item.y:g}" font-size="{item.size}" text-anchor="{item.anchor}"'
        return f'<text class="{item.colour}" {place}{bold}>{escape_xml(item.text)}</text>\n'
    path = _step_path(item) if isinstance(item, StepArea) else "M" + "L".join(f"{x:g},{y:g}" for x, y in item.points)
    if isinstance(item, Shape | StepArea):
        kind = " area" if isinstance(item, StepArea) else "" if item.filled else " hollow"
        shape = f'<path class="{item.colour}{kind}" d="{path}Z"'
        return f"{shape}><title>{escape_xml(item.tooltip)}</title></path>\n" if item.tooltip else f"{shape}/>\n"
    dashes = f' stroke-dasharray="{DASH_PATTERN if item.dashed else DOT_PATTERN}"' if item.dashed or item.dotted else ""
    return f'<path class="line {item.colour}" stroke-width="{item.width:g}"{dashes} d="{path}"/>\n'


def _step_path(area: StepArea) -> str:
    """Return the outline of an area by relative steps, which are short: a large picture has a hundred thousand of them."""
    (x, y), *others = area.points
    steps = [f"M{x:g},{y:g}"]
    for to_x, to_y in others:
        steps.append(f"v{to_y - y:g}" if to_x == x else f"h{to_x - x:g}")
        x, y = to_x, to_y
    return "".join(steps)


def _css_rules(scene: Scene) -> str:
    """Return the CSS of a scene. Every rule applies to scenes only, because the page may have other pictures."""
    rules = f".scene text{{font-family:{FONT}}}\n"
    light, dark = ("".join(_css_colours(scene, palette)) for palette in (LIGHT, DARK))
    rules += f"{light}{DARK_MEDIA_QUERY}{{\n{dark}}}\n"
    rules += f".scene .line{{fill:none}}.scene .hollow{{fill:none;stroke-width:{HOLLOW_LINE_WIDTH}}}\n"
    has_areas = any(isinstance(item, StepArea) for item in scene.items)
    return rules + (".scene path.area{stroke:none;shape-rendering:crispEdges}\n" if has_areas else "")


def _css_colours(scene: Scene, palette: Palette) -> Iterator[str]:
    for name, colour in used_colours(scene, palette).items():
        yield f".scene .{name}{{fill:{colour}}}.scene path.{name}{{stroke:{colour}}}\n"


# ---- Graphviz


def to_png(scene: Scene) -> bytes:
    """Return a scene as PNG, light."""
    return render_dot(to_dot(scene), "png", layout=FIXED_LAYOUT)


def to_dot(scene: Scene) -> bytes:
    """Return DOT: one empty node of the scene's size, and the scene as the background of the graph."""
    ops = [*_xdot_colour("c", "ground"), *_xdot_colour("C", "ground"), "P 4 " + _xdot_points(scene, _scene_corners(scene))]
    for item in scene.items:
        ops += _xdot_item(scene, item)
    background = '" + "'.join(_split_quotable(ops))
    size = f"width={scene.width * POINTS_PER_PIXEL / 72:.4f}, height={scene.height * POINTS_PER_PIXEL / 72:.4f}"
    middle = f"{scene.width * POINTS_PER_PIXEL / 2:g},{scene.height * POINTS_PER_PIXEL / 2:g}"
    node = f'picture [pos="{middle}", shape=none, fixedsize=true, label="", margin=0, {size}]'
    return f'digraph {{ pad=0; margin=0; _background="{background}"; {node} }}\n'.encode()


def _split_quotable(ops: list[str]) -> Iterator[str]:
    """Yield the drawing in escaped pieces: Graphviz reads at most 16,384 characters between two quotation marks."""
    piece: list[str] = []
    for op in ops:
        if sum(map(len, piece)) + len(piece) + len(op) > MAX_PIECE_CHARS and piece:
            yield _escape_quotes(piece)
            piece = []
        piece.append(op)
    yield _escape_quotes(piece)


def _escape_quotes(ops: list[str]) -> str:
    return (" ".join(ops) + " ").replace("\\", "\\\\").replace('"', '\\"')


def _scene_corners(scene: Scene) -> tuple[tuple[float, float], ...]:
    return (0, 0), (scene.width, 0), (scene.width, scene.height), (0, scene.height)


def _xdot_item(scene: Scene, item: Item) -> Iterator[str]:
    yield from _xdot_colour("c", item.colour)
    if isinstance(item, Label):
        x, y = item.x * POINTS_PER_PIXEL, (scene.height - item.y) * POINTS_PER_PIXEL
        anchor = {"start": -1, "middle": 0, "end": 1}[item.anchor]
        yield f"F {item.size * POINTS_PER_PIXEL:g} {_xdot_text(FIRST_FONT + ' Bold' * item.bold)}"
        yield f"T {x:.2f} {y:.2f} {anchor} {item.width * POINTS_PER_PIXEL:.0f} {_xdot_text(sanitize_line(item.text))}"
        return
    width = item.width if isinstance(item, Line) else 1 if item.filled else HOLLOW_LINE_WIDTH
    yield f"S {_xdot_text(f'setlinewidth({width * POINTS_PER_PIXEL:g})')}"
    yield f"S {_xdot_text(line_style(item) or 'solid')}"
    points = f"{len(item.points)} {_xdot_points(scene, item.points)}"
    if isinstance(item, Line):
        yield f"L {points}"
    else:
        yield from _xdot_colour("C", item.colour)
        yield f"{'P' if item.filled else 'p'} {points}"


def _xdot_colour(operation: str, name: str) -> Iterator[str]:
    yield f"{operation} {_xdot_text(colours_by_name(LIGHT)[name])}"


def _xdot_text(text: str) -> str:
    """Return a text with its length in bytes before it, as xdot requires."""
    return f"{len(text.encode())} -{text}"


def _xdot_points(scene: Scene, points: tuple[tuple[float, float], ...]) -> str:
    return " ".join(f"{x * POINTS_PER_PIXEL:.2f} {(scene.height - y) * POINTS_PER_PIXEL:.2f}" for x, y in points)


# ---- TikZ


def to_tikz(scene: Scene) -> str:
    """Return a scene for LaTeX."""
    lines = [r"\begin{tikzpicture}[x=0.75bp, y=-0.75bp, line join=round]"]
    lines += [rf"\definecolor{{scene{name}}}{{HTML}}{{{colour[1:]}}}" for name, colour in used_colours(scene, LIGHT).items()]
    lines += [_tikz_item(item) for item in scene.items]
    return "\n".join([*lines, r"\end{tikzpicture}"]) + "\n"


def _tikz_item(item: Item) -> str:
    if isinstance(item, Label):
        anchor = {"start": "base west", "middle": "base", "end": "base east"}[item.anchor]
        size = r"\normalsize" if item.size > 13 else r"\footnotesize" if item.size >= 10 else r"\tiny"
        text = (r"\bfseries " if item.bold else "") + escape_latex(item.text)
        style = f"anchor={anchor}, inner sep=0pt, font={size}, text=scene{item.colour}"
        return rf"\node[{style}] at ({item.x:g}, {item.y:g}) {{{text}}};"
    path = " -- ".join(f"({x:g}, {y:g})" for x, y in item.points)
    if not isinstance(item, Line):
        fill = f", fill=scene{item.colour}" if item.filled else ""
        width = (1 if item.filled else HOLLOW_LINE_WIDTH) * POINTS_PER_PIXEL
        return rf"\draw[scene{item.colour}{fill}, line width={width:g}bp] {path} -- cycle;"
    dashes = f", {style}" if (style := line_style(item)) else ""
    return rf"\draw[scene{item.colour}, line width={item.width * POINTS_PER_PIXEL:g}bp{dashes}] {path};"
