"""Pictures and files from recorded searches: `export(tree, "tree.svg")`, `to_dot(tree)`, `to_networkx(tree)`;
the words for a step of a trace: `sentence(step)`.

Functions are imported on first use, so that the command line
starts quickly.
"""

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


def __dir__() -> list[str]:
    """Return the public names, so that tab completion shows them before they are loaded."""
    return sorted({*globals(), *__all__})
