"""The tree of an exercise on paper: blank, with room to write, or solved. Every node has a letter, by which keys name it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from string import ascii_letters
from typing import NamedTuple

import numpy as np

from engine.learning.exercise import key
from engine.learning.exercise_types.mistake import PART as FIRST_WRONG
from engine.learning.exercise_types.mistake import record_of, shown_rows
from engine.learning.model import Exercise
from visualizer.drawing.pdf_pages import text_width
from visualizer.drawing.scene import Item, Label, Line, Shape, Sketch
from visualizer.drawing.tidy_layout import tidy
from visualizer.narration.numbers import number

# sizes in pixels
TRIANGLE, HEIGHT = 26, 22
LEAF_WIDTH, LEAF_HEIGHT = 30, 19
ROOM, ROOM_HEIGHT = 34, 21  # to write a number by hand
SIGN = 11  # α or β before it
GAP = 8  # between two nodes
EDGE = 46  # from a node down to its children
NAME = 11  # the line with the letter of a leaf
DEEP = LEAF_HEIGHT + NAME  # what a leaf takes if nothing is written below it
LINE = 12
VALUE_SIZE, NAME_SIZE, NOTE_SIZE = 12, 9.5, 10
SOLVED, GIVEN = "series2", "text"  # colours: of what the key adds, and of what everybody sees


class Slot(NamedTuple):
    """A number that is asked for: a sign before it, and what belongs there."""

    sign: str
    text: str


@dataclass
class Marks:
    """What is written at the nodes, by row."""

    slots: dict[int, list[Slot]] = field(default_factory=dict)
    notes: dict[int, list[str]] = field(default_factory=dict)  # that everybody sees
    crossed: set[int] = field(default_factory=set)  # out, for everybody
    answers: set[int] = field(default_factory=set)  # crossed out by who knows
    ringed: set[int] = field(default_factory=set)


def letter(row: int) -> str:
    """The name of a node on paper."""
    return ascii_letters[26:][row] if row < 26 else ascii_letters[row - 26]


# ---- what is written, by kind


def _values(exercise: Exercise) -> Marks:
    return Marks({int(part): [Slot("", number(value))] for part, value in key(exercise).items()})


def _windows(exercise: Exercise) -> Marks:
    slots = {int(part): [Slot("α", number(alpha)), Slot("β", number(beta))] for part, (alpha, beta) in key(exercise).items()}
    return Marks(slots, crossed=set(range(len(exercise.whole))) - set(exercise.visited))


def _pruned(exercise: Exercise) -> Marks:
    return Marks(answers={int(part) for part in key(exercise)})


def _order(exercise: Exercise) -> Marks:
    """At each child, as which it is tried."""
    slots = {}
    for part, order in key(exercise).items():
        children = exercise.whole.child_rows(int(part))
        for rank, place in enumerate(order, start=1):
            slots[children[place]] = [Slot("", str(rank))]
    return Marks(slots)


def _mistake(exercise: Exercise) -> Marks:
    """The record as it is: window and value of every call."""
    record, notes = record_of(exercise), {}
    for row, place in enumerate(shown_rows(exercise)):
        node = record[row]
        window = [number(node.alpha), number(node.beta)]
        leaf = exercise.whole[place].is_leaf
        notes[place] = [f"α {window[0]}", f"β {window[1]}"] if leaf else [f"[{', '.join(window)}]", f"= {number(node.value)}"]
    return Marks(notes=notes, crossed=set(range(len(exercise.whole))) - set(notes), ringed={key(exercise)[FIRST_WRONG]})


MARKS: dict[str, Callable[[Exercise], Marks]] = {
    "values": _values,
    "window": _windows,
    "pruned": _pruned,
    "order": _order,
    "mistake": _mistake,
}


# ---- where it goes


def tree_sketch(exercise: Exercise, solved: bool) -> Sketch:
    """The picture; the same places whether blank or solved."""
    whole, marks = exercise.whole, MARKS[exercise.kind](exercise)
    depth = whole.columns.depth.astype(np.int64)
    leaves = [whole[row].is_leaf for row in range(len(whole))]
    beside = [0.0 if leaf else _beside(marks, row) for row, leaf in enumerate(leaves)]
    wide = [_leaf_width(marks, row) if leaf else TRIANGLE + beside[row] for row, leaf in enumerate(leaves)]
    x = _places(depth, np.array(wide) + GAP, [row for row, leaf in enumerate(leaves) if leaf and _below(marks, row) > DEEP])
    middles = [float(at) if leaf else float(at) - extra / 2 for at, extra, leaf in zip(x, beside, leaves, strict=True)]
    y = [4.0 + int(level) * (HEIGHT + EDGE) for level in depth]
    items: list[Item] = []
    for row in range(1, len(whole)):
        above = whole.path(row)[-2]
        items.append(Line(((middles[above], y[above] + HEIGHT), (middles[row], y[row])), "edge"))
    for row, leaf in enumerate(leaves):
        items += _crosses_and_rings(row, middles[row], y[row], marks, solved)  # below the words: those stay legible
        items += (_leaf if leaf else _inner)(exercise, row, middles[row], y[row], marks, solved)
    bottom = max(at + _below(marks, row) if leaf else at + HEIGHT for row, (at, leaf) in enumerate(zip(y, leaves, strict=True)))
    width = max(float(at) + space / 2 for at, space in zip(x, wide, strict=True)) + GAP
    side = "MAX" if whole[0].maximizing else "MIN"
    return Sketch(f"a tree with {side} at the root and {whole.leaves} leaves", int(width) + 1, int(bottom) + 4, tuple(items))


def _places(depth: np.ndarray, wide: np.ndarray, tall: list[int]) -> np.ndarray:
    """The middle of each node. Below the tall leaves nothing else stands: each is laid out with a node below it."""
    below = np.array(tall, np.int64) + 1
    order = np.insert(np.arange(len(depth)), below, -1)
    return tidy(np.insert(depth, below, depth[tall] + 1), np.insert(wide, below, wide[tall]))[order >= 0]


def _beside(marks: Marks, row: int) -> float:
    """The room that is needed beside an inner node."""
    slots = sum(ROOM + 4 + (SIGN if slot.sign else 0) for slot in marks.slots.get(row, []))
    notes = max((text_width(note, NOTE_SIZE) for note in marks.notes.get(row, [])), default=0)
    return slots + (notes + 4 if notes else 0)


def _leaf_width(marks: Marks, row: int) -> float:
    slots = max((ROOM + (2 * SIGN if slot.sign else 0) for slot in marks.slots.get(row, [])), default=0)
    notes = max((text_width(note, NOTE_SIZE) for note in marks.notes.get(row, [])), default=0)
    return float(max(LEAF_WIDTH, slots, notes))


def _below(marks: Marks, row: int) -> float:
    """How far down a leaf goes."""
    return LEAF_HEIGHT + NAME + len(marks.slots.get(row, [])) * (ROOM_HEIGHT + 3) + len(marks.notes.get(row, [])) * LINE


def _inner(exercise: Exercise, row: int, x: float, y: float, marks: Marks, solved: bool) -> list[Item]:
    left, right, top, bottom = x - TRIANGLE / 2, x + TRIANGLE / 2, y, y + HEIGHT
    up = exercise.whole[row].maximizing
    corners = ((left, bottom), (right, bottom), (x, top)) if up else ((left, top), (right, top), (x, bottom))
    items: list[Item] = [Shape(corners, "max5" if up else "min5", filled=False)]
    items.append(Label(x, y + (18 if up else 11), letter(row), "muted", NAME_SIZE, "middle"))
    at = right + 4
    for slot in marks.slots.get(row, []):
        items += _room(at, y + (HEIGHT - ROOM_HEIGHT) / 2, slot, solved)
        at += ROOM + 4 + (SIGN if slot.sign else 0)
    for place, note in enumerate(marks.notes.get(row, [])):
        items.append(Label(right + 4, y + 9 + place * LINE, note, GIVEN, NOTE_SIZE))
    return items


def _leaf(exercise: Exercise, row: int, x: float, y: float, marks: Marks, solved: bool) -> list[Item]:
    left, right, bottom = x - LEAF_WIDTH / 2, x + LEAF_WIDTH / 2, y + LEAF_HEIGHT
    items: list[Item] = [Shape(((left, y), (right, y), (right, bottom), (left, bottom)), "edge", filled=False)]
    items.append(Label(x, y + 14, number(exercise.whole[row].value), "text", VALUE_SIZE, "middle"))
    items.append(Label(x, bottom + 9, letter(row), "muted", NAME_SIZE, "middle"))
    at = bottom + NAME
    for slot in marks.slots.get(row, []):
        items += _room(x - ROOM / 2 - (SIGN if slot.sign else 0), at, slot, solved)
        at += ROOM_HEIGHT + 3
    for place, note in enumerate(marks.notes.get(row, [])):
        items.append(Label(x, bottom + NAME + 9 + place * LINE, note, GIVEN, NOTE_SIZE, "middle"))
    return items


def _room(x: float, y: float, slot: Slot, solved: bool) -> list[Item]:
    """A frame to write into, or with what belongs there."""
    items: list[Item] = []
    if slot.sign:
        items.append(Label(x, y + 15, slot.sign, "text", NOTE_SIZE))
        x += SIGN
    items.append(Shape(((x, y), (x + ROOM, y), (x + ROOM, y + ROOM_HEIGHT), (x, y + ROOM_HEIGHT)), "edge", filled=False))
    if solved:
        items.append(Label(x + ROOM / 2, y + 15, slot.text, SOLVED, VALUE_SIZE, "middle", True))
    return items


def _crosses_and_rings(row: int, x: float, y: float, marks: Marks, solved: bool) -> list[Item]:
    items: list[Item] = []
    middle, reach = y + HEIGHT / 2 - 1, 15
    if row in marks.crossed or (solved and row in marks.answers):
        colour, width = ("edge", 1) if row in marks.crossed else (SOLVED, 1.4)
        items.append(Line(((x - reach, middle - 11), (x + reach, middle + 11)), colour, width))
        items.append(Line(((x - reach, middle + 11), (x + reach, middle - 11)), colour, width))
    if solved and row in marks.ringed:
        ring = [(x + 21 * np.cos(turn), middle + 17 * np.sin(turn)) for turn in np.linspace(0, 2 * np.pi, 25)[:-1]]
        items.append(Shape(tuple((float(at), float(down)) for at, down in ring), SOLVED, filled=False))
    return items
