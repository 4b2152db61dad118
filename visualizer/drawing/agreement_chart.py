"""How often searches agree with the truth, over K: a line for each evaluation, and a dashed one for chance."""

from collections.abc import Iterator
from math import ceil

from engine.analysis.agreement import RANDOM, Agreements
from visualizer.drawing.comparison_chart import (
    BOTTOM,
    HEAD,
    LEFT,
    LEGEND_LINE,
    LONGEST_TITLE,
    MARKS,
    PLOT_HEIGHT,
    RIGHT,
    TITLE,
    TOP,
    WIDTH,
    Plot,
    Point,
    Series,
    legend_entry,
    legend_lines,
    mark_of,
)
from visualizer.drawing.scene import LETTER, Item, Label, Line, Sketch
from visualizer.narration.agreement_messages import MEASURES, notes, share_text, title
from visualizer.narration.text_width import short

NOTE, NOTE_LINE = 11, 16  # size of the letters below, height of their lines
CHANCE = "series3", "diamond"
BAR = 40  # characters of 100 %


def panels(agreements: Agreements) -> list[Plot]:
    """What is drawn: one panel for each measure, in percent."""
    return [
        Plot(words, "%", tuple(agreements.depths), tuple(_series(agreements, measure))) for measure, words in MEASURES.items()
    ]


def _series(agreements: Agreements, measure: str) -> Iterator[Series]:
    for place, name in enumerate(agreements.evaluations):
        shares = [(depth, agreements.share(name, depth, measure)) for depth in agreements.depths]
        points = tuple(_point(depth, share) for depth, share in shares if share is not None)
        yield Series(name, *MARKS[place % len(MARKS)], points)
    by_chance = getattr(agreements.chance, measure) / agreements.chance.positions
    yield Series(RANDOM, *CHANCE, tuple(_point(depth, by_chance) for depth in agreements.depths), "dashed")


def _point(depth: int, share: float) -> Point:
    return Point(depth, *[100 * share] * 3)


class PercentScale:
    """Where depths and percents stand in the picture: from the ten below the least of them to 100."""

    def __init__(self, panel: Plot, top: float):
        least = min(point.number for series in panel.series for point in series.points)
        self.depths, self.bottom, self.right = panel.depths, top + PLOT_HEIGHT, WIDTH - RIGHT
        self.low = min(90, int(least // 10) * 10)

    def x(self, depth: int | None) -> float:
        return round(LEFT + (self.depths.index(depth) + 0.5) * (self.right - LEFT) / len(self.depths), 1)

    def y(self, percent: float) -> float:
        return round(self.bottom - (percent - self.low) / (100 - self.low) * PLOT_HEIGHT, 1)


def sketch(agreements: Agreements, explained: bool = True) -> Sketch:
    """All panels, one below the other; `explained`: and what they mean."""
    items: list[Item] = [Label(LEFT, 24, short(title(agreements), LONGEST_TITLE), "text", TITLE, "start", True)]
    bottom = HEAD
    for panel in panels(agreements):
        top = bottom + TOP + (len(legend_lines(panel)) - 1) * LEGEND_LINE
        items += _drawn(panel, top)
        bottom = top + PLOT_HEIGHT + BOTTOM
    for note in notes(agreements) if explained else ():
        for line in wrapped(note, int((WIDTH - LEFT - RIGHT) / (NOTE * LETTER))):
            bottom += NOTE_LINE
            items.append(Label(LEFT, bottom, line, "muted", NOTE))
        bottom += NOTE_LINE // 2
    return Sketch(title(agreements), WIDTH, bottom + NOTE_LINE, tuple(items))


def wrapped(words: str, wide: int) -> list[str]:
    """Lines of at most so many characters."""
    lines = [""]
    for word in words.split(" "):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > wide:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return lines


def _drawn(panel: Plot, top: float) -> list[Item]:
    scale, legend = PercentScale(panel, top), legend_lines(panel)
    above = top - 22 - (len(legend) - 1) * LEGEND_LINE
    items: list[Item] = [Label(LEFT, above - 22, f"{panel.title}, % of the positions", "text", 13, "start", True)]
    for percent in range(scale.low, 101, 10):
        height = scale.y(percent)
        items.append(Line(((LEFT, height), (scale.right, height)), "edge", 0.5))
        items.append(Label(LEFT - 8, height + 4, f"{percent} %", "muted", 11, "end"))
    for depth in panel.depths[:: ceil(len(panel.depths) / 25)]:
        items.append(Label(scale.x(depth), scale.bottom + 18, str(depth), "muted", 11, "middle"))
    items.append(Label((LEFT + scale.right) / 2, scale.bottom + 38, "K, depth limit in plies", "muted", 11, "middle"))
    for line, listed in enumerate(legend):
        for series, at in listed:
            items += legend_entry(series, at, above + line * LEGEND_LINE)
    for series in panel.series:
        places = tuple((scale.x(point.depth), scale.y(point.number)) for point in series.points)
        if len(places) > 1:
            items.append(Line(places, series.colour, 2, series.line == "dashed"))
        items += [mark_of(series, *place) for place in places]
    return items


def as_text(agreements: Agreements) -> str:
    """The same with letters: a bar for every evaluation at every depth, and for chance."""
    lines = []
    for panel in panels(agreements):
        wide = max(len(series.name) for series in panel.series)
        lines.append(f"{panel.title}, % of the positions")
        for depth in panel.depths:
            for series in panel.series:
                for point in series.points:
                    if point.depth == depth:
                        bar = "#" * round(BAR * point.number / 100)
                        lines.append(f"K={depth:<3} {series.name:<{wide}}  {bar} {share_text(point.number / 100)}")
        lines.append("")
    return "\n".join(lines[:-1])
