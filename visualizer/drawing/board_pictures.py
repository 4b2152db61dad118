"""Boards as small SVG pictures, for the nodes of a tree. A board that the game declares is drawn, any other state is written as
lines of text.

The discs of MIN are rings, so that the sides differ without colours. The origin of a picture is the middle of its upper
edge.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from engine.games.boards import CROSS, DISC, HOLES, LETTER, MAX, MIN, NO_SIDE, RING, Board, Piece, find_board, format_state
from engine.tree.tree import SearchTree
from visualizer.drawing.theme import BOARD_FONT, Palette
from visualizer.drawing.view import ViewItems, replay_items
from visualizer.narration.escapes import escape_xml, sanitize_line
from visualizer.narration.text_width import display_width, shorten_name

# sizes in pixels
CELL_SIZE, DISC_RADIUS = 9, 3.3  # of a board with holes
SQUARE_SIZE, MARK_RADIUS = 14, 4.2  # of a board of squares, half the size of a mark
HEAP_HEIGHT, STICK_STEP, FIRST_STICK_X = 13, 4, 12  # height of a heap, from stick to stick, where they begin
MAX_STICKS = 24  # of a heap; a longer one ends with its number
FONT_SIZE, LINE_HEIGHT, LETTER_WIDTH = 9, 11, 5.6
MAX_LINES, MAX_LINE_CHARS = 12, 40

DEFAULT_SIDE = {DISC: MAX, CROSS: MAX, RING: MIN}  # the side whose colour a shape has by default
PLURAL_NAMES = {DISC: "discs", CROSS: "crosses", RING: "rings"}


class BoardPicture(NamedTuple):
    svg: str
    width: float
    height: float


def draw_boards(part: ViewItems) -> list[BoardPicture]:
    """Return the board of each item. A stub has an empty picture."""
    game = part.tree.game
    return [_draw_board(game, state) for _, state, _ in replay_items(part.tree, part.row, part.parent)]


def board_css(palette: Palette, tree: SearchTree) -> dict[str, str]:
    """Return the CSS rules that the pictures of a tree need."""
    colours = {MAX: palette.lines[1], MIN: palette.lines[0], NO_SIDE: palette.text}
    always = {
        ".grid": f"fill:none;stroke:{palette.edge};stroke-width:1",
        ".disc": f"fill:{colours[MAX]};stroke:none",
        ".cross": f"fill:none;stroke:{colours[MAX]};stroke-width:1.8",
        ".ring": f"fill:none;stroke:{colours[MIN]};stroke-width:1.8",
        ".stick": f"fill:none;stroke:{palette.text};stroke-width:2",
        ".board": f"font-family:{BOARD_FONT},monospace;font-size:{FONT_SIZE}px;text-anchor:start;white-space:pre;"
        f"fill:{palette.text}",
    }
    for piece in _grid_pieces(tree):
        if " " in (name := _css_class(piece)):
            way = "stroke" if piece_shape(piece) in (CROSS, RING) else "fill"
            always["." + name.replace(" ", ".")] = f"{way}:{colours[piece.side]}"
    return always


def board_legend(tree: SearchTree) -> list[str]:
    """Return the legend of the pictures."""
    names: dict[str, dict[str, None]] = {}
    for piece in _grid_pieces(tree):
        if piece.side:
            names.setdefault(piece.side, {})[
                PLURAL_NAMES.get(piece_shape(piece)) or shorten_name(sanitize_line(piece.letter), 2)
            ] = None
    return [", ".join(f"{shorten_name(' '.join(listed))}: {side.upper()}" for side, listed in names.items())] if names else []


def _grid_pieces(tree: SearchTree) -> tuple[Piece, ...]:
    board = find_board(tree.game, tree.search.root)
    return board.pieces[1:] if board is not None and board.is_grid else ()


def piece_shape(piece: Piece) -> str:
    """Return the shape of a piece. Discs of MIN are rings."""
    return RING if piece.look == DISC and piece.side == MIN else piece.look


def _css_class(piece: Piece) -> str:
    shape = piece_shape(piece)
    if shape == LETTER:
        return f"board of-{piece.side or 'nobody'}"
    return shape if DEFAULT_SIDE[shape] == piece.side else f"{shape} of-{piece.side or 'nobody'}"


def _draw_board(game: Any, state: Any) -> BoardPicture:
    if state is None:
        return BoardPicture("", 0, 0)
    board = find_board(game, state)
    if board is None:
        return _draw_text(format_state(game, state))
    return _draw_grid(board) if board.is_grid else _draw_heaps(board)


def _draw_grid(board: Board) -> BoardPicture:
    size = CELL_SIZE if board.shape == HOLES else SQUARE_SIZE
    wide, high = board.cols * size, board.rows * size

    def middle(cell: int) -> tuple[float, float]:
        return (cell % board.cols + 0.5) * size - wide / 2, (cell // board.cols + 0.5) * size

    drawn = _draw_frame(board, wide, high)
    for content, piece in enumerate(board.pieces[1:], start=1):
        places = [middle(cell) for cell, there in enumerate(board.cells) if there == content]
        drawn += _draw_pieces(piece, board.shape == HOLES, places)
    return BoardPicture(drawn, wide, high)


def _draw_frame(board: Board, wide: int, high: int) -> str:
    if board.shape == HOLES:
        return f'<path class="grid" d="M{-wide / 2:g},0H{wide / 2:g}V{high}H{-wide / 2:g}Z"/>'
    lines = ""
    for at in range(1, max(board.rows, board.cols)):
        lines += f"M{at * SQUARE_SIZE - wide / 2:g},0V{high}" if at < board.cols else ""
        lines += f"M{-wide / 2:g},{at * SQUARE_SIZE}H{wide / 2:g}" if at < board.rows else ""
    return _path_element("grid", lines)


def _draw_pieces(piece: Piece, in_holes: bool, places: list[tuple[float, float]]) -> str:
    """Draw all pieces of one type."""
    shape, name = piece_shape(piece), _css_class(piece)
    radius = DISC_RADIUS if in_holes else MARK_RADIUS
    if shape == LETTER:
        letter = shorten_name(sanitize_line(piece.letter), 2)
        return "".join(
            _text_element(x - display_width(letter) * LETTER_WIDTH / 2, y + FONT_SIZE / 3, letter, name) for x, y in places
        )
    if shape == CROSS:
        return _path_element(name, (_cross_path(x, y, radius) for x, y in places))
    return _path_element(name, (_circle_path(x, y, radius - 0.6 if shape == RING and in_holes else radius) for x, y in places))


def _draw_heaps(board: Board) -> BoardPicture:
    heaps = board.cells
    shown = [min(size, MAX_STICKS) for size in heaps]
    more = max((len(str(size)) + 1 for size in heaps if size > MAX_STICKS), default=0)
    wide = FIRST_STICK_X + max([3, *shown]) * STICK_STEP + more * LETTER_WIDTH
    left = -wide / 2
    words, sticks = "", []
    for heap, (size, drawn) in enumerate(zip(heaps, shown, strict=True)):
        base = (heap + 1) * HEAP_HEIGHT - 3
        words += _text_element(left, base, f"{heap}:" if size else f"{heap}: –")
        sticks += [
            f"M{left + FIRST_STICK_X + (stick + 0.5) * STICK_STEP:g},{base + 1}v{4 - HEAP_HEIGHT}" for stick in range(drawn)
        ]
        if drawn < size:
            words += _text_element(left + FIRST_STICK_X + (drawn + 1) * STICK_STEP, base, str(size))
    return BoardPicture(words + _path_element("stick", sticks), wide, max(len(heaps), 1) * HEAP_HEIGHT)


def _draw_text(text: str) -> BoardPicture:
    lines = [shorten_name(sanitize_line(line), MAX_LINE_CHARS) for line in text.split("\n")]
    lines = lines[:MAX_LINES] + ["…"] * (len(lines) > MAX_LINES)
    wide = max(display_width(line) for line in lines) * LETTER_WIDTH
    return BoardPicture(
        "".join(_text_element(-wide / 2, (at + 1) * LINE_HEIGHT - 2, line) for at, line in enumerate(lines)),
        wide,
        len(lines) * LINE_HEIGHT,
    )


def _text_element(x: float, y: float, text: str, name: str = "board") -> str:
    return f'<text class="{name}" x="{x:g}" y="{y:g}">{escape_xml(text)}</text>'


def _cross_path(x: float, y: float, half: float) -> str:
    return f"M{x - half:g},{y - half:g}l{2 * half:g},{2 * half:g}m0,{-2 * half:g}l{-2 * half:g},{2 * half:g}"


def _circle_path(x: float, y: float, radius: float) -> str:
    return f"M{x - radius:g},{y:g}a{radius:g},{radius:g} 0 1 0 {2 * radius:g},0a{radius:g},{radius:g} 0 1 0 {-2 * radius:g},0"


def _path_element(name: str, pieces: Iterable[str]) -> str:
    drawn = "".join(pieces)
    return f'<path class="{name}" d="{drawn}"/>' if drawn else ""
