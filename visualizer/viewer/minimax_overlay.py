"""Minimax and alpha-beta over each other, as a Streamlit component."""

import struct

import numpy as np

from engine.analysis.alignment import Alignment
from visualizer.viewer.bundle import component, heard, nothing
from visualizer.viewer.delivery import message, send_whole
from visualizer.viewer.payload import payload


def duo(alignment: Alignment, key: str) -> int | None:
    """Show both trees; `key` names them. The step of a cutoff that the user wants to see on the page Step, or None."""
    name = f"duo {key}"
    data = message(name, {"name": key}, lambda: _packed(alignment))
    answer = component("minimax_overlay")(key=name, data=data, on_open_change=nothing, on_whole_change=send_whole(name))
    return heard(answer, "open", 3 * len(alignment.alphabeta))


def _packed(alignment: Alignment) -> bytes:
    """The lengths of both trees, the trees, and the rows of alpha-beta in minimax."""
    trees = [payload(alignment.minimax), payload(alignment.alphabeta)]
    rows = alignment.row.astype(np.dtype(np.int32).newbyteorder("<")).tobytes()
    return b"".join([struct.pack("<II", *map(len, trees)), *trees, rows])
