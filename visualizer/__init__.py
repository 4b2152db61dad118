"""Pictures and files from recorded searches: `export(tree, "tree.svg")`, `to_dot(tree)`, `to_networkx(tree)`;
the words for a step of a trace: `sentence(step)`.

Importing this package lets a notebook display a SearchTree. Functions are imported on first use, so that the command line
starts quickly.
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

MODULES_BY_NAME = {
    "View": "visualizer.drawing.view",
    "check_target": "visualizer.exporters",
    "formats": "visualizer.exporters",
    "sentence": "visualizer.narration.sentences",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'visualizer' has no attribute {name!r}")
    return getattr(import_module(MODULES_BY_NAME.get(name, "visualizer.api")), name)


if "engine" in sys.modules or "IPython" in sys.modules:
    from visualizer.notebook import install_tree_display

    install_tree_display()
