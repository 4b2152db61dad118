"""Pictures and files from recorded searches: `export(tree, "tree.svg")`, `to_dot(tree)`, `to_networkx(tree)`;
the words for a step of a trace: `sentence(step)`.

Importing this lets a SearchTree show itself in a notebook. The functions are loaded when they are first asked for, so that the
command line starts at once.
"""

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from visualizer.api import (
        export,
        read_json,
        to_csv,
        to_dot,
        to_graphml,
        to_graphviz,
        to_html,
        to_json,
        to_networkx,
        to_svg,
        to_tex,
        to_text,
    )
    from visualizer.drawing.view import View
    from visualizer.exporters import check_target, formats
    from visualizer.narration.sentences import sentence

__all__ = [
    "View",
    "check_target",
    "export",
    "formats",
    "read_json",
    "sentence",
    "to_csv",
    "to_dot",
    "to_graphml",
    "to_graphviz",
    "to_html",
    "to_json",
    "to_networkx",
    "to_svg",
    "to_tex",
    "to_text",
]

ELSEWHERE = {
    "View": "visualizer.drawing.view",
    "check_target": "visualizer.exporters",
    "formats": "visualizer.exporters",
    "sentence": "visualizer.narration.sentences",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'visualizer' has no attribute {name!r}")
    return getattr(import_module(ELSEWHERE.get(name, "visualizer.api")), name)


if "engine" in sys.modules or "IPython" in sys.modules:
    from visualizer.notebook import show_trees

    show_trees()
