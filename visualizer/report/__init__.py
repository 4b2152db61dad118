"""A comparison as a file: a table, a chart or a report, by the extension.

`content.py` builds a report from blocks, and each format renders these blocks. The modules are imported when they are needed.
"""

import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from engine.analysis.comparison_result import Comparison
from engine.core.atomic_files import write_chunks
from visualizer import exporters

FORMATS = {
    ".csv": ("json_csv", "to_csv", "table, one row per depth and algorithm"),
    ".json": ("json_csv", "to_json", "everything that was measured, for machines"),
    ".svg": ("chart_files", "to_svg", "the charts only, for browsers and print"),
    ".png": ("chart_files", "to_png", "the charts only, as a picture"),
    ".pdf": ("chart_files", "to_pdf", "the charts only, for print; the whole report is in .html, .md and .tex"),
    ".md": ("markdown", "to_markdown", "report as Markdown: charts, boards and trees as text"),
    ".html": ("html", "to_html", "report as one page that loads nothing"),
    ".tex": ("latex", "to_latex", "report for pdflatex, with tikz and forest"),
}
MAX_FIGURE_NODES = 60  # of the trees that a report shows; a comparison made for one keeps trees of this size


def check_target(path: str | os.PathLike[str]) -> Path:
    """Return the path if a comparison can be written there. Call this before any work is done."""
    return exporters.check_target(path, FORMATS, "write a comparison")


def render_comparison(comparison: Comparison, extension: str) -> bytes:
    """Return the comparison as a file of this format."""
    module, function, _ = FORMATS[extension]
    make: Callable[[Comparison], bytes | str] = getattr(import_module(f"visualizer.report.{module}"), function)
    made = make(comparison)
    return made.encode() if isinstance(made, str) else made


def write_comparison(comparison: Comparison, path: str | os.PathLike[str]) -> int:
    """Write the comparison to a file, all or nothing. Return its size in bytes."""
    target = check_target(path)
    return write_chunks(target, [render_comparison(comparison, target.suffix.lower())])
