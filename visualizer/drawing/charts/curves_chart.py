"""The charts of a search in iterations over time: visits, means, regret and depth."""

from collections.abc import Iterator
from itertools import pairwise, zip_longest
from math import ceil, isnan, log10
from typing import NamedTuple

import numpy as np

from engine.analysis.search_curves import MoveCurve, SearchCurves
from engine.tree.tree import SearchTree
from visualizer.drawing.agreement_chart import wrap_text
from visualizer.drawing.comparison_chart import (
    BOTTOM,
    LEFT,
    LEGEND_LINE_HEIGHT,
    MAX_TITLE_CHARS,
    PLOT_HEIGHT,
    RIGHT,
    SERIES_STYLES,
    TITLE_HEIGHT,
    TITLE_SIZE,
    TOP,
    WIDTH,
    Plot,
    Point,
    Series,
    draw_legend_entry,
    draw_mark,
    lay_out_legend,
    tick_label,
)
from visualizer.drawing.scene import Item, Label, Line, Scene
from visualizer.narration.curve_messages import MAX_DRAWN_MOVES, curves_title, list_panels, move_title, panel_title
from visualizer.narration.numbers import format_count
from visualizer.narration.text_width import shorten_name

MARKS_PER_LINE = 6  # marks tell the lines apart without colours
MAX_TITLE_LINES, TITLE_LINE_HEIGHT = 3, 20
MAX_CHANGE_LINES = 60  # changes of mind that are drawn
STEPPED_PANELS = ("regret", "depth")  # their numbers jump
REGRET_SCALES = (0.1, 0.25, 0.5, 1.0)  # the top of the scale is the smallest of these that is high enough
SCALE_PARTS = 4


class CurveSeries(NamedTuple):
    """A line of a panel: its style, its points, and the height of its exact value."""

    series: Series  # the depth of a point is a number of iterations
    exact: float | None


def drawn_moves(curves: SearchCurves) -> list[MoveCurve]:
    """Return the moves to draw, the most visited one first."""
    return sorted(curves.moves, key=lambda curve: -curve.visits[-1])[:MAX_DRAWN_MOVES]


def drawn_changes(curves: SearchCurves) -> tuple[int, ...]:
    """Return the changes of mind to draw: the last ones."""
    return curves.changes[-MAX_CHANGE_LINES:]


def panel_series(tree: SearchTree, curves: SearchCurves, panel: str) -> Iterator[CurveSeries]:
    """Yield the lines of a panel."""
    moments = curves.iterations.tolist()
    if panel in STEPPED_PANELS:
        yield CurveSeries(Series(panel, *SERIES_STYLES[0], _points(moments, getattr(curves, panel).tolist())), None)
        return
    for place, curve in enumerate(drawn_moves(curves)):
        points = _points(moments, getattr(curve, panel).tolist())
        name = move_title(tree, curve.name)
        yield CurveSeries(Series(name, *SERIES_STYLES[place], points), curve.exact if panel == "mean" else None)


def _points(moments: list[int], numbers: list[float]) -> tuple[Point, ...]:
    return tuple(Point(moment, *[number] * 3) for moment, number in zip(moments, numbers, strict=True) if not isnan(number))


def marked_points(series: Series) -> list[Point]:
    """Return the points of a line that get a mark, about evenly on a logarithmic scale. The last one is among them."""
    points = series.points
    if not points:
        return []
    first, last = (log10(point.depth or 1) for point in (points[0], points[-1]))
    places = [10 ** (first + (last - first) * part / MARKS_PER_LINE) for part in range(MARKS_PER_LINE + 1)]
    found = {min(points, key=lambda point: abs(log10((point.depth or 1) / place))) for place in places}
    return sorted(found, key=lambda point: point.depth or 1)


def list_ticks(curves: SearchCurves, panel: str) -> list[float]:
    """Return the numbers on the scale of a panel, from 0 to its top."""
    if panel == "depth":
        step = ceil(max(1, int(curves.depth[-1])) / SCALE_PARTS)
        return [float(number) for number in range(0, int(curves.depth[-1]) + step, step)]
    highest = float(np.nanmax(curves.regret)) if panel == "regret" else 1.0
    top = next(scale for scale in REGRET_SCALES if highest <= scale) if highest else 1.0
    return [top * part / SCALE_PARTS for part in range(SCALE_PARTS + 1)]


