"""Boards for the terminal: X is MAX and O is MIN, coloured; the last move is underlined, a winning line reversed."""

from rich.style import Style
from rich.text import Text

from engine.games.connect import Connect
from engine.games.outcome import Cell, line_cells
from engine.games.protocol import show_state
from engine.games.tictactoe import TicTacToe
from engine.matches.match import Match
from visualizer.drawing.theme import LIGHT
from visualizer.text.escapes import plain

INDENT = 2


def board(match: Match) -> Text:
    """The state of a match."""
    if isinstance(match.game, Connect):
        return _connect(match, match.game)
    if isinstance(match.game, TicTacToe):
        return _tictactoe(match)
    lines = [plain(line) for line in show_state(match.game, match.state).splitlines()]
    return Text("\n".join(" " * INDENT + line for line in lines))


def column_at(game: Connect, column: int) -> int:
    """Where on the line a column stands."""
    wide = len(str(game.cols - 1))
    return INDENT + column * (wide + 1) + wide - 1


def _connect(match: Match, game: Connect) -> Text:
    state, wide, text = match.state, len(str(game.cols - 1)), Text()
    full, last = line_cells(game, state), _last_cell(match)
    for row in reversed(range(game.rows)):
        text.append(" " * INDENT)
        for column in range(game.cols):
            bit = column * game.height + row
            mark = "X" if state.max_discs >> bit & 1 else "O" if state.min_discs >> bit & 1 else "·"
            text.append(" " * (wide - 1))
            text.append(mark, _style(mark, (column, row) in full, (column, row) == last))
            text.append(" ")
        text.append("\n")
    return text.append(" " * INDENT + " ".join(str(column).rjust(wide) for column in range(game.cols)), "dim")


def _tictactoe(match: Match) -> Text:
    state, text = match.state, Text()
    full, last = line_cells(match.game, state), _last_cell(match)
    for square in range(9):
        cell = (square % 3, 2 - square // 3)
        mark = "X" if state.max_marks >> square & 1 else "O" if state.min_marks >> square & 1 else str(square)
        text.append(" " * INDENT if square % 3 == 0 else " ")
        text.append(mark, _style(mark, cell in full, cell == last))
        text.append("\n" if square in (2, 5) else "")
    return text


def _last_cell(match: Match) -> Cell | None:
    if not match.moves:
        return None
    move = match.moves[-1]
    if isinstance(match.game, TicTacToe):
        return move % 3, 2 - move // 3
    occupied = match.state.max_discs | match.state.min_discs
    return move, (occupied & match.game.column_cells[move]).bit_count() - 1


def _style(mark: str, in_line: bool, last: bool) -> Style:
    if mark not in "XO":
        return Style(dim=True)
    return Style(color=LIGHT.lines[mark == "X"], bold=True, underline=last, reverse=in_line)
