"""SVG with our own layout: selectable text, a tooltip on every node, light and dark as the reader's system, no script."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from engine.record.columns import CHANCE, NONE, TABLE
from engine.tree.tree import SearchTree
from visualizer.drawing.back_links import MAX_LINKS, find_back_links, link_legend
from visualizer.drawing.board_pictures import board_css, board_legend
from visualizer.drawing.label_columns import ADJACENT_SIGNS, NO_OTHER_PARTS, format_static_values, skipped_move_names
from visualizer.drawing.legends import node_legend
from visualizer.drawing.node_styles import NodeStyles
from visualizer.drawing.size_limits import MAX_BOARDS, check_size
from visualizer.drawing.theme import DARK, DARK_MEDIA_QUERY, FONT, LIGHT, NodeStyle, Palette
from visualizer.drawing.tree_drawing import (
    BOARD_GAP,
    DOUBLE_OVERHANG,
    MARGIN,
    MIN_EDGE_HEIGHT,
    MOVE_FONT,
    MOVE_HEIGHT,
    NOTE_FONT,
    NOTE_LINE_HEIGHT,
    STUB_SIZE,
    TRIANGLE_HEIGHT,
    VALUE_FONT,
    NodeTexts,
    TreeLayout,
    lay_out_view,
    legend_height,
    make_node_texts,
)
from visualizer.drawing.view import STUB, View, ViewItems, select_items
from visualizer.narration.captions import BOUND_SIGNS, STATUS_LABELS, note_omitted_passes, search_title, summarize_result
from visualizer.narration.escapes import escape_xml
from visualizer.narration.numbers import drawn_number
from visualizer.narration.text_width import shorten_name

EXTENSION = ".svg"
DESCRIPTION = "vector picture for browsers and print, up to 200,000 nodes"
MEDIA_TYPE = "image/svg+xml"
MAX_ITEMS = 200_000

UNLABELLED_STATUSES = ("horizon", "exhausted")  # only statuses that the picture shows
TURN_TEXTS = [", MIN to move, value ", ", MAX to move, value ", ", chance, value "]
STATUS_TEXTS = ["" if status in UNLABELLED_STATUSES else f", {words}" for status, words in STATUS_LABELS.items()]


def chunks(
    tree: SearchTree, view: View | None = None, windows: bool = True, boards: bool = False, frame: bool = True
) -> Iterator[bytes]:
    """Return the picture in pieces.

    `windows` writes alpha and beta below each node, `boards` draws its state there. Without `frame` there is neither a caption
    above
    the tree nor a legend below it.
    """
    part = select_items(tree, view)
    check_size("an .svg", len(part), MAX_ITEMS)
    if boards:
        check_size("an .svg with boards", len(part), MAX_BOARDS)
    return draw_chunks(part, windows, boards, frame)


def draw_chunks(
    part: ViewItems, windows: bool, boards: bool, frame: bool, elsewhere: Mapping[int, int] = NO_OTHER_PARTS
) -> Iterator[bytes]:
    """Yield the picture of a view in pieces. `elsewhere` maps rows to the parts that show their hidden subtrees."""
    from visualizer.exporters import line_writer

    texts = make_node_texts(part, windows, boards, elsewhere)
    styles = NodeStyles(part)
    drawing = lay_out_view(part, texts, frame)
    yield _svg_head(part.tree, drawing, boards, frame).encode()
    if len(part) > 1:
        yield b'<g class="edges">\n'
        yield from line_writer.write_lines(_edge_fields(drawing, styles))
        yield b"</g>\n"
    links = find_back_links(part)
    if 0 < len(links) <= MAX_LINKS:
        yield _draw_back_links(drawing, links).encode()
    yield from line_writer.write_lines(_node_fields(drawing, texts, styles))
    if frame:
        legend = node_legend(styles.present_styles, part.view.root, part.tree) + (board_legend(part.tree) if boards else [])
        if texts.alpha and texts.beta and any(text.endswith(ADJACENT_SIGNS) for text in (*texts.alpha.texts, *texts.beta.texts)):
            legend.append("3+, 3-: just above, just below 3")
        more = [*link_legend(part, links), note_omitted_passes(part.tree, part.view.root)]
        yield _draw_legend(drawing, legend, [words for words in more if words]).encode()
    yield b"</svg>\n"


def _edge_fields(drawing: TreeLayout, styles: NodeStyles) -> list[Any]:
    from visualizer.exporters.line_writer import Labels, Numbers

    part, x, y = drawing.part, drawing.x, drawing.y
    best = styles.principal[1:]
    item = np.concatenate([np.flatnonzero(~best), np.flatnonzero(best)]) + 1  # the bold ones over the others
    parent = part.parent[item]
    same = np.zeros(len(parent), np.int32)
    start = [
        Labels(styles.codes[item], [f'<path{_edge_class(style)} d="M' for style in NodeStyles.all]),
        Numbers(x[parent]),
        Labels(same, [","]),
        Numbers(y[parent] + drawing.below[parent]),
    ]
    end = [Numbers(y[item] - MOVE_HEIGHT), Labels(same, ['"/>\n'])]
    if not drawing.corners:
        if (drawing.below[parent] < drawing.lowest[parent]).any():  # first down past the texts below the parent's siblings
            start += [Labels(same, ["V"]), Numbers(y[parent] + drawing.lowest[parent])]
        return [*start, Labels(same, ["L"]), Numbers(x[item]), Labels(same, [","]), *end]
    bend = Numbers(y[item] - MIN_EDGE_HEIGHT + 14)
    return [*start, Labels(same, ["V"]), bend, Labels(same, ["H"]), Numbers(x[item]), Labels(same, ["V"]), *end]


def _draw_back_links(drawing: TreeLayout, links: list[tuple[int, int]]) -> str:
    """Draw thin arcs from centre to centre, under the nodes. They pass over the nodes between, or beside them if one end is
    below the other.
    """
    lines = []
    for item, source in links:
        (x, y), (to_x, to_y) = ((int(drawing.x[at]), int(drawing.y[at]) + TRIANGLE_HEIGHT // 2) for at in (item, source))
        distance = abs(to_x - x)
        middle, top = (
            (x + to_x) // 2 + (TRIANGLE_HEIGHT if distance < TRIANGLE_HEIGHT else 0),
            min(y, to_y) - TRIANGLE_HEIGHT // 2 - distance // 12,
        )
        lines.append(f'<path d="M{x},{y}Q{middle},{top} {to_x},{to_y}"/>\n')
    return f'<g class="back">\n{"".join(lines)}</g>\n'


def _edge_class(style: NodeStyle) -> str:
    return ' class="stub"' if style.stub else ' class="best"' if style.bold else ""


def _node_fields(drawing: TreeLayout, texts: NodeTexts, styles: NodeStyles) -> list[Any]:
    from visualizer.exporters.line_writer import Labels, Numbers

    same = np.zeros(len(drawing.part), np.int32)
    size = _symbol_suffix(drawing)
    is_node = drawing.part.kind != STUB
    value = [
        Labels(texts.sign, list(BOUND_SIGNS.values())),
        Labels(texts.value.codes, [escape_xml(text) for text in texts.value.texts]),
    ]
    fields = [
        Labels(same, ['<g transform="translate(']),
        Numbers(drawing.x),
        Labels(same, [","]),
        Numbers(drawing.y),
        Labels(same, [')"><title>']),
        *_tooltip_fields(drawing.part, texts, value),
        Labels(styles.codes, [f"</title>{_node_shape(style, size)}" for style in NodeStyles.all]),
        *value,
        Labels(np.where(is_node, 0, NONE), ["</text>"]),
        Labels(
            texts.move.codes, [f'<text class="m" y="-9">{escape_xml(shorten_name(name))}</text>' for name in texts.move.texts]
        ),
    ]
    line = TRIANGLE_HEIGHT + NOTE_LINE_HEIGHT + 2
    if texts.alpha and texts.beta:
        fields += [
            Labels(np.where(is_node, texts.alpha.codes, NONE), [f'<text class="w" y="{line}">[{a}, ' for a in texts.alpha.texts]),
            Labels(np.where(is_node, texts.beta.codes, NONE), [f"{b}]</text>" for b in texts.beta.texts]),
        ]
        line += NOTE_LINE_HEIGHT
    notes = [
        "".join(
            f'<text class="w" y="{line + NOTE_LINE_HEIGHT * number}">{note}</text>'
            for number, note in enumerate(text.split(", "))
        )
        if text
        else ""
        for text in texts.hidden.texts
    ]
    fields.append(Labels(texts.hidden.codes, notes))
    if texts.boards:
        fields += [
            Labels(np.where(is_node, 0, NONE), ['<g transform="translate(0,']),
            Labels(np.where(is_node, drawing.notes, NONE), [f'{down + BOARD_GAP})">' for down in range(drawing.notes.max() + 1)]),
            Labels(np.arange(len(same)), [board.svg for board in texts.boards]),
            Labels(np.where(is_node, 0, NONE), ["</g>"]),
        ]
    return [*fields, Labels(same, ["</g>\n"])]


def _tooltip_fields(part: ViewItems, texts: NodeTexts, value: list[Any]) -> list[Any]:
    from visualizer.exporters.line_writer import Labels, Lists, Numbers

    tree, row = part.tree, part.row
    is_node = part.kind != STUB
    names = [escape_xml(name) for name in texts.move.texts]
    fields: list[Any] = [
        Labels(np.where(is_node, 0, 1), ["node ", "skipped in node "]),
        Numbers(np.where(is_node, row, row[part.parent])),
        Labels(texts.move.codes, [f", move {name}" for name in names]),
        Labels(np.where(is_node, tree.depth[row].astype(np.int32), NONE), [f", depth {d}" for d in range(tree.height + 1)]),
        Labels(
            np.where(is_node, tree.turn[row].astype(np.int32), NONE),
            TURN_TEXTS,
        ),
        *value,
    ]
    if texts.alpha and texts.beta:
        fields += [
            Labels(np.where(is_node, texts.alpha.codes, NONE), [f", window [{text}, " for text in texts.alpha.texts]),
            Labels(np.where(is_node, texts.beta.codes, NONE), [f"{text}]" for text in texts.beta.texts]),
        ]
    fields.append(Labels(np.where(is_node, tree.status[row].astype(np.int32), NONE), STATUS_TEXTS))
    if len(tree.columns.static):
        static = format_static_values(tree, row, drawn_number)
        fields.append(Labels(np.where(is_node, static.codes, NONE), [f", may stand pat with {text}" for text in static.texts]))
    if tree.table_hits and len(tree.columns.link):
        link = np.where(is_node & (tree.status[row] == TABLE), tree.columns.link[row], NONE)
        sources = np.unique(link[link >= 0])
        fields.append(Labels(np.where(link >= 0, np.searchsorted(sources, link), NONE), [f" by node {one}" for one in sources]))
    if tree.cutoffs:
        skipped = skipped_move_names(part)
        fields += [
            Labels(np.where(skipped.length > 0, 0, NONE), [", skipped "]),
            Lists(skipped.start, skipped.length, skipped.codes, [escape_xml(name) for name in skipped.texts], ", "),
        ]
    return fields


def _node_shape(style: NodeStyle, size: str) -> str:
    """Return the shape of a node and the start of its value."""
    letter = "c" if style.is_chance else "u" if style.points_up else "d"
    side = style.turn_name
    if style.stub:
        return f'<use href="#{letter}x{size}" class="x {side}"/>'
    if style.answered:
        return f'<use href="#t1{size}" class="{side}{" pv" if style.bold else ""}"/><text y="{TRIANGLE_HEIGHT / 2 + 4:g}">'
    classes = [side]
    classes += ["cut"] * style.dashed + ["open"] * style.dotted + ["pv"] * style.bold
    baseline = f"{TRIANGLE_HEIGHT / 2 + 4:g}" if style.is_chance else TRIANGLE_HEIGHT - 6 if style.points_up else 15
    return f'<use href="#{letter}{"2" if style.double else "1"}{size}" class="{" ".join(classes)}"/><text y="{baseline}">'


def _svg_head(tree: SearchTree, drawing: TreeLayout, boards: bool, frame: bool) -> str:
    width, height = drawing.width, drawing.height
    caption = f"""\