class CurveScale:
    """The scale of a panel: iterations across on a logarithmic scale, numbers upwards from 0."""

    def __init__(self, curves: SearchCurves, panel: str, top: float):
        self.last, self.ticks = max(2, int(curves.iterations[-1])), list_ticks(curves, panel)
        self.bottom, self.right = top + PLOT_HEIGHT, WIDTH - RIGHT

    def x(self, iteration: float) -> float:
        return round(LEFT + log10(iteration) / log10(self.last) * (self.right - LEFT), 1)

    def y(self, number: float) -> float:
        return round(self.bottom - number / self.ticks[-1] * PLOT_HEIGHT, 1)


def draw_curves(tree: SearchTree, curves: SearchCurves) -> Scene:
    """Draw all panels, one below the other."""
    title = curves_title(tree)
    items: list[Item] = []
    bottom = TITLE_HEIGHT - TITLE_LINE_HEIGHT
    for line in wrap_text(title, MAX_TITLE_CHARS)[:MAX_TITLE_LINES]:
        items.append(Label(LEFT, bottom + 10, shorten_name(line, MAX_TITLE_CHARS), "text", TITLE_SIZE, "start", True))
        bottom += TITLE_LINE_HEIGHT
    for panel in list_panels(curves):
        drawn, bottom = _draw_panel(tree, curves, panel, bottom)
        items += drawn
    return Scene(title, WIDTH, bottom, tuple(items))


def _draw_panel(tree: SearchTree, curves: SearchCurves, panel: str, bottom: int) -> tuple[list[Item], int]:
    lines = list(panel_series(tree, curves, panel))
    legend = lay_out_legend(Plot(panel_title(curves, panel), "", (), tuple(line.series for line in lines)))
    top = bottom + TOP + (len(legend) - 1) * LEGEND_LINE_HEIGHT
    scale, above = CurveScale(curves, panel, top), top - 22 - (len(legend) - 1) * LEGEND_LINE_HEIGHT
    items: list[Item] = [
        Label(LEFT, above - 22, panel_title(curves, panel), "text", 13, "start", True),
        *_draw_axes(scale, panel),
    ]
    for number, listed in enumerate(legend if len(lines) > 1 else ()):
        for series, at in listed:
            items += draw_legend_entry(series, at, above + number * LEGEND_LINE_HEIGHT)
    for change in drawn_changes(curves) if panel == "share" else ():
        items.append(Line(((scale.x(change), top), (scale.x(change), scale.bottom)), "muted", 1, dotted=True))
    for line in reversed(lines):  # the most visited move on top
        items += _draw_line(line, scale, panel in STEPPED_PANELS)
    return items, top + PLOT_HEIGHT + BOTTOM


def _draw_line(line: CurveSeries, scale: CurveScale, stepped: bool) -> Iterator[Item]:
    series, exact = line
    places = [(scale.x(point.depth or 1), scale.y(point.number)) for point in series.points]
    if stepped:
        corners = [(after[0], before[1]) for before, after in pairwise(places)]
        places = [place for pair in zip_longest(places, corners) for place in pair if place is not None]
    if exact is not None:
        yield Line(((LEFT, scale.y(exact)), (scale.right, scale.y(exact))), series.colour, 1, True)
    if len(places) > 1:
        yield Line(tuple(places), series.colour, 2)
    for point in marked_points(series):
        yield draw_mark(series, scale.x(point.depth or 1), scale.y(point.number))


def _draw_axes(scale: CurveScale, panel: str) -> list[Item]:
    items: list[Item] = []
    for number in scale.ticks:
        items.append(Line(((LEFT, scale.y(number)), (scale.right, scale.y(number))), "edge", 0.5))
        text = f"{100 * number:.0f} %" if panel == "share" else f"{number:g}"
        items.append(Label(LEFT - 8, scale.y(number) + 4, text, "muted", 11, "end"))
    for power in range(len(str(scale.last))):
        items.append(Label(scale.x(10.0**power), scale.bottom + 18, tick_label(power, ""), "muted", 11, "middle"))
    words = "iterations, logarithmic scale"
    return [*items, Label((LEFT + scale.right) / 2, scale.bottom + 38, words, "muted", 11, "middle")]


def draw_text_curves(tree: SearchTree, curves: SearchCurves) -> str:
    """Return the shares of the visits as text: a bar for every move at the powers of ten, and at the end."""
    lines, wide = [], max(len(move_title(tree, curve.name)) for curve in drawn_moves(curves))
    powers = [index for index, moment in enumerate(curves.iterations.tolist()) if moment == 10 ** (len(str(moment)) - 1)]
    for index in sorted({*powers, len(curves.iterations) - 1}):
        lines.append(f"after {format_count(int(curves.iterations[index]), 'iteration')}")
        for curve in drawn_moves(curves):
            share = curve.share[index]
            lines.append(f"  {move_title(tree, curve.name):<{wide}}  {'#' * round(40 * share)} {100 * share:.1f} %")
    return "\n".join(lines)
