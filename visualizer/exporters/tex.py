"""LaTeX: the tree drawn by the package forest, a large one in parts on pages of paper. It compiles with pdflatex."""

import re
from collections.abc import Callable, Iterator, Mapping

import numpy as np

from engine.record.columns import CUTOFF, OPEN, TABLE, TERMINAL, TURN_NAMES
from engine.tree.tree import SearchTree
from visualizer.drawing.document_heads import LATEX_FOOT, latex_head
from visualizer.drawing.label_columns import (
    NO_OTHER_PARTS,
    TextColumn,
    add_part_numbers,
    choose_value_format,
    edge_labels,
    format_notes,
    make_bound_writer,
    sign_codes,
)
from visualizer.drawing.node_styles import NodeStyles
from visualizer.drawing.paging import PaperParts, number_parts, split_for_paper
from visualizer.drawing.paper import Paper, find_paper
from visualizer.drawing.size_limits import TooLarge, check_size
from visualizer.drawing.theme import LIGHT
from visualizer.drawing.view import STUB, WHOLE_TREE, View, ViewItems, select_items
from visualizer.narration.captions import PARTS_NOTE, note_omitted_passes, part_title, search_title, summarize_result
from visualizer.narration.escapes import escape_latex, escape_latex_breakable
from visualizer.narration.numbers import file_number
from visualizer.narration.text_width import shorten_name

EXTENSION = ".tex"
DESCRIPTION = "LaTeX with the package forest, up to 1,000 nodes"
MEDIA_TYPE = "application/x-tex"
MAX_ITEMS = 1000  # forest takes seconds for a few hundred, and TeX's memory ends soon after
MAX_PLIES = 60  # plies: forest takes minutes for deep trees, and a page holds no more
STATUS_STYLES = {CUTOFF: "cutoff", TERMINAL: "terminal", OPEN: "open", TABLE: "table"}
LATEX_BOUND_SIGNS = ("", r"\geq ", r"\leq ", "?")
MAX_INDENT_LEVELS = 20  # deeper nodes are not indented further
LABEL_PLACE = 0.66  # of a move on its edge, as in FOREST_STYLES
MIN_SEPARATION = 3  # points between siblings, as in FOREST_STYLES
SMALL_LETTER_POINTS, TINY_LETTER_POINTS = 3.6, 3.0  # width in \scriptsize and \tiny
LABEL_MARGIN_POINTS, NODE_MARGIN_POINTS = 4, 8

FOREST_STYLES = r"""\forestset{
  plyscope/.style={for tree={font=\scriptsize, inner sep=1pt, s sep=3pt, l sep=16pt, fit=rectangle, edge={draw=plyedge},
    parent anchor=south, child anchor=north, tier/.wrap pgfmath arg={ply##1}{level()}}},
  ply max/.style={isosceles triangle, isosceles triangle apex angle=70, shape border rotate=90, minimum height=14pt,
    draw=plymax, fill=plymaxfill},
  ply min/.style={isosceles triangle, isosceles triangle apex angle=70, shape border rotate=270, minimum height=14pt,
    inner ysep=3.5pt, draw=plymin, fill=plyminfill},
  ply chance/.style={circle, minimum height=14pt, draw=plychance, fill=plychancefill},
  ply terminal/.style={double},
  ply table/.style={diamond, shape border rotate=0, minimum height=14pt},
  ply cutoff/.style={dashed},
  ply open/.style={dotted},
  ply best/.style={line width=1.4pt, edge={draw=black, line width=1.4pt}},
  ply skipped/.style={draw=none, font=\tiny, edge={draw=plyedge, dashed}},
  ply hidden/.style={label={[font=\tiny, inner sep=1pt]below:{#1}}},
  ply move/.style={edge label={node[pos=0.66, fill=white, inner sep=1pt, font=\tiny]{#1}}},
}
"""
BOX_COMMANDS = r"""\newsavebox\plybox
\newdimen\plywide
\newdimen\plyhigh
\newcommand{\plyshrink}{% to the page
  \ifdim\wd\plybox>\textwidth \setbox\plybox=\hbox{\resizebox{\textwidth}{!}{\usebox\plybox}}\fi
  \plyhigh=\dimexpr\ht\plybox+\dp\plybox\relax
  \ifdim\plyhigh>\dimexpr\textheight-2cm\relax
    \setbox\plybox=\hbox{\resizebox{!}{\dimexpr\textheight-2cm\relax}{\usebox\plybox}}\fi}
\newcommand{\plypart}[1]{\plyshrink \plywide=\wd\plybox \ifdim\plywide<4cm \plywide=4cm\fi
  \begin{minipage}[t]{\plywide}\raggedright\small #1\par\vspace{2pt}\usebox\plybox\vspace{4mm}\end{minipage}\hspace{3mm}}
"""
NODE_SHAPES = "\\usetikzlibrary{shapes.geometric}\n"


