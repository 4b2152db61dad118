"""A report for pdflatex: tables, charts in TikZ, trees by the package forest. Nothing is wider than the page."""

from collections.abc import Iterable, Iterator

from engine.analysis.comparison_result import Comparison
from engine.tree.tree import SearchTree
from visualizer.api import to_text
from visualizer.drawing.paging import parts
from visualizer.drawing.paper import PAPERS
from visualizer.drawing.pdf_pages import text_width
from visualizer.drawing.scene import to_tikz
from visualizer.drawing.view import WHOLE, shown
from visualizer.exporters import tex
from visualizer.narration.escapes import BREAK, breakable, latex, typed
from visualizer.report.blocks import Block, Chart, Command, Figure, Heading, Paragraph, Table, Verbatim
from visualizer.report.content import AS_TEXT, report, title

MARGIN = 56.9  # points: 2 cm
WIDTH = PAPERS["a4"].width - 2 * MARGIN - 6  # of the text, with some room
HEAD = r"""\documentclass[a4paper]{article}
\usepackage[T1]{fontenc}
\usepackage{textcomp}
\usepackage[margin=2cm]{geometry}
\usepackage{graphicx}
\usepackage{longtable}
\usepackage{array}
\usepackage{forest}
\usetikzlibrary{shapes.geometric}
\parindent=0pt
\parskip=6pt
\emergencystretch=3em
\setlength{\tabcolsep}{4pt}
"""
SECTIONS = {1: "section*", 2: "subsection*", 3: "subsubsection*"}
LETTERS = {"footnotesize": 8.2, "scriptsize": 7.6}  # of tables, in points of Helvetica, in which they are measured
GAP = 8  # points between two columns
WHOLE_ON_A_PAGE = "\\begin{minipage}{\\textwidth}%s\\end{minipage}\n"
NARROWEST = 60  # points of a column of words that goes on in the next line
MOST_IN_A_CELL = 10  # characters of a word in a narrow column
BRANCHES = str.maketrans("├└│─", "+`|-")  # those of a tree as text, in letters that the fonts have
MOST_TYPED = 88  # characters of a line of a board


def to_latex(comparison: Comparison) -> str:
    body = "\n".join(_block(block) for block in report(comparison))
    head = f"% {latex(title(comparison))}\n{HEAD}{tex.colours()}\n{tex.STYLES}{tex.BOXES}"
    return head + "\\begin{document}\n" + body + "\\end{document}\n"


