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
    said = ["▲ MAX, ▼ MIN"]
    if any(look.bold for look in present):
        whole = root == ROOT or (tree is not None and root == tree.root)
        said.append("bold: principal variation" if whole else "bold: best line from the top")
    if any(look.double for look in present):
        said.append("double: game over")
    if any(look.dashed and not look.stub for look in present):
        said.append("dashed: cutoff, the value is a bound")
    if any(look.stub for look in present):
        said.append("crossed out: skipped")
    if any(look.dotted for look in present):
        said.append("dotted: not finished")
    if any(look.answered for look in present):
        said.append("◆ answered from the table")
    return said


def parts_legend(tree: SearchTree, views: Sequence[View], boards: bool = False) -> str:
    """Return one line that explains all parts of a tree."""
    seen = [select_items(tree, view) for view in views]
    looks = {look for part in seen for look in NodeStyles(part).present_styles}
    links = list(dict.fromkeys(words for part in seen for words in link_legend(part, find_back_links(part))))
    left_out = [words for words in [note_omitted_passes(tree, views[-1].root)] if words]
    return " · ".join(node_legend(looks, views[-1].root, tree) + links + (board_legend(tree) if boards else []) + left_out)
