"""The ladder as a picture: a bar for every rung, as long as what it needs of the rung before it, which is the hollow box."""

from typing import NamedTuple

from engine.algorithms.variants import title_of
from engine.analysis.comparison_result import Comparison
from engine.analysis.rung_savings import MEASURES, Climb, ladder, longest
from engine.core.parsing import plies
from visualizer.drawing.scene import BOLD_LETTER, LETTER, Item, Label, Line, Shape, Sketch, box
from visualizer.narration.ladder_messages import share_words
from visualizer.narration.text_width import short

WIDTH, LEFT, RIGHT = 760, 24, 24
TOP, ROW, BAR, BOTTOM = 66, 52, 16, 18
MOST = 2.0  # times the rung before: a longer bar is cut, and its words say how long it is
SAVES, COSTS = "series1", "series2"
LEGEND = "box: the rung before, 100%"
TEXT_BAR = 40  # characters for the rung before, in a text
NAME, WORDS = 13, 12  # sizes of letters


class RungBar(NamedTuple):
    """One rung."""

    name: str
    number: float
    share: float  # of the rung before
    words: str


def bars(steps: list[Climb], measure: str = "calls") -> list[RungBar]:
    """A bar for every rung that has one before it."""
    return [
        RungBar(title_of(step.row.algorithm), MEASURES[measure](step.row) or 0, share, share_words(share))
        for step in steps
        if (share := step.share(measure)) is not None
    ]


def heading(depth: int | None) -> str:
    return f"What each rung needs of the calls of the one before it, {'to the end' if depth is None else f'K={plies(depth)}'}"


def sketch(comparison: Comparison, title: str) -> Sketch | None:
    """The ladder at the deepest K where most rungs are known; None if there is none."""
    climbed = ladder(comparison)
    if not climbed:
        return None
    depth = longest(climbed)
    made = bars(climbed[depth])
    first = climbed[depth][0].before
    widest = max(1.0, *(min(bar.share, MOST) for bar in made))
    whole = (WIDTH - LEFT - RIGHT) / widest  # pixels of 100%
    items: list[Item] = [Label(LEFT, 24, heading(depth), "text", NAME, "start", True)]
    said = f"{title_of(first.algorithm)}: {first.expanded:,} calls; {LEGEND}"
    items.append(Label(LEFT, 46, short(said, int((WIDTH - LEFT - RIGHT) / (WORDS * LETTER))), "muted", WORDS))
    for place, bar in enumerate(made):
        items += _drawn(bar, TOP + place * ROW, whole)
    return Sketch(title, WIDTH, TOP + len(made) * ROW + BOTTOM, tuple(items))


def _drawn(bar: RungBar, top: float, whole: float) -> list[Item]:
    words = f"{bar.number:,.0f} calls, {bar.words}"
    room = WIDTH - LEFT - RIGHT - len(words) * WORDS * LETTER
    items: list[Item] = [
        Label(LEFT, top + 11, short(bar.name, max(8, int(room / (NAME * BOLD_LETTER)) - 1)), "text", NAME, "start", True),
        Label(WIDTH - RIGHT, top + 11, words, "text", WORDS, "end"),
    ]
    y = top + 18
    inside, beyond = min(bar.share, 1.0) * whole, min(bar.share, MOST) * whole
    if inside >= 1:
        items.append(box(LEFT, y, inside, BAR, SAVES))
    if beyond - whole >= 1:
        items.append(box(LEFT + whole, y, beyond - whole, BAR, COSTS))
    outline = ((LEFT, y), (LEFT + whole, y), (LEFT + whole, y + BAR), (LEFT, y + BAR))
    items.append(Shape(outline, "edge", False))
    if bar.share > MOST:
        end = LEFT + MOST * whole
        items += [Line(((end - at, y - 2), (end - at - 5, y + BAR + 2)), "ground", 2) for at in (6, 12)]
    return items


def as_text(comparison: Comparison) -> str:
    """The same as text: '#' for what is needed, '.' up to the rung before, '+' for what is needed beyond it."""
    climbed = ladder(comparison)
    made = bars(climbed[longest(climbed)])
    wide = max(len(bar.name) for bar in made)
    lines = []
    for bar in made:
        needed = round(TEXT_BAR * min(bar.share, 1.0))
        beyond = round(TEXT_BAR * (min(bar.share, MOST) - 1)) if bar.share > 1 else 0
        drawn = "#" * needed + "." * (TEXT_BAR - needed) + "+" * beyond
        lines.append(f"{bar.name:<{wide}}  |{drawn}  {bar.number:,.0f} calls, {bar.words}")
    return "\n".join(lines)