def chunks(tree: SearchTree, view: View | None = None, windows: bool = True, paper: str = "a4") -> Iterator[bytes]:
    """Return the document in pieces. `windows` writes alpha and beta below the value; `paper` is a4 or letter."""
    sheet, part = find_paper(paper), select_items(tree, view)
    check_size("a .tex with forest", len(part), MAX_ITEMS)
    if part.depth.max() > MAX_PLIES:
        raise TooLarge(f"a .tex can hold {MAX_PLIES} plies, and this view has {int(part.depth.max())}: limit its depth")
    return _write_document(part, split_for_paper(tree, view or WHOLE_TREE, windows=windows), windows, sheet)


def _write_document(part: ViewItems, found: PaperParts, windows: bool, sheet: Paper) -> Iterator[bytes]:
    """Yield one picture on a landscape page, or the parts, as many on a page as fit."""
    tree, views = part.tree, found.views if len(found.views) > 1 else []
    lines = [line for line in (summarize_result(tree, part.view.is_whole), note_omitted_passes(tree, part.view.root)) if line]
    paragraphs = ["; ".join(lines), *([PARTS_NOTE.format(parts=len(views))] if views else [])]
    introduction = "\\\\\n".join(map(escape_latex_breakable, paragraphs))
    layout = "margin=1.5cm" if views and not found.turned else "landscape,margin=1cm"
    setup = f"{NODE_SHAPES}\\pagestyle{{{'plain' if views else 'empty'}}}\n\\parindent=0pt\n{tree_commands()}"
    yield (
        f"%% {escape_latex(search_title(tree))}\n%% {escape_latex('; '.join(lines))}\n"
        f"{latex_head(sheet.latex, layout, ['forest'], setup)}"
        f"{{\\raggedright\\textbf{{{escape_latex_breakable(search_title(tree))}}}\\\\\n{introduction}\\par}}\n\n\\vspace{{4mm}}\n"
    ).encode()
    if views:
        yield from (piece.encode() for piece in draw_parts(tree, views, windows))
    else:
        yield f"{draw_box(part, windows)}\\plyshrink\\usebox\\plybox\n".encode()
    yield LATEX_FOOT.encode()


def draw_parts(tree: SearchTree, views: list[View], windows: bool = True) -> Iterator[str]:
    """Yield pictures side by side, each below the moves that lead there."""
    yield "{\\raggedright\n"
    for number, view, elsewhere in number_parts(views):
        heading = escape_latex_breakable(part_title(tree, view.root, number, len(views)))
        yield f"{draw_box(select_items(tree, view), windows, elsewhere)}\\plypart{{{heading}}}\n"
    yield "\\par}\n"


def draw_box(part: ViewItems, windows: bool = True, elsewhere: Mapping[int, int] = NO_OTHER_PARTS) -> str:
    """Draw a view in the box that `\\plyshrink` fits to the page."""
    lines = "".join(forest_lines(part, windows and len(part.tree.columns.alpha) > 0, elsewhere))
    return f"\\begin{{lrbox}}{{\\plybox}}\n\\begin{{forest}} plyscope\n{lines}\\end{{forest}}\n\\end{{lrbox}}\n"


def forest_lines(part: ViewItems, windows: bool, elsewhere: Mapping[int, int] = NO_OTHER_PARTS) -> Iterator[str]:
    """Yield a line per node. A node's bracket closes behind its last descendant."""
    node_styles, names, bound = NodeStyles(part), edge_labels(part), sign_codes(part.tree)
    written = (
        make_bound_writer(part.tree, part.row[part.kind != STUB], _format_latex_number, ("^-", "^+"))
        if windows
        else _format_latex_number
    )
    hidden = add_part_numbers(format_notes(part), part.row, elsewhere)
    separations = _find_separations(part, names, windows, written)
    depth = 0
    for item in range(len(part)):
        level = int(part.depth[item])
        if item:
            yield "]" * (depth - level + 1) + "\n"
        depth = level
        window = _format_window(part, item, written) if windows else ""
        texts = (int(bound[part.row[item]]), window, hidden.text(item))
        node = _format_node(part, item, node_styles, names.text(item), *texts)
        apart = f", s sep={separations[item]:.0f}pt" if separations[item] > MIN_SEPARATION else ""
        yield "  " * min(level + 1, MAX_INDENT_LEVELS) + "[" + node + apart
    yield "]" * (depth + 1) + "\n"


