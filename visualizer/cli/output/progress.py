"""Progress bars on stderr, for people at a terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING, Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn

from visualizer.cli.output.console import PlainConsole, make_text_column

if TYPE_CHECKING:
    from engine import Question, SearchTree
    from engine.analysis.node_estimate import NodeEstimate

TRACE_EXTENSION = ".jsonl"
BAR_DELAY_SECONDS = 1.0  # a shorter search shows no bar


class ProgressBar:
    """A progress bar. It appears with the first update after `after` seconds and is removed at the end."""

    def __init__(self, *columns: Any, after: float = 0.0):
        self._start_time = perf_counter() + after
        self._rich_progress = Progress(
            make_text_column("{task.description}"), BarColumn(), *columns, console=PlainConsole(stderr=True), transient=True
        )

    def __enter__(self) -> "ProgressBar":
        return self

    def __exit__(self, *error: object) -> None:
        if self._rich_progress.tasks:
            self._rich_progress.stop()

    @property
    def is_visible(self) -> bool:
        """Return True if an update would be seen."""
        return self._rich_progress.console.is_terminal and perf_counter() >= self._start_time

    def show(self, **changes: Any) -> None:
        """Change `description`, `completed` or `total`, `advance`, or the fields of other columns."""
        if not self.is_visible:
            return
        if self._rich_progress.tasks:
            self._rich_progress.update(self._rich_progress.tasks[0].id, **changes)
        else:
            self._rich_progress.add_task(**{"description": "", "total": None, **changes})
            self._rich_progress.start()


@contextmanager
def search_progress(question: "Question", max_nodes: int) -> Iterator[Callable[[int], None]]:
    """Show a progress bar with the expected number of nodes if a search takes over a second."""
    counts = make_text_column("{task.completed:,.0f} of {task.fields[expected]}")
    estimate: NodeEstimate | None = None
    with ProgressBar(counts, TimeElapsedColumn(), after=BAR_DELAY_SECONDS) as bar:

        def on_progress(nodes: int) -> None:
            nonlocal estimate
            if bar.is_visible and (iterations := question.options.get("iterations")):
                bar.show(description="searching", completed=nodes, total=iterations, expected=f"{iterations:,} iterations")
            elif bar.is_visible:
                from engine.analysis.node_estimate import estimate_nodes

                estimate = estimate or estimate_nodes(question)
                expected = estimate.after(nodes)
                text = f"{expected}{f', stops at {max_nodes:,}' if expected.nodes > max_nodes else ''}"
                bar.show(description="searching", completed=nodes, total=min(expected.nodes, max_nodes), expected=text)

        yield on_progress


@contextmanager
def activity_progress() -> Iterator[Callable[[str, int, int], None]]:
    """Show a progress bar for work that reports its activity, the number done and the total."""
    with ProgressBar(MofNCompleteColumn(), TimeElapsedColumn(), after=BAR_DELAY_SECONDS) as bar:
        yield lambda words, done, total: bar.show(description=words, completed=done, total=total)


def load_trace(path: str) -> "SearchTree":
    """Load the trace of another program."""
    from engine.tree.search_trace import read_trace_file
    from engine.tree.trace_builder import build_trace_tree

    return build_trace_tree(read_trace_file(path))


def load_with_progress(path: str, game: Any = None) -> "SearchTree":
    """Load a tree file or a trace, with a progress bar if that takes over a second."""
    from pathlib import Path

    if Path(path).suffix.lower() == TRACE_EXTENSION:
        return load_trace(path)
    from engine.tree.parquet_file import load

    with ProgressBar(make_text_column("{task.percentage:.0f} %"), TimeElapsedColumn(), after=BAR_DELAY_SECONDS) as bar:

        def on_progress(checked: int, total: int) -> None:
            bar.show(description=f"reading {Path(path).name}", completed=checked, total=total)

        return load(path, game, on_progress=on_progress)


@contextmanager
def figure_progress() -> Iterator[Callable[[Any], None]]:
    """Show a progress bar while the published figures are measured."""
    with ProgressBar(MofNCompleteColumn(), make_text_column("figures"), TimeElapsedColumn()) as bar:
        bar.show(description="measuring")
        yield lambda figure: bar.show(advance=1)
