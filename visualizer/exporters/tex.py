"""LaTeX: a page with the tree drawn by the package forest; compiles with pdflatex."""

from collections.abc import Callable, Iterator

from engine.record.columns import CUTOFF, OPEN, TABLE, TERMINAL
from engine.tree.tree import SearchTree
from visualizer.drawing.limits import TooLarge, check_size
from visualizer.drawing.looks import Looks
from visualizer.drawing.text_columns import ends, hidden_text, move_names
from visualizer.drawing.theme import LIGHT
from visualizer.drawing.view import STUB, Shown, View, shown
from visualizer.text.captions import only_pass, result, title
from visualizer.text.escapes import latex
from visualizer.text.numbers import file_number
from visualizer.text.widths import short

EXTENSION = ".tex"
DESCRIPTION = "LaTeX with the package forest, up to 1,000 nodes"
MEDIA_TYPE = "application/x-tex"
MAX_ITEMS = 1000  # forest takes seconds for a few hundred, and TeX's memory ends soon after
MAX_DEPTH = 60  # plies: forest takes minutes for deep trees, and a page holds no more
STATUS_STYLES = {CUTOFF: "cutoff", TERMINAL: "terminal", OPEN: "open", TABLE: "table"}
SIGNS = ("", r"\geq ", r"\leq ", "?")
INDENT = 20  # deeper nodes are not indented further

STYLES = r"""\forestset{
  plyscope/.style={for tree={font=\scriptsize, inner sep=1pt, s sep=3pt, l sep=16pt, fit=rectangle, edge={draw=plyedge},
    parent anchor=south, child anchor=north, tier/.wrap pgfmath arg={ply##1}{level()}}},
  ply max/.style={isosceles triangle, isosceles triangle apex angle=70, shape border rotate=90, minimum height=14pt,
    draw=plymax, fill=plymaxfill},
  ply min/.style={isosceles triangle, isosceles triangle apex angle=70, shape border rotate=270, minimum height=14pt,
    inner ysep=3.5pt, draw=plymin, fill=plyminfill},
  ply terminal/.style={double},
  ply table/.style={diamond, shape border rotate=0, minimum height=14pt},
  ply cutoff/.style={dashed},
  ply open/.style={dotted},
  ply best/.style={line width=1.4pt, edge={draw=black, line width=1.4pt}},
  ply skipped/.style={draw=none, font=\tiny, edge={draw=plyedge, dashed}},
  ply move/.style={edge label={node[midway, fill=white, inner sep=1pt, font=\tiny]{#1}}},
}
"""
HEAD = r"""%% {title}
%% {result}
\documentclass{{article}}
\usepackage[T1]{{fontenc}}
\usepackage{{textcomp}}
\usepackage[landscape,margin=1cm]{{geometry}}
\usepackage{{graphicx}}
\usepackage{{forest}}
\usetikzlibrary{{shapes.geometric}}
\pagestyle{{empty}}
\parindent=0pt
{colours}
{styles}\newsavebox\plytree
\newdimen\plyroom
\newdimen\plyheight
\begin{{document}}
\begin{{lrbox}}{{\plytree}}
\begin{{forest}} plyscope
"""
FOOT = r"""\end{{forest}}
\end{{lrbox}}
\textbf{{{title}}}\\
{result}

\vspace{{4mm}}
\plyroom=\dimexpr\textheight-2cm\relax
\ifdim\wd\plytree>\textwidth \setbox\plytree=\hbox{{\resizebox{{\textwidth}}{{!}}{{\usebox\plytree}}}}\fi
\plyheight=\dimexpr\ht\plytree+\dp\plytree\relax
\ifdim\plyheight>\plyroom \setbox\plytree=\hbox{{\resizebox{{!}}{{\plyroom}}{{\usebox\plytree}}}}\fi
\usebox\plytree
\end{{document}}
"""


def chunks(tree: SearchTree, view: View | None = None, windows: bool = True) -> Iterator[bytes]:
    """The document, piece by piece. `windows` writes alpha and beta below the value."""
    part = shown(tree, view)
    check_size("a .tex with forest", len(part), MAX_ITEMS)
    if part.depth.max() > MAX_DEPTH:
        raise TooLarge(f"a .tex can hold {MAX_DEPTH} plies, and these are {int(part.depth.max())}: write it down to a depth")
    return _chunks(part, windows and len(tree.columns.alpha) > 0)


def _chunks(part: Shown, windows: bool) -> Iterator[bytes]:
    tree = part.tree
    lines = [line for line in (result(tree, part.view.is_whole), only_pass(tree, part.view.root)) if line]
    said = {"title": latex(title(tree)), "result": latex("; ".join(lines))}
    yield HEAD.format(colours=colours(), styles=STYLES, **said).encode()
    for line in nodes(part, windows):
        yield line.encode()
    yield FOOT.format(**said).encode()


def nodes(part: Shown, windows: bool) -> Iterator[str]:
    """A line per node; a node's bracket closes behind its last descendant."""
    looks, names, bound = Looks(part), move_names(part), part.tree.bound
    written = ends(part.tree, part.row[part.kind != STUB], _number, ("^-", "^+")) if windows else _number
    depth = 0
    for item in range(len(part)):
        level = int(part.depth[item])
        if item:
            yield "]" * (depth - level + 1) + "\n"
        depth = level
        window = _window(part, item, written) if windows else ""
        yield "  " * min(level + 1, INDENT) + "[" + _node(part, item, looks, names.text(item), int(bound[part.row[item]]), window)
    yield "]" * (depth + 1) + "\n"


def _node(part: Shown, item: int, looks: Looks, name: str, bound: int, window: str) -> str:
    tree, row = part.tree, int(part.row[item])
    move = f", ply move={{{latex(short(name))}}}" if part.parent[item] >= 0 else ""
    if part.kind[item] == STUB:
        return r"{$\times$}, ply skipped" + move
    lines = [f"${SIGNS[bound]}{_number(tree[row].value)}$"]
    lines += [window] if window else []
    if (static := tree[row].static) is not None:
        lines.append(f"pat ${_number(static)}$")
    lines += [latex(line) for line in hidden_text(int(part.hidden[item]), int(part.hidden_cutoffs[item])).split(", ") if line]
    styles = ["ply max" if tree.maximizing[row] else "ply min"]
    styles += [f"ply {STATUS_STYLES[status]}"] if (status := int(tree.status[row])) in STATUS_STYLES else []
    styles += ["ply best"] if looks.principal[item] else []
    label = (
        lines[0] if len(lines) == 1 else r"\shortstack{" + r"\\".join([lines[0], *(r"\tiny " + line for line in lines[1:])]) + "}"
    )
    return f"{{{label}}}, {', '.join(styles)}{move}"


def _window(part: Shown, item: int, written: Callable[[float], str]) -> str:
    node = part.tree[int(part.row[item])]
    return f"$[{written(node.alpha)}, {written(node.beta)}]$"


def _number(value: float) -> str:
    return file_number(value).replace("inf", r"\infty")


def colours() -> str:
    """The colours that STYLES uses."""
    named = {"plymin": LIGHT.lines[0], "plymax": LIGHT.lines[1], "plyminfill": LIGHT.fills[0], "plymaxfill": LIGHT.fills[1]}
    named["plyedge"] = LIGHT.edge
    return "\n".join(rf"\definecolor{{{name}}}{{HTML}}{{{colour[1:]}}}" for name, colour in named.items())
