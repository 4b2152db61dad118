"""The picture of a tournament: a heat map for each board, MAX's depth against MIN's, and the draws as bars.

If the players are named, they are numbered: a row has number and name, a column the number.
"""

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import NamedTuple

from engine.games.capabilities import board_title
from engine.games.registry import read_game
from engine.matches.players import read_player
from engine.matches.tournament import CellResult
from visualizer.drawing.scene import Item, Label, Scene, make_box, right_edge
from visualizer.drawing.theme import HEAT_LEVELS, level_name
from visualizer.narration.glossary import game_name
from visualizer.narration.numbers import format_count
from visualizer.narration.player_messages import player_title

# sizes in pixels
CELL_HEIGHT = 38
MIN_CELL_WIDTH = 60  # width
CELL_GAP = 2
MARGIN = 24
PANEL_GAP = 36  # panels
MAX_WIDTH = 1200
HEAD_HEIGHT, AXIS_WIDTH = 52, 44  # above, and left of, the cells of a panel
BAR_HEIGHT, BAR_LENGTH = 22, 320
BASELINE_SHIFT = 0.35  # from the middle of a line of text down to its baseline, of its font's size
MAX_LINE_CHARS = 130  # characters of a note


class Panel(NamedTuple):
    """The cells of one board, or of one pair of evaluations on it."""

    title: str
    cells: dict[tuple[str, str], CellResult]  # by the texts of both players

    @property
    def rows(self) -> list[str]:
        """Return the texts of the players 1."""
        return list(dict.fromkeys(one for one, _ in self.cells))

    @property
    def columns(self) -> list[str]:
        """Return the texts of the players 2."""
        return list(dict.fromkeys(two for _, two in self.cells))

    @property
    def lines(self) -> list[list[CellResult | None]]:
        """Return the cells by row and column; None: not played yet."""
        return [[self.cells.get((one, two)) for two in self.columns] for one in self.rows]

    @property
    def row_labels(self) -> list[str]:
        """Return the depths, or the numbers and names, of the players 1."""
        cells = {one: cell for (one, _), cell in self.cells.items()}
        return [
            f"{number}. {player_title(read_player(one))}" if cell.depth1 is None else str(cell.depth1)
            for number, (one, cell) in enumerate(cells.items(), start=1)
        ]

    @property
    def column_labels(self) -> list[str]:
        """Return the depths, or the numbers, of the players 2."""
        cells = {two: cell for (_, two), cell in self.cells.items()}
        return [str(number if cell.depth2 is None else cell.depth2) for number, cell in enumerate(cells.values(), start=1)]

    @property
    def axes(self) -> tuple[str, str]:
        """Return the titles of the rows and of the columns."""
        named = any(cell.depth1 is None for cell in self.cells.values())
        return ("player 1 (MAX)", "player 2 (MIN)") if named else ("player 1", "depth of player 2 (MIN)")

    @property
    def draws(self) -> int:
        return sum(cell.draws for cell in self.cells.values())

    @property
    def games(self) -> int:
        return sum(cell.wins1 + cell.wins2 + cell.draws for cell in self.cells.values())


def build_panels(cells: Sequence[CellResult]) -> list[Panel]:
    """Return the panels: cells that differ only in the players share a panel."""
    shared: dict[tuple[str, ...], Panel] = {}
    for cell in cells:
        kind = (cell.game, cell.evaluation1, cell.evaluation2, cell.algorithm, cell.starts)
        if kind not in shared:
            several = {name for name in ("algorithm", "starts") if len({getattr(other, name) for other in cells}) > 1}
            shared[kind] = Panel(_panel_title(cell, several), {})
        shared[kind].cells[cell.player1, cell.player2] = cell
    return list(shared.values())


