"""JSON, and `read_json` to read the tree back. The schema, version 1:

{"format": "plyscope tree",
 "header": {...},                the question: the header of a tree file (engine/tree/parquet_file.py), with the version
 "result": {"value": 3, "bound": "exact", "best_move": 0, "principal_variation": [0, 0], "expanded": 11, "leaves": 7,
            "terminals": 7, "cutoffs": 1, "skipped": 2, "complete": true},
 "whole": true,                  whether all nodes follow, or a part of the tree
 "nodes": [{"row": 5,            in visiting order, the root is 0
            "parent": 0,         row; -1 at the root
            "depth": 1, "move": 1, "name": "1", "side": "min", "status": "cutoff",
            "alpha": 3, "beta": "inf", "value": 2,      infinity is "inf" or "-inf"
            "bound": "upper",    the meaning of the value: exact, lower (at least), upper (at most), open
            "static": 1,         with quiescence, of nodes that stood pat: the static value, their initial value
            "skipped": 2,        legal moves left untried,
            "skipped_moves": ["1", "2"],                and their names, unless the view leaves them out
            "end": 7,            one past the last row of the subtree
            "hidden": 0, "hidden_cutoffs": 0}, ...]}    nodes below this one that the view leaves out
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import msgspec
import numpy as np

from engine.record.columns import (
    BOUND_NAMES,
    COLUMN_SPECS,
    EXACT,
    EXTRA_COLUMNS,
    NONE,
    STATUS_NAMES,
    TABLE,
    TURN_NAMES,
    Columns,
    pack_flags,
)
from engine.tree.tree import SearchTree
from visualizer.drawing.label_columns import (
    exported_columns,
    format_numbers,
    format_static_values,
    move_names,
    skipped_move_names,
)
from visualizer.drawing.view import View, select_items
from visualizer.narration.escapes import sanitize_line
from visualizer.narration.numbers import exact_number

EXTENSION = ".json"
DESCRIPTION = "JSON, one object per expanded node; can be read back"
MEDIA_TYPE = "application/json"
FORMAT_NAME = "plyscope tree"
BLOCK_ITEMS = 1 << 17  # items whose labels are made at a time
INFINITIES = {"inf": np.inf, "-inf": -np.inf}


def chunks(tree: SearchTree, view: View | None = None) -> Iterator[bytes]:
    """Yield the JSON text in pieces, one line per node."""
    from engine.tree.parquet_file import make_header
    from visualizer.exporters import line_writer

    view = view or View()
    head = {"format": FORMAT_NAME, "header": make_header(tree), "result": _result_json(tree), "whole": view.is_whole}
    yield msgspec.json.encode(head)[:-1] + b',"nodes":[\n'
    part = select_items(tree, replace(view, stubs=False), every_pass=True)
    names, bound = move_names(part), tree.bound
    skipped = skipped_move_names(part) if view.stubs and tree.cutoffs else None
    last = len(part) - 1
    for start in range(0, len(part), BLOCK_ITEMS):
        block = slice(start, start + BLOCK_ITEMS)
        row, same = part.row[block], np.zeros(len(part.row[block]), np.int32)
        fields: list[Any] = []
        for name, column in (
            ("row", row),
            ("parent", tree.parent[row]),
            ("depth", tree.depth[row]),
            ("move", part.move[block]),
            ("end", tree.end[row]),
            ("skipped", tree.columns.skipped[row]),
            ("hidden", part.hidden[block]),
            ("hidden_cutoffs", part.hidden_cutoffs[block]),
        ):
            fields += [line_writer.Labels(same, [f'{"," if fields else "{"}"{name}":']), line_writer.Numbers(column)]
        fields += [
            line_writer.Labels(names.codes[block], [f',"name":{json.dumps(sanitize_line(name))}' for name in names.texts]),
            line_writer.Labels(tree.turn[row], [f',"side":"{turn}"' for turn in TURN_NAMES]),
            line_writer.Labels(tree.status[row], [f',"status":"{status}"' for status in STATUS_NAMES]),
            line_writer.Labels(bound[row], [f',"bound":"{name}"' for name in BOUND_NAMES]),
            *_number_fields(tree, row, same),
        ]
        if len(tree.columns.static):
            static = format_static_values(tree, row, _format_json_number)
            fields.append(line_writer.Labels(static.codes, [f',"static":{text}' for text in static.texts]))
        for name, column in exported_columns(tree).items():
            fields += [
                line_writer.Labels(same, [f',"{name}":']),
                line_writer.number_field(tree, column[row], _format_json_number),
            ]
        if skipped:
            texts = [json.dumps(sanitize_line(name)) for name in skipped.texts]
            fields += [
                line_writer.Labels(same, [',"skipped_moves":[']),
                line_writer.Lists(skipped.start[block], skipped.length[block], skipped.codes, texts, ","),
                line_writer.Labels(same, ["]"]),
            ]
        is_last = np.arange(start, start + len(row)) == last
        yield from line_writer.write_lines([*fields, line_writer.Labels(is_last, ["},\n", "}\n"])])
    yield b"]}\n"


def _number_fields(tree: SearchTree, row: np.ndarray, same: np.ndarray) -> list[Any]:
    from visualizer.exporters import line_writer

    fields = []
    for name in ("alpha", "beta", "value"):
        column = getattr(tree.columns, name)
        if len(column):
            coded = format_numbers(tree, column[row], _format_json_number)
            fields.append(line_writer.Labels(coded.codes, [f',"{name}":{text}' for text in coded.texts]))
        else:
            fields.append(line_writer.Labels(same, [f',"{name}":{_format_json_number(getattr(tree, name)[0])}']))
    return fields


def _format_json_number(value: float) -> str:
    text = exact_number(value)
    return f'"{text}"' if text in INFINITIES else text


def _result_json(tree: SearchTree) -> dict[str, Any]:
    value = tree.root.value
    return {
        "value": value if np.isfinite(value) else exact_number(value),
        "bound": tree.proved_bound,
        "best_move": None if tree.root.best_child is None else tree.root.best_move,
        "principal_variation": tree.principal_variation,
        "expanded": tree.expanded,
        "leaves": tree.leaves,
        "terminals": tree.terminals,
        "cutoffs": tree.cutoffs,
        "skipped": tree.skipped,
        "complete": tree.complete,
    }


class _Node(msgspec.Struct):
    row: int
    depth: int
    move: int
    side: str
    status: str
    alpha: float | str
    beta: float | str
    value: float | str
    skipped: int
    end: int
    bound: str = "exact"
    link: int = NONE
    static: float | None = None
    weight: float | None = None
    visits: int = 0
    born: int = 0
    prior: float = 0.0
    proven: int = 0


class _Document(msgspec.Struct):
    format: str
    header: msgspec.Raw
    whole: bool
    nodes: list[_Node]


def read_json(text: str | bytes, game: Any = None, state: Any = None) -> SearchTree:
    """Read a tree that was written as JSON. It must be a whole tree. `game` and `state` as in engine.tree.parquet_file.load."""
    from engine.core.errors import BadTreeFile
    from engine.tree.parquet_file import COLUMN_DTYPES, OPTIONAL_COLUMNS, assemble_tree, read_header
    from engine.tree.verify import InMemoryRows

    name = "the JSON text"
    try:
        document = msgspec.json.decode(text, type=_Document)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise BadTreeFile(f"{name} does not hold a tree ({error})") from None
    if document.format != FORMAT_NAME:
        raise BadTreeFile(f"{name} has the format {document.format[:60]!r}, and {FORMAT_NAME!r} is needed")
    if not document.whole:
        raise BadTreeFile(f"{name} holds a part of a tree: export it without a view to read it back")
    header = read_header(name, bytes(document.header))
    nodes = document.nodes
    if len(nodes) != header.rows or not nodes or any(node.row != row for row, node in enumerate(nodes)):
        raise BadTreeFile(f"{name} does not hold the rows 0 to {header.rows - 1} that its header promises")
    dtypes = header.dtypes
    for column, dtype in dtypes.items():
        if dtype not in COLUMN_DTYPES.get(column, ()):
            raise BadTreeFile(f"{name} has a column {column!r} of {dtype!r}")
    if not set(COLUMN_DTYPES) - set(OPTIONAL_COLUMNS) <= set(dtypes) or len({dtypes.get(c) for c in ("alpha", "beta")}) > 1:
        raise BadTreeFile(f"the header of {name} has no columns: {', '.join(COLUMN_DTYPES)} are needed")
    try:
        columns = _build_columns(nodes, dtypes)
    except (ValueError, OverflowError, KeyError, TypeError) as error:
        raise BadTreeFile(f"a node in {name} has an impossible number or word ({error})") from None
    return assemble_tree(header, InMemoryRows(name, columns), game, state)


def _build_columns(nodes: list[_Node], dtypes: dict[str, str]) -> Columns:
    status = {word: code for code, word in enumerate(STATUS_NAMES)}
    sides, bounds = ({word: code for code, word in enumerate(names)} for names in (TURN_NAMES, BOUND_NAMES))
    columns = {
        name: np.array([getattr(node, name) for node in nodes], dtypes[name]) for name in ("move", "depth", "skipped", "end")
    }
    flags = [_pack_flags(status[node.status], sides[node.side], bounds[node.bound], node.static is not None) for node in nodes]
    columns["flags"] = np.array(flags, dtypes["flags"])
    for name in EXTRA_COLUMNS:
        if name in dtypes:
            default = COLUMN_SPECS[name].default
            found = (getattr(node, COLUMN_SPECS[name].export_name or name) for node in nodes)
            columns[name] = np.array([default if number is None else number for number in found], dtypes[name])
    for name in ("alpha", "beta", "value"):
        if name not in dtypes:
            columns[name] = np.empty(0, dtypes["value"])
            continue
        numbers = np.array([_parse_number(getattr(node, name)) for node in nodes])
        columns[name] = _convert_column(numbers, np.dtype(dtypes[name]))
    return Columns(**columns)


def _pack_flags(status: int, turn: int, bound: int, stands_pat: bool) -> int:
    return pack_flags(status, turn, bound if status == TABLE else EXACT, stands_pat)


def _parse_number(number: float | str) -> float:
    return INFINITIES[number] if isinstance(number, str) else number


def _convert_column(numbers: np.ndarray, dtype: np.dtype) -> np.ndarray:
    if dtype.kind == "f":
        return numbers.astype(dtype)
    info = np.iinfo(dtype)
    finite = np.clip(numbers, info.min, info.max)
    if (finite != np.trunc(finite)).any() or np.isnan(numbers).any():
        raise ValueError("a fraction where whole numbers are needed")
    return finite.astype(dtype)
