"""Downloads of a tree in every format. A file is made when it is asked for."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from functools import partial
from itertools import accumulate
from pathlib import Path

import streamlit as st

from engine import SearchTree
from engine.games.capabilities import has_leaf_values_only
from engine.record.columns import ROOT
from visualizer import View, formats
from visualizer.app.state.download_retention import retain_result
from visualizer.app.state.jobs import make_in_pool
from visualizer.drawing.paging import MAX_SCREEN_SIZE, min_picture_width
from visualizer.drawing.size_limits import MAX_BOARDS
from visualizer.drawing.view import select_items
from visualizer.exporters import export_chunks, find_exporter, is_animation, max_items, needs_whole_tree, quick_item_limit
from visualizer.exporters.animation import DEFAULT_THEME, view_steps
from visualizer.exporters.overview import OVERVIEW_FORMATS, overview_chunks
from visualizer.narration.captions import note_omitted_passes
from visualizer.narration.file_names import search_file_name
from visualizer.narration.numbers import format_count
from visualizer.pool.work_types import WriteFile, WriteInteractivePage
from visualizer.viewer.viewport import MAX_VISIBLE_NODES, why_not_drawable

BOARDS_HELP = f"The state of every node, in pictures, texts and tables of up to {MAX_BOARDS:,} nodes."
INTERACTIVE_HELP = "One file to step through the search in any browser, also offline and without Plyscope."
OVERVIEW_HELP = "Every node as a bar, with legend and the largest subtrees: the whole search in one picture."
TREE_HELP = "Nodes, moves and values as a picture, text, table or page, down to the level you choose."
TOO_MANY_NOTE = "Formats that cannot hold this many nodes are grey: show fewer levels."
MAX_PAGE_FRAMES, DEFAULT_PAGE_FRAMES = 200, 81  # of an animation that is made for a page
MAX_FILE_ITEMS = 1_000_000  # nodes and skipped moves in a file that is made for a page


def offer_downloads(tree: SearchTree, root: int = ROOT, where: str = "the page") -> None:
    """Show buttons for all formats, of the whole tree or of a subtree, down to a depth. `where` makes their keys unique."""
    key = f"{root} on {where}"
    top = int(tree.root) if root == ROOT else root  # pictures of several passes show the last one
    height = int(tree.depth[top : tree.end[top]].max()) - int(tree.depth[top])
    _offer_overview(tree, root, key)
    shown = min(height, _plies_that_fit(tree))
    st.markdown("**Tree**", width="content", help=TREE_HELP)
    plies = st.slider("Levels to show", 0, max(height, 1), shown, disabled=height == 0, key=f"plies of {key}")
    view = View(root=root, max_depth=None if plies >= height else plies)
    part = select_items(tree, view)
    items = len(part)
    has_room = items <= MAX_BOARDS
    has_boards = not has_leaf_values_only(tree.game)  # a tree of numbers has no boards
    boards = has_boards and st.toggle("Boards", key=f"boards of {key}", disabled=not has_room, help=BOARDS_HELP) and has_room
    grey = {}  # reasons for disabled buttons, each once
    with st.container(horizontal=True):
        for extension, description in formats().items():
            if is_animation(extension):
                continue
            is_allowed, max_nodes = view.is_whole or not needs_whole_tree(extension), min(MAX_FILE_ITEMS, max_items(extension))
            fits = items <= max_nodes and is_allowed
            help_text = description if fits else f"at most {max_nodes:,} nodes" if is_allowed else "the whole tree only"
            if not fits:
                grey[TOO_MANY_NOTE if is_allowed else f"A {extension} file holds the whole tree only."] = True
            download_button(
                search_file_name(tree.question, extension, root, view.max_depth),
                _file_maker(tree, extension, view, boards, items),
                help_text,
                f"{extension} of {key}",
                disabled=not fits,
            )
        _offer_interactive_page(tree, view, len(part.nodes), key)
    st.caption(" ".join([f"{describe_items(items, len(part.nodes))}.", *grey]))
    st.caption("Interactive page: the search step by step, as here. .html: the drawn tree and its moves as text, on one page.")
    if left_out := note_omitted_passes(tree, root):
        st.caption(f"Pictures, .tex and .html: {left_out}.")
    width = min_picture_width(part) // 1000 * 1000
    if width >= MAX_SCREEN_SIZE.width and items <= max_items(".svg"):
        st.caption(f":material/width: The picture is more than {width:,} pixels wide. Show fewer levels to see it as a whole.")
    if items <= MAX_FILE_ITEMS or view.is_whole:
        _offer_animation(tree, view, f"{plies} plies of {key}")


def describe_items(items: int, nodes: int) -> str:
    """Return the number of nodes and of skipped moves that the files contain.

    >>> describe_items(13, 11), describe_items(93, 93)
    ('11 nodes and 2 skipped moves', '93 nodes')
    """
    skipped = f" and {format_count(items - nodes, 'skipped move')}" if items > nodes else ""
    return f"{format_count(nodes, 'node')}{skipped}"


def _plies_that_fit(tree: SearchTree) -> int:
    """Return how many plies of a tree have at most MAX_FILE_ITEMS nodes together; all of them for a smaller tree."""
    counts = accumulate(line["expanded"] for line in tree.per_depth)
    return sum(count <= MAX_FILE_ITEMS for count in counts) - 1


def _offer_overview(tree: SearchTree, root: int, key: str) -> None:
    """Show the buttons for the picture of every node. Its size does not depend on the number of nodes."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("**Overview**", width="content", help=OVERVIEW_HELP)
        for extension in OVERVIEW_FORMATS:
            name = search_file_name(tree.question, extension, root, None)
            download_button(
                f"{name.removesuffix(extension)}-overview{extension}",
                partial(_make_overview, tree, extension, View(root=root)),
                "The picture of the whole search.",
                f"overview {extension} of {key}",
                label=extension,
            )


