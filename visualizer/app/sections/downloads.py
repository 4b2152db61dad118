"""Downloads of a tree in every format. A file is made when it is asked for."""

from collections.abc import Callable

import streamlit as st

from engine import SearchTree
from engine.record.columns import ROOT
from visualizer import View, formats
from visualizer.app.state.download_retention import retain_result
from visualizer.app.state.jobs import make_in_pool
from visualizer.drawing.paging import MAX_SCREEN_SIZE, min_picture_width
from visualizer.drawing.size_limits import MAX_BOARDS
from visualizer.drawing.view import select_items
from visualizer.exporters import export_chunks, find_exporter, max_items, needs_whole_tree, quick_item_limit
from visualizer.narration.captions import note_omitted_passes
from visualizer.narration.numbers import format_count
from visualizer.pool.work_types import WriteFile

BOARDS_HELP = f"The state of every node, in pictures, texts and tables of up to {MAX_BOARDS:,} nodes."
TOO_MANY_NOTE = "What cannot hold so many is grey: show fewer plies."
MAX_FILE_ITEMS = 1_000_000  # nodes and skipped moves in a file that is made for a page


def offer_downloads(tree: SearchTree, root: int = ROOT, where: str = "the page") -> None:
    """Show buttons for all formats, of the whole tree or of a subtree, down to a depth. `where` makes their keys unique."""
    key = f"{root} on {where}"
    top = int(tree.root) if root == ROOT else root  # of several passes pictures show the last
    height = int(tree.depth[top : tree.end[top]].max()) - int(tree.depth[top])
    plies = st.slider("Plies to show", 0, max(height, 1), height, disabled=height == 0, key=f"plies of {key}")
    view = View(root=root, max_depth=None if plies >= height else plies)
    part = select_items(tree, view)
    items = len(part)
    few = items <= MAX_BOARDS
    boards = st.toggle("Boards", key=f"boards of {key}", disabled=not few, help=BOARDS_HELP) and few
    grey = {}  # what is said of buttons that cannot be pressed, each once
    with st.container(horizontal=True):
        for extension, description in formats().items():
            whole, most = view.is_whole or not needs_whole_tree(extension), min(MAX_FILE_ITEMS, max_items(extension))
            fits = items <= most and whole
            said = description if fits else f"at most {most:,} nodes" if whole else "the whole tree only"
            if not fits:
                grey[TOO_MANY_NOTE if whole else f"A {extension} holds the whole tree only."] = True
            download_button(
                "tree",
                extension,
                _file_maker(tree, extension, view, boards, items),
                said,
                f"{extension} of {key}",
                disabled=not fits,
            )
    held = format_count(items, "node or skipped move", "nodes and skipped moves")
    st.caption(" ".join([f"{held}.", *grey]))
    if left_out := note_omitted_passes(tree, root):
        st.caption(f"Of pictures, .tex and .html: {left_out}.")
    width = min_picture_width(part) // 1000 * 1000
    if width >= MAX_SCREEN_SIZE.width and items <= max_items(".svg"):
        st.caption(f":material/width: As a picture more than {width:,} pixels wide. Show fewer plies to look at it as a whole.")


def download_button(name: str, extension: str, make: Callable[[], bytes], said: str, key: str, disabled: bool = False) -> None:
    """Show the button for one format. `make` is called when it is pressed."""
    media_type = find_exporter(f"x{extension}").MEDIA_TYPE if extension in formats() else "text/plain"
    file = f"{name}{extension}"
    st.download_button(
        extension,
        retain_result(make, file, media_type),
        file,
        media_type,
        key=key,
        help=said,
        on_click="ignore",
        disabled=disabled,
    )


def _file_maker(tree: SearchTree, extension: str, view: View, boards: bool, items: int) -> Callable[[], bytes]:
    """Return a function that makes the file. Large files are made in the pool: here they would block all visitors."""
    asked = tree, extension, view, boards
    if items > quick_item_limit(extension, boards):
        return make_in_pool(("file", id(tree), *asked[1:]), WriteFile(*asked))
    return lambda: b"".join(export_chunks(*asked))
