"""Progress bars on stderr, for people at a terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING, Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn

from visualizer.cli.output.console import PlainConsole, text_column

if TYPE_CHECKING:
    from engine import Question
    from engine.analysis.node_estimate import NodeEstimate

PATIENCE = 1.0  # seconds that a search may take without a bar


class Bar:
    """A bar that appears with the first news, or the first after some seconds, and is gone in the end."""

    def __init__(self, *columns: Any, after: float = 0.0):
        self._begins = perf_counter() + after
        self._bar = Progress(
            text_column("{task.description}"), BarColumn(), *columns, console=PlainConsole(stderr=True), transient=True
        )

    def __enter__(self) -> "Bar":
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar.tasks:
            self._bar.stop()

    @property
    def wanted(self) -> bool:
        """Whether news would be seen."""
        return self._bar.console.is_terminal and perf_counter() >= self._begins

    def show(self, **news: Any) -> None:
        """Change `description`, `completed` or `total`, `advance`, or what the columns show besides."""
        if not self.wanted:
            return
        if self._bar.tasks:
            self._bar.update(self._bar.tasks[0].id, **news)
        else:
            self._bar.add_task(**{"description": "", "total": None, **news})
            self._bar.start()


@contextmanager
def search_progress(question: "Question", max_nodes: int) -> Iterator[Callable[[int], None]]:
    """For a search that takes over a second, with the number of nodes to expect."""
    counts = text_column("{task.completed:,.0f} of {task.fields[expected]}")
    foreseen: NodeEstimate | None = None
    with Bar(counts, TimeElapsedColumn(), after=PATIENCE) as bar:

        def on_progress(nodes: int) -> None:
            nonlocal foreseen
            if bar.wanted:
                from engine.analysis.node_estimate import foresee

                foreseen = foreseen or foresee(question)
                expected = foreseen.after(nodes)
                words = f"{expected}{f', stops at {max_nodes:,}' if expected.nodes > max_nodes else ''}"
                bar.show(description="searching", completed=nodes, total=min(expected.nodes, max_nodes), expected=words)

        yield on_progress


@contextmanager
def figure_progress() -> Iterator[Callable[[Any], None]]:
    """While the published figures are measured."""
    with Bar(MofNCompleteColumn(), text_column("figures"), TimeElapsedColumn()) as bar:
        bar.show(description="measuring")
        yield lambda figure: bar.show(advance=1)
