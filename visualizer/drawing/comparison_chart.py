"""The charts of a comparison: nodes and seconds per depth, on logarithmic scales."""

from math import ceil, cos, floor, log10, pi, sin
from typing import NamedTuple

from engine.algorithms.variants import title_of
from engine.analysis.comparison_result import Comparison, Row, Seconds
from engine.core.parsing import plies
from visualizer.drawing.scene import BOLD_LETTER, Item, Label, Line, Shape, Sketch
from visualizer.narration.text_width import short

WIDTH, PLOT_HEIGHT = 760, 250
LEFT, RIGHT, TOP, BOTTOM = 76, 24, 84, 56  # around each plot
HEAD = 34  # for the title of the picture
TITLE = 15  # size of its font
LEGEND_LINE = 18  # height
LONGEST_TITLE = int((WIDTH - LEFT - RIGHT) / (TITLE * BOLD_LETTER))  # characters
MARK = 5.0  # half the size of a mark


class Unit(NamedTuple):
    seconds: float
    name: str


UNITS = (Unit(1.0, "s"), Unit(1e-3, "ms"), Unit(1e-6, "µs"))


class Point(NamedTuple):
    depth: int | None
    number: float
    least: float
    most: float


class Series(NamedTuple):
    name: str
    colour: str
    mark: str
    points: tuple[Point, ...]
    line: str = "solid"  # solid, dashed, none


class Plot(NamedTuple):
    title: str
    unit: str
    depths: tuple[int | None, ...]
    series: tuple[Series, ...]


