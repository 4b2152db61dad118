"""Text: one line per node, indented with lines. Style `values` is the format of the k-tables report: values only."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from engine.core.errors import PlyscopeError, UnknownName
from engine.record.columns import NONE
from engine.tree.tree import SearchTree
from visualizer.drawing.label_columns import boards, hidden_texts, move_names, numbers, skipped_names, static_values, window_texts
from visualizer.drawing.size_limits import MAX_BOARDS, check_size
from visualizer.drawing.view import Shown, View, shown
from visualizer.narration.captions import SIGNS, result, title
from visualizer.narration.escapes import plain
from visualizer.narration.numbers import file_number

EXTENSION = ".txt"
DESCRIPTION = "indented text: move, depth, window, value, cutoffs; style `values`: values only"
MEDIA_TYPE = "text/plain"
STYLES = ("full", "values")
BLOCK = 1 << 17  # items whose labels are made at a time
STATUS_TEXTS = ("  not finished", "  terminal", "", "", "  cutoff", "  answered from the table")  # in the order of STATUS_NAMES
VALUES_BRANCHES = (" │  ", "    ", " ├──", " └──")
FULL_BRANCHES = ("│   ", "    ", "├── ", "└── ")


def check_text_style(style: str = "full", states: bool = False) -> None:
    """Refuse a style that does not exist, or that has no place for states."""
    if style not in STYLES:
        raise UnknownName("text style", style, STYLES)
    if states and style == "values":
        raise PlyscopeError("the text style 'values' holds values only: states go with the style 'full'")


def chunks(tree: SearchTree, view: View | None = None, style: str = "full", states: bool = False) -> Iterator[bytes]:
    """The text, piece by piece. `states` writes each node's state below it."""
    check_text_style(style, states)
    if style == "values":
        return _values(tree, view or View())
    if states:
        part = shown(tree, replace(view or View(), stubs=False), every_pass=True)
        check_size("a .txt with states", len(part), MAX_BOARDS)
        return _with_states(part, _full(tree, view or View()))
    return _full(tree, view or View())


def _values(tree: SearchTree, view: View) -> Iterator[bytes]:
    """Byte for byte as the report prints a tree: `(value)` on each line, nothing about moves, windows or cutoffs."""
    from visualizer.exporters import line_writer

    part = shown(tree, replace(view, stubs=False), every_pass=True)
    depth, is_last, prefixes = _branches(part)
    for start in range(0, len(part), BLOCK):
        block = slice(start, start + BLOCK)
        value = numbers(tree, tree.columns.value[part.row[block]], file_number)
        yield from line_writer.lines(
            [
                line_writer.Branches(depth[block], is_last[block], VALUES_BRANCHES),
                line_writer.Labels(value.codes, [f"({text})\n" for text in value.texts]),
            ],
            prefixes,
        )


def _full(tree: SearchTree, view: View) -> Iterator[bytes]:
    from visualizer.exporters import line_writer

    yield f"{title(tree)}\n{result(tree, view.is_whole)}\n\n".encode()
    part = shown(tree, replace(view, stubs=False), every_pass=True)
    bound, names = tree.bound, move_names(part)
    depth, is_last, prefixes = _branches(part)
    skipped = skipped_names(part) if view.stubs and tree.cutoffs else None
    for start in range(0, len(part), BLOCK):
        block = slice(start, start + BLOCK)
        row = part.row[block]
        fields: list[Any] = [
            line_writer.Branches(depth[block], is_last[block], FULL_BRANCHES),
            line_writer.Labels(names.codes[block], [plain(name) + "  " if name else "" for name in names.texts]),
            _side_and_depth(tree, row),
            *_window(tree, row),
            line_writer.Labels(bound[row], [f"{sign or '='} " for sign in SIGNS.values()]),
            _value(tree, row),
            line_writer.Labels(tree.status[row], STATUS_TEXTS),
        ]
        if len(tree.columns.static):
            static = static_values(tree, row, file_number)
            fields.append(line_writer.Labels(static.codes, [f"  may stand pat with {text}" for text in static.texts]))
        if skipped:
            length = skipped.length[block]
            fields += [
                line_writer.Labels(np.where(length > 0, 0, NONE), [", skipped "]),
                line_writer.Lists(skipped.start[block], length, skipped.codes, [plain(name) for name in skipped.texts], ", "),
            ]
        fields += [*_hidden(part, block), line_writer.Labels(np.zeros(len(row), np.int32), ["\n"])]
        yield from line_writer.lines(fields, prefixes)


