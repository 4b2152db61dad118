"""The compiled writer behind every format of one line or more per node: it writes labels and numbers into a buffer of bytes.

A format describes an item as a list of fields. `write_lines` writes them one after the other for each item, chunk by chunk, so
memory stays bounded. A field is a column of labels (`Labels`), of integers (`Numbers`), of lists of labels (`Lists`), or the
branches drawn in front of a node (`Branches`).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numba.extending import overload, register_jitable

from engine.compiled.numba_compat import WORD_BYTES, CompiledRowFunction, copy_word
from engine.tree.tree import SearchTree
from visualizer.drawing.label_columns import format_numbers

CHUNK_BYTES = 1 << 20
LABELS, NUMBERS, LISTS, BRANCHES = range(4)
GROUP_SIZE = np.uint32(10_000)
FOUR_DIGIT_TABLE = np.frombuffer(b"".join(b"%04d" % group for group in range(10_000)) + b"0000", np.uint8)
MAX_NUMBER_BYTES = 12  # a whole number of 32 bits with its sign, and one to spare


class Labels(NamedTuple):
    """A column of labels: text number codes[i] for item i, no text for a code of -1."""

    codes: np.ndarray
    texts: Sequence[str]


class Numbers(NamedTuple):
    """A column of integers, and the text before each."""

    values: np.ndarray
    before: str = ""


class Lists(NamedTuple):
    """A column of lists of labels. Item i has length[i] codes, from items[start[i]] on. `gap` stands between their texts."""

    start: np.ndarray
    length: np.ndarray
    items: np.ndarray
    texts: Sequence[str]
    gap: str


class Branches(NamedTuple):
    """The lines from the root to a node.

    The texts are: past an ancestor that is not last, past one that is, at a node, at a last node.
    """

    depth: np.ndarray
    is_last: np.ndarray
    texts: tuple[str, str, str, str]


Field = Labels | Numbers | Lists | Branches


def number_field(tree: SearchTree, stored: np.ndarray, write: Callable[[float], str]) -> Labels | Numbers:
    """Return a field with the numbers of an optional column; `write` formats fractions."""
    if stored.dtype.kind != "f":
        return Numbers(stored)
    return Labels(*format_numbers(tree, stored, write))


class FieldArrays(NamedTuple):
    """The fields packed into arrays."""

    codes: np.ndarray  # a row per field: label, number, or start of a list; depth for branches
    kinds: np.ndarray
    counts: np.ndarray  # row 0: whether an item is a last child, for branches; row 1: the lengths of lists
    first: np.ndarray  # label 0 of each field in the table
    items: np.ndarray  # of lists
    bytes: np.ndarray  # all labels
    start: np.ndarray  # of each label, and the end of the last


def write_lines(fields: Iterable[Field], prefixes: "BranchPrefixes | None" = None) -> Iterator[bytes]:
    """Yield the fields of item 0, of item 1 and so on, in chunks of about a megabyte."""
    program, longest = _pack_fields(list(fields))
    prefixes = prefixes or BranchPrefixes(0)
    items = program.codes.shape[1]
    longest += prefixes.bytes.shape[1] + WORD_BYTES
    buffer = np.empty(CHUNK_BYTES + longest, np.uint8)
    item = 0
    while item < items:
        item, size = _write_items(*program, prefixes.bytes, prefixes.size, item, buffer, len(buffer) - longest)
        yield buffer[:size].tobytes()


class BranchPrefixes:
    """The bytes before the branch of a node, for each depth. They persist from one block of items to the next."""

    def __init__(self, height: int, widest: int = 8):
        self.bytes = np.zeros((1, (height + 2) * widest + WORD_BYTES), np.uint8)
        self.size = np.zeros(height + 3, np.int64)


def _pack_fields(fields: list[Field]) -> tuple[FieldArrays, int]:
    items = max(len(field[0]) for field in fields)
    codes, counts = np.zeros((len(fields), items), np.int32), np.zeros((2, items), np.int32)
    kinds, first = np.zeros(len(fields), np.int32), np.zeros(len(fields), np.int64)
    listed = np.zeros(0, np.int32)
    labels: list[bytes] = []
    longest = 0
    for index, field in enumerate(fields):
        first[index] = len(labels)
        codes[index] = field[0]
        if isinstance(field, Numbers):
            kinds[index] = NUMBERS
            labels.append(field.before.encode())
            longest += MAX_NUMBER_BYTES + len(labels[-1])
            continue
        own = [*field.texts, field.gap] if isinstance(field, Lists) else list(field.texts)
        codes_used = field.items if isinstance(field, Lists) else field[0] if isinstance(field, Labels) else np.zeros(0, np.int32)
        if len(codes_used) and codes_used.max() >= len(field.texts):  # the compiled writer would read past the table
            raise IndexError(f"field {index} has {len(field.texts)} texts, and an item asks for number {codes_used.max()}")
        max_labels = 1
        if isinstance(field, Lists):
            kinds[index], listed = LISTS, field.items
            max_labels = 2 * int(field.length.max(initial=0)) + 1
        if isinstance(field, Branches):
            kinds[index] = BRANCHES
        if not isinstance(field, Labels):
            counts[1 if isinstance(field, Lists) else 0] = field[1]
        encoded = [text.encode("utf-8", "replace") for text in own]
        longest += max_labels * max(map(len, encoded), default=0)
        labels += encoded
    start = np.zeros(len(labels) + 1, np.int64)
    np.cumsum([len(label) for label in labels], out=start[1:])
    table = np.frombuffer(b"".join(labels) + bytes(WORD_BYTES), np.uint8)
    return FieldArrays(codes, kinds, counts, first, listed, table, start), longest


def _copy_label(table, begin, stop, buffer, at):
    """Copy a label. Return the position after it."""
    end = at + stop - begin
    buffer[at:end] = table[begin:stop]
    return end


@overload(_copy_label)
def _copy_label_by_words(table, begin, stop, buffer, at):
    """Copy a label by words. Surplus bytes are overwritten by the next label, and both ends have space for them."""

    def copy(table, begin, stop, buffer, at):
        end = at + stop - begin
        while at < end:
            copy_word(table, begin, buffer, at)  # type: ignore[call-arg]
            begin += WORD_BYTES
            at += WORD_BYTES
        return end

    return copy


@register_jitable
def _write_four_digits(group, skip, buffer, at):
    """Write the four digits of a group from `skip` on. Surplus bytes are overwritten by the next label."""
    first = np.int64(group) * 4 + skip
    buffer[at] = FOUR_DIGIT_TABLE[first]
    buffer[at + 1] = FOUR_DIGIT_TABLE[first + 1]
    buffer[at + 2] = FOUR_DIGIT_TABLE[first + 2]
    buffer[at + 3] = FOUR_DIGIT_TABLE[first + 3]
    return at + 4 - skip


@register_jitable
def _write_leading_digits(group, buffer, at):
    return _write_four_digits(group, int(group < 1000) + int(group < 100) + int(group < 10), buffer, at)


@register_jitable
def _write_number(value, buffer, at):
    """Write an integer in groups of four digits, from a table: a division per digit costs more than all the rest."""
    left = np.uint32(abs(np.int64(value)))
    if value < 0:
        buffer[at] = 45
        at += 1
    upper = np.uint32(left // GROUP_SIZE)
    low = left - upper * GROUP_SIZE
    if upper == 0:
        return _write_leading_digits(low, buffer, at)
    top = np.uint32(upper // GROUP_SIZE)
    middle = upper - top * GROUP_SIZE
    if top == 0:
        at = _write_leading_digits(middle, buffer, at)
    else:
        at = _write_leading_digits(top, buffer, at)
        at = _write_four_digits(middle, 0, buffer, at)
    return _write_four_digits(low, 0, buffer, at)


@CompiledRowFunction
def _write_items(codes, kinds, counts, first, listed, table, start, prefixes, prefix_size, item, buffer, limit):
    """Write items from `item` on until `limit` bytes are passed. Return the next item and the bytes written.

    The gap of a list is the label behind its texts. Branches at depth d stand behind `prefix_size[d]` bytes of the prefix, which
    the latest node at depth d-1 left there.
    """
    at = 0
    prefix = prefixes[0]
    items = codes.shape[1]
    fields = len(kinds)
    while item < items and at < limit:
        for field in range(fields):
            code = codes[field, item]
            kind = kinds[field]
            if kind == LABELS:
                if code >= 0:
                    label = first[field] + code
                    at = _copy_label(table, start[label], start[label + 1], buffer, at)
            elif kind == NUMBERS:
                label = first[field]
                at = _copy_label(table, start[label], start[label + 1], buffer, at)
                at = _write_number(code, buffer, at)
            elif kind == LISTS:
                gap = first[field + 1] - 1 if field + 1 < fields else len(start) - 2
                for number in range(counts[1, item]):
                    if number > 0:
                        at = _copy_label(table, start[gap], start[gap + 1], buffer, at)
                    label = first[field] + listed[code + number]
                    at = _copy_label(table, start[label], start[label + 1], buffer, at)
            elif code > 0:
                size = prefix_size[code]
                at = _copy_label(prefix, 0, size, buffer, at)
                label = first[field] + 2 + counts[0, item]
                at = _copy_label(table, start[label], start[label + 1], buffer, at)
                label = first[field] + counts[0, item]
                prefix_size[code + 1] = _copy_label(table, start[label], start[label + 1], prefix, size)
        item += 1
    return item, at


@CompiledRowFunction
def mark_last_children(depth, deepest, is_last):
    """Mark the items that have no later sibling."""
    later = np.zeros(deepest + 2, np.bool_)
    for item in range(len(depth) - 1, -1, -1):
        level = np.int64(depth[item])
        is_last[item] = not later[level]
        later[level] = True
        later[level + 1] = False
