"""A report for pdflatex: tables, charts in TikZ, trees by the package forest."""

from engine.analysis.comparison_result import Comparison
from engine.tree.tree import SearchTree
from visualizer.drawing.fitting import parts
from visualizer.drawing.vector_drawing import to_tikz
from visualizer.drawing.view import WHOLE, View, shown
from visualizer.exporters import tex
from visualizer.report.blocks import Block, Chart, Command, Figure, Heading, Paragraph, Table, Verbatim
from visualizer.report.content import report, title
from visualizer.text.captions import place
from visualizer.text.escapes import latex

HEAD = r"""\documentclass[a4paper]{article}
\usepackage[T1]{fontenc}
\usepackage{textcomp}
\usepackage[margin=2cm]{geometry}
\usepackage{graphicx}
\usepackage{longtable}
\usepackage{forest}
\usetikzlibrary{shapes.geometric}
\parindent=0pt
\parskip=6pt
\setlength{\tabcolsep}{4pt}
"""
WIDE = 7  # columns from which on the letters are smaller
SECTIONS = {1: "section*", 2: "subsection*", 3: "subsubsection*"}
BOXES = r"""\newsavebox\plybox
\newcommand{\plyfit}{\ifdim\wd\plybox>\textwidth \resizebox{\textwidth}{!}{\usebox\plybox}\else\usebox\plybox\fi}
"""


def to_latex(comparison: Comparison) -> str:
    body = "\n".join(_block(block) for block in report(comparison))
    head = f"% {latex(title(comparison))}\n{HEAD}{tex.colours()}\n{tex.STYLES}{BOXES}"
    return head + "\\begin{document}\n" + body + "\\end{document}\n"


def _block(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"\\{SECTIONS[level]}{{{latex(text)}}}\n"
        case Paragraph(text, strong):
            return f"\\textbf{{{latex(text)}}}\n" if strong else latex(text) + "\n"
        case Table():
            return _table(block)
        case Verbatim(text) | Command(text):
            return _verbatim(text)
        case Chart(caption, sketch):
            return _fitted(to_tikz(sketch), caption)
        case Figure(caption, tree):
            return _figure(caption, tree)


def _figure(caption: str, tree: SearchTree) -> str:
    """A tree, in parts that stand side by side where a page cannot hold it."""
    views = parts(tree, WHOLE, frame=False)
    if len(views) < 2:
        return _fitted(_forest(tree, WHOLE), caption)
    pieces = [
        f"{_boxed(_forest(tree, view))}\\begin{{tabular}}[t]{{@{{}}l@{{}}}}\\small {latex(place(tree[view.root]))}\\\\\n"
        "\\plyfit\\end{tabular}\\quad\n"
        for view in views
    ]
    return f"{''.join(pieces)}\n{{\\small {latex(caption)}}}\n"


def _forest(tree: SearchTree, view: View) -> str:
    nodes = "".join(tex.nodes(shown(tree, view), windows=len(tree.columns.alpha) > 0))
    return f"\\begin{{forest}} plyscope\n{nodes}\\end{{forest}}\n"


def _fitted(picture: str, caption: str) -> str:
    """A picture no wider than the page."""
    return f"{_boxed(picture)}\\plyfit\n\n{{\\small {latex(caption)}}}\n"


def _boxed(picture: str) -> str:
    return f"\\begin{{lrbox}}{{\\plybox}}\n{picture}\\end{{lrbox}}\n"


def _verbatim(text: str) -> str:
    """Lines as they stand; escaped like all text, so that nothing in them can end it."""
    lines = [latex(line).replace(" ", "~").replace("-", "{-}") for line in text.splitlines()]  # two of them would be a dash
    return "{\\ttfamily\\raggedright\n" + "\\\\\n".join(line or "~" for line in lines) + "\\par}\n"


def _table(table: Table) -> str:
    """Narrow columns: the words of a head stand one below the other."""
    columns = "".join("l" if column in table.left else "r" for column in range(len(table.head)))
    lines = [f"\\begin{{longtable}}[l]{{{columns}}}"]
    if any(table.head):
        heads = [r"\shortstack[r]{" + r"\\".join(latex(word) for word in name.split()) + "}" for name in table.head]
        lines += [" & ".join(heads) + r" \\ \hline\noalign{\vskip 3pt}", r"\endhead"]
    lines += [" & ".join(latex(cell) for cell in row) + r" \\" for row in table.rows]
    caption = f"{{\\small {latex(table.caption)}}}\n" if table.caption else ""
    size = "scriptsize" if len(table.head) > WIDE else "footnotesize"
    return f"{{\\{size}\n" + "\n".join([*lines, r"\end{longtable}"]) + "}\n" + caption
