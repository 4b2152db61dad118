"""The picture of a tournament: a heat map for each board, MAX's depth against MIN's, and the draws as bars."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.catalogue import read_game
from engine.games.connect import Connect
from engine.tournament import Cell
from visualizer.shapes import DIGIT, Box, Chart, Line, extent
from visualizer.theme import DARK, LIGHT, Palette

# sizes in pixels
CELL_HEIGHT = 38
LEAST_CELL = 60  # width
GAP = 2
MARGIN = 24
BETWEEN = 36  # panels
WIDEST = 1200
HEAD, AXIS = 52, 44  # above, and left of, the cells of a panel
BAR, BAR_LENGTH = 22, 320
LEVELS = 5  # steps from a draw to all games won
MIXED = 0.5  # how much of its colour a side gives to the cells it has won


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
    parts = [f"{game.rows} × {game.cols}, {game.connect} in a line" if isinstance(game, Connect) else game.name[:40]]
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


def level(cell: Cell) -> int:
    """Who does better in a cell: from -LEVELS, MIN wins all games, to LEVELS, MAX does."""
    return round(LEVELS * (cell.wins1 - cell.wins2) / (cell.wins1 + cell.wins2 + cell.draws))


def colours(palette: Palette) -> dict[str, str]:
    """The colour of every level: the sides' own, paler towards a draw."""
    neutral = mixed(palette.background, palette.edge, 0.22)
    named = {"bar": mixed(palette.background, palette.edge, 0.6)}
    for step in range(-LEVELS, LEVELS + 1):
        named[colour_name(step)] = mixed(neutral, palette.lines[step > 0], MIXED * abs(step) / LEVELS)
    return named


def colour_name(step: int) -> str:
    return f"max{step}" if step > 0 else f"min{-step}" if step < 0 else "even"


def mixed(one: str, other: str, share: float) -> str:
    """A colour between two, this far from the first to the other.

    >>> mixed("#000000", "#FF8800", 0.5)
    '#804400'
    """
    pairs = [(int(one[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5)]
    return "#" + "".join(f"{int(start + (end - start) * share + 0.5):02X}" for start, end in pairs)


PALETTES = (LIGHT, DARK)


def chart(cells: Sequence[Cell], title: str, notes: Sequence[str]) -> Chart:
    """Everything in its place."""
    shown = panels(cells)
    texts = [cell_text(cell) for cell in cells]
    width = max(LEAST_CELL, round(max(map(len, texts), default=0) * 13 * DIGIT) + 14)
    boxes: list[Box] = []
    lines = [Line(MARGIN, 26, title, 16, "start", bold=True)]
    y = 52
    wide = max((_panel_width(panel, width) for panel in shown), default=0) + BETWEEN
    tall = max((HEAD + len(panel.rows) * CELL_HEIGHT for panel in shown), default=0) + BETWEEN
    rows = -(-len(shown) // max(1, WIDEST // max(1, wide)))
    in_a_row = -(-len(shown) // max(1, rows))  # as even as can be
    for number, panel in enumerate(shown):
        row, column = divmod(number, in_a_row)
        _draw_panel(panel, MARGIN + column * wide, y + row * tall, width, boxes, lines)
    y += rows * tall
    y = _draw_bars(shown, y, boxes, lines)
    y = _draw_legend(y, boxes, lines)
    for note in notes:
        for line in _wrapped(note):
            lines.append(Line(MARGIN, y, line, 12, "start", muted=True))
            y += 18
    right = max([box.x + box.width for box in boxes] + [extent(lines)])
    return Chart(title, round(right) + MARGIN, y + MARGIN // 2, boxes, lines)


def _panel_width(panel: Panel, width: int) -> int:
    return max(AXIS + len(panel.columns) * width, round(Line(0, 0, panel.title, 13, bold=True).width))


def _draw_panel(panel: Panel, x: int, y: int, width: int, boxes: list[Box], lines: list[Line]) -> None:
    lines.append(Line(x, y + 8, panel.title, 13, "start", bold=True))
    lines.append(Line(x + AXIS + len(panel.columns) * width / 2, y + 27, "depth of player 2 (MIN)", 11, muted=True))
    lines.append(Line(x, y + 43, "player 1", 11, "start", muted=True))
    for column, depth2 in enumerate(panel.columns):
        lines.append(Line(x + AXIS + (column + 0.5) * width, y + 43, str(depth2), 12))
    for row, depth1 in enumerate(panel.rows):
        top = y + HEAD + row * CELL_HEIGHT
        lines.append(Line(x + AXIS - 10, top + CELL_HEIGHT / 2, str(depth1), 12, "end"))
        for column, depth2 in enumerate(panel.columns):
            cell = panel.cells.get((depth1, depth2))
            if cell is None:
                continue
            left = x + AXIS + column * width
            said = f"player 1 depth {depth1}, player 2 depth {depth2}: {cell.wins1} won, {cell.wins2} lost, {cell.draws} drawn"
            boxes.append(Box(left, top, width - GAP, CELL_HEIGHT - GAP, colour_name(level(cell)), said))
            lines.append(Line(left + (width - GAP) / 2, top + (CELL_HEIGHT - GAP) / 2, cell_text(cell), 13))


def _draw_bars(shown: list[Panel], y: int, boxes: list[Box], lines: list[Line]) -> int:
    lines.append(Line(MARGIN, y, "Draws", 13, "start", bold=True))
    y += 16
    names = MARGIN + max((Line(0, 0, panel.title, 12).width for panel in shown), default=0) + 10
    most = max((panel.games for panel in shown), default=1)
    for panel in shown:
        boxes.append(Box(names, y, max(1.0, round(BAR_LENGTH * panel.draws / most, 1)), BAR - 6, "bar"))
        lines.append(Line(MARGIN, y + (BAR - 6) / 2, panel.title, 12, "start"))
        past = names + BAR_LENGTH * panel.draws / most + 8
        lines.append(Line(round(past, 1), y + (BAR - 6) / 2, f"{panel.draws} of {panel.games}", 12, "start"))
        y += BAR
    return y + 18


def _draw_legend(y: int, boxes: list[Box], lines: list[Line]) -> int:
    x = MARGIN
    legend = ((LEVELS, "player 1 (MAX) wins, 1:n"), (-LEVELS, "player 2 (MIN) wins, 2:n"), (0, "draw, D:n"))
    for step, said in legend:
        boxes.append(Box(x, y - 7, 14, 14, colour_name(step)))
        line = Line(x + 20, y, said, 12, "start")
        lines.append(line)
        x = round(extent([line])) + 24
    return y + 24


def _wrapped(note: str, most: int = 130) -> list[str]:
    from textwrap import wrap

    return wrap(note, most)
