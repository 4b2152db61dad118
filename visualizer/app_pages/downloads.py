"""Downloads of a tree in every format, made when they are asked for."""

from collections.abc import Callable

import streamlit as st

from engine import SearchTree
from engine.record import ROOT
from visualizer import View, formats, graph
from visualizer.caption import counted
from visualizer.exporters import exporter, pictures, svg, tex
from visualizer.view import shown

MIME = {".svg": "image/svg+xml", ".png": "image/png", ".pdf": "application/pdf", ".json": "application/json", ".csv": "text/csv"}


MOST = 1_000_000  # nodes and skipped moves in a file that the server makes


def offer_downloads(tree: SearchTree, root: int = ROOT) -> None:
    """Buttons for all formats, of the whole tree or of a subtree, down to a depth."""
    limits = dict.fromkeys(formats(), MOST)
    limits |= {".png": pictures.MAX_ITEMS, ".pdf": pictures.MAX_ITEMS, ".svg": svg.MAX_ITEMS, ".html": svg.MAX_ITEMS}
    limits |= {".tex": tex.MAX_ITEMS, ".graphml": graph.MAX_ITEMS}
    height = int(tree.depth[root : tree.end[root]].max()) - int(tree.depth[root])
    plies = st.slider("Plies to show", 0, max(height, 1), height, disabled=height == 0, key=f"plies of {root}")
    view = View(root=root, max_depth=None if plies >= height else plies)
    items = len(shown(tree, view))
    row = st.container(horizontal=True)
    for extension, description in formats().items():
        row.download_button(
            extension,
            _made(tree, extension, view),
            file_name=f"tree{extension}",
            mime=MIME.get(extension, "text/plain"),
            on_click="ignore",
            help=description if items <= limits[extension] else f"at most {limits[extension]:,} nodes",
            disabled=items > limits[extension],
            key=f"{extension} of {root}",
        )
    held = counted(items, "node or skipped move", "nodes and skipped moves")
    st.caption(f"{held}. What cannot hold so many is grey: show fewer plies.")


def _made(tree: SearchTree, extension: str, view: View) -> Callable[[], bytes]:
    return lambda: b"".join(exporter(f"tree{extension}").chunks(tree, view))
