"""Animations of a search, for slides: one frame per step. `gif` and `webp` write them.

The frames are the steps of the nodes that the view shows. Their colours are those of the theme and shades between them, so that a
frame is a picture of few colours.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from engine.core.errors import PlyscopeError, short_repr
from engine.core.parsing import is_whole, whole_number
from engine.record.columns import OPEN, ROOT, STATUS_BITS
from engine.tree.trace import LEAVE_CUT, check_has_calls
from engine.tree.tree import SearchTree
from visualizer.drawing.frames.step_frame import StepFrames
from visualizer.drawing.raster import draw_scene
from visualizer.drawing.scene import colours_by_name
from visualizer.drawing.size_limits import TooLarge
from visualizer.drawing.theme import Palette, find_palette, mix_colours
from visualizer.drawing.view import WHOLE_TREE, View, select_items

Steps = tuple[int, int]
Size = tuple[int, int]
OnFrame = Callable[[int, int], object]

MAX_FRAMES = 400
DEFAULT_SIZE: Size = (1280, 720)
DEFAULT_THEME = "light"
MIN_SIZE, MAX_SIZE = (320, 240), (3840, 2160)
FRAME_MS, CUTOFF_MS, LAST_MS = 1500, 4000, 5000  # how long a frame is shown, in milliseconds
MAX_DIGITS = 12  # of a step number
SHADES = 7  # between two colours
DRAWN_COLOURS = ("text", "muted", "edge", "even", "series2", "maxline", "maxfill", "minline", "minfill")
ADJACENT_COLOURS = (  # pairs of colours that touch, besides those of each colour and the background
    ("even", "text"), ("even", "muted"), ("maxfill", "maxline"), ("minfill", "minline"), ("maxline", "text"), ("minline", "text"),
)  # fmt: skip


class BadAnimation(PlyscopeError):
    """Steps or a size that an animation cannot have."""


class Frame(NamedTuple):
    """A picture as indices into `frame_colours` of its theme, and how long it is shown."""

    pixels: np.ndarray  # uint8, height x width
    milliseconds: int
    palette: Palette


def check_steps(steps: Any) -> Steps | None:
    """Return the first and the last step: of a pair or of a text such as "0-80" or "17"; None for all steps.

    >>> check_steps("0-80"), check_steps("17"), check_steps((0, 80))
    ((0, 80), (17, 17), (0, 80))
    """
    if steps is None:
        return None
    first, last = _read_pair(steps, "-", single=True)
    if first is None or last is None:
        raise BadAnimation(f"{short_repr(steps)} is not a range of steps: write the first and the last one, such as 0-80")
    if first > last:
        raise BadAnimation(f"the steps {short_repr(steps)} are backwards: write {last}-{first}")
    return first, last


def check_frame_size(size: Any) -> Size:
    """Return the width and the height of a frame: of a pair, or of a text such as "1280x720".

    >>> check_frame_size("1280x720"), check_frame_size((800, 600))
    ((1280, 720), (800, 600))
    """
    width, height = _read_pair(size, "x")
    if width is None or height is None:
        raise BadAnimation(f"{short_repr(size)} is not a size: write width and height in pixels, such as 1280x720")
    if not (MIN_SIZE[0] <= width <= MAX_SIZE[0] and MIN_SIZE[1] <= height <= MAX_SIZE[1]):
        sizes = " to ".join(f"{low}x{high}" for low, high in (MIN_SIZE, MAX_SIZE))
        raise BadAnimation(f"a frame cannot have {width}x{height} pixels: choose {sizes}")
    return width, height


def _read_pair(given: Any, separator: str, single: bool = False) -> tuple[int | None, int | None]:
    """Return two whole numbers from 0, or None for each that is not one. A `single` number stands for both."""
    if isinstance(given, str):
        first, found, second = given.strip().lower().partition(separator)
        return whole_number(first, MAX_DIGITS), whole_number(second if found or not single else first, MAX_DIGITS)
    pair: list[Any] = list(given) if isinstance(given, (tuple, list)) and len(given) == 2 else [None, None]
    one, other = (int(number) if is_whole(number) and number >= 0 else None for number in pair)
    return one, other


def choose_steps(tree: SearchTree, view: View | None, steps: Steps | None) -> list[int]:
    """Return the steps to show: those of the view's nodes, from the first to the last of `steps`. Raise TooLarge if there are
    too many.
    """
    check_has_calls(tree)
    numbers, count = view_steps(tree, view), len(tree.timeline)
    if steps is not None:
        if steps[0] >= count:
            raise BadAnimation(f"there is no step {steps[0]:,}: the search has the steps 0-{count - 1}")
        numbers = numbers[bisect_left(numbers, steps[0]) : bisect_right(numbers, steps[1])]
        if not len(numbers):
            raise BadAnimation(f"the view has no steps from {steps[0]:,} to {steps[1]:,}: choose other steps, or a larger view")
    if len(numbers) > MAX_FRAMES:
        first, last = int(numbers[0]), int(numbers[MAX_FRAMES - 1])
        raise TooLarge(
            f"an animation has at most {MAX_FRAMES} frames, and this one would have {len(numbers):,}: "
            f"choose steps (--steps {first}-{last}, in Python steps=({first}, {last})) or narrow it to a depth or a subtree"
        )
    return [int(number) for number in numbers]


def view_steps(tree: SearchTree, view: View | None = None) -> Sequence[int]:
    """Return the numbers of the steps that enter the view's nodes, leave them and come back to their parents, in order."""
    view = view or WHOLE_TREE
    if view.is_whole:
        return range(len(tree.timeline))
    rows = select_items(tree, view, every_pass=view.root == ROOT).nodes.astype(np.int64)
    depth, end = tree.columns.depth[rows].astype(np.int64), tree.columns.end[rows].astype(np.int64)
    left = (tree.columns.flags[rows] & STATUS_BITS) != OPEN
    enter, leave = 3 * rows - 2 * depth, (3 * end - 2 * depth - 2)[left]
    back = (leave + 1)[rows[left] != view.root] if view.root != ROOT else leave + 1
    numbers = np.unique(np.concatenate([enter, leave, back]))
    shown: list[int] = numbers[numbers < len(tree.timeline)].tolist()
    return shown


