"""A report as Markdown, in one file: charts, boards and trees are text in code blocks."""

import re

from engine.analysis.comparison_result import Comparison
from visualizer.api import to_text
from visualizer.drawing import comparison_chart
from visualizer.narration.escapes import markdown, plain
from visualizer.report.blocks import Block, Chart, Command, Figure, Heading, Paragraph, Table, Verbatim
from visualizer.report.content import report


def to_markdown(comparison: Comparison) -> str:
    return "\n\n".join(block_markdown(block) for block in report(comparison)) + "\n"


def block_markdown(block: Block) -> str:
    """A block as Markdown; its text is escaped here."""
    match block:
        case Heading(text, level):
            return f"{'#' * level} {markdown(text)}"
        case Paragraph(text, strong):
            return f"**{markdown(text)}**" if strong else markdown(text)
        case Table():
            return _table(block)
        case Verbatim(text) | Command(text):
            return _code(text)
        case Chart(caption, _, panels, text):
            parts = [_code(text)] if text else []
            parts += [f"{markdown(panel.title)}, logarithmic scale:\n\n{_code(comparison_chart.bars(panel))}" for panel in panels]
            return "\n\n".join([*parts, f"*{markdown(caption)}*"])
        case Figure(caption, tree):
            return f"{_code(to_text(tree))}\n\n*{markdown(caption)}*"


def _table(table: Table) -> str:
    rules = ["---" if column in table.left else "--:" for column in range(len(table.head))]
    lines = [[markdown(name) for name in table.head], rules, *([markdown(cell) for cell in row] for row in table.rows)]
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"{text}\n\n*{markdown(table.caption)}*" if table.caption else text


def _code(text: str) -> str:
    """A code block with a fence that is longer than any in the text."""
    lines = "\n".join(plain(line) for line in text.splitlines())
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", lines)), default=0))
    return f"{fence}text\n{lines}\n{fence}"
