"""The picture of a tournament: a heat map for each board, MAX's depth against MIN's, and the draws as bars."""

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import NamedTuple

from engine.games.capabilities import board_title
from engine.games.registry import read_game
from engine.matches.tournament import Cell
from visualizer.drawing.scene import Item, Label, Sketch, box, reach
from visualizer.drawing.theme import LEVELS, level_name
from visualizer.narration.glossary import game_name
from visualizer.narration.numbers import counted

# sizes in pixels
CELL_HEIGHT = 38
LEAST_CELL = 60  # width
GAP = 2
MARGIN = 24
BETWEEN = 36  # panels
WIDEST = 1200
HEAD, AXIS = 52, 44  # above, and left of, the cells of a panel
BAR, BAR_LENGTH = 22, 320
CENTRE = 0.35  # from the middle of a line of text down to its baseline, of its font's size
LONGEST_LINE = 130  # characters of a note


class Panel(NamedTuple):
    """The cells of one board, or of one pair of evaluations on it."""

    title: str
    cells: dict[tuple[int, int], Cell]

    @property
    def rows(self) -> list[int]:
        return sorted({depth1 for depth1, _ in self.cells})

    @property
    def columns(self) -> list[int]:
        return sorted({depth2 for _, depth2 in self.cells})

    @property
    def draws(self) -> int:
        return sum(cell.draws for cell in self.cells.values())

    @property
    def games(self) -> int:
        return sum(cell.wins1 + cell.wins2 + cell.draws for cell in self.cells.values())


def panels(cells: Sequence[Cell]) -> list[Panel]:
    """The cells by what they have in common besides the depths."""
    shared: dict[tuple[str, ...], Panel] = {}
    for cell in cells:
        kind = (cell.game, cell.evaluation1, cell.evaluation2, cell.algorithm, cell.starts)
        if kind not in shared:
            several = {name for name in ("algorithm", "starts") if len({getattr(other, name) for other in cells}) > 1}
            shared[kind] = Panel(_title(cell, several), {})
        shared[kind].cells[cell.depth1, cell.depth2] = cell
    return list(shared.values())


def _title(cell: Cell, several: set[str]) -> str:
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


def cell_text(cell: Cell) -> str:
    """Wins of player 1 and player 2 and draws, with a star if a game was counted more than once: "1:3*", "1:2 2:1", "D:3*"."""
    counted = {"1": cell.wins1, "2": cell.wins2, "D": cell.draws}
    return " ".join(f"{who}:{times}" for who, times in counted.items() if times) + "*" * cell.repeated


def cell_words(cell: Cell) -> str:
    """The same in words."""
    told = [f"{who} wins {counted(won, 'game')}" for who, won in (("MAX", cell.wins1), ("MIN", cell.wins2)) if won]
    told += [counted(cell.draws, "game is a draw", "games are draws")] if cell.draws else []
    same = "" if not cell.repeated else " (some are the same game)" if len(cell.games) > 1 else " (always the same game)"
    ahead = f"MAX looks {counted(cell.depth1, 'ply', 'plies')} ahead, MIN {counted(cell.depth2, 'ply', 'plies')}"
    return f"{ahead}: {', '.join(told)}{same}"


LEGEND = "1:2 means that player 1 (MAX) wins 2 games, 2:3 that player 2 (MIN) wins 3, D:1 that 1 game is a draw."


def level(cell: Cell) -> int:
    """Who does better in a cell: from -LEVELS, MIN wins all games, to LEVELS, MAX does."""
    return round(LEVELS * (cell.wins1 - cell.wins2) / (cell.wins1 + cell.wins2 + cell.draws))


