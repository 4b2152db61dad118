"""The tree of an exercise on paper, blank or solved. Every node has a letter, which names it in the keys."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from string import ascii_letters
from typing import NamedTuple

import numpy as np

from engine.games.chance_outcomes import format_probability
from engine.learning.exercise import answer_key
from engine.learning.exercise_types.mistake import ANSWER_PART as FIRST_WRONG
from engine.learning.exercise_types.mistake import faulty_search, map_record_rows
from engine.learning.model import Exercise
from engine.learning.row_mapping import list_nodes
from visualizer.drawing.pdf_pages import text_width
from visualizer.drawing.scene import Item, Label, Line, Scene, Shape, place_item
from visualizer.drawing.tidy_layout import lay_out_tree
from visualizer.narration.numbers import format_number

# sizes in pixels
TRIANGLE_WIDTH, TRIANGLE_HEIGHT = 26, 22
LEAF_WIDTH, LEAF_HEIGHT = 30, 19
SLOT_WIDTH, SLOT_HEIGHT = 34, 21  # fits a handwritten number
WIDE_SLOT_WIDTH = 62  # fits a number with four decimals
SIGN_WIDTH = 11  # α or β before it
NODE_GAP = 8  # between two nodes
EDGE_HEIGHT = 46  # from a node down to its children
LABEL_PLACE = 0.66  # of a probability on its line, where lines side by side are far enough apart
NAME_HEIGHT = 11  # the line with the letter of a leaf
PLAIN_LEAF_HEIGHT = LEAF_HEIGHT + NAME_HEIGHT  # of a leaf with nothing written below it
LINE_HEIGHT = 12
VALUE_SIZE, NAME_SIZE, NOTE_SIZE = 12, 9.5, 10
SOLUTION_COLOUR, NOTE_COLOUR = "series2", "text"  # solutions are only in the key
CHANCE_COLOUR = "text"
Point = tuple[float, float]


class Slot(NamedTuple):
    """A box for an answer: the sign before it, and the right answer."""

    sign: str
    text: str
    width: float = SLOT_WIDTH


@dataclass
class Marks:
    """The marks at the nodes, by row."""

    slots: dict[int, list[Slot]] = field(default_factory=dict)
    notes: dict[int, list[str]] = field(default_factory=dict)  # on sheet and key
    crossed: set[int] = field(default_factory=set)  # out, on sheet and key
    solution_crosses: set[int] = field(default_factory=set)  # only in the key
    solution_rings: set[int] = field(default_factory=set)  # only in the key


def node_letter(row: int) -> str:
    """Return the letter of a node on paper."""
    return ascii_letters[26:][row] if row < 26 else ascii_letters[row - 26]


# ---- marks, by type of exercise


def _value_marks(exercise: Exercise) -> Marks:
    return Marks({int(part): [Slot("", format_number(value))] for part, value in answer_key(exercise).items()})


def _expectation_marks(exercise: Exercise) -> Marks:
    slots = {int(part): [Slot("", format_number(value), WIDE_SLOT_WIDTH)] for part, value in answer_key(exercise).items()}
    return Marks(slots)


def _window_marks(exercise: Exercise) -> Marks:
    slots = {
        int(part): [Slot("α", format_number(alpha)), Slot("β", format_number(beta))]
        for part, (alpha, beta) in answer_key(exercise).items()
    }
    return Marks(slots, crossed=set(range(len(exercise.full_tree))) - set(exercise.visited_rows))


def _pruned_marks(exercise: Exercise) -> Marks:
    return Marks(solution_crosses={int(part) for part in answer_key(exercise)})


def _order_marks(exercise: Exercise) -> Marks:
    """Return the marks of an order: each child has its rank."""
    slots = {}
    for part, order in answer_key(exercise).items():
        children = exercise.full_tree.child_rows(int(part))
        for rank, index in enumerate(order, start=1):
            slots[children[index]] = [Slot("", str(rank))]
    return Marks(slots)


def _mistake_marks(exercise: Exercise) -> Marks:
    """Return the marks of the faulty record: window and value of every call."""
    record, notes = faulty_search(exercise), {}
    for row, full_row in enumerate(map_record_rows(exercise)):
        node = record[row]
        window = [format_number(node.alpha), format_number(node.beta)]
        leaf = exercise.full_tree[full_row].is_leaf
        notes[full_row] = (
            [f"α {window[0]}", f"β {window[1]}"] if leaf else [f"[{', '.join(window)}]", f"= {format_number(node.value)}"]
        )
    return Marks(
        notes=notes, crossed=set(range(len(exercise.full_tree))) - set(notes), solution_rings={answer_key(exercise)[FIRST_WRONG]}
    )


def find_selected_row(exercise: Exercise) -> int:
    """Return the row of the child of the root that MCTS selects."""
    return exercise.full_tree.child_rows(0)[answer_key(exercise)["0"]]


def _note_visits(exercise: Exercise) -> dict[int, list[str]]:
    """Return visits and mean of every node of a search in iterations."""
    return {int(node): [f"n {node.visits}", f"{node.mean:.2f}"] for node in list_nodes(exercise.full_tree)}


def _ucb_marks(exercise: Exercise) -> Marks:
    return Marks(notes=_note_visits(exercise), solution_rings={find_selected_row(exercise)})


def _backup_marks(exercise: Exercise) -> Marks:
    slots = {
        int(part): [Slot("n", format_number(visits)), Slot("m", format_number(mean))]
        for part, (visits, mean) in answer_key(exercise).items()
    }
    return Marks(slots, notes=_note_visits(exercise))


MARK_BUILDERS: dict[str, Callable[[Exercise], Marks]] = {
    "values": _value_marks,
    "expectation": _expectation_marks,
    "window": _window_marks,
    "pruned": _pruned_marks,
    "chance-cut": _pruned_marks,
    "order": _order_marks,
    "mistake": _mistake_marks,
    "ucb": _ucb_marks,
    "backup": _backup_marks,
}


# ---- the legend

LEGEND_WIDTH = 640  # pixels: it fits the narrowest page
LEGEND_GAP, LEGEND_ROW = 32, 28
LEGEND_SLACK = 24  # browsers may have wider letters
KINDS_WITH_BOXES, KINDS_WITH_WINDOWS = ("values", "expectation", "window", "order", "backup"), ("window", "mistake")
KINDS_WITH_CHANCE = ("expectation", "chance-cut")


def draw_legend(kinds: Collection[str]) -> Scene:
    """Draw what the symbols on a sheet with these types of exercises mean. It is the same on the sheet and in the key."""
    entries: list[tuple[str, str]] = [("up", "MAX to move"), ("down", "MIN to move"), ("leaf", "leaf with its value")]
    if any(kind in KINDS_WITH_CHANCE for kind in kinds):
        entries += [("circle", "chance"), ("probability", "probability")]
    entries += [("letter", "name of a node")]
    if any(kind in KINDS_WITH_BOXES for kind in kinds):
        entries.append(("box", "your answer"))
    if any(kind in KINDS_WITH_WINDOWS for kind in kinds):
        entries += [("cross", "never visited"), ("window", "window on entry")]
    items: list[Item] = []
    x, y, right = 0.0, 0.0, 0.0
    for symbol, words in entries:
        symbol_items, symbol_width = _legend_symbol(symbol)
        width = symbol_width + 6 + text_width(words, NOTE_SIZE)
        if x + width + LEGEND_SLACK > LEGEND_WIDTH:
            x, y = 0.0, y + LEGEND_ROW
        items += [place_item(item, x, y, 1) for item in symbol_items]
        items.append(Label(x + symbol_width + 6, y + 16, words, NOTE_COLOUR, NOTE_SIZE))
        right = max(right, x + width)
        x += width + LEGEND_GAP
    return Scene("legend", int(right) + LEGEND_SLACK, int(y) + LEGEND_ROW, tuple(items))


def _legend_symbol(symbol: str) -> tuple[list[Item], float]:
    """Return a symbol of the legend as it is drawn in a tree, and its width."""
    bottom, middle = TRIANGLE_HEIGHT, TRIANGLE_WIDTH / 2
    if symbol == "up":
        return [Shape(((0, bottom), (TRIANGLE_WIDTH, bottom), (middle, 0)), "max5", filled=False)], TRIANGLE_WIDTH
    if symbol == "down":
        return [Shape(((0, 0), (TRIANGLE_WIDTH, 0), (middle, bottom)), "min5", filled=False)], TRIANGLE_WIDTH
    if symbol == "circle":
        return [Shape(_circle(middle, bottom / 2, bottom / 2), CHANCE_COLOUR, filled=False)], TRIANGLE_WIDTH
    if symbol in ("leaf", "box"):
        width, height = (LEAF_WIDTH, LEAF_HEIGHT) if symbol == "leaf" else (SLOT_WIDTH, SLOT_HEIGHT)
        return [Shape(((0, 1), (width, 1), (width, 1 + height), (0, 1 + height)), "edge", filled=False)], width
    if symbol == "cross":
        return [Line(((0, 1), (24, 20)), "edge"), Line(((0, 20), (24, 1)), "edge")], 24
    text, colour = {"letter": ("A", "muted"), "probability": ("1/2", "text"), "window": ("α, β", "text")}[symbol]
    return [Label(0, 16, text, colour, NOTE_SIZE)], text_width(text, NOTE_SIZE)


# ---- layout


def draw_exercise_tree(exercise: Exercise, solved: bool) -> Scene:
    """Draw the tree. All positions are the same on the sheet and in the key."""
    tree, marks = exercise.full_tree, MARK_BUILDERS[exercise.kind](exercise)
    depth = tree.columns.depth.astype(np.int64)
    leaves = [tree[row].is_leaf for row in range(len(tree))]
    beside = [0.0 if leaf else _width_beside(marks, row) for row, leaf in enumerate(leaves)]
    wide = [_leaf_width(marks, row) if leaf else TRIANGLE_WIDTH + beside[row] for row, leaf in enumerate(leaves)]
    x = _place_nodes(
        depth,
        np.array(wide) + NODE_GAP,
        [row for row, leaf in enumerate(leaves) if leaf and _leaf_height(marks, row) > PLAIN_LEAF_HEIGHT],
    )
    middles = [float(at) if leaf else float(at) - extra / 2 for at, extra, leaf in zip(x, beside, leaves, strict=True)]
    y = [4.0 + int(level) * (TRIANGLE_HEIGHT + EDGE_HEIGHT) for level in depth]
    items: list[Item] = []
    for row in range(1, len(tree)):
        above = tree.path(row)[-2]
        ends = (middles[above], y[above] + TRIANGLE_HEIGHT), (middles[row], y[row])
        items += _draw_outcome(tree[row].probability, *ends) if tree[above].turn == "chance" else [Line(ends, "edge")]
    for row, leaf in enumerate(leaves):
        items += _draw_crosses_and_rings(row, middles[row], y[row], marks, solved)  # below the text, which stays legible
        items += (_draw_leaf if leaf else _draw_inner_node)(exercise, row, middles[row], y[row], marks, solved)
    bottom = max(
        at + _leaf_height(marks, row) if leaf else at + TRIANGLE_HEIGHT
        for row, (at, leaf) in enumerate(zip(y, leaves, strict=True))
    )
    width = max(float(at) + space / 2 for at, space in zip(x, wide, strict=True)) + NODE_GAP
    side = "MAX" if tree[0].maximizing else "MIN"
    return Scene(f"a tree with {side} at the root and {tree.leaves} leaves", int(width) + 1, int(bottom) + 4, tuple(items))


def _draw_outcome(probability: float, upper: Point, lower: Point) -> list[Item]:
    """Draw the line to an outcome, with its probability in a gap: lines and labels beside it do not touch the label there."""
    (left, top), (right, bottom) = upper, lower

    def at(share: float) -> Point:
        return left + share * (right - left), top + share * (bottom - top)

    half = (NOTE_SIZE + 3) / 2 / (bottom - top)
    x, y = at(LABEL_PLACE)
    lines = [Line((upper, at(LABEL_PLACE - half)), "edge"), Line((at(LABEL_PLACE + half), lower), "edge")]
    return [*lines, Label(x, y + NOTE_SIZE * 0.36, format_probability(probability), "text", NOTE_SIZE, "middle")]


def _circle(x: float, y: float, radius: float) -> tuple[Point, ...]:
    """Return a circle as a polygon."""
    return tuple(
        (float(x + radius * np.cos(turn)), float(y + radius * np.sin(turn))) for turn in np.linspace(0, 2 * np.pi, 33)[:-1]
    )


def _place_nodes(depth: np.ndarray, wide: np.ndarray, tall: list[int]) -> np.ndarray:
    """Return the x of the middle of each node.

    The space below a tall leaf stays free: it is laid out as if it had a child.
    """
    below = np.array(tall, np.int64) + 1
    order = np.insert(np.arange(len(depth)), below, -1)
    return lay_out_tree(np.insert(depth, below, depth[tall] + 1), np.insert(wide, below, wide[tall]))[order >= 0]


def _width_beside(marks: Marks, row: int) -> float:
    """Return the width that is needed beside an inner node."""
    slots = sum(slot.width + 4 + (SIGN_WIDTH if slot.sign else 0) for slot in marks.slots.get(row, []))
    notes = max((text_width(note, NOTE_SIZE) for note in marks.notes.get(row, [])), default=0)
    return slots + (notes + 4 if notes else 0)


def _leaf_width(marks: Marks, row: int) -> float:
    slots = max((slot.width + (2 * SIGN_WIDTH if slot.sign else 0) for slot in marks.slots.get(row, [])), default=0)
    notes = max((text_width(note, NOTE_SIZE) for note in marks.notes.get(row, [])), default=0)
    return float(max(LEAF_WIDTH, slots, notes))


def _leaf_height(marks: Marks, row: int) -> float:
    """Return the height of a leaf with its letter, slots and notes."""
    return (
        LEAF_HEIGHT
        + NAME_HEIGHT
        + len(marks.slots.get(row, [])) * (SLOT_HEIGHT + 3)
        + len(marks.notes.get(row, [])) * LINE_HEIGHT
    )


def _draw_inner_node(exercise: Exercise, row: int, x: float, y: float, marks: Marks, solved: bool) -> list[Item]:
    left, right, top, bottom = x - TRIANGLE_WIDTH / 2, x + TRIANGLE_WIDTH / 2, y, y + TRIANGLE_HEIGHT
    corners, colour, baseline = {
        "max": (((left, bottom), (right, bottom), (x, top)), "max5", 18),
        "min": (((left, top), (right, top), (x, bottom)), "min5", 11),
        "chance": (_circle(x, (top + bottom) / 2, TRIANGLE_HEIGHT / 2), CHANCE_COLOUR, 14.5),
    }[exercise.full_tree[row].turn]
    items: list[Item] = [Shape(corners, colour, filled=False)]
    items.append(Label(x, y + baseline, node_letter(row), "muted", NAME_SIZE, "middle"))
    at = right + 4
    for slot in marks.slots.get(row, []):
        items += _draw_slot(at, y + (TRIANGLE_HEIGHT - SLOT_HEIGHT) / 2, slot, solved)
        at += slot.width + 4 + (SIGN_WIDTH if slot.sign else 0)
    for place, note in enumerate(marks.notes.get(row, [])):
        items.append(Label(at, y + 9 + place * LINE_HEIGHT, note, NOTE_COLOUR, NOTE_SIZE))
    return items


def _draw_leaf(exercise: Exercise, row: int, x: float, y: float, marks: Marks, solved: bool) -> list[Item]:
    left, right, bottom = x - LEAF_WIDTH / 2, x + LEAF_WIDTH / 2, y + LEAF_HEIGHT
    items: list[Item] = [Shape(((left, y), (right, y), (right, bottom), (left, bottom)), "edge", filled=False)]
    items.append(Label(x, y + 14, format_number(exercise.full_tree[row].value), "text", VALUE_SIZE, "middle"))
    items.append(Label(x, bottom + 9, node_letter(row), "muted", NAME_SIZE, "middle"))
    at = bottom + NAME_HEIGHT
    for slot in marks.slots.get(row, []):
        items += _draw_slot(x - slot.width / 2 - (SIGN_WIDTH if slot.sign else 0), at, slot, solved)
        at += SLOT_HEIGHT + 3
    for place, note in enumerate(marks.notes.get(row, [])):
        items.append(Label(x, at + 9 + place * LINE_HEIGHT, note, NOTE_COLOUR, NOTE_SIZE, "middle"))
    return items


def _draw_slot(x: float, y: float, slot: Slot, solved: bool) -> list[Item]:
    """Draw a box to write into. If solved, it contains the answer."""
    items: list[Item] = []
    if slot.sign:
        items.append(Label(x, y + 15, slot.sign, "text", NOTE_SIZE))
        x += SIGN_WIDTH
    items.append(
        Shape(((x, y), (x + slot.width, y), (x + slot.width, y + SLOT_HEIGHT), (x, y + SLOT_HEIGHT)), "edge", filled=False)
    )
    if solved:
        items.append(Label(x + slot.width / 2, y + 15, slot.text, SOLUTION_COLOUR, VALUE_SIZE, "middle", True))
    return items


def _draw_crosses_and_rings(row: int, x: float, y: float, marks: Marks, solved: bool) -> list[Item]:
    items: list[Item] = []
    middle, reach = y + TRIANGLE_HEIGHT / 2 - 1, 15
    if row in marks.crossed or (solved and row in marks.solution_crosses):
        colour, width = ("edge", 1) if row in marks.crossed else (SOLUTION_COLOUR, 1.4)
        items.append(Line(((x - reach, middle - 11), (x + reach, middle + 11)), colour, width))
        items.append(Line(((x - reach, middle + 11), (x + reach, middle - 11)), colour, width))
    if solved and row in marks.solution_rings:
        ring = [(x + 21 * np.cos(turn), middle + 17 * np.sin(turn)) for turn in np.linspace(0, 2 * np.pi, 25)[:-1]]
        items.append(Shape(tuple((float(at), float(down)) for at, down in ring), SOLUTION_COLOUR, filled=False))
    return items
