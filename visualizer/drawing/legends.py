"""Legends of the pictures of trees."""

from collections.abc import Sequence

from engine.record.columns import ROOT
from engine.tree.tree import SearchTree
from visualizer.drawing.back_links import find_back_links, link_legend
from visualizer.drawing.board_pictures import board_legend
from visualizer.drawing.node_styles import NodeStyles
from visualizer.drawing.theme import NodeStyle
from visualizer.drawing.view import View, select_items
from visualizer.narration.captions import note_omitted_passes


def node_legend(present: set[NodeStyle], root: int = ROOT, tree: SearchTree | None = None) -> list[str]:
    """Return the legend for the styles in a picture of the tree, or of the subtree of a node."""
    legend = ["▲ MAX, ▼ MIN, ● chance" if any(style.is_chance for style in present) else "▲ MAX, ▼ MIN"]
    iterates = tree is not None and tree.has_iterations
    if any(style.bold for style in present):
        whole = root == ROOT or (tree is not None and root == tree.root)
        line = "most visited line" if iterates else "principal variation"
        legend.append(f"bold: {line}" if whole else "bold: best line from the top")
    if any(style.double for style in present):
        legend.append("double: game over")
    if any(style.dashed and not style.stub for style in present):
        legend.append("dashed: cutoff, the value is a bound")
    if any(style.stub for style in present):
        legend.append("crossed out: skipped")
    if any(style.dotted for style in present):
        legend.append("dotted: has untried moves" if iterates else "dotted: not finished")
    if any(style.answered for style in present):
        legend.append("◆ answered from the table")
    if iterates:
        legend.append("number: mean for MAX, 0 to 1")
    return legend


def parts_legend(tree: SearchTree, views: Sequence[View], boards: bool = False) -> str:
    """Return one line that explains all parts of a tree."""
    parts = [select_items(tree, view) for view in views]
    styles = {style for part in parts for style in NodeStyles(part).present_styles}
    links = list(dict.fromkeys(words for part in parts for words in link_legend(part, find_back_links(part))))
    left_out = [words for words in [note_omitted_passes(tree, views[-1].root)] if words]
    return " · ".join(node_legend(styles, views[-1].root, tree) + links + (board_legend(tree) if boards else []) + left_out)


def wrap_legend(legend: Sequence[str], max_chars: int) -> list[str]:
    """Return the legend in lines of at most this many characters, unless a single entry is longer.

    >>> wrap_legend(["bold", "dashed", "double"], 15)
    ['bold · dashed', 'double']
    """
    lines: list[str] = []
    for words in legend:
        if lines and len(lines[-1]) + len(words) + 3 <= max_chars:
            lines[-1] += f" · {words}"
        else:
            lines.append(words)
    return lines
