"""What `plyscope compare` prints: the tables of a report, and how far the comparison is."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click
from rich import box
from rich.progress import TimeElapsedColumn
from rich.table import Table as RichTable
from rich.text import Text

from engine.algorithms.variants import title_of
from engine.analysis.comparison_result import Comparison, ComparisonProgress
from engine.analysis.rung_savings import ladder, longest
from engine.analysis.time_estimate import expected_seconds
from engine.core.parsing import plies
from engine.tree.trace import Trace
from visualizer.cli.output.console import PlainConsole, text_column
from visualizer.cli.output.progress import PATIENCE, Bar
from visualizer.narration.captions import COUNTING
from visualizer.narration.escapes import plain
from visualizer.narration.numbers import counted
from visualizer.narration.sentences import sentence
from visualizer.narration.text_width import digits
from visualizer.report import content, tables
from visualizer.report.blocks import Table

LEFT_OUT_FIRST = (
    *("its leaves", "branching in minimax", "branching in alpha-beta", "writing costs", "recording costs"),
    *("terminals", "leaves", "skipped"),
)
ALWAYS_SHOWN = 2  # columns, from the left
GAP = 2  # between columns
PATIENCE_FOR_ALL = 60  # seconds: a comparison that takes longer is announced


def show(comparison: Comparison, as_json: bool) -> None:
    """The comparison on stdout, for machines or for people."""
    console = PlainConsole()
    if as_json:
        from visualizer.report.json_csv import to_json

        console.file.write(to_json(comparison))
        return
    for finding in content.findings(comparison):
        console.print(Text(plain(finding.text), style="bold red"))
    console.print(Text(plain(content.title(comparison)), style="bold"))
    if note := content.may_differ(comparison):
        console.print(Text(note))
    shown = [tables.results(comparison).without("note"), tables.calls(comparison)]
    if any(level.best_first for level in comparison.levels):
        shown.append(tables.possible(comparison))
    shown.append(tables.times(comparison, narrow=True))
    if climbed := ladder(comparison):
        shown.append(tables.climbs(comparison))
    left_out: list[str] = []
    for table in shown:
        fitting = fitted(table, console.width)
        left_out += [name for name in table.head if name not in fitting.head]
        if table.rows:
            console.print(Text(table.caption, style="dim"))
            console.print(drawn(fitting, console.width))
        if table is shown[0]:
            _show_notes(console, comparison)
    if left_out:
        console.print(Text(f"Left out, for want of room: {', '.join(left_out)}. They are in --json and -o FILE.", style="dim"))
    console.print(Text(f"{COUNTING} {content.protocol(comparison)}", style="dim"))
    if climbed:
        depth = longest(climbed)
        console.print(Text(f"\nThe ladder at K={plies(depth)}", style="bold"))
        for words in content.ladder_sentences(climbed[depth]):
            console.print(Text(plain(words)))
    level = content.valuable_level(comparison)
    if level is not None and level.saved:
        saving = level.savings[0]
        console.print(Text(f"\nThe most valuable cutoff at K={plies(level.depth)}", style="bold"))
        console.print(Text(plain(content.saving_text(saving, level.saved))))
        console.print(Text(plain(sentence(Trace(saving.node.tree)[saving.step]))))


def warn(comparison: Comparison) -> None:
    """Say on stderr what takes minutes, before it begins, and that readable texts do."""
    seconds = expected_seconds(comparison)
    if seconds >= PATIENCE_FOR_ALL:
        why = content.held_back(comparison) or "It runs by the readable texts, not compiled."
        minutes = counted(round(seconds / 60), "minute")
        click.echo(f"plyscope: this takes about {minutes}; Ctrl-C keeps the rows that are done. {plain(why)}", err=True)


def fitted(table: Table, width: int) -> Table:
    """The table without the columns that have no room: no number and no word above it is ever cut."""
    for name in (*LEFT_OUT_FIRST, *reversed(table.head[ALWAYS_SHOWN:])):
        if 1 + sum(wide + GAP for wide in _widths(table)) <= width:
            break
        table = table.without(name)
    return table


def _widths(table: Table) -> list[int]:
    """A column is as wide as its longest cell, or as the longest word above it."""
    words = [max(map(len, name.split()), default=0) for name in table.head]
    return [max([word, *(digits(plain(row[column])) for row in table.rows)]) for column, word in enumerate(words)]


def _show_notes(console: PlainConsole, comparison: Comparison) -> None:
    for row in comparison.rows:
        if row.note:
            console.print(Text(f"K={plies(row.depth)}, {title_of(row.algorithm)}: {row.note}", style="bold"))


def drawn(table: Table, width: int) -> RichTable:
    """A table that fits."""
    made = RichTable(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    widths = _widths(table)
    for column, name in enumerate(table.head):
        spare = width - 1 - sum(wide + GAP for wide in widths)
        if 0 < len(name) - widths[column] <= spare:  # the name above it in one line, where there is room
            widths[column] = len(name)
    for column, (name, wide) in enumerate(zip(table.head, widths, strict=True)):
        made.add_column(Text(name), justify="left" if column in table.left else "right", width=wide)
    for row in table.rows:
        made.add_row(*(Text(plain(cell)) for cell in row))
    return made


@contextmanager
def comparison_progress() -> Iterator[Callable[[ComparisonProgress], None]]:
    """A progress bar on stderr for a comparison that takes over a second."""
    with Bar(text_column("{task.fields[nodes]:,} nodes"), TimeElapsedColumn(), after=PATIENCE) as bar:

        def on_progress(progress: ComparisonProgress) -> None:
            doing = f"K={plies(progress.depth)} {title_of(progress.algorithm)}"
            doing += f", search {progress.run + 1} of {progress.runs}"
            bar.show(description=doing, completed=progress.run, total=progress.runs, nodes=progress.nodes)

        yield on_progress