def _with_states(part: Shown, pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The same lines, each with the lines of its state below it, indented like the children that follow."""
    head, _, body = b"".join(pieces).decode().partition("\n\n")
    yield f"{head}\n\n".encode()
    parents = np.zeros(len(part), np.bool_)
    parents[part.parent[part.parent >= 0]] = True
    start, below = len(FULL_BRANCHES[0]), {FULL_BRANCHES[2]: FULL_BRANCHES[0], FULL_BRANCHES[3]: FULL_BRANCHES[1]}
    for item, (line, state) in enumerate(zip(body.removesuffix("\n").split("\n"), boards(part), strict=True)):
        indent = start * int(part.depth[item])
        before = line[: max(0, indent - start)] + below.get(line[indent - start : indent], "")
        before += FULL_BRANCHES[0] if parents[item] else FULL_BRANCHES[1]
        yield "".join(f"{text.rstrip()}\n" for text in (line, *(before + plain(row) for row in state.split("\n")))).encode()


def _side_and_depth(tree: SearchTree, row: np.ndarray) -> Any:
    from visualizer.exporters import line_writer

    depth = tree.depth[row].astype(np.int32)
    texts = [f"{side}  depth {number}  " for number in range(tree.height + 1) for side in ("MIN", "MAX")]
    return line_writer.Labels(depth * 2 + tree.maximizing[row], texts)


def _window(tree: SearchTree, row: np.ndarray) -> list[Any]:
    from visualizer.exporters import line_writer

    if not len(tree.columns.alpha):
        return []
    alpha, beta = window_texts(tree, row, file_number)
    return [
        line_writer.Labels(alpha.codes, [f"[{text}, " for text in alpha.texts]),
        line_writer.Labels(beta.codes, [f"{text}]  " for text in beta.texts]),
    ]


def _value(tree: SearchTree, row: np.ndarray) -> Any:
    from visualizer.exporters import line_writer

    value = numbers(tree, tree.columns.value[row], file_number)
    return line_writer.Labels(value.codes, value.texts)


def _hidden(part: Shown, block: slice) -> list[Any]:
    from visualizer.exporters import line_writer

    if part.view.is_whole:
        return []
    texts = hidden_texts(part.hidden[block], part.hidden_cutoffs[block])
    return [line_writer.Labels(texts.codes, [f"  {text}" if text else "" for text in texts.texts])]


def _branches(part: Shown) -> tuple[np.ndarray, np.ndarray, Any]:
    """Depths of the items, whether each is a last child among them, and the memory for what stands before a node."""
    from visualizer.exporters import line_writer

    is_last = np.empty(len(part), np.uint8)
    deepest = int(part.depth.max())
    line_writer.last_children(part.depth, deepest, is_last)
    return part.depth, is_last, line_writer.Prefixes(deepest)


@contextmanager
def thrown_away() -> Iterator[Callable[[SearchTree], None]]:
    """Writes a tree as the k-tables program did, values only, into a file that is thrown away: for timing."""
    with tempfile.TemporaryFile() as file:

        def write(tree: SearchTree) -> None:
            file.seek(0)
            file.truncate()
            for chunk in chunks(tree, style="values"):
                file.write(chunk)
            file.flush()

        yield write
