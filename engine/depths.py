"""Depth limits as text: "1-6", "2,4,6", "end"."""

from collections.abc import Iterable
from itertools import pairwise

from engine.errors import BadDepth
from engine.games.positions import is_whole


def read_depths(depths: Iterable[int | None] | str) -> tuple[int | None, ...]:
    """Depths as numbers: "1-6", "3", "2,4-6"; "end" for a search to the end. They must ascend.

    >>> read_depths("1-3,6"), read_depths("end"), read_depths([2, 3])
    ((1, 2, 3, 6), (None,), (2, 3))
    """
    listed: list[int | None] = []
    if isinstance(depths, str):
        for piece in depths.split(","):
            listed += _range(piece.strip(), depths)
    elif is_whole(depths):
        listed = [int(depths)]  # type: ignore[call-overload]
    else:
        listed = list(depths)
    for depth in listed:
        if depth is not None and (not is_whole(depth) or depth < 0):
            raise BadDepth(f"depth {depth!r} is no number of plies: give whole numbers from 0")
    order = [float("inf") if depth is None else depth for depth in listed]
    if not order or any(after <= before for before, after in pairwise(order)):
        shown = depths if isinstance(depths, str) else ", ".join(map(_plies, listed))
        raise BadDepth(f"the depths {shown!r} do not ascend: write the smallest first and each once, such as 1-6")
    return tuple(listed)


def _range(piece: str, text: str) -> list[int | None]:
    if piece == "end":
        return [None]
    low, dash, high = (part.strip() for part in piece.partition("-"))
    ends = [low, high] if dash else [low, low]
    if not all(end.isascii() and end.isdigit() and len(end) < 4 for end in ends):
        raise BadDepth(f"{text[:60]!r} is no list of depths: write it like 1-6, 3 or 2,4,6")
    if int(ends[0]) > int(ends[1]):
        raise BadDepth(f"the depths {piece!r} are backwards: write {high}-{low}")
    return list(range(int(ends[0]), int(ends[1]) + 1))


def depths_text(depths: tuple[int | None, ...]) -> str:
    """As `read_depths` reads it.

    >>> depths_text((1, 2, 3, 6, None))
    '1-3,6,end'
    """
    runs: list[list[int | None]] = []
    for depth in depths:
        if runs and depth is not None and runs[-1][-1] == depth - 1:
            runs[-1].append(depth)
        else:
            runs.append([depth])
    return ",".join(_plies(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def _plies(depth: int | None) -> str:
    return "end" if depth is None else str(depth)
