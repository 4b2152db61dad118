"""The charts of a comparison: nodes and seconds per depth, on logarithmic scales."""

from math import ceil, cos, floor, log10, pi, sin
from typing import NamedTuple

from engine.algorithms.variants import variant_title
from engine.analysis.comparison_result import Comparison, Row, Seconds
from engine.core.parsing import depth_text
from engine.games.capabilities import game_preset
from visualizer.drawing.scene import BOLD_LETTER_WIDTH, Item, Label, Line, Scene, Shape
from visualizer.narration.text_width import shorten_name

WIDTH, PLOT_HEIGHT = 760, 250
LEFT, RIGHT, TOP, BOTTOM = 76, 24, 84, 56  # around each plot
TITLE_HEIGHT = 34  # for the title of the picture
TITLE_SIZE = 15  # size of its font
LEGEND_LINE_HEIGHT = 18  # height
MAX_TITLE_CHARS = int((WIDTH - LEFT - RIGHT) / (TITLE_SIZE * BOLD_LETTER_WIDTH))  # characters
MARK_RADIUS = 5.0  # half the size of a mark


class Unit(NamedTuple):
    seconds: float
    name: str


TIME_UNITS = (Unit(1.0, "s"), Unit(1e-3, "ms"), Unit(1e-6, "µs"))


class Point(NamedTuple):
    depth: int | None
    number: float
    minimum: float
    maximum: float


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