def _panel_title(cell: CellResult, several: set[str]) -> str:
    game = read_game(cell.game)
    parts = [board_title(game) or game_name(cell.game)]
    if cell.evaluation1 or cell.evaluation2:
        same = cell.evaluation1 == cell.evaluation2
        parts.append(cell.evaluation1 if same else f"{cell.evaluation1} against {cell.evaluation2}")
    if "algorithm" in several:
        parts.append(cell.algorithm)
    if "starts" in several or cell.starts != "max":
        parts.append("either side starts" if cell.starts == "random" else f"{cell.starts.upper()} starts")
    return ", ".join(parts)


def format_cell(cell: CellResult) -> str:
    """Return wins of player 1 and player 2 and draws, with a star if a game was counted more than once: "1:3*", "1:2 2:1",
    "D:3*".
    """
    counted = {"1": cell.wins1, "2": cell.wins2, "D": cell.draws}
    return " ".join(f"{who}:{times}" for who, times in counted.items() if times) + "*" * cell.has_repeated_games


def label_cell(cell: CellResult, starred: bool = True) -> str:
    """Return the result of a cell as a short label that is not read as a score: "MAX", "draw*" or "▲2 ▼1".

    A word stands for all games of the cell. The star for repeated games can be left out.
    """
    counted = {"▲": cell.wins1, "▼": cell.wins2, "=": cell.draws}
    named = {"▲": "MAX", "▼": "MIN", "=": "draw"}
    found = [(sign, times) for sign, times in counted.items() if times]
    label = named[found[0][0]] if len(found) == 1 else " ".join(f"{sign}{times}" for sign, times in found)
    return label + "*" * (starred and cell.has_repeated_games)


def describe_cell(cell: CellResult) -> str:
    """Return the players of a cell and its result in words."""
    return f"{_describe_players(cell)}: {describe_result(cell)}"


def describe_result(cell: CellResult) -> str:
    """Return the result of a cell in words."""
    results = [f"{who} wins {format_count(won, 'game')}" for who, won in (("MAX", cell.wins1), ("MIN", cell.wins2)) if won]
    results += [format_count(cell.draws, "game is a draw", "games are draws")] if cell.draws else []
    same = (
        "" if not cell.has_repeated_games else " (some are the same game)" if len(cell.games) > 1 else " (always the same game)"
    )
    return f"{', '.join(results)}{same}"


def _describe_players(cell: CellResult) -> str:
    if cell.depth1 is None or cell.depth2 is None:
        return " against ".join(player_title(read_player(text)) for text in (cell.player1, cell.player2))
    return f"MAX with K={cell.depth1} against MIN with K={cell.depth2}"


LABEL_LEGEND = "MAX: MAX wins all games of the cell. ▲2 ▼1 =3: MAX wins 2 games, MIN wins 1, and 3 are draws."
CELL_LEGEND = "1:2 means that player 1 (MAX) wins 2 games, 2:3 that player 2 (MIN) wins 3, D:1 that 1 game is a draw."


def heat_level(cell: CellResult) -> int:
    """Return which side does better in a cell: from -HEAT_LEVELS, MIN wins all games, to HEAT_LEVELS, MAX wins all games."""
    return round(HEAT_LEVELS * (cell.wins1 - cell.wins2) / (cell.wins1 + cell.wins2 + cell.draws))


