"""A board as the items of a scene, in the shapes of board_pictures: discs of MAX are filled, those of MIN are rings."""

from collections.abc import Iterator
from typing import NamedTuple

from engine.games.boards import CROSS, HOLES, LETTER, MAX, MIN, NO_SIDE, RING, Board, Piece
from visualizer.drawing.board_pictures import (
    CELL_SIZE,
    DISC_RADIUS,
    FIRST_STICK_X,
    FONT_SIZE,
    HEAP_HEIGHT,
    MARK_RADIUS,
    MAX_STICKS,
    SQUARE_SIZE,
    STICK_STEP,
    piece_shape,
)
from visualizer.drawing.scene import Item, Label, Line, Shape, circle_points, place_item
from visualizer.narration.escapes import sanitize_line
from visualizer.narration.text_width import shorten_name

Point = tuple[float, float]
SIDE_COLOURS = {MAX: "maxline", MIN: "minline", NO_SIDE: "text"}
MARK_LINE_WIDTH, GRID_LINE_WIDTH, STICK_LINE_WIDTH = 1.8, 0.6, 2.0
LAST_MOVE_SHARE = 1.25  # radius of the circle around the latest piece, of the piece


class BoardItems(NamedTuple):
    items: list[Item]
    width: float
    height: float


def draw_board(board: Board, last: tuple[int, ...], max_width: float, max_height: float) -> BoardItems:
    """Return the board as large as it fits, with its upper left corner at the origin. `last` are the cells of the latest move."""
    drawn = _draw_grid(board, last) if board.is_grid else _draw_heaps(board)
    scale = min(max_width / drawn.width, max_height / drawn.height)
    items = [place_item(item, 0, 0, scale) for item in drawn.items]
    scaled = [item._replace(width=item.width * scale) if isinstance(item, Line) else item for item in items]
    return BoardItems(scaled, drawn.width * scale, drawn.height * scale)


def _draw_grid(board: Board, last: tuple[int, ...]) -> BoardItems:
    in_holes = board.shape == HOLES
    size: float = CELL_SIZE if in_holes else SQUARE_SIZE
    wide, high = board.cols * size, board.rows * size
    items: list[Item] = [*_draw_frame(board, size, wide, high)]
    for cell, content in enumerate(board.cells):
        x, y = (cell % board.cols + 0.5) * size, (cell // board.cols + 0.5) * size
        if content:
            items += _draw_piece(board.pieces[content], in_holes, x, y, cell in last)
    if in_holes and board.labels:
        items += [
            Label((column + 0.5) * size, high + size * 0.65, shorten_name(sanitize_line(label), 2), "muted", size * 0.5, "middle")
            for column, label in enumerate(board.labels)
        ]
        high += size * 0.8
    return BoardItems(items, wide, high)


def _draw_frame(board: Board, size: float, wide: float, high: float) -> Iterator[Item]:
    if board.shape == HOLES:
        yield Line(((0, 0), (wide, 0), (wide, high), (0, high), (0, 0)), "edge", GRID_LINE_WIDTH / 2)
        for cell, content in enumerate(board.cells):
            if not content:
                x, y = (cell % board.cols + 0.5) * size, (cell // board.cols + 0.5) * size
                yield Shape(circle_points(x, y, DISC_RADIUS), "even")
        return
    for at in range(1, board.cols):
        yield Line(((at * size, 0), (at * size, high)), "edge", GRID_LINE_WIDTH)
    for at in range(1, board.rows):
        yield Line(((0, at * size), (wide, at * size)), "edge", GRID_LINE_WIDTH)


def _draw_piece(piece: Piece, in_holes: bool, x: float, y: float, is_last: bool) -> Iterator[Item]:
    shape, colour, radius = piece_shape(piece), SIDE_COLOURS[piece.side], DISC_RADIUS if in_holes else MARK_RADIUS
    if shape == LETTER:
        letter = shorten_name(sanitize_line(piece.letter), 2)
        yield Label(x, y + FONT_SIZE / 3, letter, colour, FONT_SIZE, "middle", bold=is_last)
    elif shape == CROSS:
        for way in (1, -1):
            yield Line(((x - radius, y - way * radius), (x + radius, y + way * radius)), colour, MARK_LINE_WIDTH)
    elif shape == RING:
        outline = circle_points(x, y, radius - (0.6 if in_holes else 0))
        yield Line((*outline, outline[0]), colour, MARK_LINE_WIDTH)
    else:
        yield Shape(circle_points(x, y, radius), colour)
    if is_last and shape != LETTER:
        outline = circle_points(x, y, radius * LAST_MOVE_SHARE)
        yield Line((*outline, outline[0]), "text", GRID_LINE_WIDTH / 2)


def _draw_heaps(board: Board) -> BoardItems:
    shown = [min(size, MAX_STICKS) for size in board.cells]
    wide = FIRST_STICK_X + (max([3, *shown]) + 4) * STICK_STEP
    items: list[Item] = []
    for heap, (size, drawn) in enumerate(zip(board.cells, shown, strict=True)):
        base = (heap + 1) * HEAP_HEIGHT - 3
        items.append(Label(0, base, f"{heap}:" if size else f"{heap}: –", "text", FONT_SIZE))
        for stick in range(drawn):
            x = FIRST_STICK_X + (stick + 0.5) * STICK_STEP
            items.append(Line(((x, base + 1), (x, base + 5 - HEAP_HEIGHT)), "text", STICK_LINE_WIDTH))
        if drawn < size:
            items.append(Label(FIRST_STICK_X + (drawn + 1) * STICK_STEP, base, str(size), "text", FONT_SIZE))
    return BoardItems(items, wide, max(len(board.cells), 1) * HEAP_HEIGHT)
