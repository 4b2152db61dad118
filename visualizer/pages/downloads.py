"""Downloads of a tree in every format, made when they are asked for."""

from collections.abc import Callable

import streamlit as st

from engine import SearchTree
from visualizer import View, formats, graph
from visualizer.exporters import exporter, pictures, svg, tex
from visualizer.view import shown

MIME = {".svg": "image/svg+xml", ".png": "image/png", ".pdf": "application/pdf", ".json": "application/json", ".csv": "text/csv"}


def offer_downloads(tree: SearchTree) -> None:
    """Buttons for all formats, of the whole tree or down to a depth."""
    limits = {".png": pictures.MAX_ITEMS, ".pdf": pictures.MAX_ITEMS, ".svg": svg.MAX_ITEMS, ".html": svg.MAX_ITEMS}
    limits |= {".tex": tex.MAX_ITEMS, ".graphml": graph.MAX_ITEMS}
    depth = st.slider("Down to depth", 0, max(tree.height, 1), tree.height, disabled=tree.height == 0)
    view = View(max_depth=None if depth >= tree.height else depth)
    items = len(shown(tree, view))
    columns = st.columns(3)
    for number, (extension, description) in enumerate(formats().items()):
        columns[number % 3].download_button(
            extension,
            _made(tree, extension, view),
            file_name=f"tree{extension}",
            mime=MIME.get(extension, "text/plain"),
            on_click="ignore",
            help=description if items <= limits.get(extension, items) else f"at most {limits[extension]:,} nodes",
            disabled=items > limits.get(extension, items),
            width="stretch",
        )
    st.caption(f"{items:,} nodes and skipped moves. What cannot hold so many is grey: choose a smaller depth.")


def _made(tree: SearchTree, extension: str, view: View) -> Callable[[], bytes]:
    return lambda: b"".join(exporter(f"tree{extension}").chunks(tree, view))