def _make_overview(tree: SearchTree, extension: str, view: View) -> bytes:
    return b"".join(overview_chunks(tree, extension, view))


def _offer_interactive_page(tree: SearchTree, view: View, nodes: int, key: str) -> None:
    """Show the button for a page that steps through the search without a server. The pool makes it."""
    fits = nodes <= MAX_VISIBLE_NODES and not why_not_drawable(tree)
    file = search_file_name(tree.question, ".html", view.root, view.max_depth)
    make = make_in_pool(("interactive page", id(tree), view), WriteInteractivePage(tree, view), "show fewer levels")
    help_text = INTERACTIVE_HELP if fits else f"at most {MAX_VISIBLE_NODES:,} nodes"
    name = file.replace(".html", "-interactive.html")
    download_button(name, make, help_text, f"interactive page of {key}", disabled=not fits, label="Interactive page")


def _offer_animation(tree: SearchTree, view: View, key: str) -> None:
    """Show the steps of an animation and a button for each format. The pool makes it."""
    numbers, theme = view_steps(tree, view), st.context.theme.type or DEFAULT_THEME
    first_step, last_step = int(numbers[0]), int(numbers[-1])
    st.markdown("**Animation**")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        first = st.number_input("First step", first_step, last_step, first_step, key=f"first step of {key}", width=120)
        default = int(numbers[min(DEFAULT_PAGE_FRAMES, len(numbers)) - 1])
        last = st.number_input("Last step", first_step, last_step, default, key=f"last step of {key}", width=120)
        frames = max(0, bisect_right(numbers, last) - bisect_left(numbers, first))
        for extension in filter(is_animation, formats()):
            style = (("steps", (first, last)), ("theme", theme))
            make = make_in_pool(
                ("file", id(tree), extension, view, style), WriteFile(tree, extension, view, style=style), "choose fewer steps"
            )
            help_text = formats()[extension] if frames else "The last step is before the first."
            file = search_file_name(tree.question, extension, view.root, view.max_depth)
            download_button(file, make, help_text, f"{extension} of {key}", disabled=not 0 < frames <= MAX_PAGE_FRAMES)
    limit = "" if frames <= MAX_PAGE_FRAMES else f" At most {MAX_PAGE_FRAMES} here: choose fewer steps, or use the command line."
    if default < last_step and not limit:
        limit = f" The search has {len(numbers):,} steps; up to {MAX_PAGE_FRAMES} fit into one file here."
    colours = f"{theme.capitalize()} colours, like this page."
    st.caption(f"{format_count(frames, 'frame')} for slides, with path, board, code and sentence. {colours}{limit}")


def download_button(
    file: str, make: Callable[[], bytes], help_text: str, key: str, disabled: bool = False, label: str = ""
) -> None:
    """Show the button for a file of this name. `make` is called when it is pressed. The label is the extension, or `label`."""
    extension = Path(file).suffix
    media_type = find_exporter(file).MEDIA_TYPE if extension in formats() else "text/plain"
    st.download_button(
        label or extension,
        retain_result(make, file, media_type),
        file,
        media_type,
        key=key,
        help=help_text,
        on_click="ignore",
        disabled=disabled,
    )


def _file_maker(tree: SearchTree, extension: str, view: View, boards: bool, items: int) -> Callable[[], bytes]:
    """Return a function that makes the file. Large files are made in the pool: here they would block all visitors."""
    arguments = tree, extension, view, boards
    if items > quick_item_limit(extension, boards):
        return make_in_pool(("file", id(tree), *arguments[1:]), WriteFile(*arguments), "show fewer levels")
    return lambda: b"".join(export_chunks(*arguments))
