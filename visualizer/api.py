"""The functions that `visualizer` offers: a tree into a file, or into text."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from engine.core.atomic_files import write_chunks
from engine.tree.tree import SearchTree
from visualizer.drawing.view import View
from visualizer.exporters import check_style, check_target, exporter

if TYPE_CHECKING:
    import graphviz
    import networkx


def export(
    tree: SearchTree,
    path: str | os.PathLike[str],
    view: View | None = None,
    *,
    on_progress: Callable[[int], object] | None = None,
    **style: Any,
) -> int:
    """Write the tree, or a view of it, to a file; the format follows from the extension. The size of the file in bytes.

    The file is complete or not there at all. `on_progress` hears the bytes written so far, for files over a megabyte. `style` are
    options of the format: style="values" for .txt, states=True for .txt and .csv, windows=False for pictures, boards=True for
    pictures, .dot, .html and .graphml, frame=False for .svg.
    """
    target = check_target(path)
    module = exporter(target)
    check_style(module, style)
    return write_chunks(target, module.chunks(tree, view, **style), on_progress)


def _text(extension: str, tree: SearchTree, view: View | None, style: dict[str, Any]) -> str:
    module = exporter("x" + extension)
    check_style(module, style)
    return b"".join(module.chunks(tree, view, **style)).decode()


def to_dot(tree: SearchTree, view: View | None = None, **style: Any) -> str:
    """Graphviz text."""
    return _text(".dot", tree, view, style)


def to_text(tree: SearchTree, view: View | None = None, **style: Any) -> str:
    """Indented text.

    >>> from engine import literal, search
    >>> print(to_text(search(literal([[3, 12], [2, 4]])), style="values"), end="")
    (3)
     ├──(3)
     │   ├──(3)
     │   └──(12)
     └──(2)
         └──(2)
    """
    return _text(".txt", tree, view, style)


def to_svg(tree: SearchTree, view: View | None = None, **style: Any) -> str:
    """A picture."""
    return _text(".svg", tree, view, style)


def to_json(tree: SearchTree, view: View | None = None) -> str:
    """JSON; the schema is in visualizer/exporters/json.py."""
    return _text(".json", tree, view, {})


def read_json(text: str | bytes, game: Any = None, state: Any = None) -> SearchTree:
    """The tree that `to_json` wrote."""
    from visualizer.exporters.json import read_json

    return read_json(text, game, state)


def to_csv(tree: SearchTree, view: View | None = None, **style: Any) -> str:
    """A table with a row per expanded node."""
    return _text(".csv", tree, view, style)


def to_graphml(tree: SearchTree, view: View | None = None, **style: Any) -> str:
    """GraphML."""
    return _text(".graphml", tree, view, style)


def to_tex(tree: SearchTree, view: View | None = None, **style: Any) -> str:
    """A LaTeX document."""
    return _text(".tex", tree, view, style)


def to_html(tree: SearchTree, view: View | None = None, **style: Any) -> str:
    """A page with picture and counts."""
    return _text(".html", tree, view, style)


def to_graphviz(tree: SearchTree, view: View | None = None, **style: Any) -> "graphviz.Source":
    """The DOT text as an object of the package graphviz: a notebook shows it and `.render()` draws it where Graphviz itself is
    installed; `st.graphviz_chart` draws it in the browser, without.

    >>> from engine import literal, search
    >>> to_graphviz(search(literal([3, 12]))).source.splitlines()[0]
    'digraph search {'
    """
    import graphviz

    return graphviz.Source(to_dot(tree, view, **style))


def to_networkx(tree: SearchTree, view: View | None = None, boards: bool = False) -> "networkx.DiGraph":
    """A DiGraph with all attributes, at most 200,000 nodes."""
    from visualizer.exporters.networkx_graph import to_networkx

    return to_networkx(tree, view, boards)
