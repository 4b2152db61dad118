"""Graphviz: MAX as up-triangles, MIN as down-triangles, chance as circles, moves on the edges, untried moves as dashed stubs.

The principal variation is bold. A node that the table answered is a diamond. Nodes are named n and their row, stubs s and their
number in the view.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.record.columns import NONE
from engine.tree.tree import SearchTree
from visualizer.drawing.back_links import find_back_links
from visualizer.drawing.label_columns import (
    choose_value_format,
    edge_labels,
    format_boards,
    format_notes,
    format_numbers,
    format_static_values,
    format_windows,
    sign_codes,
)
from visualizer.drawing.legends import node_legend, wrap_legend
from visualizer.drawing.node_styles import NodeStyles
from visualizer.drawing.size_limits import MAX_BOARDS, check_size
from visualizer.drawing.theme import BOARD_FONT, LIGHT, NodeStyle
from visualizer.drawing.view import STUB, View, ViewItems, select_items
from visualizer.narration.captions import BOUND_SIGNS, note_omitted_passes, search_title, summarize_result
from visualizer.narration.escapes import escape_dot, sanitize_line
from visualizer.narration.numbers import drawn_number
from visualizer.narration.text_width import shorten_name

EXTENSION = ".dot"
DESCRIPTION = "Graphviz"
MEDIA_TYPE = "text/vnd.graphviz"
BLOCK_ITEMS = 1 << 17  # items whose labels are made at a time
MAX_DRAWN_ITEMS = 5000  # items that Graphviz can draw in reasonable time
COLLAPSED_HEIGHT_INCHES = 1.6  # of all nodes, in inches, if some have counts of hidden nodes: edges then end at one height
HEAD = """\
digraph search {{
  graph [label="{caption}" labelloc=t fontname="DejaVu Sans" fontsize=12 ordering=out ranksep={ranks} nodesep=0.12 \
bgcolor="{background}"];
  node [shape=triangle style=filled margin="0.02,0.02" height={height} width=0.5 fontname="DejaVu Sans" fontsize=10 \
color="{colour}" fillcolor="{fill}" fontcolor="{text}"];
  edge [arrowhead=none fontname="DejaVu Sans" fontsize=9 color="{edge}" fontcolor="{muted}"];
"""


def chunks(tree: SearchTree, view: View | None = None, windows: bool = True, boards: bool = False) -> Iterator[bytes]:
    """Return the graph in pieces. `windows` writes alpha and beta below the value, `boards` the state above it."""
    part = select_items(tree, view)
    if boards:
        check_size("boards as labels", len(part), MAX_BOARDS)
    return _write_graph(part, windows and len(tree.columns.alpha) > 0, boards)


def _write_graph(part: ViewItems, windows: bool, boards: bool) -> Iterator[bytes]:
    from visualizer.exporters.line_writer import write_lines

    caption = "\\n".join(escape_dot(line) for line in _caption_lines(part))
    palette = LIGHT
    yield HEAD.format(
        caption=caption,
        ranks=round(min(1.5, 0.3 + 0.12 * _max_children(part)), 2),
        height=COLLAPSED_HEIGHT_INCHES if part.hidden.any() else 0.4,
        background=palette.background,
        colour=palette.lines[1],
        fill=palette.fills[1],
        text=palette.text,
        edge=palette.edge,
        muted=palette.muted,
    ).encode()
    pen = _LineBuilder(part, windows, format_boards(part) if boards else [])
    yield from write_lines(pen.node_fields(slice(0, 1)))
    for start in range(1, len(part), BLOCK_ITEMS):
        block = slice(start, min(start + BLOCK_ITEMS, len(part)))
        yield from write_lines(pen.node_and_edge_fields(block))
    yield from _write_back_links(part)
    yield b"}\n"


def _caption_lines(part: ViewItems) -> list[str]:
    """Return the title, the result and the legend. The legend is not wider than the lines above it."""
    lines = [
        search_title(part.tree),
        summarize_result(part.tree, part.view.is_whole),
        note_omitted_passes(part.tree, part.view.root),
    ]
    legend = node_legend(NodeStyles(part).present_styles, part.view.root, part.tree)
    return [*filter(None, lines), *wrap_legend(legend, max(map(len, lines)))]


def _write_back_links(part: ViewItems) -> Iterator[bytes]:
    """Yield dotted edges from table answers to the nodes they come from, and from re-searches to their probes."""
    for item, source in find_back_links(part) if len(part.nodes) <= MAX_DRAWN_ITEMS else []:
        arrow = "[style=dotted constraint=false arrowhead=normal arrowsize=0.5]"
        yield f"  n{part.row[item]} -> n{part.row[source]} {arrow};\n".encode()


class _LineBuilder:
    """Builds the fields of the line for a node, and of the line for the edge to it."""

    def __init__(self, part: ViewItems, windows: bool, boards: list[str]):
        self.part, self.windows, self.boards = part, windows, boards
        self.bound, self.names, self.node_styles = sign_codes(part.tree), edge_labels(part), NodeStyles(part)
        self.has_stubs = bool((part.kind == STUB).any())
        self.notes = format_notes(part) if part.tree.has_iterations or not part.view.is_whole else None

    def node_fields(self, block: slice, end: str = "") -> list[Any]:
        """Return the fields of the node, as `n12 [label="≥3" ...];`, and of the start of the next line."""
        from visualizer.exporters.line_writer import Labels

        part = self.part
        fields = self._name_fields(block, "  n", "  s")
        label = ' [label="'
        if self.boards:
            fields.append(
                Labels(np.arange(block.stop - block.start), [label + _format_board(text) for text in self.boards[block]])
            )
            label = ""
        fields += [self._value_field(block, label), *self._window_fields(block)]
        if self.notes is not None:
            hidden = self.notes
            fields.append(
                Labels(hidden.codes[block], ["\\n" + text.replace(", ", "\\n") if text else "" for text in hidden.texts])
            )
        if len(part.tree.columns.static):
            static = format_static_values(part.tree, part.row[block], drawn_number)
            fields.append(Labels(self._choose_by_type(block, static.codes, NONE), [f"\\npat {text}" for text in static.texts]))
        styles = [f'"{_node_attributes(node_style, bool(self.boards))}];\n{end}' for node_style in NodeStyles.all]
        return [*fields, Labels(self.node_styles.codes[block], styles)]

    def node_and_edge_fields(self, block: slice) -> list[Any]:
        """Return the fields of the node, and of the edge to it as `n3 -> n12 [label="4"];`."""
        from visualizer.exporters.line_writer import Labels, Numbers

        return [
            *self.node_fields(block, "  n"),
            Numbers(self.part.row[self.part.parent[block]]),
            *self._name_fields(block, " -> n", " -> s"),
            Labels(self.names.codes[block], [f' [label="  {escape_dot(shorten_name(name))}  "' for name in self.names.texts]),
            Labels(self.node_styles.codes[block], [f"{_edge_attributes(node_style)}];\n" for node_style in NodeStyles.all]),
        ]

    def _name_fields(self, block: slice, node: str, stub: str) -> list[Any]:
        from visualizer.exporters.line_writer import Labels, Numbers

        row = self.part.row[block]
        if not self.has_stubs:
            return [Numbers(row, node)]
        is_stub = self.part.kind[block] == STUB
        return [
            Labels(is_stub, [node, stub]),
            Numbers(self._choose_by_type(block, row, np.arange(block.start, block.stop, dtype=np.int32))),
        ]

    def _value_field(self, block: slice, before: str) -> Any:
        """Return the sign of a bound and the value, as one field."""
        from visualizer.exporters.line_writer import Labels

        tree, row = self.part.tree, self.part.row[block]
        value = format_numbers(tree, tree.columns.value[row], choose_value_format(tree, drawn_number))
        texts = [before + sign + text for text in value.texts for sign in BOUND_SIGNS.values()]
        codes = value.codes * np.int32(len(BOUND_SIGNS)) + self.bound[row]
        return Labels(self._choose_by_type(block, codes, len(texts)), [*texts, before + "×"])

    def _window_fields(self, block: slice) -> list[Any]:
        """Return the fields of alpha and beta, below the value."""
        from visualizer.exporters.line_writer import Labels

        if not self.windows:
            return []
        tree, row = self.part.tree, self.part.row[block]
        alpha, beta = format_windows(tree, row, drawn_number)
        return [
            Labels(self._choose_by_type(block, alpha.codes, NONE), [f"\\n[{text}, " for text in alpha.texts]),
            Labels(self._choose_by_type(block, beta.codes, NONE), [f"{text}]" for text in beta.texts]),
        ]

    def _choose_by_type(self, block: slice, of_node: np.ndarray, of_stub: Any) -> np.ndarray:
        """Return the first array for nodes and the second for stubs."""
        return np.where(self.part.kind[block] != STUB, of_node, of_stub) if self.has_stubs else of_node


def _max_children(part: ViewItems) -> int:
    """Return the largest number of children of a node. Many children need space above them, or their edges run flat.

    Return 0 for large graphs, which are too large to draw.
    """
    return int(np.bincount(part.parent[1:]).max()) if 1 < len(part) <= MAX_DRAWN_ITEMS else 0


def _format_board(text: str) -> str:
    return "".join(escape_dot(sanitize_line(line)) + "\\n" for line in text.split("\n")) if text else ""


def _node_attributes(node_style: NodeStyle, boards: bool) -> str:
    """Return the attributes in which a node differs from the default one, an up-triangle."""
    palette = LIGHT
    style = ""
    if boards and not node_style.stub:
        style += f' shape=box fontname="{BOARD_FONT}"'
    elif node_style.answered:
        style += " shape=diamond"
    elif node_style.is_chance:
        style += " shape=circle"
    elif not node_style.points_up:
        style += " shape=invtriangle"
    if node_style.stub:
        return f'{style} style=dashed color="{palette.muted}" fontcolor="{palette.muted}" width=0.3 height=0.25'
    if not node_style.points_up:
        style += f' color="{palette.lines[node_style.turn]}" fillcolor="{palette.fills[node_style.turn]}"'
    if node_style.dashed or node_style.dotted:
        style += f' style="filled,{"dashed" if node_style.dashed else "dotted"}"'
    if node_style.double:
        style += " peripheries=2"
    return style + (" penwidth=3" if node_style.bold else "")


def _edge_attributes(node_style: NodeStyle) -> str:
    if node_style.stub:
        return " style=dashed"
    return f' penwidth=3 color="{LIGHT.text}"' if node_style.bold else ""
