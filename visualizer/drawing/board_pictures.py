"""Boards as small SVG pictures, for the nodes of a tree: what a game declares is drawn, any other state is lines of text.

The discs of MIN are rings, so that they can be told apart without colours. A picture hangs from the middle of its upper edge at
0,0.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from engine.games.boards import CROSS, DISC, HOLES, LETTER, MAX, MIN, NOBODY, RING, Board, Piece, board_of, show_state
from engine.tree.tree import SearchTree
from visualizer.drawing.theme import BOARD_FONT, Palette
from visualizer.drawing.view import Shown, walk
from visualizer.narration.escapes import plain, xml
from visualizer.narration.text_width import digits, short

# sizes in pixels
CELL, DISC_RADIUS = 9, 3.3  # of a board with holes
SQUARE, MARK = 14, 4.2  # of a board of squares, half the size of a mark
HEAP, STICK, FIRST_STICK = 13, 4, 12  # height of a heap, from stick to stick, where they begin
MOST_STICKS = 24  # of a heap; a longer one ends with its number
FONT, LINE, LETTER_WIDTH = 9, 11, 5.6
MOST_LINES, LONGEST_LINE = 12, 40

USUAL_SIDE = {DISC: MAX, CROSS: MAX, RING: MIN}  # whose colour a look has unless it is told
PLURALS = {DISC: "discs", CROSS: "crosses", RING: "rings"}


class BoardPicture(NamedTuple):
    svg: str
    width: float
    height: float


def board_pictures(part: Shown) -> list[BoardPicture]:
    """The board of each item; nothing for a stub."""
    game = part.tree.game
    return [_picture(game, state) for _, state, _ in walk(part.tree, part.row, part.parent)]


def rules(palette: Palette, tree: SearchTree) -> dict[str, str]:
    """The CSS that the pictures of a tree need."""
    colours = {MAX: palette.lines[1], MIN: palette.lines[0], NOBODY: palette.text}
    always = {
        ".grid": f"fill:none;stroke:{palette.edge};stroke-width:1",
        ".disc": f"fill:{colours[MAX]};stroke:none",
        ".cross": f"fill:none;stroke:{colours[MAX]};stroke-width:1.8",
        ".ring": f"fill:none;stroke:{colours[MIN]};stroke-width:1.8",
        ".stick": f"fill:none;stroke:{palette.text};stroke-width:2",
        ".board": f"font-family:{BOARD_FONT},monospace;font-size:{FONT}px;text-anchor:start;white-space:pre;fill:{palette.text}",
    }
    for piece in _pieces(tree):
        if " " in (name := _class(piece)):
            way = "stroke" if _look(piece) in (CROSS, RING) else "fill"
            always["." + name.replace(" ", ".")] = f"{way}:{colours[piece.side]}"
    return always


def legend(tree: SearchTree) -> list[str]:
    """What explains the pictures."""
    names: dict[str, dict[str, None]] = {}
    for piece in _pieces(tree):
        if piece.side:
            names.setdefault(piece.side, {})[PLURALS.get(_look(piece)) or short(plain(piece.letter), 2)] = None
    return [", ".join(f"{short(' '.join(listed))}: {side.upper()}" for side, listed in names.items())] if names else []


def _pieces(tree: SearchTree) -> tuple[Piece, ...]:
    board = board_of(tree.game, tree.search.root)
    return board.pieces[1:] if board is not None and board.is_grid else ()


def _look(piece: Piece) -> str:
    return RING if piece.look == DISC and piece.side == MIN else piece.look


def _class(piece: Piece) -> str:
    look = _look(piece)
    if look == LETTER:
        return f"board of-{piece.side or 'nobody'}"
    return look if USUAL_SIDE[look] == piece.side else f"{look} of-{piece.side or 'nobody'}"


def _picture(game: Any, state: Any) -> BoardPicture:
    if state is None:
        return BoardPicture("", 0, 0)
    board = board_of(game, state)
    if board is None:
        return _text(show_state(game, state))
    return _grid(board) if board.is_grid else _heaps(board)


def _grid(board: Board) -> BoardPicture:
    size = CELL if board.shape == HOLES else SQUARE
    wide, high = board.cols * size, board.rows * size

    def middle(cell: int) -> tuple[float, float]:
        return (cell % board.cols + 0.5) * size - wide / 2, (cell // board.cols + 0.5) * size

    drawn = _frame(board, wide, high)
    for content, piece in enumerate(board.pieces[1:], start=1):
        places = [middle(cell) for cell, there in enumerate(board.cells) if there == content]
        drawn += _drawn(piece, board.shape == HOLES, places)
    return BoardPicture(drawn, wide, high)


def _frame(board: Board, wide: int, high: int) -> str:
    if board.shape == HOLES:
        return f'<path class="grid" d="M{-wide / 2:g},0H{wide / 2:g}V{high}H{-wide / 2:g}Z"/>'
    lines = ""
    for at in range(1, max(board.rows, board.cols)):
        lines += f"M{at * SQUARE - wide / 2:g},0V{high}" if at < board.cols else ""
        lines += f"M{-wide / 2:g},{at * SQUARE}H{wide / 2:g}" if at < board.rows else ""
    return _path("grid", lines)


def _drawn(piece: Piece, in_holes: bool, places: list[tuple[float, float]]) -> str:
    """All pieces of a kind."""
    look, name = _look(piece), _class(piece)
    radius = DISC_RADIUS if in_holes else MARK
    if look == LETTER:
        letter = short(plain(piece.letter), 2)
        return "".join(_words(x - digits(letter) * LETTER_WIDTH / 2, y + FONT / 3, letter, name) for x, y in places)
    if look == CROSS:
        return _path(name, (_cross(x, y, radius) for x, y in places))
    return _path(name, (_round(x, y, radius - 0.6 if look == RING and in_holes else radius) for x, y in places))


def _heaps(board: Board) -> BoardPicture:
    heaps = board.cells
    shown = [min(size, MOST_STICKS) for size in heaps]
    more = max((len(str(size)) + 1 for size in heaps if size > MOST_STICKS), default=0)
    wide = FIRST_STICK + max([3, *shown]) * STICK + more * LETTER_WIDTH
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
    wide = max(digits(line) for line in lines) * LETTER_WIDTH
    return BoardPicture(
        "".join(_words(-wide / 2, (at + 1) * LINE - 2, line) for at, line in enumerate(lines)), wide, len(lines) * LINE
    )


def _words(x: float, y: float, text: str, name: str = "board") -> str:
    return f'<text class="{name}" x="{x:g}" y="{y:g}">{xml(text)}</text>'


def _cross(x: float, y: float, half: float) -> str:
    return f"M{x - half:g},{y - half:g}l{2 * half:g},{2 * half:g}m0,{-2 * half:g}l{-2 * half:g},{2 * half:g}"


def _round(x: float, y: float, radius: float) -> str:
    return f"M{x - radius:g},{y:g}a{radius:g},{radius:g} 0 1 0 {2 * radius:g},0a{radius:g},{radius:g} 0 1 0 {-2 * radius:g},0"


def _path(name: str, pieces: Iterable[str]) -> str:
    drawn = "".join(pieces)
    return f'<path class="{name}" d="{drawn}"/>' if drawn else ""
