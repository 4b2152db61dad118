"""Pictures and files from recorded searches: `export(tree, "tree.svg")`, `to_dot(tree)`, `to_networkx(tree)`.

Importing this lets a SearchTree show itself in a notebook.
"""

from visualizer.api import (
    export,
    read_json,
    to_csv,
    to_dot,
    to_graphml,
    to_html,
    to_json,
    to_networkx,
    to_svg,
    to_tex,
    to_text,
)
from visualizer.exporters import check_target, formats
from visualizer.notebook import show_trees
from visualizer.view import View

__all__ = [
    "View",
    "check_target",
    "export",
    "formats",
    "read_json",
    "to_csv",
    "to_dot",
    "to_graphml",
    "to_html",
    "to_json",
    "to_networkx",
    "to_svg",
    "to_tex",
    "to_text",
]

show_trees()
