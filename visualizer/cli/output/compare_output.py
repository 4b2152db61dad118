"""Output of `plyscope compare`: the tables of a report, and a progress bar."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click
from rich import box
from rich.progress import TimeElapsedColumn
from rich.table import Table as RichTable
from rich.text import Text

from engine.algorithms.variants import variant_title
from engine.analysis.comparison_result import Comparison, ComparisonProgress
from engine.analysis.rung_savings import find_most_complete_depth, rung_steps_by_depth
from engine.analysis.time_estimate import estimate_seconds
from engine.core.parsing import depth_text
from visualizer.cli.output.console import PlainConsole, make_text_column
from visualizer.cli.output.progress import BAR_DELAY_SECONDS, ProgressBar
from visualizer.narration.captions import EXPANDED_NOTE
from visualizer.narration.escapes import sanitize_line
from visualizer.narration.numbers import format_count
from visualizer.narration.sentences import sentence
from visualizer.narration.text_width import display_width
from visualizer.report import content, tables
from visualizer.report.blocks import Table

DISPENSABLE_COLUMNS = (
    *("its leaves", "branching in minimax", "branching in alpha-beta", "writing costs", "recording costs"),
    *("terminals", "leaves", "moves skipped"),
)
MIN_SHOWN_COLUMNS = 2  # from the left
COLUMN_GAP_CHARS = 2
ANNOUNCED_SECONDS = 60  # a comparison that takes longer is announced


def show_comparison(comparison: Comparison, as_json: bool) -> None:
    """Show the comparison on stdout, as JSON or as tables."""
    console = PlainConsole()
    if as_json:
        from visualizer.report.json_csv import to_json

        console.file.write(to_json(comparison))
        return
    for finding in content.list_problems(comparison):
        console.print(Text(sanitize_line(finding.text), style="bold red"))
    console.print(Text(sanitize_line(content.report_title(comparison)), style="bold"))
    if note := content.explain_differences(comparison):
        console.print(Text(note))
    shown = [tables.results_table(comparison).drop_columns("note"), tables.calls_table(comparison)]
    if any(level.best_first for level in comparison.levels):
        shown.append(tables.minimal_tree_table(comparison))
    shown.append(tables.times_table(comparison, narrow=True))
    if climbed := rung_steps_by_depth(comparison):
        shown.append(tables.ladder_table(comparison))
    hidden: list[str] = []
    for table in shown:
        fitting = fit_columns(table, console.width)
        hidden += [name for name in table.head if name not in fitting.head]
        if table.rows:
            console.print(Text(table.caption, style="dim"))
            console.print(make_rich_table(fitting, console.width))
        if table is shown[0]:
            _show_notes(console, comparison)
    if hidden:
        console.print(Text(describe_hidden_columns(hidden), style="dim"))
    console.print(Text(f"{EXPANDED_NOTE} {content.describe_timing(comparison)}", style="dim"))
    if climbed:
        depth = find_most_complete_depth(climbed)
        console.print(Text(f"\nThe ladder at K={depth_text(depth)}", style="bold"))
        for words in content.describe_ladder(climbed[depth]):
            console.print(Text(sanitize_line(words)))
    level = content.find_savings_level(comparison)
    if level is not None and level.saved:
        saving = level.savings[0]
        console.print(Text(f"\nThe most valuable cutoff at K={depth_text(level.depth)}", style="bold"))
        console.print(Text(sanitize_line(content.describe_saving(saving, level.saved))))
        console.print(Text(sanitize_line(sentence(saving.node.tree.timeline[saving.step]))))


def describe_hidden_columns(names: list[str]) -> str:
    """Return a note about the columns that do not fit the terminal."""
    return f"The terminal is too narrow for: {', '.join(names)}. --json and -o FILE have all columns."


def warn_if_slow(comparison: Comparison) -> None:
    """Warn on stderr before a comparison that takes minutes, and say if it runs without the compiled kernels."""
    seconds = estimate_seconds(comparison)
    if seconds >= ANNOUNCED_SECONDS:
        why = content.explain_held_back(comparison) or "It runs the readable search, not compiled code."
        minutes = format_count(round(seconds / 60), "minute")
        click.echo(f"plyscope: this takes about {minutes}; Ctrl-C keeps the finished rows. {sanitize_line(why)}", err=True)


def fit_columns(table: Table, width: int) -> Table:
    """Return the table without the columns that do not fit. No number and no word in a heading is ever cut."""
    for name in (*DISPENSABLE_COLUMNS, *reversed(table.head[MIN_SHOWN_COLUMNS:])):
        if 1 + sum(wide + COLUMN_GAP_CHARS for wide in _column_widths(table)) <= width:
            break
        table = table.drop_columns(name)
    return table


def _column_widths(table: Table) -> list[int]:
    """Return the width of each column: its longest cell, or the longest word in its heading."""
    words = [max(map(len, name.split()), default=0) for name in table.head]
    return [max([word, *(display_width(sanitize_line(row[column])) for row in table.rows)]) for column, word in enumerate(words)]


def _show_notes(console: PlainConsole, comparison: Comparison) -> None:
    for row in comparison.rows:
        if row.note:
            console.print(Text(f"K={depth_text(row.depth)}, {variant_title(row.algorithm)}: {row.note}", style="bold"))


def make_rich_table(table: Table, width: int) -> RichTable:
    """Return a Rich table that fits."""
    made = RichTable(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    widths = _column_widths(table)
    for column, name in enumerate(table.head):
        spare = width - 1 - sum(wide + COLUMN_GAP_CHARS for wide in widths)
        if 0 < len(name) - widths[column] <= spare:  # the name fits in one line
            widths[column] = len(name)
    for column, (name, wide) in enumerate(zip(table.head, widths, strict=True)):
        made.add_column(Text(name), justify="left" if column in table.left else "right", width=wide)
    for row in table.rows:
        made.add_row(*(Text(sanitize_line(cell)) for cell in row))
    return made


@contextmanager
def comparison_progress() -> Iterator[Callable[[ComparisonProgress], None]]:
    """Show a progress bar on stderr if the comparison takes over a second."""
    with ProgressBar(make_text_column("{task.fields[nodes]:,} nodes"), TimeElapsedColumn(), after=BAR_DELAY_SECONDS) as bar:

        def on_progress(progress: ComparisonProgress) -> None:
            doing = f"K={depth_text(progress.depth)} {variant_title(progress.algorithm)}"
            doing += f", search {progress.run + 1} of {progress.runs}"
            bar.show(description=doing, completed=progress.run, total=progress.runs, nodes=progress.nodes)

        yield on_progress
