"""The viewer as a Streamlit component: one mount, everything in it runs in the browser."""

import json
import struct

import streamlit as st

from engine import SearchTree
from engine.alignment import Spared
from engine.record import ROOT
from visualizer.explain import templates_json
from visualizer.pseudocode import pseudocode_json
from visualizer.viewer.bundle import component, nothing
from visualizer.viewer.part import Part
from visualizer.viewer.payload import payload

WISHES = ("export", "open", "why")


def viewer(tree: SearchTree, part: Part | None, spared: Spared | None, step: int | None, key: str) -> tuple[str, int]:
    """Show a tree, or a part of it; `key` names both, `step` is where to open it (None: play to the first cutoff).

    `spared` is what cutoffs left out, where it is known.
    What the user asks of the server about a node comes back: "export", "open" or "why" and its number; nothing: "" and 0.
    """
    settings = {"name": key, "step": step, "words": templates_json(), "code": pseudocode_json()}
    text = json.dumps(settings).encode()
    data = _packed(key, tree, part, spared) + text + struct.pack("<I", len(text))
    heard = {f"on_{wish}_change": nothing for wish in WISHES}
    answer = component("viewer")(key=f"viewer {key}", data=data, **heard)
    for wish in WISHES:
        number = getattr(answer, wish, None)
        if isinstance(number, int) and 0 <= number < len(tree):  # what a browser sends is foreign
            return wish, number
    return "", ROOT


@st.cache_resource(max_entries=20, show_spinner=False)
def _packed(key: str, _tree: SearchTree, _part: Part | None, _spared: Spared | None) -> bytes:
    """The payload, made once for what the key names."""
    return payload(_tree, _part, _spared)
