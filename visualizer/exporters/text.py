"""Text: one line per node, indented with lines. The style `values` is the format of the k-tables report: values only."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from engine.core.errors import PlyscopeError, UnknownName
from engine.record.columns import NONE, Turn
from engine.tree.tree import SearchTree
from visualizer.drawing.label_columns import (
    edge_labels,
    format_boards,
    format_hidden_counts,
    format_numbers,
    format_static_values,
    format_windows,
    sign_codes,
    skipped_move_names,
)
from visualizer.drawing.size_limits import MAX_BOARDS, check_size
from visualizer.drawing.view import View, ViewItems, select_items
from visualizer.narration.captions import BOUND_SIGNS, search_title, summarize_result
from visualizer.narration.escapes import sanitize_line
from visualizer.narration.numbers import file_number

EXTENSION = ".txt"
DESCRIPTION = "indented text: move, depth, window, value, cutoffs; style `values`: values only"
MEDIA_TYPE = "text/plain"
TEXT_STYLES = ("full", "values")
BLOCK_ITEMS = 1 << 17  # items whose labels are made at a time
STATUS_TEXTS = (
    "  not finished",
    "  terminal",
    "",
    "",
    "  cutoff",
    "  answered from the table",
    "  probe",
)  # in the order of STATUS_NAMES
VALUES_BRANCHES = (" │  ", "    ", " ├──", " └──")
FULL_BRANCHES = ("│   ", "    ", "├── ", "└── ")


def check_text_style(style: str = "full", states: bool = False) -> None:
    """Check that the style exists, and that it can show states if they are wanted."""
    if style not in TEXT_STYLES:
        raise UnknownName("text style", style, TEXT_STYLES)
    if states and style == "values":
        raise PlyscopeError("the text style 'values' holds values only: states go with the style 'full'")


def chunks(tree: SearchTree, view: View | None = None, style: str = "full", states: bool = False) -> Iterator[bytes]:
    """Return the text in pieces. `states` writes each node's state below it."""
    check_text_style(style, states)
    if style == "values":
        return _write_values(tree, view or View())
    if states:
        part = select_items(tree, replace(view or View(), stubs=False), every_pass=True)
        check_size("a .txt with states", len(part), MAX_BOARDS)
        return _insert_states(part, _write_full(tree, view or View()))
    return _write_full(tree, view or View())


def _write_values(tree: SearchTree, view: View) -> Iterator[bytes]:
    """Yield the tree byte for byte as the report prints it: `(value)` on each line, nothing about moves, windows or cutoffs."""
    from visualizer.exporters import line_writer

    part = select_items(tree, replace(view, stubs=False), every_pass=True)
    depth, is_last, prefixes = _prepare_branches(part)
    for start in range(0, len(part), BLOCK_ITEMS):
        block = slice(start, start + BLOCK_ITEMS)
        value = format_numbers(tree, tree.columns.value[part.row[block]], file_number)
        yield from line_writer.write_lines(
            [
                line_writer.Branches(depth[block], is_last[block], VALUES_BRANCHES),
                line_writer.Labels(value.codes, [f"({text})\n" for text in value.texts]),
            ],
            prefixes,
        )


def _write_full(tree: SearchTree, view: View) -> Iterator[bytes]:
    from visualizer.exporters import line_writer

    yield f"{search_title(tree)}\n{summarize_result(tree, view.is_whole)}\n\n".encode()
    part = select_items(tree, replace(view, stubs=False), every_pass=True)
    bound, names = sign_codes(tree), edge_labels(part)
    depth, is_last, prefixes = _prepare_branches(part)
    skipped = skipped_move_names(part) if view.stubs and tree.cutoffs else None
    for start in range(0, len(part), BLOCK_ITEMS):
        block = slice(start, start + BLOCK_ITEMS)
        row = part.row[block]
        fields: list[Any] = [
            line_writer.Branches(depth[block], is_last[block], FULL_BRANCHES),
            line_writer.Labels(names.codes[block], [sanitize_line(name) + "  " if name else "" for name in names.texts]),
            _side_and_depth_field(tree, row),
            *_window_fields(tree, row),
            line_writer.Labels(bound[row], [f"{sign or '='} " for sign in BOUND_SIGNS.values()]),
            _value_field(tree, row),
            line_writer.Labels(tree.status[row], STATUS_TEXTS),
        ]
        if len(tree.columns.static):
            static = format_static_values(tree, row, file_number)
            fields.append(line_writer.Labels(static.codes, [f"  may stand pat with {text}" for text in static.texts]))
        if skipped:
            length = skipped.length[block]
            fields += [
                line_writer.Labels(np.where(length > 0, 0, NONE), [", skipped "]),
                line_writer.Lists(
                    skipped.start[block], length, skipped.codes, [sanitize_line(name) for name in skipped.texts], ", "
                ),
            ]
        fields += [*_hidden_fields(part, block), line_writer.Labels(np.zeros(len(row), np.int32), ["\n"])]
        yield from line_writer.write_lines(fields, prefixes)