def sketch(cells: Sequence[Cell], title: str, notes: Sequence[str]) -> Sketch:
    """Everything in its place."""
    shown = panels(cells)
    width = max([LEAST_CELL, *(round(_words(0, 0, cell_text(cell), 13).width) + 14 for cell in cells)])
    items: list[Item] = [_words(MARGIN, 26, title, 16, bold=True)]
    y = 52
    wide = max((_panel_width(panel, width) for panel in shown), default=0) + BETWEEN
    tall = max((HEAD + len(panel.rows) * CELL_HEIGHT for panel in shown), default=0) + BETWEEN
    rows = -(-len(shown) // max(1, WIDEST // max(1, wide)))
    in_a_row = -(-len(shown) // max(1, rows))  # as even as can be
    for number, panel in enumerate(shown):
        row, column = divmod(number, in_a_row)
        items += _panel(panel, MARGIN + column * wide, y + row * tall, width)
    y += rows * tall
    items += _bars(shown, y)
    y += 34 + BAR * len(shown)
    items += _legend(y)
    y += 24
    for line in (line for note in notes for line in wrap(note, LONGEST_LINE)):
        items.append(_words(MARGIN, y, line, colour="muted"))
        y += 18
    return Sketch(title, round(max(map(reach, items))) + MARGIN, y + MARGIN // 2, tuple(items))


def _words(
    x: float, middle: float, text: str, size: int = 12, anchor: str = "start", colour: str = "text", bold: bool = False
) -> Label:
    return Label(x, round(middle + CENTRE * size, 1), text, colour, size, anchor, bold)


def _panel_width(panel: Panel, width: int) -> int:
    return max(AXIS + len(panel.columns) * width, round(_words(0, 0, panel.title, 13, bold=True).width))


def _panel(panel: Panel, x: int, y: int, width: int) -> Iterator[Item]:
    yield _words(x, y + 8, panel.title, 13, bold=True)
    yield _words(x + AXIS + len(panel.columns) * width / 2, y + 27, "depth of player 2 (MIN)", 11, "middle", "muted")
    yield _words(x, y + 43, "player 1", 11, colour="muted")
    for column, depth2 in enumerate(panel.columns):
        yield _words(x + AXIS + (column + 0.5) * width, y + 43, str(depth2), anchor="middle")
    for row, depth1 in enumerate(panel.rows):
        top = y + HEAD + row * CELL_HEIGHT
        yield _words(x + AXIS - 10, top + CELL_HEIGHT / 2, str(depth1), anchor="end")
        for column, depth2 in enumerate(panel.columns):
            cell = panel.cells.get((depth1, depth2))
            if cell is None:
                continue
            left = x + AXIS + column * width
            yield box(left, top, width - GAP, CELL_HEIGHT - GAP, level_name(level(cell)), cell_words(cell))
            yield _words(left + (width - GAP) / 2, top + (CELL_HEIGHT - GAP) / 2, cell_text(cell), 13, "middle")


def _bars(shown: list[Panel], y: int) -> Iterator[Item]:
    yield _words(MARGIN, y, "Draws", 13, bold=True)
    names = [_words(MARGIN, y + 16 + number * BAR + (BAR - 6) / 2, panel.title) for number, panel in enumerate(shown)]
    left = max(map(reach, names), default=0) + 10
    most = max((panel.games for panel in shown), default=1)
    for number, (panel, name) in enumerate(zip(shown, names, strict=True)):
        top, length = y + 16 + number * BAR, max(1.0, round(BAR_LENGTH * panel.draws / most, 1))
        yield name
        yield box(left, top, length, BAR - 6, "bar")
        yield _words(round(left + length + 8, 1), top + (BAR - 6) / 2, f"{panel.draws} of {panel.games}")


def _legend(y: int) -> Iterator[Item]:
    x = MARGIN
    for step, said in (
        (LEVELS, "player 1 (MAX) wins n games, 1:n"),
        (-LEVELS, "player 2 (MIN) wins n games, 2:n"),
        (0, "n draws, D:n"),
    ):
        words = _words(x + 20, y, said)
        yield box(x, y - 7, 14, 14, level_name(step))
        yield words
        x = round(reach(words)) + 24
