"""The layout of a picture of a view: the texts of each node, and all coordinates, in pixels."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from engine.record.columns import NONE, TERMINAL
from engine.tree.tree import SearchTree
from visualizer.drawing.board_pictures import BoardPicture, draw_boards
from visualizer.drawing.label_columns import (
    NO_OTHER_PARTS,
    TextColumn,
    add_part_numbers,
    choose_value_format,
    edge_labels,
    format_notes,
    format_numbers,
    format_windows,
    sign_codes,
)
from visualizer.drawing.view import STUB, ViewItems
from visualizer.narration.captions import search_title, summarize_result
from visualizer.narration.numbers import drawn_number
from visualizer.narration.text_width import MAX_NAME_CHARS, display_width

# sizes in pixels
TRIANGLE_HEIGHT = 34  # of a triangle
MIN_TRIANGLE_WIDTH = 36.0  # triangle
STUB_SIZE = 20
NODE_WIDTH, STUB_WIDTH = MIN_TRIANGLE_WIDTH + 8, STUB_SIZE + 10.0  # with the gaps between them, at least
DOUBLE_OVERHANG = 6  # how far the outer line of a doubled triangle stands out at the side
VALUE_FONT, MOVE_FONT, NOTE_FONT = 12, 11, 10
DIGIT_WIDTH = 0.65  # width of a character, of its font's size
NOTE_LINE_HEIGHT = 12  # of notes
BOARD_GAP = 5  # above and below a board
MIN_EDGE_HEIGHT = 50  # from a node down to its children, at least
MOVE_HEIGHT = 20  # of that for the move, right above the node
MARGIN = 16
CAPTION_HEIGHT = 56
LEGEND_HEIGHT = 40
MAX_STRAIGHT_RATIO = 7  # edges that run further sideways than this many times down are drawn with corners


class TreeLayout(NamedTuple):
    """The coordinates of all items in a picture of a view."""

    part: ViewItems
    x: np.ndarray  # middle
    y: np.ndarray  # top of the triangle
    notes: np.ndarray  # lower edge of the text below it, from y
    below: np.ndarray  # start of the edges to its children, from y
    lowest: np.ndarray  # the greatest of these at its depth
    triangle: float  # width
    width: int
    height: int
    corners: bool  # edges go down, sideways, down


class NodeTexts(NamedTuple):
    """The texts at the items."""

    sign: np.ndarray
    value: TextColumn
    move: TextColumn
    alpha: TextColumn | None
    beta: TextColumn | None
    hidden: TextColumn
    boards: list[BoardPicture]


def make_node_texts(
    part: ViewItems, windows: bool, boards: bool = False, elsewhere: Mapping[int, int] = NO_OTHER_PARTS
) -> NodeTexts:
    """Return the texts of a view: windows only if they are wanted and known, boards if they are wanted.

    `elsewhere` maps rows whose subtrees are shown in other parts to the numbers of those parts.
    """
    tree, row = part.tree, part.row
    is_node = part.kind != STUB
    value = format_numbers(tree, tree.columns.value[row], choose_value_format(tree, drawn_number))
    alpha = beta = None
    if windows and len(tree.columns.alpha):
        alpha, beta = format_windows(tree, row, drawn_number)
    move = edge_labels(part)
    hidden = format_notes(part)
    return NodeTexts(
        np.where(is_node, sign_codes(tree)[row], NONE),
        TextColumn(np.where(is_node, value.codes, NONE), value.texts),
        TextColumn(np.where(part.parent >= 0, move.codes, NONE), move.texts),
        alpha,
        beta,
        add_part_numbers(hidden, part.row, elsewhere) if elsewhere else hidden,
        draw_boards(part) if boards else [],
    )


def lay_out_view(part: ViewItems, texts: NodeTexts, frame: bool = True) -> TreeLayout:
    """Lay out a view: every item is as wide as its own text needs. `frame` adds a caption above and a legend below."""
    from visualizer.drawing.tidy_layout import lay_out_tree

    is_node = part.kind != STUB
    longest = max((len(text) for text in texts.value.texts), default=1) + bool((texts.sign > 0).any())
    triangle = max(
        MIN_TRIANGLE_WIDTH, (longest * VALUE_FONT * DIGIT_WIDTH + 4) / 0.58
    )  # the value stands where 58% of the base is left
    wide = np.where(is_node, triangle - MIN_TRIANGLE_WIDTH + NODE_WIDTH, STUB_WIDTH)
    wide[is_node & (part.tree.status[part.row] == TERMINAL)] += 2 * DOUBLE_OVERHANG
    wide = np.maximum(wide, _text_widths(texts.move, MAX_NAME_CHARS) * MOVE_FONT * DIGIT_WIDTH + 10)
    lines = np.zeros(len(part), np.int32)
    if texts.alpha and texts.beta:
        window = (_text_widths(texts.alpha) + _text_widths(texts.beta) + 3.5) * NOTE_FONT * DIGIT_WIDTH + 10
        wide = np.maximum(wide, np.where(is_node, window, 0))
        lines += is_node
    hidden = TextColumn(texts.hidden.codes, [max(text.split(", "), key=len) for text in texts.hidden.texts])
    wide = np.maximum(wide, _text_widths(hidden) * NOTE_FONT * DIGIT_WIDTH + 10)
    lines += np.array([text.count(",") + 1 if text else 0 for text in texts.hidden.texts], np.int32)[texts.hidden.codes]

    notes = TRIANGLE_HEIGHT + lines * NOTE_LINE_HEIGHT + np.where(lines > 0, 6, 0)
    below = notes
    if texts.boards:
        size = np.array([(board.width, board.height) for board in texts.boards])
        wide = np.maximum(wide, size[:, 0] + 12)
        notes = _max_by_depth(part, notes)  # all boards of a depth at one height
        below = notes + np.where(is_node, np.ceil(size[:, 1]).astype(np.int64) + 2 * BOARD_GAP, 0)

    x = lay_out_tree(part.depth, wide)
    step = int(below.max()) + MIN_EDGE_HEIGHT
    y = (CAPTION_HEIGHT if frame else MARGIN) + part.depth.astype(np.int64) * step
    span = np.abs(x[1:] - x[part.parent[1:]]).max(initial=0.0)
    right = int((x + wide / 2).max())
    min_width = (
        max(len(search_title(part.tree)) * 14, len(summarize_result(part.tree, part.view.is_whole)) * 12) * DIGIT_WIDTH
        if frame
        else 0
    )
    offset = max(0.0, (min_width - right) / 2) + MARGIN
    width = int(max(right, min_width)) + 2 * MARGIN
    height = int((y + below).max()) + MARGIN + (legend_height(part.tree) if frame else 0)
    corners = bool(span > MAX_STRAIGHT_RATIO * MIN_EDGE_HEIGHT) or _is_crowded(part)
    x, y = np.round(x + offset).astype(np.int32), y.astype(np.int32)
    return TreeLayout(part, x, y, notes, below, _max_by_depth(part, below), triangle, width, height, corners)


def legend_height(tree: SearchTree) -> int:
    """Return the height of the legend: two lines, one more for a search of several passes, and one more for back links."""
    return LEGEND_HEIGHT + 14 * bool(tree.notes) + 14 * (len(tree.columns.link) > 0)


def _max_by_depth(part: ViewItems, below: np.ndarray) -> np.ndarray:
    """Return for each item the maximum of these numbers at its depth."""
    levels = np.zeros(int(part.depth.max()) + 1, below.dtype)
    np.maximum.at(levels, part.depth, below)
    return levels[part.depth]


def _text_widths(texts: TextColumn, max_chars: int = 10_000) -> np.ndarray:
    """Return the width of each item's text in digits."""
    return np.array([display_width(text[:max_chars]) for text in [*texts.texts, ""]], np.int32)[texts.codes]


def _is_crowded(part: ViewItems) -> bool:
    """Return True if a node has so many children that straight edges would run through their neighbours' labels."""
    return len(part) > 1 and int(np.bincount(part.parent[1:]).max()) > 9
