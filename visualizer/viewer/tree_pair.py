"""Minimax and alpha-beta over each other, as a Streamlit component."""

import json
import struct

import numpy as np
import streamlit as st

from engine.analysis.alignment import Alignment
from visualizer.viewer.bundle import component, heard, nothing
from visualizer.viewer.payload import payload


def duo(alignment: Alignment, key: str) -> int | None:
    """Show both trees; `key` names them. The step of a cutoff that the user wants to see on the page Step, or None."""
    answer = component("tree_pair")(key=f"duo {key}", data=_packed(key, alignment), on_open_change=nothing)
    return heard(answer, "open", 3 * len(alignment.alphabeta))


@st.cache_resource(max_entries=10, show_spinner=False)
def _packed(key: str, _alignment: Alignment) -> bytes:
    """Both trees, the rows of alpha-beta in minimax; made once for what the key names."""
    trees = [payload(_alignment.minimax), payload(_alignment.alphabeta)]
    rows = _alignment.row.astype(np.dtype(np.int32).newbyteorder("<")).tobytes()
    text = json.dumps({"name": key, "sizes": [len(tree) for tree in trees]}).encode()
    return b"".join([*trees, rows, text, struct.pack("<I", len(text))])
