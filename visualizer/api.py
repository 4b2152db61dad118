"""The public functions of `visualizer`: write a tree to a file, or return it as text."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from engine.core.atomic_files import write_chunks
from engine.core.errors import UnknownName
from engine.tree.tree import SearchTree
from visualizer.drawing.view import View
from visualizer.exporters import check_extension, check_style, check_target, find_exporter

if TYPE_CHECKING:
    import graphviz
    import networkx


def export(
    tree: SearchTree,
    path: str | os.PathLike[str],
    view: View | None = None,
    *,
    overview: bool = False,
    on_progress: Callable[[int], object] | None = None,
    interactive: bool = False,
    **style: Any,
) -> int:
    """Write the tree, or a view of it, to a file. Return its size in bytes. The extension determines the format.

    The file is complete or not there at all. `on_progress` receives the bytes written so far, for files over a megabyte.
    `interactive` makes .html a page to step through the search, without a server; its option is title="…".
    `style` are
    options of the format: style="values" for .txt, states=True for .txt and .csv, windows=False for pictures, boards=True for
    pictures, .dot, .html and .graphml, frame=False for .svg, steps=(0, 80) and size=(1280, 720) for .gif and .webp.

    `overview=True` draws the whole search in one picture, of any size, as .svg, .png or .pdf. Its option is colour="how-left",
    "value", "saved" or "node-type".
    """
    if overview:
        return _export_overview(tree, path, view, on_progress, style)
    target = check_target(path)
    module = find_interactive_exporter(target) if interactive else find_exporter(target)
    check_style(module, style)
    return write_chunks(target, module.chunks(tree, view, **style), on_progress)


def find_interactive_exporter(path: str | os.PathLike[str]) -> Any:
    """Return the module that writes an interactive page. Only .html files are interactive."""
    from visualizer.viewer.interactive import tree_page

    check_extension(path, [tree_page.EXTENSION], "write an interactive page")
    return tree_page


def _export_overview(
    tree: SearchTree,
    path: str | os.PathLike[str],
    view: View | None,
    on_progress: Callable[[int], object] | None,
    style: dict[str, Any],
) -> int:
    from visualizer.exporters.overview import OVERVIEW_FORMATS, overview_chunks

    target = check_target(path, OVERVIEW_FORMATS, "write an overview")
    for name in style:
        if name != "colour":
            raise UnknownName("option of an overview", name, ["colour"])
    return write_chunks(target, overview_chunks(tree, target.suffix.lower(), view, **style), on_progress)


def _export_text(extension: str, tree: SearchTree, view: View | None, style: dict[str, Any]) -> str:
    module = find_exporter("x" + extension)
    check_style(module, style)
    return b"".join(module.chunks(tree, view, **style)).decode()


def to_dot(tree: SearchTree, view: View | None = None, **style: Any) -> str:
    """Return the tree as Graphviz text."""
    return _export_text(".dot", tree, view, style)


def to_text(tree: SearchTree, view: View | None = None, **style: Any) -> str:
    """Return the tree as indented text.

    >>> from engine import literal, search
    >>> print(to_text(search(literal([[3, 12], [2, 4]])), style="values"), end="")
    (3)
     ├──(3)
     │   ├──(3)
     │   └──(12)
     └──(2)
         └──(2)
    """
    return _export_text(".txt", tree, view, style)


def to_svg(tree: SearchTree, view: View | None = None, **style: Any) -> str:
    """Return the tree as an SVG picture."""
    return _export_text(".svg", tree, view, style)


def to_json(tree: SearchTree, view: View | None = None) -> str:
    """Return the tree as JSON. The schema is in visualizer/exporters/json.py."""
    return _export_text(".json", tree, view, {})


def read_json(text: str | bytes, game: Any = None, state: Any = None) -> SearchTree:
    """Read the tree that `to_json` wrote."""
    from visualizer.exporters.json import read_json

    return read_json(text, game, state)


def to_csv(tree: SearchTree, view: View | None = None, **style: Any) -> str:
    """Return a table with a row per expanded node."""
    return _export_text(".csv", tree, view, style)


def to_graphml(tree: SearchTree, view: View | None = None, **style: Any) -> str:
    """Return the tree as GraphML."""
    return _export_text(".graphml", tree, view, style)


def to_tex(tree: SearchTree, view: View | None = None, **style: Any) -> str:
    """Return the tree as a LaTeX document."""
    return _export_text(".tex", tree, view, style)


def to_html(tree: SearchTree, view: View | None = None, **style: Any) -> str:
    """Return a page with picture and counts."""
    return _export_text(".html", tree, view, style)


def to_graphviz(tree: SearchTree, view: View | None = None, **style: Any) -> "graphviz.Source":
    """Return the DOT text as an object of the package graphviz.

    A notebook shows it and `.render()` draws it if Graphviz itself is installed. `st.graphviz_chart` draws it in the browser,
    without
    Graphviz.

    >>> from engine import literal, search
    >>> to_graphviz(search(literal([3, 12]))).source.splitlines()[0]
    'digraph search {'
    """
    import graphviz

    return graphviz.Source(to_dot(tree, view, **style))


def to_networkx(tree: SearchTree, view: View | None = None, boards: bool = False) -> "networkx.DiGraph":
    """Return a DiGraph with all attributes, at most 200,000 nodes."""
    from visualizer.exporters.networkx_graph import to_networkx

    return to_networkx(tree, view, boards)
