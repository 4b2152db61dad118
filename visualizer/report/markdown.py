"""A report as Markdown, in one file. Charts, boards and trees are text in code blocks."""

import re

from engine.analysis.comparison_result import Comparison
from visualizer.api import to_text
from visualizer.drawing import comparison_chart
from visualizer.narration.escapes import escape_markdown, sanitize_line
from visualizer.report.blocks import Block, Chart, Command, Figure, Heading, Paragraph, Table, Verbatim
from visualizer.report.content import build_report


def to_markdown(comparison: Comparison) -> str:
    return "\n\n".join(render_markdown_block(block) for block in build_report(comparison)) + "\n"


def render_markdown_block(block: Block) -> str:
    """Return a block as Markdown. Its text is escaped here."""
    match block:
        case Heading(text, level):
            return f"{'#' * level} {escape_markdown(text)}"
        case Paragraph(text, strong):
            return f"**{escape_markdown(text)}**" if strong else escape_markdown(text)
        case Table():
            return _render_table(block)
        case Verbatim(text) | Command(text):
            return _code_block(text)
        case Chart(caption, _, panels, text):
            parts = [_code_block(text)] if text else []
            parts += [
                f"{escape_markdown(panel.title)}, logarithmic scale:\n\n{_code_block(comparison_chart.draw_text_plot(panel))}"
                for panel in panels
            ]
            return "\n\n".join([*parts, f"*{escape_markdown(caption)}*"])
        case Figure(caption, tree):
            return f"{_code_block(to_text(tree))}\n\n*{escape_markdown(caption)}*"


def _render_table(table: Table) -> str:
    rules = ["---" if column in table.left else "--:" for column in range(len(table.head))]
    lines = [
        [escape_markdown(name) for name in table.head],
        rules,
        *([escape_markdown(cell) for cell in row] for row in table.rows),
    ]
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"{text}\n\n*{escape_markdown(table.caption)}*" if table.caption else text


def _code_block(text: str) -> str:
    """Return a code block. Its fence is longer than any in the text."""
    lines = "\n".join(sanitize_line(line) for line in text.splitlines())
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", lines)), default=0))
    return f"{fence}text\n{lines}\n{fence}"
