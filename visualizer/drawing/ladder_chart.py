"""The chart of the ladder: a bar for every rung. Its length is the rung's share of the calls of the rung before, which is
the hollow box.
"""

from typing import NamedTuple

from engine.algorithms.variants import variant_title
from engine.analysis.comparison_result import Comparison
from engine.analysis.rung_savings import RUNG_MEASURES, RungStep, find_most_complete_depth, rung_steps_by_depth
from engine.core.parsing import depth_text
from visualizer.drawing.scene import BOLD_LETTER_WIDTH, LETTER_WIDTH, Item, Label, Line, Scene, Shape, make_box
from visualizer.narration.ladder_messages import describe_share
from visualizer.narration.text_width import shorten_name

WIDTH, LEFT, RIGHT = 760, 24, 24
TOP, ROW_HEIGHT, BAR_HEIGHT, BOTTOM = 66, 52, 16, 18
MAX_SHARE = 2.0  # times the rung before: a longer bar is cut, and its text gives the factor
SAVING_COLOUR, COST_COLOUR = "series1", "series2"
BOX_LEGEND = "box: the rung before, 100%"
TEXT_BAR_CHARS = 40  # characters for the rung before, in a text
NAME_SIZE, WORDS_SIZE = 13, 12  # sizes of letters


class RungBar(NamedTuple):
    """The bar of one rung."""

    name: str
    number: float
    share: float  # of the rung before
    words: str


def make_bars(steps: list[RungStep], measure: str = "calls") -> list[RungBar]:
    """Return a bar for every rung that has one before it."""
    return [
        RungBar(variant_title(step.row.algorithm), RUNG_MEASURES[measure](step.row) or 0, share, describe_share(share))
        for step in steps
        if (share := step.share(measure)) is not None
    ]


def chart_heading(depth: int | None) -> str:
    return f"Calls of each rung as a share of the rung before it, {'to the end' if depth is None else f'K={depth_text(depth)}'}"


def draw_chart(comparison: Comparison, title: str) -> Scene | None:
    """Draw the ladder at the deepest K where most rungs are known. Return None if there is none."""
    climbed = rung_steps_by_depth(comparison)
    if not climbed:
        return None
    depth = find_most_complete_depth(climbed)
    made = make_bars(climbed[depth])
    first = climbed[depth][0].before
    widest = max(1.0, *(min(bar.share, MAX_SHARE) for bar in made))
    whole = (WIDTH - LEFT - RIGHT) / widest  # pixels of 100%
    items: list[Item] = [Label(LEFT, 24, chart_heading(depth), "text", NAME_SIZE, "start", True)]
    subtitle = f"{variant_title(first.algorithm)}: {first.expanded:,} calls; {BOX_LEGEND}"
    items.append(
        Label(LEFT, 46, shorten_name(subtitle, int((WIDTH - LEFT - RIGHT) / (WORDS_SIZE * LETTER_WIDTH))), "muted", WORDS_SIZE)
    )
    for place, bar in enumerate(made):
        items += _draw_bar(bar, TOP + place * ROW_HEIGHT, whole)
    return Scene(title, WIDTH, TOP + len(made) * ROW_HEIGHT + BOTTOM, tuple(items))


def _draw_bar(bar: RungBar, top: float, whole: float) -> list[Item]:
    words = f"{bar.number:,.0f} calls, {bar.words}"
    room = WIDTH - LEFT - RIGHT - len(words) * WORDS_SIZE * LETTER_WIDTH
    items: list[Item] = [
        Label(
            LEFT,
            top + 11,
            shorten_name(bar.name, max(8, int(room / (NAME_SIZE * BOLD_LETTER_WIDTH)) - 1)),
            "text",
            NAME_SIZE,
            "start",
            True,
        ),
        Label(WIDTH - RIGHT, top + 11, words, "text", WORDS_SIZE, "end"),
    ]
    y = top + 18
    inside, beyond = min(bar.share, 1.0) * whole, min(bar.share, MAX_SHARE) * whole
    if inside >= 1:
        items.append(make_box(LEFT, y, inside, BAR_HEIGHT, SAVING_COLOUR))
    if beyond - whole >= 1:
        items.append(make_box(LEFT + whole, y, beyond - whole, BAR_HEIGHT, COST_COLOUR))
    outline = ((LEFT, y), (LEFT + whole, y), (LEFT + whole, y + BAR_HEIGHT), (LEFT, y + BAR_HEIGHT))
    items.append(Shape(outline, "edge", False))
    if bar.share > MAX_SHARE:
        end = LEFT + MAX_SHARE * whole
        items += [Line(((end - at, y - 2), (end - at - 5, y + BAR_HEIGHT + 2)), "ground", 2) for at in (6, 12)]
    return items


def draw_text_chart(comparison: Comparison) -> str:
    """Return the chart as text: '#' is the share that the rung needs, '.' the rest of the rung before, '+' the excess over it."""
    climbed = rung_steps_by_depth(comparison)
    made = make_bars(climbed[find_most_complete_depth(climbed)])
    wide = max(len(bar.name) for bar in made)
    lines = []
    for bar in made:
        needed = round(TEXT_BAR_CHARS * min(bar.share, 1.0))
        beyond = round(TEXT_BAR_CHARS * (min(bar.share, MAX_SHARE) - 1)) if bar.share > 1 else 0
        drawn = "#" * needed + "." * (TEXT_BAR_CHARS - needed) + "+" * beyond
        lines.append(f"{bar.name:<{wide}}  |{drawn}  {bar.number:,.0f} calls, {bar.words}")
    return "\n".join(lines)
