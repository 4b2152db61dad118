"""An overlay of minimax and alpha-beta, as a Streamlit component."""

import struct

import numpy as np

from engine.analysis.alignment import Alignment
from engine.tree.trace import Trace
from visualizer.viewer.bundle import create_component, ignore_trigger, read_sent_number
from visualizer.viewer.delivery import build_message, make_resend_handler
from visualizer.viewer.payload import build_payload


def overlay_component(alignment: Alignment, key: str) -> int | None:
    """Show both trees. `key` names them. Return the step of a cutoff that the user wants to see on the page Step, or None."""
    name = f"minimax overlay {key}"
    data = build_message(name, {"name": key}, lambda: _encode_alignment(alignment))
    answer = create_component("minimax_overlay")(
        key=name, data=data, on_open_change=ignore_trigger, on_whole_change=make_resend_handler(name)
    )
    return read_sent_number(answer, "open", len(Trace(alignment.alphabeta)))


def _encode_alignment(alignment: Alignment) -> bytes:
    """Encode the lengths of both trees, the trees, and the rows of alpha-beta in minimax."""
    trees = [build_payload(alignment.minimax), build_payload(alignment.alphabeta)]
    rows = alignment.row.astype(np.dtype(np.int32).newbyteorder("<")).tobytes()
    return b"".join([struct.pack("<II", *map(len, trees)), *trees, rows])
