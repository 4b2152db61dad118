"""The chart of how often players agree with the solver, by the evaluations and by the time that a move takes."""

from collections.abc import Iterator
from math import log10

from engine.analysis.player_agreement import PlayerAgreement, PlayerAgreements
from engine.matches.players import SearchPlayer, read_player
from visualizer.drawing.agreement_chart import CHANCE_STYLE, NOTE_LINE_HEIGHT, NOTE_SIZE, wrap_text
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
    draw_whiskers,
    lay_out_legend,
    power_range,
    tick_label,
)
from visualizer.drawing.scene import LETTER_WIDTH, Item, Label, Line, Scene
from visualizer.narration.agreement_messages import MEASURES, format_share
from visualizer.narration.player_agreement_messages import (
    RANDOM_TITLE,
    list_player_agreement_notes,
    player_agreement_title,
)
from visualizer.narration.player_messages import player_size, player_title
from visualizer.narration.text_width import shorten_name

AXES = {"evaluations": ("evaluations per move", ""), "seconds": ("CPU time per move", "s")}  # name and unit
PANELS = (("kept", "evaluations"), ("best", "evaluations"), ("kept", "seconds"))  # measure and axis of each plot
LEAST_SECONDS = 1e-7  # shorter times are drawn as this one
TEXT_BAR_CHARS = 40  # characters of 100 %


def axis_value(row: PlayerAgreement, axis: str) -> float:
    """Return what a move of a player costs."""
    return row.evaluations_per_move if axis == "evaluations" else max(LEAST_SECONDS, row.seconds_per_move)


def family_series(agreements: PlayerAgreements, measure: str) -> Iterator[tuple[Series, list[PlayerAgreement]]]:
    """Yield a series for each family of players, with its rows in the order of their cost."""
    for place, (family, rows) in enumerate(agreements.families.items()):
        rows = sorted(rows, key=lambda row: row.evaluations)
        shares = [(row.share(measure), *row.interval(measure)) for row in rows]
        points = tuple(Point(index, *(100 * share for share in three)) for index, three in enumerate(shares))
        name = player_title(read_player(family), with_size=False)
        yield Series(name, *SERIES_STYLES[place % len(SERIES_STYLES)], points), rows


class AgreementScale:
    """The scale of a plot: cost across on a logarithmic scale, percents upwards from 0 to 100."""

    def __init__(self, agreements: PlayerAgreements, axis: str, top: float):
        self.low, self.high = power_range([axis_value(row, axis) for row in agreements.rows])
        self.axis, self.bottom, self.right = axis, top + PLOT_HEIGHT, WIDTH - RIGHT

    def x(self, cost: float) -> float:
        return round(LEFT + (log10(cost) - self.low) / (self.high - self.low) * (self.right - LEFT), 1)

    def y(self, percent: float) -> float:
        return round(self.bottom - percent / 100 * PLOT_HEIGHT, 1)


def draw_chart(agreements: PlayerAgreements, explained: bool = True) -> Scene:
    """Draw all plots, one below the other. `explained` adds the notes on their meaning."""
    title = player_agreement_title(agreements)
    items: list[Item] = [Label(LEFT, 24, shorten_name(title, MAX_TITLE_CHARS), "text", TITLE_SIZE, "start", True)]
    bottom = TITLE_HEIGHT
    for measure, axis in PANELS:
        plot, bottom = _draw_plot(agreements, measure, axis, bottom)
        items += plot
    for note in list_player_agreement_notes(agreements) if explained else ():
        for line in wrap_text(note, int((WIDTH - LEFT - RIGHT) / (NOTE_SIZE * LETTER_WIDTH))):
            bottom += NOTE_LINE_HEIGHT
            items.append(Label(LEFT, bottom, line, "muted", NOTE_SIZE))
        bottom += NOTE_LINE_HEIGHT // 2
    return Scene(title, WIDTH, bottom + NOTE_LINE_HEIGHT, tuple(items))


def _draw_plot(agreements: PlayerAgreements, measure: str, axis: str, bottom: int) -> tuple[list[Item], int]:
    drawn = list(family_series(agreements, measure))
    by_chance = Series(RANDOM_TITLE, *CHANCE_STYLE, (), "dashed")
    legend = lay_out_legend(Plot(MEASURES[measure], "%", (), (*(series for series, _ in drawn), by_chance)))
    top = bottom + TOP + (len(legend) - 1) * LEGEND_LINE_HEIGHT
    scale, above = AgreementScale(agreements, axis, top), top - 22 - (len(legend) - 1) * LEGEND_LINE_HEIGHT
    items: list[Item] = [Label(LEFT, above - 22, f"{MEASURES[measure]}, % of the positions", "text", 13, "start", True)]
    items += _draw_axes(scale)
    for line, listed in enumerate(legend):
        for series, at in listed:
            items += draw_legend_entry(series, at, above + line * LEGEND_LINE_HEIGHT)
    height = scale.y(100 * agreements.chance[measure])
    items.append(Line(((LEFT, height), (scale.right, height)), by_chance.colour, 2, True))
    for series, rows in drawn:
        places = [(scale.x(axis_value(row, axis)), scale.y(point.number)) for row, point in zip(rows, series.points, strict=True)]
        if len(places) > 1:
            items.append(Line(tuple(places), series.colour, 2))
        for point, place in zip(series.points, places, strict=True):
            items += draw_whiskers(place[0], scale.y(point.minimum), scale.y(point.maximum), series.colour)
            items.append(draw_mark(series, *place))
    return items, top + PLOT_HEIGHT + BOTTOM


def _draw_axes(scale: AgreementScale) -> list[Item]:
    items: list[Item] = []
    for percent in range(0, 101, 20):
        height = scale.y(percent)
        items.append(Line(((LEFT, height), (scale.right, height)), "edge", 0.5))
        items.append(Label(LEFT - 8, height + 4, f"{percent} %", "muted", 11, "end"))
    name, unit = AXES[scale.axis]
    for power in range(scale.low, scale.high + 1):
        items.append(Label(scale.x(10.0**power), scale.bottom + 18, tick_label(power, unit), "muted", 11, "middle"))
    return [*items, Label((LEFT + scale.right) / 2, scale.bottom + 38, f"{name}, logarithmic scale", "muted", 11, "middle")]


def draw_text_chart(agreements: PlayerAgreements) -> str:
    """Return the chart as text: a bar for every player, by family."""
    lines = []
    for measure, words in MEASURES.items():
        lines.append(f"{words}, % of the positions")
        for series, rows in family_series(agreements, measure):
            for row in rows:
                bar = "#" * round(TEXT_BAR_CHARS * row.share(measure))
                player = read_player(row.player)
                size = player_size(player) if isinstance(player, SearchPlayer) else ""
                lines.append(f"{series.name}, {size:<18} {bar} {format_share(row.share(measure))}")
        lines.append("")
    return "\n".join(lines[:-1])