<text class="head" x="{MARGIN}" y="22">{escape_xml(search_title(tree))}</text>
<text class="sub" x="{MARGIN}" y="40">{escape_xml(summarize_result(tree, drawing.part.view.is_whole))}</text>
"""
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" class="ply" role="img">
<title>{escape_xml(search_title(tree))}</title>
<style>
{_picture_css(tree, boards)}</style>
<defs>
{_define_symbols(drawing)}</defs>
<rect class="ground" width="{width}" height="{height}"/>
{caption if frame else ""}"""


def _symbol_suffix(drawing: TreeLayout) -> str:
    """Return the suffix of the symbols' names. Pictures of different sizes may be in one page."""
    return f"-{round(drawing.triangle)}"


def _define_symbols(drawing: TreeLayout) -> str:
    """Define up- and down-triangles hanging from their top at 0: plain, doubled, and small ones with a cross."""
    size, triangle = _symbol_suffix(drawing), round(drawing.triangle)
    half, small, cross = round(triangle / 2, 1), STUB_SIZE / 2, STUB_SIZE / 2 - 1
    wide, over, under = round(half + DOUBLE_OVERHANG, 1), 5.5, 3
    up, down = f"M0,0L{half},{TRIANGLE_HEIGHT}H-{half}Z", f"M-{half},0H{half}L0,{TRIANGLE_HEIGHT}Z"
    up_outer = f"M0,-{over}L{wide},{TRIANGLE_HEIGHT + under}H-{wide}Z"
    down_outer = f"M-{wide},-{under}H{wide}L0,{TRIANGLE_HEIGHT + over}Z"
    crossed = f'<path class="plycross" d="M-{cross},1L{cross},{STUB_SIZE - 1}M{cross},1L-{cross},{STUB_SIZE - 1}"/>'
    answered = (
        f'<path id="t1{size}" d="M0,0L{half},{TRIANGLE_HEIGHT / 2:g}L0,{TRIANGLE_HEIGHT}L-{half},{TRIANGLE_HEIGHT / 2:g}Z"/>\n'
    )
    middle, radius = TRIANGLE_HEIGHT / 2, TRIANGLE_HEIGHT / 2
    circles = (
        f'<circle id="c1{size}" cy="{middle:g}" r="{radius:g}"/>\n'
        f'<g id="c2{size}"><circle cy="{middle:g}" r="{radius + 3:g}" fill="none"/><circle cy="{middle:g}" r="{radius:g}"/></g>\n'
    )
    return (
        f'<path id="u1{size}" d="{up}"/>\n<path id="d1{size}" d="{down}"/>\n{answered if drawing.part.tree.table_hits else ""}'
        f"{circles if drawing.part.tree.has_chance else ''}"
        f'<g id="u2{size}"><path d="{up_outer}" fill="none"/><path d="{up}"/></g>\n'
        f'<g id="d2{size}"><path d="{down_outer}" fill="none"/><path d="{down}"/></g>\n'
        f'<g id="ux{size}"><path d="M0,0L{small},{STUB_SIZE}H-{small}Z"/>{crossed}</g>\n'
        f'<g id="dx{size}"><path d="M-{small},0H{small}L0,{STUB_SIZE}Z"/>{crossed}</g>\n'
    )