def _find_separations(part: ViewItems, names: TextColumn, windows: bool, written: Callable[[float], str]) -> np.ndarray:
    """Return the points between the children of each item that keep the moves on their edges apart."""
    separations = np.full(len(part), MIN_SEPARATION, float)
    for item in range(1, len(part)):
        label = len(shorten_name(names.text(item))) * TINY_LETTER_POINTS + LABEL_MARGIN_POINTS
        is_node = part.kind[item] != STUB
        value = len(file_number(part.tree[int(part.row[item])].value)) * SMALL_LETTER_POINTS if is_node else 0
        window = len(_format_window(part, item, written)) * TINY_LETTER_POINTS if windows and is_node else 0
        needed = label / LABEL_PLACE - max(value, window) - NODE_MARGIN_POINTS
        separations[part.parent[item]] = max(separations[part.parent[item]], needed)
    return separations


def _format_node(part: ViewItems, item: int, node_styles: NodeStyles, name: str, bound: int, window: str, hidden: str) -> str:
    tree, row = part.tree, int(part.row[item])
    move = f", ply move={{{escape_latex(shorten_name(name))}}}" if part.parent[item] >= 0 else ""
    if part.kind[item] == STUB:
        return r"{$\times$}, ply skipped" + move
    value = choose_value_format(tree, _format_latex_number)(tree[row].value)
    lines = [f"${LATEX_BOUND_SIGNS[bound]}{value}$"]
    lines += [window] if window else []
    lines += [f"pat ${_format_latex_number(static)}$"] if (static := tree[row].static) is not None else []
    below = [escape_latex(line) for line in hidden.split(", ") if line]
    is_leaf = item + 1 == len(part) or part.depth[item + 1] <= part.depth[item]
    if below and not is_leaf:
        lines += below
    elif below:  # there is room for it below the node
        move += r", ply hidden={\shortstack{" + r"\\".join(below) + "}}"
    styles = [f"ply {TURN_NAMES[tree.turn[row]]}"]
    styles += [f"ply {STATUS_STYLES[status]}"] if (status := int(tree.status[row])) in STATUS_STYLES else []
    styles += ["ply best"] if node_styles.principal[item] else []
    label = (
        lines[0] if len(lines) == 1 else r"\shortstack{" + r"\\".join([lines[0], *(r"\tiny " + line for line in lines[1:])]) + "}"
    )
    return f"{{{label}}}, {', '.join(styles)}{move}"


def _format_window(part: ViewItems, item: int, written: Callable[[float], str]) -> str:
    node = part.tree[int(part.row[item])]
    return f"$[{written(node.alpha)}, {written(node.beta)}]$"


def _format_latex_number(value: float) -> str:
    r"""Return a number for math mode.

    >>> _format_latex_number(-1.5e-07)
    '-1.5\\cdot 10^{-7}'
    """
    return re.sub(r"e([-+]?)0*(\d+)", r"\\cdot 10^{\1\2}", file_number(value).replace("inf", r"\infty")).replace("^{+", "^{")


def tree_commands() -> str:
    """Return the colours, styles and commands that draw trees."""
    return f"{_define_colours()}\n{FOREST_STYLES}{BOX_COMMANDS}"


def _define_colours() -> str:
    """Return the definitions of the colours that FOREST_STYLES uses."""
    named = {f"ply{turn}": line for turn, line in zip(TURN_NAMES, LIGHT.lines, strict=True)}
    named |= {f"ply{turn}fill": fill for turn, fill in zip(TURN_NAMES, LIGHT.fills, strict=True)}
    named["plyedge"] = LIGHT.edge
    return "\n".join(rf"\definecolor{{{name}}}{{HTML}}{{{colour[1:]}}}" for name, colour in named.items())
