"""Graphviz: MAX as up-triangles, MIN as down-triangles, moves on the edges, untried moves as dashed stubs.

The principal variation is bold. What a table answered is a diamond. A node is called n and its row, a stub s and its number in
the view.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.record.columns import NONE
from engine.tree.tree import SearchTree
from visualizer.drawing.back_links import back_links
from visualizer.drawing.label_columns import boards as board_texts
from visualizer.drawing.label_columns import hidden_texts, move_names, numbers, static_values, window_texts
from visualizer.drawing.node_styles import Looks
from visualizer.drawing.size_limits import MAX_BOARDS, check_size
from visualizer.drawing.theme import BOARD_FONT, LIGHT, Look
from visualizer.drawing.view import STUB, Shown, View, shown
from visualizer.narration.captions import SIGNS, only_pass, result, title
from visualizer.narration.escapes import dot, plain
from visualizer.narration.numbers import drawn_number
from visualizer.narration.text_width import short

EXTENSION = ".dot"
DESCRIPTION = "Graphviz"
MEDIA_TYPE = "text/vnd.graphviz"
BLOCK = 1 << 17  # items whose labels are made at a time
DRAWN = 5000  # items that Graphviz can draw in reasonable time
COLLAPSED_HEIGHT = 1.6  # of all nodes, in inches, where some tell what they hide: edges then end at one height
HEAD = """\
digraph search {{
  graph [label="{caption}" labelloc=t fontname="DejaVu Sans" fontsize=12 ordering=out ranksep={ranks} nodesep=0.12 \
bgcolor="{background}"];
  node [shape=triangle style=filled margin="0.02,0.02" height={height} width=0.5 fontname="DejaVu Sans" fontsize=10 \
color="{colour}" fillcolor="{fill}" fontcolor="{text}"];
  edge [arrowhead=none fontname="DejaVu Sans" fontsize=9 color="{edge}" fontcolor="{muted}"];
"""


def chunks(tree: SearchTree, view: View | None = None, windows: bool = True, boards: bool = False) -> Iterator[bytes]:
    """The graph, piece by piece. `windows` writes alpha and beta below the value, `boards` the state above it."""
    part = shown(tree, view)
    if boards:
        check_size("boards as labels", len(part), MAX_BOARDS)
    return _chunks(part, windows and len(tree.columns.alpha) > 0, boards)


def _chunks(part: Shown, windows: bool, boards: bool) -> Iterator[bytes]:
    from visualizer.exporters.line_writer import lines

    tree = part.tree
    left_out = only_pass(tree, part.view.root)
    caption = "\\n".join(dot(line) for line in (title(tree), result(tree, part.view.is_whole), left_out) if line)
    palette = LIGHT
    yield HEAD.format(
        caption=caption,
        ranks=round(min(1.5, 0.3 + 0.12 * _widest_family(part)), 2),
        height=COLLAPSED_HEIGHT if part.hidden.any() else 0.4,
        background=palette.background,
        colour=palette.lines[1],
        fill=palette.fills[1],
        text=palette.text,
        edge=palette.edge,
        muted=palette.muted,
    ).encode()
    pen = _Pen(part, windows, board_texts(part) if boards else [])
    yield from lines(pen.nodes(slice(0, 1)))
    for start in range(1, len(part), BLOCK):
        block = slice(start, min(start + BLOCK, len(part)))
        yield from lines(pen.nodes_and_edges(block))
    yield from _links(part)
    yield b"}\n"


def _links(part: Shown) -> Iterator[bytes]:
    """Dotted edges from what the table answered to the nodes that it was found at, and from re-searches to their probes."""
    for item, source in back_links(part) if len(part.nodes) <= DRAWN else []:
        arrow = "[style=dotted constraint=false arrowhead=normal arrowsize=0.5]"
        yield f"  n{part.row[item]} -> n{part.row[source]} {arrow};\n".encode()


class _Pen:
    """The fields of a line for a node, and for the edge that leads to it."""

    def __init__(self, part: Shown, windows: bool, boards: list[str]):
        self.part, self.windows, self.boards = part, windows, boards
        self.bound, self.names, self.looks = part.tree.bound, move_names(part), Looks(part)
        self.has_stubs = bool((part.kind == STUB).any())

    def nodes(self, block: slice, end: str = "") -> list[Any]:
        """The node, as `n12 [label="≥3" ...];` and what follows on the next line."""
        from visualizer.exporters.line_writer import Labels

        part = self.part
        fields = self._name(block, "  n", "  s")
        label = ' [label="'
        if self.boards:
            fields.append(Labels(np.arange(block.stop - block.start), [label + _board(text) for text in self.boards[block]]))
            label = ""
        fields += [self._value(block, label), *self._window(block)]
        if not part.view.is_whole:
            hidden = hidden_texts(part.hidden[block], part.hidden_cutoffs[block])
            fields.append(Labels(hidden.codes, ["\\n" + text.replace(", ", "\\n") if text else "" for text in hidden.texts]))
        if len(part.tree.columns.static):
            static = static_values(part.tree, part.row[block], drawn_number)
            fields.append(Labels(self._or(block, static.codes, NONE), [f"\\npat {text}" for text in static.texts]))
        styles = [f'"{_node_style(look, bool(self.boards))}];\n{end}' for look in Looks.all]
        return [*fields, Labels(self.looks.codes[block], styles)]

    def nodes_and_edges(self, block: slice) -> list[Any]:
        """The node, and the edge to it as `n3 -> n12 [label="4"];`."""
        from visualizer.exporters.line_writer import Labels, Numbers

        return [
            *self.nodes(block, "  n"),
            Numbers(self.part.row[self.part.parent[block]]),
            *self._name(block, " -> n", " -> s"),
            Labels(self.names.codes[block], [f' [label="  {dot(short(name))}  "' for name in self.names.texts]),
            Labels(self.looks.codes[block], [f"{_edge_style(look)}];\n" for look in Looks.all]),
        ]

    def _name(self, block: slice, node: str, stub: str) -> list[Any]:
        from visualizer.exporters.line_writer import Labels, Numbers

        row = self.part.row[block]
        if not self.has_stubs:
            return [Numbers(row, node)]
        is_stub = self.part.kind[block] == STUB
        return [Labels(is_stub, [node, stub]), Numbers(self._or(block, row, np.arange(block.start, block.stop, dtype=np.int32)))]

    def _value(self, block: slice, before: str) -> Any:
        """The sign of a bound and the value, as one text."""
        from visualizer.exporters.line_writer import Labels

        tree, row = self.part.tree, self.part.row[block]
        value = numbers(tree, tree.columns.value[row], drawn_number)
        texts = [before + sign + text for text in value.texts for sign in SIGNS.values()]
        codes = value.codes * np.int32(len(SIGNS)) + self.bound[row]
        return Labels(self._or(block, codes, len(texts)), [*texts, before + "×"])

    def _window(self, block: slice) -> list[Any]:
        """Alpha and beta, below the value."""
        from visualizer.exporters.line_writer import Labels

        if not self.windows:
            return []
        tree, row = self.part.tree, self.part.row[block]
        alpha, beta = window_texts(tree, row, drawn_number)
        return [
            Labels(self._or(block, alpha.codes, NONE), [f"\\n[{text}, " for text in alpha.texts]),
            Labels(self._or(block, beta.codes, NONE), [f"{text}]" for text in beta.texts]),
        ]

    def _or(self, block: slice, of_node: np.ndarray, of_stub: Any) -> np.ndarray:
        """The one for nodes, the other for stubs."""
        return np.where(self.part.kind[block] != STUB, of_node, of_stub) if self.has_stubs else of_node


def _widest_family(part: Shown) -> int:
    """The most children of a node: many need room above them, or their edges run flat. Nobody draws large graphs this way."""
    return int(np.bincount(part.parent[1:]).max()) if 1 < len(part) <= DRAWN else 0


def _board(text: str) -> str:
    return "".join(dot(plain(line)) + "\\n" for line in text.split("\n")) if text else ""


def _node_style(look: Look, boards: bool) -> str:
    """The attributes in which a node differs from the usual one, an up-triangle."""
    palette = LIGHT
    style = ""
    if boards and not look.stub:
        style += f' shape=box fontname="{BOARD_FONT}"'
    elif look.answered:
        style += " shape=diamond"
    elif look.side == 0:
        style += " shape=invtriangle"
    if look.stub:
        return f'{style} style=dashed color="{palette.muted}" fontcolor="{palette.muted}" width=0.3 height=0.25'
    if look.side == 0:
        style += f' color="{palette.lines[0]}" fillcolor="{palette.fills[0]}"'
    if look.dashed or look.dotted:
        style += f' style="filled,{"dashed" if look.dashed else "dotted"}"'
    if look.double:
        style += " peripheries=2"
    return style + (" penwidth=3" if look.bold else "")


def _edge_style(look: Look) -> str:
    if look.stub:
        return " style=dashed"
    return f' penwidth=3 color="{LIGHT.text}"' if look.bold else ""
