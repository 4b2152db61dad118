"""CSV: one row per expanded node, all columns. Infinity is inf or -inf."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from engine.record.columns import BOUND_NAMES, STATUS_NAMES, TURN_NAMES
from engine.tree.tree import SearchTree
from visualizer.drawing.label_columns import exported_columns, format_boards, format_numbers, format_static_values, move_names
from visualizer.drawing.size_limits import MAX_BOARDS, check_size
from visualizer.drawing.view import View, ViewItems, select_items
from visualizer.narration.escapes import escape_csv_cell
from visualizer.narration.numbers import exact_number

EXTENSION = ".csv"
DESCRIPTION = "table, one row per expanded node"
MEDIA_TYPE = "text/csv"
BLOCK_ITEMS = 1 << 17  # items whose labels are made at a time
HEADER = "row,parent,depth,move,move_name,side,status,alpha,beta,value,bound,skipped,end"


def chunks(tree: SearchTree, view: View | None = None, states: bool = False) -> Iterator[bytes]:
    """Return the table in pieces. `states` adds a column with each node's state, its lines joined by slashes."""
    part = select_items(tree, replace(view or View(), stubs=False), every_pass=True)
    if states:
        check_size("a .csv with states", len(part), MAX_BOARDS)
    return _write_table(part, [_format_state(board) for board in format_boards(part)] if states else [])


def _write_table(part: ViewItems, states: list[str]) -> Iterator[bytes]:
    from visualizer.exporters.line_writer import Labels, Numbers, number_field, write_lines

    tree = part.tree
    head = [
        HEADER,
        *exported_columns(tree),
        *["static"] * bool(len(tree.columns.static)),
        *["state"] * bool(states),
    ]
    yield (",".join(head) + "\n").encode()
    names, bound = move_names(part), tree.bound
    for start in range(0, len(part), BLOCK_ITEMS):
        block = slice(start, start + BLOCK_ITEMS)
        row, same = part.row[block], np.zeros(len(part.row[block]), np.int32)
        comma = Labels(same, [","])
        fields: list[Any] = []
        for column in (row, tree.parent[row], tree.depth[row], part.move[block]):
            fields += [Numbers(column), comma]
        fields += [
            Labels(names.codes[block], [_quote_cell(escape_csv_cell(name)) + "," for name in names.texts]),
            Labels(tree.turn[row], [turn + "," for turn in TURN_NAMES]),
            Labels(tree.status[row], [status + "," for status in STATUS_NAMES]),
        ]
        for name in ("alpha", "beta", "value"):
            column = getattr(tree.columns, name)
            if len(column):
                coded = format_numbers(tree, column[row], exact_number)
                fields.append(Labels(coded.codes, [text + "," for text in coded.texts]))
            else:
                fields.append(Labels(same, [exact_number(getattr(tree, name)[0]) + ","]))
        fields += [
            Labels(bound[row], [name + "," for name in BOUND_NAMES]),
            Numbers(tree.columns.skipped[row]),
            comma,
            Numbers(tree.end[row]),
        ]
        for column in exported_columns(tree).values():
            fields += [comma, number_field(tree, column[row], exact_number)]
        if len(tree.columns.static):
            static = format_static_values(tree, row, exact_number)
            fields += [comma, Labels(static.codes, static.texts)]
        if states:
            fields.append(Labels(np.arange(len(row)), ["," + state for state in states[block]]))
        fields.append(Labels(same, ["\n"]))
        yield from write_lines(fields)


def _format_state(board: str) -> str:
    return _quote_cell(escape_csv_cell("/".join(line.strip() for line in board.split("\n"))))


def _quote_cell(cell: str) -> str:
    doubled = cell.replace('"', '""')
    return f'"{doubled}"' if any(character in cell for character in ',"; \n') else cell
