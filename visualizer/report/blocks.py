"""The blocks of a report. All text in them is plain and may be untrusted: the renderers escape it."""

from typing import NamedTuple

from engine.tree.tree import SearchTree
from visualizer.drawing.comparison_chart import Plot
from visualizer.drawing.scene import Scene


class Heading(NamedTuple):
    text: str
    level: int = 2


class Paragraph(NamedTuple):
    text: str
    strong: bool = False


class Table(NamedTuple):
    caption: str
    head: list[str]
    rows: list[list[str]]
    left: tuple[int, ...] = ()  # columns of words, set to the left; the others are numbers

    def drop_empty_columns(self) -> "Table":
        """Return the table without its empty columns."""
        empty = [name for column, name in enumerate(self.head) if all(row[column] in ("", "–") for row in self.rows)]
        return self.drop_columns(*empty)

    def drop_columns(self, *names: str) -> "Table":
        """Return the table without some columns."""
        columns = [column for column in range(len(self.head)) if self.head[column] not in names]
        left = tuple(columns.index(column) for column in self.left if column in columns)
        rows = [[row[column] for column in columns] for row in self.rows]
        return Table(self.caption, [self.head[column] for column in columns], rows, left)


class Verbatim(NamedTuple):
    """Lines whose spaces and line breaks are kept: a board."""

    text: str


class Command(NamedTuple):
    """A command to type. A line that is too long may be wrapped."""

    text: str


class Chart(NamedTuple):
    caption: str
    scene: Scene
    panels: list[Plot]
    text: str = ""  # the chart as text, if it has no panels


class Figure(NamedTuple):
    """A small tree."""

    caption: str
    tree: SearchTree


Block = Heading | Paragraph | Table | Verbatim | Command | Chart | Figure
