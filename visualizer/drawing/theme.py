"""Colours and shapes, in one place.

In trees, colour means the side and nothing else. The state of a node is shown by outline, dash, thickness and cross. Charts have
colours of their own, and a different mark for each line. MAX is blue and an up-triangle, MIN vermilion and a down-triangle:
two colours that everyone can tell apart, and two shapes. Chance is a grey circle.
"""

from typing import NamedTuple

from engine.core.errors import UnknownName
from engine.record.columns import CHANCE, CUTOFF, MAX, OPEN, TABLE, TERMINAL, TURN_NAMES
from visualizer.drawing.view import STUB

FONT = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif"
BOARD_FONT = "DejaVu Sans Mono"
DARK_MEDIA_QUERY = "@media screen and (prefers-color-scheme:dark)"  # paper is never dark
HEAT_LEVELS = 5  # of a heat map: steps from a draw to all games won
MAX_TINT_SHARE = 0.48  # of a side's colour in the cells where it won all games


TURN_TITLES = ("MIN", "MAX", "Chance")  # in the order of TURN_NAMES, for people
TURN_SIGNS = ("▼", "▲", "●")


class Palette(NamedTuple):
    """The colours of one appearance, light or dark."""

    background: str
    text: str
    muted: str  # stubs, edge labels, hidden counts
    edge: str
    lines: tuple[str, str, str]  # outline of MIN, of MAX, of chance
    fills: tuple[str, str, str]
    series: tuple[str, ...]  # lines of charts; none is the colour of a side


LIGHT = Palette(
    "#FFFFFF",
    "#1A1A1A",
    "#5F6368",
    "#8A8F94",
    ("#D55E00", "#0072B2", "#6F6F78"),
    ("#FBE5D6", "#DCEDF7", "#EDEDEF"),
    ("#1A1A1A", "#008060", "#A8437F", "#8A6500", "#6A4CB0", "#4F6D00"),
)
DARK = Palette(
    "#16181B",
    "#F1F3F4",
    "#A9AFB5",
    "#7C838A",
    ("#FF8A3C", "#56B4E9", "#A6A6AE"),
    ("#4A2611", "#10344A", "#2E2F33"),
    ("#F1F3F4", "#2FC79A", "#E69AC3", "#E6B83C", "#B7A1F0", "#B5D256"),
)


THEMES = {"light": LIGHT, "dark": DARK}


def find_palette(theme: str) -> Palette:
    """Return the colours of a theme by its name."""
    if theme not in THEMES:
        raise UnknownName("theme", theme, THEMES)
    return THEMES[theme]


class NodeStyle(NamedTuple):
    """The style of an item."""

    turn: int  # MIN, MAX or chance
    dashed: bool  # a bound: a cutoff left the value open on one side
    dotted: bool  # not finished
    double: bool  # the game is over here
    bold: bool  # on the principal variation
    stub: bool  # left untried: crossed out
    answered: bool = False  # by the table: a diamond

    @property
    def is_chance(self) -> bool:
        """Return True for a circle."""
        return self.turn == CHANCE and not self.stub

    @property
    def points_up(self) -> bool:
        """Return True for an up-triangle."""
        return self.turn == MAX

    @property
    def turn_name(self) -> str:
        """Return "min", "max" or "chance", as in the names of colours and classes."""
        return TURN_NAMES[self.turn]


def choose_style(kind: int, turn: int, status: int, principal: bool) -> NodeStyle:
    """Return the style of an item of the view."""
    if kind == STUB:
        return NodeStyle(turn, True, False, False, False, True)
    return NodeStyle(turn, status == CUTOFF, status == OPEN, status == TERMINAL, principal, False, status == TABLE)


def level_name(step: int) -> str:
    """Return the name of a level of a heat map: from -HEAT_LEVELS, MIN wins all games, to HEAT_LEVELS, MAX wins all games."""
    return f"max{step}" if step > 0 else f"min{-step}" if step < 0 else "even"


def level_colours(palette: Palette) -> dict[str, str]:
    """Return the colour of every level by its name: the sides' own colours, paler towards a draw."""
    neutral = mix_colours(palette.background, palette.edge, 0.22)
    steps = range(-HEAT_LEVELS, HEAT_LEVELS + 1)
    return {
        level_name(step): mix_colours(neutral, palette.lines[step > 0], MAX_TINT_SHARE * abs(step) / HEAT_LEVELS)
        for step in steps
    }


ACCENT_STEPS = 7  # shades of the accent colour, from one skipped move to seven
VALUE_STEPS = 3  # shades of a side's colour, from a little better to much better


def overview_colours(palette: Palette) -> dict[str, str]:
    """Return the colours of overviews by name. They differ in lightness, too, so that print and any eye can tell them apart."""
    ground, accent = palette.background, palette.series[2]
    plain = mix_colours(ground, palette.edge, 0.3)
    named = {
        "plain": plain,
        "inner": mix_colours(ground, palette.edge, 0.75),
        "strong": mix_colours(ground, palette.text, 0.9),
        "answered": palette.series[1],
        "unfinished": palette.series[3],
    }
    for step in range(1, ACCENT_STEPS + 1):
        named[f"accent{step}"] = mix_colours(plain, accent, min(1.0, (step + 1) / 6))
    for step in range(1, VALUE_STEPS + 1):
        for name, line in zip(("below", "above"), palette.lines[:2], strict=True):
            named[f"{name}{step}"] = mix_colours(ground, line, (0.3, 0.62, 1.0)[step - 1])
    return named


def mix_colours(one: str, other: str, share: float) -> str:
    """Return a colour between two, at this share of the way from the first to the other.

    >>> mix_colours("#000000", "#FF8800", 0.5)
    '#804400'
    """
    pairs = [(int(one[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5)]
    return "#" + "".join(f"{int(start + (end - start) * share + 0.5):02X}" for start, end in pairs)
