"""The chart of how often searches agree with the solver, by K: a line for each evaluation, and a dashed one for chance."""

from collections.abc import Iterator
from math import ceil

from engine.analysis.agreement import RANDOM_MOVE, Agreements
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
)
from visualizer.drawing.scene import LETTER_WIDTH, Item, Label, Line, Scene
from visualizer.narration.agreement_messages import MEASURES, agreement_title, format_share, list_agreement_notes
from visualizer.narration.text_width import shorten_name

NOTE_SIZE, NOTE_LINE_HEIGHT = 11, 16  # size of the letters below, height of their lines
CHANCE_STYLE = "series3", "diamond"
TEXT_BAR_CHARS = 40  # characters of 100 %


def build_plots(agreements: Agreements) -> list[Plot]:
    """Return one plot for each measure, in percent."""
    return [
        Plot(words, "%", tuple(agreements.depths), tuple(_measure_series(agreements, measure)))
        for measure, words in MEASURES.items()
    ]


def _measure_series(agreements: Agreements, measure: str) -> Iterator[Series]:
    for place, name in enumerate(agreements.evaluations):
        shares = [(depth, agreements.share(name, depth, measure)) for depth in agreements.depths]
        points = tuple(_percent_point(depth, share) for depth, share in shares if share is not None)
        yield Series(name, *SERIES_STYLES[place % len(SERIES_STYLES)], points)
    by_chance = getattr(agreements.chance, measure) / agreements.chance.positions
    yield Series(RANDOM_MOVE, *CHANCE_STYLE, tuple(_percent_point(depth, by_chance) for depth in agreements.depths), "dashed")


def _percent_point(depth: int, share: float) -> Point:
    return Point(depth, *[100 * share] * 3)


class PercentScale:
    """The scale of a plot: depths across, percents upwards, from the ten below the lowest of them to 100."""

    def __init__(self, panel: Plot, top: float):
        lowest = min(point.number for series in panel.series for point in series.points)
        self.depths, self.bottom, self.right = panel.depths, top + PLOT_HEIGHT, WIDTH - RIGHT
        self.low = min(90, int(lowest // 10) * 10)

    def x(self, depth: int | None) -> float:
        return round(LEFT + (self.depths.index(depth) + 0.5) * (self.right - LEFT) / len(self.depths), 1)

    def y(self, percent: float) -> float:
        return round(self.bottom - (percent - self.low) / (100 - self.low) * PLOT_HEIGHT, 1)


def draw_chart(agreements: Agreements, explained: bool = True) -> Scene:
    """Draw all plots, one below the other. `explained` adds the notes on their meaning."""
    items: list[Item] = [
        Label(LEFT, 24, shorten_name(agreement_title(agreements), MAX_TITLE_CHARS), "text", TITLE_SIZE, "start", True)
    ]
    bottom = TITLE_HEIGHT
    for panel in build_plots(agreements):
        top = bottom + TOP + (len(lay_out_legend(panel)) - 1) * LEGEND_LINE_HEIGHT
        items += _draw_plot(panel, top)
        bottom = top + PLOT_HEIGHT + BOTTOM
    for note in list_agreement_notes(agreements) if explained else ():
        for line in wrap_text(note, int((WIDTH - LEFT - RIGHT) / (NOTE_SIZE * LETTER_WIDTH))):
            bottom += NOTE_LINE_HEIGHT
            items.append(Label(LEFT, bottom, line, "muted", NOTE_SIZE))
        bottom += NOTE_LINE_HEIGHT // 2
    return Scene(agreement_title(agreements), WIDTH, bottom + NOTE_LINE_HEIGHT, tuple(items))


def wrap_text(words: str, wide: int) -> list[str]:
    """Return the text as lines of at most `wide` characters."""
    lines = [""]
    for word in words.split(" "):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > wide:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return lines


def _draw_plot(panel: Plot, top: float) -> list[Item]:
    scale, legend = PercentScale(panel, top), lay_out_legend(panel)
    above = top - 22 - (len(legend) - 1) * LEGEND_LINE_HEIGHT
    items: list[Item] = [Label(LEFT, above - 22, f"{panel.title}, % of the positions", "text", 13, "start", True)]
    for percent in range(scale.low, 101, 10):
        height = scale.y(percent)
        items.append(Line(((LEFT, height), (scale.right, height)), "edge", 0.5))
        items.append(Label(LEFT - 8, height + 4, f"{percent} %", "muted", 11, "end"))
    for depth in panel.depths[:: ceil(len(panel.depths) / 25)]:
        items.append(Label(scale.x(depth), scale.bottom + 18, str(depth), "muted", 11, "middle"))
    items.append(Label((LEFT + scale.right) / 2, scale.bottom + 38, "K, moves ahead", "muted", 11, "middle"))
    for line, listed in enumerate(legend):
        for series, at in listed:
            items += draw_legend_entry(series, at, above + line * LEGEND_LINE_HEIGHT)
    for series in panel.series:
        places = tuple((scale.x(point.depth), scale.y(point.number)) for point in series.points)
        if len(places) > 1:
            items.append(Line(places, series.colour, 2, series.line == "dashed"))
        items += [draw_mark(series, *place) for place in places]
    return items


def draw_text_chart(agreements: Agreements) -> str:
    """Return the chart as text: a bar for every evaluation at every depth, and for chance."""
    lines = []
    for panel in build_plots(agreements):
        wide = max(len(series.name) for series in panel.series)
        lines.append(f"{panel.title}, % of the positions")
        for depth in panel.depths:
            for series in panel.series:
                for point in series.points:
                    if point.depth == depth:
                        bar = "#" * round(TEXT_BAR_CHARS * point.number / 100)
                        lines.append(f"K={depth:<3} {series.name:<{wide}}  {bar} {format_share(point.number / 100)}")
        lines.append("")
    return "\n".join(lines[:-1])
