"""A picture of a view: what is written at each node, and where everything goes, in pixels."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from engine.record.columns import NONE, TERMINAL
from engine.tree.tree import SearchTree
from visualizer.drawing.board_pictures import BoardPicture, board_pictures
from visualizer.drawing.label_columns import NOTHING_ELSEWHERE, Coded, hidden_texts, move_names, numbers, window_texts, with_parts
from visualizer.drawing.view import STUB, Shown
from visualizer.narration.captions import result, title
from visualizer.narration.numbers import drawn_number
from visualizer.narration.text_width import LONGEST_NAME, digits

# sizes in pixels
HEIGHT = 34  # of a triangle
NARROWEST = 36.0  # triangle
STUB_SIZE = 20
NODE_WIDTH, STUB_WIDTH = NARROWEST + 8, STUB_SIZE + 10.0  # with the gaps between them, at least
DOUBLE = 6  # how far the outer line of a doubled triangle stands out at the side
VALUE_FONT, MOVE_FONT, NOTE_FONT = 12, 11, 10
DIGIT = 0.65  # width of a character, of its font's size
LINE = 12  # of notes
BOARD_GAP = 5  # above and below a board
EDGE = 50  # from a node down to its children, at least
ABOVE = 20  # of that for the move, right above the node
MARGIN = 16
CAPTION = 56
LEGEND = 40
FLAT = 7  # edges that run further sideways than this many times down are drawn with corners


class Drawing(NamedTuple):
    """Where everything goes."""

    part: Shown
    x: np.ndarray  # middle
    y: np.ndarray  # top of the triangle
    notes: np.ndarray  # where what is written below it ends, from y
    below: np.ndarray  # where edges to the children begin, from y
    lowest: np.ndarray  # the greatest of these at its depth
    triangle: float  # width
    width: int
    height: int
    corners: bool  # edges go down, sideways, down


class Texts(NamedTuple):
    """What is written at the items."""

    sign: np.ndarray
    value: Coded
    move: Coded
    alpha: Coded | None
    beta: Coded | None
    hidden: Coded
    boards: list[BoardPicture]


def texts_of(part: Shown, windows: bool, boards: bool = False, elsewhere: Mapping[int, int] = NOTHING_ELSEWHERE) -> Texts:
    """All that is written; windows only if they are wanted and known, boards if they are wanted.

    `elsewhere`: for rows whose subtrees other parts of the tree show, the numbers of those parts.
    """
    tree, row = part.tree, part.row
    is_node = part.kind != STUB
    value = numbers(tree, tree.columns.value[row], drawn_number)
    alpha = beta = None
    if windows and len(tree.columns.alpha):
        alpha, beta = window_texts(tree, row, drawn_number)
    move = move_names(part)
    hidden = hidden_texts(part.hidden, part.hidden_cutoffs)
    return Texts(
        np.where(is_node, tree.bound[row], NONE),
        Coded(np.where(is_node, value.codes, NONE), value.texts),
        Coded(np.where(part.parent >= 0, move.codes, NONE), move.texts),
        alpha,
        beta,
        with_parts(hidden, part.row, elsewhere) if elsewhere else hidden,
        board_pictures(part) if boards else [],
    )


def draw(part: Shown, texts: Texts, frame: bool = True) -> Drawing:
    """A place for everything: wide enough for its own text, no wider. `frame`: with a caption above and a legend below."""
    from visualizer.drawing.tidy_layout import tidy

    is_node = part.kind != STUB
    longest = max((len(text) for text in texts.value.texts), default=1) + bool((texts.sign > 0).any())
    triangle = max(NARROWEST, (longest * VALUE_FONT * DIGIT + 4) / 0.58)  # the value stands where 58% of the base is left
    wide = np.where(is_node, triangle - NARROWEST + NODE_WIDTH, STUB_WIDTH)
    wide[is_node & (part.tree.status[part.row] == TERMINAL)] += 2 * DOUBLE
    wide = np.maximum(wide, _lengths(texts.move, LONGEST_NAME) * MOVE_FONT * DIGIT + 10)
    lines = np.zeros(len(part), np.int32)
    if texts.alpha and texts.beta:
        window = (_lengths(texts.alpha) + _lengths(texts.beta) + 3.5) * NOTE_FONT * DIGIT + 10
        wide = np.maximum(wide, np.where(is_node, window, 0))
        lines += is_node
    hidden = Coded(texts.hidden.codes, [max(text.split(", "), key=len) for text in texts.hidden.texts])
    wide = np.maximum(wide, _lengths(hidden) * NOTE_FONT * DIGIT + 10)
    lines += np.array([text.count(",") + 1 if text else 0 for text in texts.hidden.texts], np.int32)[texts.hidden.codes]

    notes = HEIGHT + lines * LINE + np.where(lines > 0, 6, 0)
    below = notes
    if texts.boards:
        size = np.array([(board.width, board.height) for board in texts.boards])
        wide = np.maximum(wide, size[:, 0] + 12)
        notes = _lowest(part, notes)  # all boards of a depth at one height
        below = notes + np.where(is_node, np.ceil(size[:, 1]).astype(np.int64) + 2 * BOARD_GAP, 0)

    x = tidy(part.depth, wide)
    step = int(below.max()) + EDGE
    y = (CAPTION if frame else MARGIN) + part.depth.astype(np.int64) * step
    span = np.abs(x[1:] - x[part.parent[1:]]).max(initial=0.0)
    right = int((x + wide / 2).max())
    least = max(len(title(part.tree)) * 14, len(result(part.tree, part.view.is_whole)) * 12) * DIGIT if frame else 0
    offset = max(0.0, (least - right) / 2) + MARGIN
    width = int(max(right, least)) + 2 * MARGIN
    height = int((y + below).max()) + MARGIN + (legend_height(part.tree) if frame else 0)
    corners = bool(span > FLAT * EDGE) or _crowded(part)
    x, y = np.round(x + offset).astype(np.int32), y.astype(np.int32)
    return Drawing(part, x, y, notes, below, _lowest(part, below), triangle, width, height, corners)


def legend_height(tree: SearchTree) -> int:
    """Two lines; one more for a search of several passes, and one for nodes that go back to earlier ones."""
    return LEGEND + 14 * bool(tree.notes) + 14 * (len(tree.columns.link) > 0)


def _lowest(part: Shown, below: np.ndarray) -> np.ndarray:
    levels = np.zeros(int(part.depth.max()) + 1, below.dtype)
    np.maximum.at(levels, part.depth, below)
    return levels[part.depth]


def _lengths(texts: Coded, most: int = 10_000) -> np.ndarray:
    """The width of each item's text in digits."""
    return np.array([digits(text[:most]) for text in [*texts.texts, ""]], np.int32)[texts.codes]


def _crowded(part: Shown) -> bool:
    """So many children that straight edges would run through their neighbours' labels."""
    return len(part) > 1 and int(np.bincount(part.parent[1:]).max()) > 9