COLOURS, SHAPES = ("series0", "series1", "series4", "series5"), ("circle", "square", "wedge", "cross")
MARKS = [(COLOURS[i % 4], SHAPES[(i + i // 4) % 4]) for i in range(16)]  # in the order they are compared: no two alike


def panels(comparison: Comparison) -> list[Plot]:
    """What is drawn: nodes, and seconds where there are any."""
    rows = [row for row in comparison.rows if row.expanded is not None]
    depths = tuple(level.depth for level in comparison.levels)
    nodes = [_series(comparison, rows, name, "expanded") for name in comparison.algorithms]
    least = [Point(level.depth, *[float(level.minimal.nodes)] * 3) for level in comparison.levels if level.minimal]
    nodes.append(Series("minimal tree", "series2", "triangle", tuple(least), "dashed"))
    published = [Point(row.depth, *[float(row.published.expanded)] * 3) for row in rows if row.published]
    nodes.append(Series("published", "series3", "diamond", tuple(published), "none"))
    seconds = [_series(comparison, rows, name, "recorded") for name in comparison.algorithms]
    drawn = [Plot("Nodes expanded", "nodes", depths, _known(nodes)), Plot("Time with recording", "s", depths, _known(seconds))]
    return [panel for panel in drawn if panel.series]


def _known(series: list[Series]) -> tuple[Series, ...]:
    return tuple(one for one in series if one.points)


def _series(comparison: Comparison, rows: list[Row], algorithm: str, what: str) -> Series:
    points = []
    for row in rows:
        value = getattr(row, what)
        if row.algorithm == algorithm and value is not None:
            three = (value.median, value.least, value.most) if isinstance(value, Seconds) else (value, value, value)
            if three[1] > 0:  # a clock too coarse for a small tree: nothing to draw on a logarithmic scale
                points.append(Point(row.depth, *map(float, three)))
    mark = MARKS[comparison.algorithms.index(algorithm) % len(MARKS)]
    return Series(title_of(algorithm), *mark, tuple(points))


def sketch(comparison: Comparison, title: str) -> Sketch:
    """All panels, one below the other."""
    items: list[Item] = [Label(LEFT, 24, short(title, LONGEST_TITLE), "text", TITLE, "start", True)]
    bottom = HEAD
    for panel in panels(comparison):
        legend = legend_lines(panel)
        top = bottom + TOP + (len(legend) - 1) * LEGEND_LINE
        items += _draw(panel, legend, top)
        bottom = top + PLOT_HEIGHT + BOTTOM
    return Sketch(title, WIDTH, bottom, tuple(items))


def legend_lines(panel: Plot) -> list[list[tuple[Series, float]]]:
    """The lines of the legend: its series, and where each begins."""
    lines: list[list[tuple[Series, float]]] = [[]]
    at = float(LEFT)
    for series in panel.series:
        wide = 60 + len(series.name) * 7.2
        if lines[-1] and at + wide > WIDTH:
            lines.append([])
            at = float(LEFT)
        lines[-1].append((series, at))
        at += wide
    return lines


class Scale:
    """Where the depths and numbers of a panel stand in the picture."""

    def __init__(self, panel: Plot, top: float):
        numbers = [number for series in panel.series for point in series.points for number in (point.least, point.most)]
        self.depths, self.top, self.bottom, self.right = panel.depths, top, top + PLOT_HEIGHT, WIDTH - RIGHT
        self.low, self.high = powers(numbers)

    def x(self, depth: int | None) -> float:
        return round(LEFT + (self.depths.index(depth) + 0.5) * (self.right - LEFT) / len(self.depths), 1)

    def y(self, number: float) -> float:
        return round(self.bottom - (log10(number) - self.low) / (self.high - self.low) * PLOT_HEIGHT, 1)


def powers(numbers: list[float]) -> tuple[int, int]:
    """The powers of ten between which the numbers lie, never the same one twice.

    >>> powers([8, 137256]), powers([100.0])
    ((0, 6), (2, 3))
    """
    low = floor(log10(min(numbers)) + 1e-9)
    return low, max(ceil(log10(max(numbers)) - 1e-9), low + 1)


def _draw(panel: Plot, legend: list[list[tuple[Series, float]]], top: float) -> list[Item]:
    scale = Scale(panel, top)
    above = top - 22 - (len(legend) - 1) * LEGEND_LINE
    items: list[Item] = [Label(LEFT, above - 22, f"{panel.title}, logarithmic scale", "text", 13, "start", True)]
    items += _axes(panel, scale)
    for line, listed in enumerate(legend):
        for series, at in listed:
            items += legend_entry(series, at, above + line * LEGEND_LINE)
    for series in panel.series:
        places = tuple((scale.x(point.depth), scale.y(point.number)) for point in series.points)
        if series.line != "none" and len(places) > 1:
            items.append(Line(places, series.colour, 2, series.line == "dashed"))
        for point, (left, height) in zip(series.points, places, strict=True):
            low, high = scale.y(point.least), scale.y(point.most)
            if low - high > 2 * MARK:
                items += _whiskers(left, low, high, series.colour)
            items.append(mark_of(series, left, height))
    return items


def _axes(panel: Plot, scale: Scale) -> list[Item]:
    items: list[Item] = []
    step = ceil((scale.high - scale.low) / 8)
    for power in range(scale.low, scale.high + 1):
        height = scale.y(10.0**power)
        items.append(Line(((LEFT, height), (scale.right, height)), "edge", 0.5))
        if (power - scale.low) % step == 0:
            items.append(Label(LEFT - 8, height + 4, _tick(power, panel.unit), "muted", 11, "end"))
    for depth in panel.depths[:: ceil(len(panel.depths) / 25)]:
        items.append(Label(scale.x(depth), scale.bottom + 18, plies(depth), "muted", 11, "middle"))
    return [*items, Label((LEFT + scale.right) / 2, scale.bottom + 38, "K, depth limit in plies", "muted", 11, "middle")]


def legend_entry(series: Series, x: float, y: float) -> list[Item]:
    """A series in the legend."""
    items: list[Item] = []
    if series.line != "none":
        items.append(Line(((x, y), (x + 30, y)), series.colour, 2, series.line == "dashed"))
    return [*items, mark_of(series, x + 15, y), Label(x + 38, y + 4, series.name, "text", 12)]


def _whiskers(x: float, low: float, high: float, colour: str) -> list[Item]:
    """From the least to the greatest measurement."""
    ends = [Line(((x - 4, end), (x + 4, end)), colour, 1) for end in (low, high)]
    return [Line(((x, low), (x, high)), colour, 1), *ends]


def mark_of(series: Series, x: float, y: float) -> Line | Shape:
    """A different shape for every series: colour alone does not tell them apart for everybody."""
    size = MARK
    if series.mark == "diamond":
        size = MARK + 3
        corners = ((x, y - size), (x + size, y), (x, y + size), (x - size, y))  # a hollow diamond around the point
        return Shape(corners, series.colour, False)
    if series.mark == "circle":
        around = tuple((round(x + size * cos(pi * i / 8), 2), round(y + size * sin(pi * i / 8), 2)) for i in range(16))
        return Shape(around, series.colour)
    if series.mark == "square":
        return Shape(((x - 4.5, y - 4.5), (x + 4.5, y - 4.5), (x + 4.5, y + 4.5), (x - 4.5, y + 4.5)), series.colour)
    if series.mark == "cross":
        arms = ((-2, -6), (2, -6), (2, -2), (6, -2), (6, 2), (2, 2), (2, 6), (-2, 6), (-2, 2), (-6, 2), (-6, -2), (-2, -2))
        return Shape(tuple((x + right, y + down) for right, down in arms), series.colour)
    up = -1 if series.mark == "wedge" else 1
    return Shape(((x, y - up * size), (x + size, y + up * (size - 1)), (x - size, y + up * (size - 1))), series.colour)


def _tick(power: int, unit: str) -> str:
    """A power of ten as people write it.

    >>> [_tick(power, "nodes") for power in (0, 3, 4, 6)], [_tick(power, "s") for power in (-5, -3, 0, 1)]
    (['1', '1,000', '10,000', '1 M'], ['10 µs', '1 ms', '1 s', '10 s'])
    """
    if unit == "s":
        for least, name in ((0, "s"), (-3, "ms"), (-6, "µs")):
            if power >= least:
                return f"{10 ** (power - least)} {name}"
        return f"1e{power} s"
    return f"{10 ** (power - 6):,} M" if 6 <= power < 9 else f"{10**power:,}" if power < 9 else f"1e{power}"


def bars(panel: Plot) -> str:
    """The same as text: a bar for every point, on the same scale."""
    points = [
        (series, point) for depth in panel.depths for series in panel.series for point in series.points if point.depth == depth
    ]
    low, high = powers([point.number for _, point in points])
    wide = max(len(series.name) for series in panel.series)
    lines = []
    for series, point in points:
        length = 1 + round(39 * (log10(point.number) - low) / (high - low))
        depth = "end" if point.depth is None else f"K={point.depth}"
        number = f"{point.number:,.0f}" if panel.unit == "nodes" else duration(point.number)
        lines.append(f"{depth:>5}  {series.name:<{wide}}  {'#' * length} {number}")
    return "\n".join(lines)


def duration(seconds: float, unit: Unit | None = None) -> str:
    """Three digits, in the unit that fits, or in one that is given.

    >>> duration(0.0000456), duration(0.01234), duration(12.345), duration(0), duration(0.0000456, unit_of(0.01))
    ('45.6 µs', '12.3 ms', '12.3 s', '0 s', '0.0456 ms')
    """
    if seconds <= 0:
        return "0 s"
    unit = unit or unit_of(seconds)
    return f"{three_digits(seconds, unit)} {unit.name}"


def span(least: float, most: float, unit: Unit) -> str:
    """From one to the other.

    >>> span(0.00098, 0.00123, unit_of(0.001)), span(1, 2.5, unit_of(1))
    ('0.98–1.23', '1–2.5')
    """
    return f"{three_digits(least, unit)}–{three_digits(most, unit)}"


def unit_of(seconds: float) -> Unit:
    """The one that fits."""
    return next((unit for unit in UNITS if seconds >= unit.seconds * 0.9995), UNITS[-1])


def three_digits(seconds: float, unit: Unit) -> str:
    number = seconds / unit.seconds
    return f"{number:,.0f}" if number >= 999.5 else f"{number:.3g}"
