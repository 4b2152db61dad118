"""Boards as small SVG pictures, for the nodes of a tree: discs, marks and heaps are drawn, any other state is lines of text.

MAX has filled discs or crosses, MIN rings, so that they can be told apart without colours. A picture hangs from the middle of its
upper edge at 0,0.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from engine.games.protocol import show_state
from visualizer.drawing.board_data import kind_of, position_data
from visualizer.drawing.theme import BOARD_FONT, Palette
from visualizer.drawing.view import Shown, walk
from visualizer.text.escapes import plain, xml
from visualizer.text.widths import digits, short

# sizes in pixels
CELL, DISC = 9, 3.3  # of a Connect board, the radius of a disc
SQUARE, MARK = 14, 4.2  # of a tic-tac-toe board, half the size of a mark
HEAP, STICK, FIRST_STICK = 13, 4, 12  # height of a heap, from stick to stick, where they begin
MOST_STICKS = 24  # of a heap; a longer one ends with its number
FONT, LINE, LETTER = 9, 11, 5.6
MOST_LINES, LONGEST_LINE = 12, 40


class BoardPicture(NamedTuple):
    svg: str
    width: float
    height: float


def board_pictures(part: Shown) -> list[BoardPicture]:
    """The board of each item; nothing for a stub."""
    game, kind = part.tree.game, kind_of(part.tree.game)
    return [_picture(kind, game, state) for _, state, _ in walk(part.tree, part.row, part.parent)]


def rules(palette: Palette) -> dict[str, str]:
    """The CSS that the pictures need."""
    return {
        ".grid": f"fill:none;stroke:{palette.edge};stroke-width:1",
        ".disc": f"fill:{palette.lines[1]};stroke:none",
        ".cross": f"fill:none;stroke:{palette.lines[1]};stroke-width:1.8",
        ".ring": f"fill:none;stroke:{palette.lines[0]};stroke-width:1.8",
        ".stick": f"fill:none;stroke:{palette.text};stroke-width:2",
        ".board": f"font-family:{BOARD_FONT},monospace;font-size:{FONT}px;text-anchor:start;white-space:pre;fill:{palette.text}",
    }


def legend(game: Any) -> list[str]:
    """What explains the pictures."""
    marks = {"connect": "discs", "tictactoe": "crosses"}.get(kind_of(game))
    return [f"{marks}: MAX, rings: MIN"] if marks else []


def _picture(kind: str, game: Any, state: Any) -> BoardPicture:
    if state is None:
        return BoardPicture("", 0, 0)
    position = position_data(kind, game, state)
    if kind == "connect":
        return _connect(game, position)
    if kind == "tictactoe":
        return _tictactoe(position)
    if kind == "nim":
        return _nim(position["heaps"])
    return _text(show_state(game, state))


def _connect(game: Any, position: dict[str, Any]) -> BoardPicture:
    wide, high = game.cols * CELL, game.rows * CELL

    def middles(cells: list[list[int]]) -> list[tuple[float, float]]:
        return [((column + 0.5) * CELL - wide / 2, (game.rows - row - 0.5) * CELL) for column, row in cells]

    frame = f'<path class="grid" d="M{-wide / 2:g},0H{wide / 2:g}V{high}H{-wide / 2:g}Z"/>'
    discs = _path("disc", (_round(x, y, DISC) for x, y in middles(position["max"])))
    rings = _path("ring", (_round(x, y, DISC - 0.6) for x, y in middles(position["min"])))
    return BoardPicture(frame + discs + rings, wide, high)


def _tictactoe(position: dict[str, Any]) -> BoardPicture:
    size, lines = 3 * SQUARE, ""
    for at in (SQUARE, 2 * SQUARE):
        lines += f"M{at - size / 2:g},0V{size}M{-size / 2:g},{at}H{size / 2:g}"

    def middles(squares: list[int]) -> list[tuple[float, float]]:
        return [((square % 3 + 0.5) * SQUARE - size / 2, (square // 3 + 0.5) * SQUARE) for square in squares]

    crosses = (
        f"M{x - MARK:g},{y - MARK:g}l{2 * MARK:g},{2 * MARK:g}m0,{-2 * MARK:g}l{-2 * MARK:g},{2 * MARK:g}"
        for x, y in middles(position["max"])
    )
    rings = (_round(x, y, MARK) for x, y in middles(position["min"]))
    return BoardPicture(f'<path class="grid" d="{lines}"/>' + _path("cross", crosses) + _path("ring", rings), size, size)


def _nim(heaps: list[int]) -> BoardPicture:
    shown = [min(size, MOST_STICKS) for size in heaps]
    more = max((len(str(size)) + 1 for size in heaps if size > MOST_STICKS), default=0)
    wide = FIRST_STICK + max([3, *shown]) * STICK + more * LETTER
    left = -wide / 2
    words, sticks = "", []
    for heap, (size, drawn) in enumerate(zip(heaps, shown, strict=True)):
        base = (heap + 1) * HEAP - 3
        words += _words(left, base, f"{heap}:" if size else f"{heap}: –")
        sticks += [f"M{left + FIRST_STICK + (stick + 0.5) * STICK:g},{base + 1}v{4 - HEAP}" for stick in range(drawn)]
        if drawn < size:
            words += _words(left + FIRST_STICK + (drawn + 1) * STICK, base, str(size))
    return BoardPicture(words + _path("stick", sticks), wide, max(len(heaps), 1) * HEAP)


def _text(text: str) -> BoardPicture:
    lines = [short(plain(line), LONGEST_LINE) for line in text.split("\n")]
    lines = lines[:MOST_LINES] + ["…"] * (len(lines) > MOST_LINES)
    wide = max(digits(line) for line in lines) * LETTER
    return BoardPicture(
        "".join(_words(-wide / 2, (at + 1) * LINE - 2, line) for at, line in enumerate(lines)), wide, len(lines) * LINE
    )


def _words(x: float, y: float, text: str) -> str:
    return f'<text class="board" x="{x:g}" y="{y:g}">{xml(text)}</text>'


def _round(x: float, y: float, radius: float) -> str:
    return f"M{x - radius:g},{y:g}a{radius:g},{radius:g} 0 1 0 {2 * radius:g},0a{radius:g},{radius:g} 0 1 0 {-2 * radius:g},0"


def _path(name: str, pieces: Iterable[str]) -> str:
    drawn = "".join(pieces)
    return f'<path class="{name}" d="{drawn}"/>' if drawn else ""
