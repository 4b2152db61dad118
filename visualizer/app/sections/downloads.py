"""Downloads of a tree in every format, made when they are asked for."""

from collections.abc import Callable

import streamlit as st

from engine import SearchTree
from engine.record.columns import ROOT
from visualizer import View, formats
from visualizer.app.state.download_retention import held
from visualizer.app.state.jobs import made_elsewhere
from visualizer.drawing.paging import SCREENS, least_width
from visualizer.drawing.size_limits import MAX_BOARDS
from visualizer.drawing.view import shown
from visualizer.exporters import exporter, items_at_once, most_items, needs_whole_tree, pieces_of
from visualizer.narration.captions import only_pass
from visualizer.narration.numbers import counted
from visualizer.pool.work_types import Write

WITH_BOARDS = f"The state of every node, in pictures, texts and tables of up to {MAX_BOARDS:,} nodes."
TOO_MANY = "What cannot hold so many is grey: show fewer plies."
MOST = 1_000_000  # nodes and skipped moves in a file that is made for a page


def offer_downloads(tree: SearchTree, root: int = ROOT, where: str = "the page") -> None:
    """Buttons for all formats, of the whole tree or of a subtree, down to a depth; `where` they are keeps their keys apart."""
    key = f"{root} on {where}"
    top = int(tree.root) if root == ROOT else root  # of several passes pictures show the last
    height = int(tree.depth[top : tree.end[top]].max()) - int(tree.depth[top])
    plies = st.slider("Plies to show", 0, max(height, 1), height, disabled=height == 0, key=f"plies of {key}")
    view = View(root=root, max_depth=None if plies >= height else plies)
    part = shown(tree, view)
    items = len(part)
    few = items <= MAX_BOARDS
    boards = st.toggle("Boards", key=f"boards of {key}", disabled=not few, help=WITH_BOARDS) and few
    grey = {}  # what is said of buttons that cannot be pressed, each once
    with st.container(horizontal=True):
        for extension, description in formats().items():
            whole, most = view.is_whole or not needs_whole_tree(extension), min(MOST, most_items(extension))
            fits = items <= most and whole
            said = description if fits else f"at most {most:,} nodes" if whole else "the whole tree only"
            if not fits:
                grey[TOO_MANY if whole else f"A {extension} holds the whole tree only."] = True
            download(
                "tree", extension, _made(tree, extension, view, boards, items), said, f"{extension} of {key}", disabled=not fits
            )
    held = counted(items, "node or skipped move", "nodes and skipped moves")
    st.caption(" ".join([f"{held}.", *grey]))
    if left_out := only_pass(tree, root):
        st.caption(f"Of pictures, .tex and .html: {left_out}.")
    width = least_width(part) // 1000 * 1000
    if width >= SCREENS.width and items <= most_items(".svg"):
        st.caption(f":material/width: As a picture more than {width:,} pixels wide. Show fewer plies to look at it as a whole.")


def download(name: str, extension: str, make: Callable[[], bytes], said: str, key: str, disabled: bool = False) -> None:
    """The button for one format; `make` is called when it is pressed."""
    media_type = exporter(f"x{extension}").MEDIA_TYPE if extension in formats() else "text/plain"
    file = f"{name}{extension}"
    st.download_button(
        extension, held(make, file, media_type), file, media_type, key=key, help=said, on_click="ignore", disabled=disabled
    )


def _made(tree: SearchTree, extension: str, view: View, boards: bool, items: int) -> Callable[[], bytes]:
    """What makes the file: a process of the pool, where it would hold up all visitors here."""
    asked = tree, extension, view, boards
    if items > items_at_once(extension, boards):
        return made_elsewhere(("file", id(tree), *asked[1:]), Write(*asked))
    return lambda: b"".join(pieces_of(*asked))