def draw_heatmaps(cells: Sequence[CellResult], title: str, notes: Sequence[str]) -> Scene:
    """Draw title, heat maps, bars, legend and notes."""
    shown = build_panels(cells)
    width = max([MIN_CELL_WIDTH, *(round(_make_label(0, 0, format_cell(cell), 13).width) + 14 for cell in cells)])
    items: list[Item] = [_make_label(MARGIN, 26, title, 16, bold=True)]
    y = 52
    wide = max((_panel_width(panel, width) for panel in shown), default=0) + PANEL_GAP
    tall = max((HEAD_HEIGHT + len(panel.rows) * CELL_HEIGHT for panel in shown), default=0) + PANEL_GAP
    rows = -(-len(shown) // max(1, MAX_WIDTH // max(1, wide)))
    in_a_row = -(-len(shown) // max(1, rows))  # rows of nearly equal length
    for number, panel in enumerate(shown):
        row, column = divmod(number, in_a_row)
        items += _draw_panel(panel, MARGIN + column * wide, y + row * tall, width)
    y += rows * tall
    items += _draw_bars(shown, y)
    y += 34 + BAR_HEIGHT * len(shown)
    items += _draw_legend(y)
    y += 24
    for line in (line for note in notes for line in wrap(note, MAX_LINE_CHARS)):
        items.append(_make_label(MARGIN, y, line, colour="muted"))
        y += 18
    return Scene(title, round(max(map(right_edge, items))) + MARGIN, y + MARGIN // 2, tuple(items))


def _make_label(
    x: float, middle: float, text: str, size: int = 12, anchor: str = "start", colour: str = "text", bold: bool = False
) -> Label:
    return Label(x, round(middle + BASELINE_SHIFT * size, 1), text, colour, size, anchor, bold)


def _panel_width(panel: Panel, width: int) -> int:
    return max(_axis_width(panel) + len(panel.columns) * width, round(_make_label(0, 0, panel.title, 13, bold=True).width))


def _axis_width(panel: Panel) -> int:
    return max([AXIS_WIDTH, *(round(_make_label(0, 0, label).width) + 14 for label in panel.row_labels)])


def _draw_panel(panel: Panel, x: int, y: int, width: int) -> Iterator[Item]:
    yield _make_label(x, y + 8, panel.title, 13, bold=True)
    begin, (rows_title, columns_title) = x + _axis_width(panel), panel.axes
    yield _make_label(begin + len(panel.columns) * width / 2, y + 27, columns_title, 11, "middle", "muted")
    yield _make_label(x, y + 43, rows_title, 11, colour="muted")
    for column, label in enumerate(panel.column_labels):
        yield _make_label(begin + (column + 0.5) * width, y + 43, label, anchor="middle")
    for row, (one, label) in enumerate(zip(panel.rows, panel.row_labels, strict=True)):
        top = y + HEAD_HEIGHT + row * CELL_HEIGHT
        yield _make_label(begin - 10, top + CELL_HEIGHT / 2, label, anchor="end")
        for column, two in enumerate(panel.columns):
            cell = panel.cells.get((one, two))
            if cell is None:
                continue
            left = begin + column * width
            yield make_box(left, top, width - CELL_GAP, CELL_HEIGHT - CELL_GAP, level_name(heat_level(cell)), describe_cell(cell))
            yield _make_label(left + (width - CELL_GAP) / 2, top + (CELL_HEIGHT - CELL_GAP) / 2, format_cell(cell), 13, "middle")


def _draw_bars(shown: list[Panel], y: int) -> Iterator[Item]:
    yield _make_label(MARGIN, y, "Draws", 13, bold=True)
    names = [
        _make_label(MARGIN, y + 16 + number * BAR_HEIGHT + (BAR_HEIGHT - 6) / 2, panel.title)
        for number, panel in enumerate(shown)
    ]
    left = max(map(right_edge, names), default=0) + 10
    max_games = max((panel.games for panel in shown), default=1)
    for number, (panel, name) in enumerate(zip(shown, names, strict=True)):
        top, length = y + 16 + number * BAR_HEIGHT, max(1.0, round(BAR_LENGTH * panel.draws / max_games, 1))
        yield name
        yield make_box(left, top, length, BAR_HEIGHT - 6, "bar")
        yield _make_label(round(left + length + 8, 1), top + (BAR_HEIGHT - 6) / 2, f"{panel.draws} of {panel.games}")


def _draw_legend(y: int) -> Iterator[Item]:
    x = MARGIN
    for step, text in (
        (HEAT_LEVELS, "player 1 (MAX) wins n games, 1:n"),
        (-HEAT_LEVELS, "player 2 (MIN) wins n games, 2:n"),
        (0, "n draws, D:n"),
    ):
        words = _make_label(x + 20, y, text)
        yield make_box(x, y - 7, 14, 14, level_name(step))
        yield words
        x = round(right_edge(words)) + 24
