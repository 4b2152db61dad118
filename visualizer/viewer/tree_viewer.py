"""The viewer as a Streamlit component: mounted once, it runs in the browser."""

from typing import Any

import streamlit as st

from engine import SearchTree
from engine.analysis.alignment import SkippedNodes
from engine.record.columns import ROOT
from visualizer.viewer.bundle import create_component, ignore_trigger, read_sent_number
from visualizer.viewer.delivery import build_message, delivery_store, make_resend_handler
from visualizer.viewer.large_trees.tree_blocks import find_block
from visualizer.viewer.large_trees.tree_delivery import tree_store
from visualizer.viewer.large_trees.tree_queries import tree_facts
from visualizer.viewer.payload import build_payload
from visualizer.viewer.viewport import VisiblePart

NODE_REQUESTS = ("export", "open", "why")
PICK_REQUEST = "pick"
FIRST_BLOCK_ROWS = 4_000  # of a large tree, in the first message
LOST_TREE = "lost"  # the server has dropped a large tree that the browser asks about: the page runs again and makes it


def show_viewer(
    tree: SearchTree, part: VisiblePart | None, spared: SkippedNodes | None, step: int | None, key: str, **settings: Any
) -> tuple[str, int]:
    """Show a tree, or a part of it. Return the user's request about a node.

    `key` names the tree and the part. `step` is where to open it; None plays to the first cutoff.
    `spared` is what the cutoffs left out, if it is known.
    Return what the user asks of the server about a node: "export", "open" or "why" and its number, or "" and 0.
    The numbers of equal positions are sent when the browser first asks for them.
    Settings: `view` is how it opens, `plain` leaves out code and call stack, `asks` makes a click on a node return "pick".
    `search` has the URL parameters of the search, if the URL lacks them: the browser adds them to its link. `tall` is for a
    viewer below other things: it fills the window when it is scrolled to. `reveal` scrolls to it when it is shown.
    """
    asked = f"positions {key}"
    with_positions = bool(st.session_state.get(asked))
    name = f"viewer {key}{' with positions' if with_positions else ''}"
    settings_sent = {"name": key, "step": step, **settings}
    data = build_message(name, settings_sent, lambda: build_payload(tree, part, spared, with_positions=with_positions))
    listening = {f"on_{wish}_change": ignore_trigger for wish in (*NODE_REQUESTS, PICK_REQUEST)} | {
        "on_whole_change": make_resend_handler(name)
    }
    listening["on_positions_change"] = lambda: st.session_state.update({asked: True})
    answer = create_component("tree_viewer")(key=f"viewer {key}", data=data, **listening)
    for wish in (*NODE_REQUESTS, PICK_REQUEST):
        row = read_sent_number(answer, wish, len(tree))
        if row is not None and _is_valid_request(wish, row, tree, part):
            return wish, row
    return "", ROOT


def show_large_tree(
    tree: SearchTree, spared: SkippedNodes | None, step: int | None, key: str, **settings: Any
) -> tuple[str, int]:
    """Show a tree that is too large for the browser, which asks the server for the rows that it shows.

    The message has the rows at the start. Arguments and answer are those of `show_viewer`.
    """
    whole = {"address": tree_store().offer_tree(key, tree, spared), **tree_facts(tree)}
    data = build_message(
        f"large {key}", {"name": key, "step": step, "whole": whole, **settings}, lambda: _build_first_payload(tree, spared)
    )
    listening = {f"on_{wish}_change": ignore_trigger for wish in ("export", PICK_REQUEST, LOST_TREE)}
    listening["on_whole_change"] = make_resend_handler(f"large {key}")
    answer = create_component("tree_viewer")(key=f"viewer {key}", data=data, **listening)
    for wish in ("export", PICK_REQUEST):
        row = read_sent_number(answer, wish, len(tree))
        if row is not None:
            return wish, row
    return "", ROOT


def _build_first_payload(tree: SearchTree, spared: SkippedNodes | None) -> bytes:
    tree_store().prepare_rows(tree)
    return build_payload(tree, find_block(tree, ROOT, 0, FIRST_BLOCK_ROWS), spared, with_positions=False)


def can_show_large_trees() -> bool:
    """Return True if a server answers the browser's questions about large trees."""
    return delivery_store().has_server


def _is_valid_request(wish: str, row: int, tree: SearchTree, part: VisiblePart | None) -> bool:
    """Return True if the viewer offers this request.

    Only nodes that hide others can be opened. Only leaves have a breakdown.
    """
    place = row if part is None else part.index_of(row)
    if place is None:
        return False
    if wish == "open":
        return part is not None and part.hidden[place] > 0
    return wish != "why" or tree[row].is_leaf
