"""A report for pdflatex: tables, charts in TikZ, trees by the package forest. Nothing is wider than the page."""

from collections.abc import Iterable, Iterator

from engine.analysis.comparison_result import Comparison
from engine.tree.tree import SearchTree
from visualizer.api import to_text
from visualizer.drawing.document_heads import LATEX_FOOT, latex_head
from visualizer.drawing.paging import split_into_parts
from visualizer.drawing.paper import PAPERS
from visualizer.drawing.pdf_pages import text_width
from visualizer.drawing.scene import to_tikz
from visualizer.drawing.view import WHOLE_TREE, select_items
from visualizer.exporters import tex
from visualizer.narration.escapes import LATEX_BREAK, escape_latex, escape_latex_breakable, escape_ligatures
from visualizer.report.blocks import Block, Chart, Command, Figure, Heading, Paragraph, Table, Verbatim
from visualizer.report.content import TEXT_TREE_NOTE, build_report, report_title

MARGIN_POINTS = 56.9  # points: 2 cm
TEXT_WIDTH_POINTS = PAPERS["a4"].width - 2 * MARGIN_POINTS - 6  # of the text, less a reserve
PACKAGES = ("longtable", "array", "forest")
SPACING = r"""\parindent=0pt
\parskip=6pt
\emergencystretch=3em
\setlength{\tabcolsep}{4pt}
"""
SECTION_COMMANDS = {1: "section*", 2: "subsection*", 3: "subsubsection*"}
TABLE_FONT_POINTS = {
    "footnotesize": 8.2,
    "scriptsize": 7.6,
}  # font sizes of tables: the size at which Liberation Sans is about as wide
COLUMN_GAP_POINTS = 8  # points between two columns
UNBROKEN_BLOCK = "\\begin{minipage}{\\textwidth}%s\\end{minipage}\n"
MIN_COLUMN_POINTS = 60  # width of a column whose text wraps
MAX_CELL_WORD_CHARS = 10  # characters of a word in a narrow column
ASCII_BRANCHES = str.maketrans("├└│─", "+`|-")  # branches of a text tree, in characters that the fonts have
MAX_TYPED_CHARS = 88  # characters of a line of a board


def to_latex(comparison: Comparison) -> str:
    body = "\n".join(_render_block(block) for block in build_report(comparison))
    head = latex_head("a4paper", "margin=2cm", PACKAGES, f"{tex.NODE_SHAPES}{SPACING}{tex.tree_commands()}")
    return f"% {escape_latex(report_title(comparison))}\n{head}{body}{LATEX_FOOT}"