def _block(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"\\{SECTIONS[level]}{{\\raggedright {breakable(text)}}}\n"
        case Paragraph(text, strong):
            return f"\\textbf{{{breakable(text)}}}\n" if strong else breakable(text) + "\n"
        case Table():
            return "".join(map(_table, _fitting(block)))
        case Verbatim(text):
            return WHOLE_ON_A_PAGE % _typed(map(_line, text.splitlines()))
        case Command(text):
            return _typed(typed(breakable(line)) for line in text.splitlines())
        case Chart(caption, sketch):
            return f"\\begin{{lrbox}}{{\\plybox}}\n{to_tikz(sketch)}\\end{{lrbox}}\n{_shrunk(caption)}"
        case Figure(caption, tree):
            return _figure(caption, tree)


def _figure(caption: str, tree: SearchTree) -> str:
    """A tree that fits a page, else its parts side by side, else as text."""
    views = parts(tree, WHOLE, frame=False)
    if not views:
        lines = to_text(tree).translate(BRANCHES).splitlines()
        return f"{_typed(map(_line, lines))}\n{_small(f'{caption} {AS_TEXT}')}"
    if len(views) == 1:
        return tex.boxed(shown(tree, WHOLE)) + _shrunk(caption)
    return f"{''.join(tex.in_parts(tree, views))}\n{_small(caption)}"


def _shrunk(caption: str) -> str:
    """The picture in the box, no larger than the page."""
    return f"\\plyshrink\\usebox\\plybox\n\n{_small(caption)}"


def _small(caption: str) -> str:
    return f"{{\\small {breakable(caption)}}}\n"


def _typed(lines: Iterable[str]) -> str:
    """What is typed; escaped like all text, so that nothing in it can end it."""
    return "{\\ttfamily\\raggedright\n" + "\\\\\n".join(lines) + "\\par}\n"


def _line(line: str) -> str:
    """A line that keeps its spaces, and goes on in the next only where it is too long for the page."""
    kept = ["~" if sign == " " else typed(latex(sign)) for sign in line] or ["~"]
    return (BREAK if len(kept) > MOST_TYPED else "").join(kept)


# ---- tables


def _fitting(table: Table) -> Iterator[Table]:
    """The table, or tables of some of its columns each, which a page can hold; the first columns, up to words, are in all."""
    widths = [max(_widths(table, column, LETTERS["scriptsize"])) for column in range(len(table.head))]
    widths = [min(width, NARROWEST) if column in table.left else width for column, width in enumerate(widths)]
    first = 1 + min(table.left, default=0)
    room = WIDTH - sum(widths[:first]) - first * GAP
    groups: list[list[str]] = [[]]
    left = room
    for name, width in zip(table.head[first:], widths[first:], strict=True):
        if width + GAP > left and groups[-1]:
            groups.append([])
            left = room
        groups[-1].append(name)
        left -= width + GAP
    if len(groups) == 1:
        yield table
        return
    for number, group in enumerate(groups, start=1):
        others = [name for name in table.head[first:] if name not in group]
        yield table.without(*others)._replace(caption=table.caption if number == len(groups) else "")


def _widths(table: Table, column: int, size: float) -> Iterator[float]:
    """How wide each cell of a column is, and the widest word of its head."""
    yield from (_width(row[column], size) for row in table.rows)
    yield max((_width(word, size) for word in table.head[column].split()), default=0)


def _width(text: str, size: float) -> float:
    """How wide a text is, about: in the fonts of LaTeX the widest letters are wider than in Helvetica."""
    return text_width(text, size) + sum(text.count(letter) for letter in "MWmw") * size / 5


def _table(table: Table) -> str:
    """Narrow columns: the words of a head stand one below the other, and long words of a cell go on in the next line."""
    size, widths = _measured(table)
    columns = "".join(
        f">{{\\raggedright}}p{{{widths[column]:.0f}pt}}" if column in widths else "l" if column in table.left else "r"
        for column in range(len(table.head))
    )
    lines = [f"\\begin{{longtable}}[l]{{{columns}}}"]
    if any(table.head):
        heads = [r"\shortstack[r]{" + r"\\".join(latex(word) for word in name.split()) + "}" for name in table.head]
        lines += [" & ".join(heads) + r" \\ \hline\noalign{\vskip 3pt}", r"\endhead"]
    for row in table.rows:
        cells = [breakable(cell, MOST_IN_A_CELL) if column in widths else latex(cell) for column, cell in enumerate(row)]
        lines.append(" & ".join(cells) + r" \tabularnewline")
    caption = _small(table.caption) if table.caption else ""
    return f"{{\\{size}\n" + "\n".join([*lines, r"\end{longtable}"]) + "}\n" + caption


def _measured(table: Table) -> tuple[str, dict[int, float]]:
    """The size of the letters, and how wide the columns of words may be where a page cannot hold the longest."""
    columns = range(len(table.head))
    for name, letters in LETTERS.items():
        natural = [max(_widths(table, column, letters)) for column in columns]
        if sum(natural) + len(natural) * GAP <= WIDTH:
            return name, {}
    long = [column for column in table.left if natural[column] > NARROWEST]
    left = WIDTH - len(natural) * GAP - sum(natural[column] for column in columns if column not in long)
    if not long:
        return name, {}
    for column in sorted(long, key=lambda column: natural[column]):  # what short ones leave goes to the others
        share = left / len(long)
        natural[column] = min(natural[column], max(share, NARROWEST))
        left -= natural[column]
        long = [other for other in long if other != column]
    return name, {column: natural[column] for column in table.left if natural[column] >= NARROWEST}
