"""The viewer as a Streamlit component: one mount, everything in it runs in the browser."""

import streamlit as st

from engine import SearchTree
from engine.analysis.alignment import Spared
from engine.record.columns import ROOT
from visualizer.viewer.bundle import component, heard, nothing
from visualizer.viewer.delivery import message, send_whole
from visualizer.viewer.payload import payload
from visualizer.viewer.viewport import VisiblePart

WISHES = ("export", "open", "why")
PICK = "pick"


def viewer(
    tree: SearchTree, part: VisiblePart | None, spared: Spared | None, step: int | None, key: str, **settings: str | bool
) -> tuple[str, int]:
    """Show a tree, or a part of it; `key` names both, `step` is where to open it (None: play to the first cutoff).

    `spared` is what cutoffs left out, where it is known.
    What the user asks of the server about a node comes back: "export", "open" or "why" and its number; nothing: "" and 0.
    Which nodes have equal positions is sent when the browser first asks for it.
    Settings: `view` is how it opens, `plain` leaves out code and call stack, `asks` makes a click on a node come back as "pick".
    """
    asked = f"positions {key}"
    with_positions = bool(st.session_state.get(asked))
    name = f"viewer {key}{' with positions' if with_positions else ''}"
    data = message(
        name, {"name": key, "step": step, **settings}, lambda: payload(tree, part, spared, with_positions=with_positions)
    )
    listening = {f"on_{wish}_change": nothing for wish in (*WISHES, PICK)} | {"on_whole_change": send_whole(name)}
    listening["on_positions_change"] = lambda: st.session_state.update({asked: True})
    answer = component("tree_viewer")(key=f"viewer {key}", data=data, **listening)
    for wish in (*WISHES, PICK):
        row = heard(answer, wish, len(tree))
        if row is not None and _makes_sense(wish, row, tree, part):
            return wish, row
    return "", ROOT


def _makes_sense(wish: str, row: int, tree: SearchTree, part: VisiblePart | None) -> bool:
    """Whether the viewer that is shown offers this: only what hides something is opened, only leaves have reasons."""
    place = row if part is None else part.place(row)
    if place is None:
        return False
    if wish == "open":
        return part is not None and part.hidden[place] > 0
    return wish != "why" or tree[row].is_leaf
