"""CSV: one row per expanded node, all columns. Infinity is inf or -inf."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from engine.record import STATUS_NAMES
from engine.tree import SearchTree
from visualizer.escapes import csv_cell
from visualizer.labels import exact, move_names, numbers
from visualizer.view import BOUND_NAMES, View, bounds, shown

EXTENSION = ".csv"
DESCRIPTION = "table, one row per expanded node"
BLOCK = 1 << 17  # items whose labels are made at a time
HEAD = "row,parent,depth,move,move_name,side,status,alpha,beta,value,bound,skipped,end\n"


def chunks(tree: SearchTree, view: View | None = None) -> Iterator[bytes]:
    """The table, piece by piece."""
    from visualizer.exporters.rows import Labels, Numbers, lines

    yield HEAD.encode()
    part = shown(tree, replace(view or View(), stubs=False))
    names, bound = move_names(part), bounds(tree)
    for start in range(0, len(part), BLOCK):
        block = slice(start, start + BLOCK)
        row, same = part.row[block], np.zeros(len(part.row[block]), np.int32)
        comma = Labels(same, [","])
        fields: list[Any] = []
        for column in (row, tree.parent[row], tree.depth[row], part.move[block]):
            fields += [Numbers(column), comma]
        fields += [
            Labels(names.codes[block], [_quoted(csv_cell(name)) + "," for name in names.texts]),
            Labels(tree.maximizing[row], ["min,", "max,"]),
            Labels(tree.status[row], [status + "," for status in STATUS_NAMES]),
        ]
        for name in ("alpha", "beta", "value"):
            column = getattr(tree.columns, name)
            if len(column):
                coded = numbers(tree, column[row], exact)
                fields.append(Labels(coded.codes, [text + "," for text in coded.texts]))
            else:
                fields.append(Labels(same, [exact(getattr(tree, name)[0]) + ","]))
        fields += [
            Labels(bound[row], [name + "," for name in BOUND_NAMES]),
            Numbers(tree.columns.skipped[row]),
            comma,
            Numbers(tree.end[row]),
            Labels(same, ["\n"]),
        ]
        yield from lines(fields)


def _quoted(cell: str) -> str:
    doubled = cell.replace('"', '""')
    return f'"{doubled}"' if any(character in cell for character in ',"; \n') else cell