def _insert_states(part: ViewItems, pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the same lines, each with the lines of its state below it, indented like the children that follow."""
    head, _, body = b"".join(pieces).decode().partition("\n\n")
    yield f"{head}\n\n".encode()
    parents = np.zeros(len(part), np.bool_)
    parents[part.parent[part.parent >= 0]] = True
    start, below = len(FULL_BRANCHES[0]), {FULL_BRANCHES[2]: FULL_BRANCHES[0], FULL_BRANCHES[3]: FULL_BRANCHES[1]}
    for item, (line, state) in enumerate(zip(body.removesuffix("\n").split("\n"), format_boards(part), strict=True)):
        indent = start * int(part.depth[item])
        before = line[: max(0, indent - start)] + below.get(line[indent - start : indent], "")
        before += FULL_BRANCHES[0] if parents[item] else FULL_BRANCHES[1]
        yield "".join(
            f"{text.rstrip()}\n" for text in (line, *(before + sanitize_line(row) for row in state.split("\n")))
        ).encode()


def _side_and_depth_field(tree: SearchTree, row: np.ndarray) -> Any:
    from visualizer.exporters import line_writer

    depth = tree.depth[row].astype(np.int32)
    titles = [turn.name for turn in Turn]
    texts = [f"{side}  depth {number}  " for number in range(tree.height + 1) for side in titles]
    return line_writer.Labels(depth * len(titles) + tree.turn[row], texts)


def _window_fields(tree: SearchTree, row: np.ndarray) -> list[Any]:
    from visualizer.exporters import line_writer

    if tree.has_iterations:
        return [
            line_writer.Numbers(tree.visits[row]),
            line_writer.Labels(np.zeros(len(row), np.int32), [" visits  mean for MAX "]),
        ]
    if not len(tree.columns.alpha):
        return []
    alpha, beta = format_windows(tree, row, file_number)
    return [
        line_writer.Labels(alpha.codes, [f"[{text}, " for text in alpha.texts]),
        line_writer.Labels(beta.codes, [f"{text}]  " for text in beta.texts]),
    ]


def _value_field(tree: SearchTree, row: np.ndarray) -> Any:
    from visualizer.exporters import line_writer

    value = format_numbers(tree, tree.columns.value[row], file_number)
    return line_writer.Labels(value.codes, value.texts)


def _hidden_fields(part: ViewItems, block: slice) -> list[Any]:
    from visualizer.exporters import line_writer

    if part.view.is_whole:
        return []
    texts = format_hidden_counts(part.hidden[block], part.hidden_cutoffs[block])
    return [line_writer.Labels(texts.codes, [f"  {text}" if text else "" for text in texts.texts])]


def _prepare_branches(part: ViewItems) -> tuple[np.ndarray, np.ndarray, Any]:
    """Return the depths of the items, whether each is a last child among them, and the buffer for the text before a node."""
    from visualizer.exporters import line_writer

    is_last = np.empty(len(part), np.uint8)
    deepest = int(part.depth.max())
    line_writer.mark_last_children(part.depth, deepest, is_last)
    return part.depth, is_last, line_writer.BranchPrefixes(deepest)


@contextmanager
def discarding_writer() -> Iterator[Callable[[SearchTree], None]]:
    """Yield a function that writes a tree like the k-tables program, values only, into a discarded file, to measure the time."""
    with tempfile.TemporaryFile() as file:

        def write(tree: SearchTree) -> None:
            file.seek(0)
            file.truncate()
            for chunk in chunks(tree, style="values"):
                file.write(chunk)
            file.flush()

        yield write
