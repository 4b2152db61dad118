"""The terminal: the only module that builds Rich consoles, panels and text columns.

Names of moves, learners, games and files may contain anything. Rich would read `[bold]` and `:smile:` in them as markup. This
console prints every text as it is, without control characters. Styles are given by `Text(..., style=...)`.
"""

from collections.abc import Iterable
from typing import Any

from rich import progress
from rich.console import Console, ConsoleOptions, RenderableType
from rich.panel import Panel
from rich.segment import Segment
from rich.status import Status
from rich.text import Text

from visualizer.narration.escapes import sanitize_line


class PlainConsole(Console):
    """A console that does not interpret markup and removes control characters from texts."""

    def __init__(self, stderr: bool = False):
        super().__init__(stderr=stderr, markup=False, emoji=False, highlight=False)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Render without control characters in the text."""
        for segment in super().render(renderable, options):
            text, style, control = segment
            safe = text if control or text == "\n" else "\n".join(map(sanitize_line, text.split("\n")))
            yield segment if safe == text else Segment(safe, style)

    def status(self, status: RenderableType, **options: Any) -> Status:
        """Show a status whose text is not read as markup."""
        return super().status(Text(status) if isinstance(status, str) else status, **options)


def make_panel(content: RenderableType, title: str = "", **options: Any) -> Panel:
    """Return a frame as wide as its content."""
    return Panel(content, title=Text(title) if title else None, expand=False, **options)


def make_text_column(template: str) -> progress.TextColumn:
    """Return a column of a progress bar; the template names fields of the task."""
    return progress.TextColumn(template, markup=False)