def _picture_css(tree: SearchTree, boards: bool) -> str:
    """Return CSS that applies to our pictures only: several of them may be in one page."""
    linked = len(tree.columns.link) > 0
    rules = {
        "text": f"font-family:{FONT};font-size:{VALUE_FONT}px;text-anchor:middle",
        ".m": f"font-size:{MOVE_FONT}px",
        ".w": f"font-size:{NOTE_FONT}px",
        ".head,.sub,.key": "text-anchor:start",
        ".head": "font-size:14px;font-weight:bold",
        ".edges path": "fill:none",
        ".edges .best": "stroke-width:3;stroke-linecap:round",
        ".edges .stub,.cut": "stroke-dasharray:5 3",
        ".open": "stroke-dasharray:1 3",
        **({".back path": "fill:none;stroke-dasharray:1 4;stroke-width:1.4;stroke-linecap:round"} if linked else {}),
        ".pv": "stroke-width:3",
        ".plycross": "stroke-width:1.5",
    }
    light, dark = (
        _format_rules(_colour_rules(palette, linked, tree.has_chance) | (board_css(palette, tree) if boards else {}))
        for palette in (LIGHT, DARK)
    )
    return f"{_format_rules(rules)}{light}{DARK_MEDIA_QUERY}{{\n{dark}}}\n"