def draw_frames(
    tree: SearchTree, view: View | None, steps: Any, size: Any, theme: str, on_frame: OnFrame | None
) -> Iterator[Frame]:
    """Return the frames of an animation. Bad steps, sizes and themes raise an error at once; the frames are drawn on demand."""
    frame_size, palette = check_frame_size(size), find_palette(theme)
    return _draw_steps(tree, view or WHOLE_TREE, choose_steps(tree, view, check_steps(steps)), frame_size, palette, on_frame)


def _draw_steps(
    tree: SearchTree, view: View, numbers: list[int], size: Size, palette: Palette, on_frame: OnFrame | None
) -> Iterator[Frame]:
    trace = tree.timeline
    frames = StepFrames(trace, _max_shown_depth(tree, view), size, view.stubs)
    for place, number in enumerate(numbers, start=1):
        picture = np.asarray(draw_scene(frames.draw_step(number), size, palette))
        shown = LAST_MS if place == len(numbers) else CUTOFF_MS if trace[number].kind == LEAVE_CUT else FRAME_MS
        yield Frame(_index_colours(picture, palette), shown, palette)
        if on_frame is not None:
            on_frame(place, len(numbers))


def _max_shown_depth(tree: SearchTree, view: View) -> int:
    if view.is_whole:
        return tree.height
    rows = select_items(tree, view, every_pass=view.root == ROOT).nodes
    return int(tree.columns.depth[rows].max())


class ChangedBox(NamedTuple):
    """The smallest box that holds all pixels that differ from the frame before. Its left and upper edges are even."""

    left: int
    top: int
    pixels: np.ndarray  # of the new frame
    changed: np.ndarray  # True for each pixel that differs


def find_changes(pixels: np.ndarray, before: np.ndarray | None) -> ChangedBox:
    """Compare a frame with the one before. The first frame is all new. Equal frames have a box of one pixel."""
    if before is None:
        return ChangedBox(0, 0, pixels, np.ones_like(pixels, np.bool_))
    changed = pixels != before
    rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
    top, bottom = (int(rows[0]) & ~1, int(rows[-1]) + 1) if len(rows) else (0, 1)
    left, right = (int(columns[0]) & ~1, int(columns[-1]) + 1) if len(columns) else (0, 1)
    return ChangedBox(left, top, pixels[top:bottom, left:right], changed[top:bottom, left:right])


# ---- colours


@cache
def frame_colours(palette: Palette) -> tuple[tuple[int, int, int], ...]:
    """Return the colours of all frames: those of the theme, and the shades between colours that touch."""
    named = colours_by_name(palette)
    pairs = [("ground", name) for name in DRAWN_COLOURS] + list(ADJACENT_COLOURS)
    exact = [named["ground"], *(named[name] for name in DRAWN_COLOURS)]
    shades = [mix_colours(named[one], named[other], step / (SHADES + 1)) for one, other in pairs for step in range(1, SHADES + 1)]
    return tuple(_rgb(colour) for colour in dict.fromkeys([*exact, *shades]))


def _rgb(colour: str) -> tuple[int, int, int]:
    red, green, blue = bytes.fromhex(colour[1:])
    return red, green, blue


@cache
def _nearest_colours(palette: Palette) -> np.ndarray:
    """Return the index of the nearest colour for every colour of five bits per channel. The theme's own colours are exact."""
    colours = np.array(frame_colours(palette), np.int32)
    levels = np.arange(32, dtype=np.int32) * 255 // 31
    grid = np.stack(np.meshgrid(levels, levels, levels, indexing="ij"), axis=-1).reshape(-1, 3)
    nearest = np.concatenate([np.square(block[:, None] - colours).sum(axis=2).argmin(axis=1) for block in np.split(grid, 32)])
    exact = colours[: len(DRAWN_COLOURS) + 1] >> 3
    nearest[exact[:, 0] << 10 | exact[:, 1] << 5 | exact[:, 2]] = np.arange(len(exact))
    return nearest.astype(np.uint8)


def _index_colours(picture: np.ndarray, palette: Palette) -> np.ndarray:
    short = (picture >> 3).astype(np.uint16)
    return _nearest_colours(palette)[short[..., 0] << 10 | short[..., 1] << 5 | short[..., 2]]