def _render_block(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"\\{SECTION_COMMANDS[level]}{{\\raggedright {escape_latex_breakable(text)}}}\n"
        case Paragraph(text, strong):
            return f"\\textbf{{{escape_latex_breakable(text)}}}\n" if strong else escape_latex_breakable(text) + "\n"
        case Table():
            return "".join(map(_render_table, _split_table(block)))
        case Verbatim(text):
            return UNBROKEN_BLOCK % _typewriter_block(map(_typewriter_line, text.splitlines()))
        case Command(text):
            return _typewriter_block(escape_ligatures(escape_latex_breakable(line)) for line in text.splitlines())
        case Chart(caption, scene):
            return f"\\begin{{lrbox}}{{\\plybox}}\n{to_tikz(scene)}\\end{{lrbox}}\n{_render_box(caption)}"
        case Figure(caption, tree):
            return _render_figure(caption, tree)


def _render_figure(caption: str, tree: SearchTree) -> str:
    """Return the tree if it fits a page, else its parts side by side, else the tree as text."""
    views = split_into_parts(tree, WHOLE_TREE, frame=False)
    if not views:
        lines = to_text(tree).translate(ASCII_BRANCHES).splitlines()
        return f"{_typewriter_block(map(_typewriter_line, lines))}\n{_render_caption(f'{caption} {TEXT_TREE_NOTE}')}"
    if len(views) == 1:
        return tex.draw_box(select_items(tree, WHOLE_TREE)) + _render_box(caption)
    return f"{''.join(tex.draw_parts(tree, views))}\n{_render_caption(caption)}"


def _render_box(caption: str) -> str:
    """Return the picture in the box, no larger than the page."""
    return f"\\plyshrink\\usebox\\plybox\n\n{_render_caption(caption)}"


def _render_caption(caption: str) -> str:
    return f"{{\\small {escape_latex_breakable(caption)}}}\n"


def _typewriter_block(lines: Iterable[str]) -> str:
    """Return lines in typewriter font. They are escaped like all text, so that nothing in them can end the block."""
    return "{\\ttfamily\\raggedright\n" + "\\\\\n".join(lines) + "\\par}\n"


def _typewriter_line(line: str) -> str:
    """Return a line that keeps its spaces. It may break anywhere if it is too long for the page."""
    signs = ["~" if sign == " " else escape_ligatures(escape_latex(sign)) for sign in line] or ["~"]
    return (LATEX_BREAK if len(signs) > MAX_TYPED_CHARS else "").join(signs)


# ---- tables


def _split_table(table: Table) -> Iterator[Table]:
    """Yield the table if a page can hold it, else tables with some of its columns each. The first columns, up to words, are
    in all.
    """
    widths = [max(_cell_widths(table, column, TABLE_FONT_POINTS["scriptsize"])) for column in range(len(table.head))]
    widths = [min(width, MIN_COLUMN_POINTS) if column in table.left else width for column, width in enumerate(widths)]
    first = 1 + min(table.left, default=0)
    room = TEXT_WIDTH_POINTS - sum(widths[:first]) - first * COLUMN_GAP_POINTS
    groups: list[list[str]] = [[]]
    left = room
    for name, width in zip(table.head[first:], widths[first:], strict=True):
        if width + COLUMN_GAP_POINTS > left and groups[-1]:
            groups.append([])
            left = room
        groups[-1].append(name)
        left -= width + COLUMN_GAP_POINTS
    if len(groups) == 1:
        yield table
        return
    for number, group in enumerate(groups, start=1):
        others = [name for name in table.head[first:] if name not in group]
        yield table.drop_columns(*others)._replace(caption=table.caption if number == len(groups) else "")


def _cell_widths(table: Table, column: int, size: float) -> Iterator[float]:
    """Yield the width of each cell of a column, and of the widest word of its head."""
    yield from (_estimate_width(row[column], size) for row in table.rows)
    yield max((_estimate_width(word, size) for word in table.head[column].split()), default=0)


def _estimate_width(text: str, size: float) -> float:
    """Return the approximate width of a text. The widest letters are wider in LaTeX's fonts than in Liberation Sans."""
    return text_width(text, size) + sum(text.count(letter) for letter in "MWmw") * size / 5


def _render_table(table: Table) -> str:
    """Return the table with narrow columns: the words of a head are stacked, and long words of a cell may break."""
    size, widths = _fit_columns(table)
    columns = "".join(
        f">{{\\raggedright}}p{{{widths[column]:.0f}pt}}" if column in widths else "l" if column in table.left else "r"
        for column in range(len(table.head))
    )
    lines = [f"\\begin{{longtable}}[l]{{{columns}}}"]
    if any(table.head):
        heads = [r"\shortstack[r]{" + r"\\".join(escape_latex(word) for word in name.split()) + "}" for name in table.head]
        lines += [" & ".join(heads) + r" \\ \hline\noalign{\vskip 3pt}", r"\endhead"]
    for row in table.rows:
        cells = [
            escape_latex_breakable(cell, MAX_CELL_WORD_CHARS) if column in widths else escape_latex(cell)
            for column, cell in enumerate(row)
        ]
        lines.append(" & ".join(cells) + r" \tabularnewline")
    caption = _render_caption(table.caption) if table.caption else ""
    return f"{{\\{size}\n" + "\n".join([*lines, r"\end{longtable}"]) + "}\n" + caption


def _fit_columns(table: Table) -> tuple[str, dict[int, float]]:
    """Return the font size, and the widths of the columns of words if a page cannot hold their longest texts."""
    columns = range(len(table.head))
    for name, letters in TABLE_FONT_POINTS.items():
        natural = [max(_cell_widths(table, column, letters)) for column in columns]
        if sum(natural) + len(natural) * COLUMN_GAP_POINTS <= TEXT_WIDTH_POINTS:
            return name, {}
    long = [column for column in table.left if natural[column] > MIN_COLUMN_POINTS]
    left = TEXT_WIDTH_POINTS - len(natural) * COLUMN_GAP_POINTS - sum(natural[column] for column in columns if column not in long)
    if not long:
        return name, {}
    for column in sorted(long, key=lambda column: natural[column]):  # short columns leave space to the others
        share = left / len(long)
        natural[column] = min(natural[column], max(share, MIN_COLUMN_POINTS))
        left -= natural[column]
        long = [other for other in long if other != column]
    return name, {column: natural[column] for column in table.left if natural[column] >= MIN_COLUMN_POINTS}