def _colour_rules(palette: Palette, linked: bool, chance: bool) -> dict[str, str]:
    return {
        ".ground": f"fill:{palette.background}",
        "text": f"fill:{palette.text}",
        ".m,.w,.sub,.key": f"fill:{palette.muted}",
        ".edges path": f"stroke:{palette.edge}",
        ".edges .best": f"stroke:{palette.text}",
        **({".back path": f"stroke:{palette.text}"} if linked else {}),
        ".min": f"stroke:{palette.lines[0]};fill:{palette.fills[0]}",
        ".max": f"stroke:{palette.lines[1]};fill:{palette.fills[1]}",
        **({".chance": f"stroke:{palette.lines[CHANCE]};fill:{palette.fills[CHANCE]}"} if chance else {}),
        ".x": "fill:none",
        ".plycross": f"stroke:{palette.text}",
    }


def _format_rules(rules: dict[str, str]) -> str:
    """Format rules as CSS.

    A symbol that is used elsewhere does not know the picture around it, so its rules have names of their own.
    """
    lines = []
    for names, declarations in rules.items():
        scoped = [name if name.startswith(".ply") else f".ply {name}" for name in names.split(",")]
        lines.append(f"{','.join(scoped)}{{{declarations}}}\n")
    return "".join(lines)


def _draw_legend(drawing: TreeLayout, legend: list[str], more: list[str]) -> str:
    """Draw two lines of legend, and more for dotted lines and for omitted parts."""
    lines = [" · ".join(legend[:3]), " · ".join(legend[3:]), *more]
    top = drawing.height - legend_height(drawing.part.tree) + 10
    return "".join(
        f'<text class="key w" x="{MARGIN}" y="{top + 14 * at}">{escape_xml(line)}</text>\n'
        for at, line in enumerate(lines)
        if line
    )