SERIES_COLOURS, MARK_SHAPES = ("series0", "series1", "series4", "series5"), ("circle", "square", "wedge", "cross")
SERIES_STYLES = [
    (SERIES_COLOURS[i % 4], MARK_SHAPES[(i + i // 4) % 4]) for i in range(16)
]  # in the order of comparison; all differ


def build_plots(comparison: Comparison) -> list[Plot]:
    """Return the plots: nodes, and seconds where there are any."""
    rows = [row for row in comparison.rows if row.expanded is not None]
    depths = tuple(level.depth for level in comparison.levels)
    nodes = [_make_series(comparison, rows, name, "expanded") for name in comparison.algorithms]
    minimal = [Point(level.depth, *[float(level.minimal.nodes)] * 3) for level in comparison.levels if level.minimal]
    nodes.append(Series("minimal tree", "series2", "triangle", tuple(minimal), "dashed"))
    published = [Point(row.depth, *[float(row.published.expanded)] * 3) for row in rows if row.published]
    nodes.append(Series(published_label(comparison), "series3", "diamond", tuple(published), "none"))
    seconds = [_make_series(comparison, rows, name, "recorded") for name in comparison.algorithms]
    drawn = [
        Plot("Nodes expanded", "nodes", depths, _drop_empty(nodes)),
        Plot("Time with recording", "s", depths, _drop_empty(seconds)),
    ]
    return [panel for panel in drawn if panel.series]


def published_label(comparison: Comparison) -> str:
    """Return the name of the published figures: it says by whom.

    >>> from engine import compare, preset
    >>> published_label(compare(preset("k-tables"), "3", depths=[1], repeat=1))
    'published (k-tables)'
    """
    return f"published ({game_preset(comparison.game)})"


def _drop_empty(series: list[Series]) -> tuple[Series, ...]:
    return tuple(one for one in series if one.points)


def _make_series(comparison: Comparison, rows: list[Row], algorithm: str, what: str) -> Series:
    points = []
    for row in rows:
        value = getattr(row, what)
        if row.algorithm == algorithm and value is not None:
            three = (value.median, value.minimum, value.maximum) if isinstance(value, Seconds) else (value, value, value)
            if three[1] > 0:  # a clock too coarse for a small tree: nothing to draw on a logarithmic scale
                points.append(Point(row.depth, *map(float, three)))
    mark = SERIES_STYLES[comparison.algorithms.index(algorithm) % len(SERIES_STYLES)]
    return Series(variant_title(algorithm), *mark, tuple(points))


def draw_chart(comparison: Comparison, title: str) -> Scene:
    """Draw all plots, one below the other."""
    items: list[Item] = [Label(LEFT, 24, shorten_name(title, MAX_TITLE_CHARS), "text", TITLE_SIZE, "start", True)]
    bottom = TITLE_HEIGHT
    for panel in build_plots(comparison):
        legend = lay_out_legend(panel)
        top = bottom + TOP + (len(legend) - 1) * LEGEND_LINE_HEIGHT
        items += _draw_plot(panel, legend, top)
        bottom = top + PLOT_HEIGHT + BOTTOM
    return Scene(title, WIDTH, bottom, tuple(items))


def lay_out_legend(panel: Plot) -> list[list[tuple[Series, float]]]:
    """Return the lines of the legend: the series of each, with the x where it begins."""
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


class LogScale:
    """The scale of a plot: depths across, numbers upwards on a logarithmic scale."""

    def __init__(self, panel: Plot, top: float):
        numbers = [number for series in panel.series for point in series.points for number in (point.minimum, point.maximum)]
        self.depths, self.top, self.bottom, self.right = panel.depths, top, top + PLOT_HEIGHT, WIDTH - RIGHT
        self.low, self.high = power_range(numbers)

    def x(self, depth: int | None) -> float:
        return round(LEFT + (self.depths.index(depth) + 0.5) * (self.right - LEFT) / len(self.depths), 1)

    def y(self, number: float) -> float:
        return round(self.bottom - (log10(number) - self.low) / (self.high - self.low) * PLOT_HEIGHT, 1)


def power_range(numbers: list[float]) -> tuple[int, int]:
    """Return the powers of ten between which the numbers lie. They always differ.

    >>> power_range([8, 137256]), power_range([100.0])
    ((0, 6), (2, 3))
    """
    low = floor(log10(min(numbers)) + 1e-9)
    return low, max(ceil(log10(max(numbers)) - 1e-9), low + 1)


def _draw_plot(panel: Plot, legend: list[list[tuple[Series, float]]], top: float) -> list[Item]:
    scale = LogScale(panel, top)
    above = top - 22 - (len(legend) - 1) * LEGEND_LINE_HEIGHT
    items: list[Item] = [Label(LEFT, above - 22, f"{panel.title}, logarithmic scale", "text", 13, "start", True)]
    items += _draw_axes(panel, scale)
    for line, listed in enumerate(legend):
        for series, at in listed:
            items += draw_legend_entry(series, at, above + line * LEGEND_LINE_HEIGHT)
    for series in panel.series:
        places = tuple((scale.x(point.depth), scale.y(point.number)) for point in series.points)
        if series.line != "none" and len(places) > 1:
            items.append(Line(places, series.colour, 2, series.line == "dashed"))
        for point, (left, height) in zip(series.points, places, strict=True):
            low, high = scale.y(point.minimum), scale.y(point.maximum)
            if low - high > 2 * MARK_RADIUS:
                items += draw_whiskers(left, low, high, series.colour)
            items.append(draw_mark(series, left, height))
    return items


def _draw_axes(panel: Plot, scale: LogScale) -> list[Item]:
    items: list[Item] = []
    step = ceil((scale.high - scale.low) / 8)
    for power in range(scale.low, scale.high + 1):
        height = scale.y(10.0**power)
        items.append(Line(((LEFT, height), (scale.right, height)), "edge", 0.5))
        if (power - scale.low) % step == 0:
            items.append(Label(LEFT - 8, height + 4, tick_label(power, panel.unit), "muted", 11, "end"))
    for depth in panel.depths[:: ceil(len(panel.depths) / 25)]:
        items.append(Label(scale.x(depth), scale.bottom + 18, depth_text(depth), "muted", 11, "middle"))
    return [*items, Label((LEFT + scale.right) / 2, scale.bottom + 38, "K, moves ahead", "muted", 11, "middle")]


def draw_legend_entry(series: Series, x: float, y: float) -> list[Item]:
    """Draw a series in the legend."""
    items: list[Item] = []
    if series.line != "none":
        items.append(Line(((x, y), (x + 30, y)), series.colour, 2, series.line == "dashed"))
    return [*items, draw_mark(series, x + 15, y), Label(x + 38, y + 4, series.name, "text", 12)]


def draw_whiskers(x: float, low: float, high: float, colour: str) -> list[Item]:
    """Draw a bar from the least to the greatest measurement."""
    ends = [Line(((x - 4, end), (x + 4, end)), colour, 1) for end in (low, high)]
    return [Line(((x, low), (x, high)), colour, 1), *ends]


def draw_mark(series: Series, x: float, y: float) -> Line | Shape:
    """Draw the mark of a series. Every series has its own shape, because not everybody can tell the colours apart."""
    size = MARK_RADIUS
    if series.mark == "diamond":
        size = MARK_RADIUS + 3
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


def tick_label(power: int, unit: str) -> str:
    """Return a power of ten as text.

    >>> [tick_label(power, "nodes") for power in (0, 3, 4, 6)], [tick_label(power, "s") for power in (-5, -3, 0, 1)]
    (['1', '1,000', '10,000', '1 M'], ['10 µs', '1 ms', '1 s', '10 s'])
    """
    if unit == "s":
        for least, name in ((0, "s"), (-3, "ms"), (-6, "µs")):
            if power >= least:
                return f"{10 ** (power - least)} {name}"
        return f"1e{power} s"
    return f"{10 ** (power - 6):,} M" if 6 <= power < 9 else f"{10**power:,}" if power < 9 else f"1e{power}"


def draw_text_plot(panel: Plot) -> str:
    """Return the plot as text: a bar for every point, on the same scale."""
    points = [
        (series, point) for depth in panel.depths for series in panel.series for point in series.points if point.depth == depth
    ]
    low, high = power_range([point.number for _, point in points])
    wide = max(len(series.name) for series in panel.series)
    lines = []
    for series, point in points:
        length = 1 + round(39 * (log10(point.number) - low) / (high - low))
        depth = "end" if point.depth is None else f"K={point.depth}"
        number = f"{point.number:,.0f}" if panel.unit == "nodes" else format_duration(point.number)
        lines.append(f"{depth:>5}  {series.name:<{wide}}  {'#' * length} {number}")
    return "\n".join(lines)


def format_duration(seconds: float, unit: Unit | None = None) -> str:
    """Return the time with three digits, in the unit that fits or in the given one.

    >>> format_duration(0.0000456), format_duration(0.01234), format_duration(12.345), format_duration(0)
    ('45.6 µs', '12.3 ms', '12.3 s', '0 s')
    >>> format_duration(0.0000456, choose_unit(0.01))
    '0.0456 ms'
    """
    if seconds <= 0:
        return "0 s"
    unit = unit or choose_unit(seconds)
    return f"{format_three_digits(seconds, unit)} {unit.name}"


def format_range(minimum: float, maximum: float, unit: Unit) -> str:
    """Return both times in the same unit, without its name.

    >>> format_range(0.00098, 0.00123, choose_unit(0.001)), format_range(1, 2.5, choose_unit(1))
    ('0.98–1.23', '1–2.5')
    """
    return f"{format_three_digits(minimum, unit)}–{format_three_digits(maximum, unit)}"


def choose_unit(seconds: float) -> Unit:
    """Return the unit that fits."""
    return next((unit for unit in TIME_UNITS if seconds >= unit.seconds * 0.9995), TIME_UNITS[-1])


def format_three_digits(seconds: float, unit: Unit) -> str:
    number = seconds / unit.seconds
    return f"{number:,.0f}" if number >= 999.5 else f"{number:.3g}"
