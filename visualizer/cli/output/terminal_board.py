"""Boards for the terminal: pieces by their letters, coloured by side; the last move is underlined, a winning line reversed."""

from collections.abc import Collection
from dataclasses import replace

from rich.style import Style
from rich.text import Text

from engine.games.boards import MAX, MIN, Board, Piece, board_of, cell_of, last_cells, show_state
from engine.games.capabilities import winning_line
from engine.games.protocol import move_of
from engine.matches.match import Match
from visualizer.drawing.theme import LIGHT
from visualizer.narration.escapes import plain

INDENT = 2
NOTHING = "·"


def board(match: Match) -> Text:
    """The state of a match."""
    drawn = board_of(match.game, match.state)
    if drawn is not None and drawn.is_grid:
        return _grid(drawn, winning_line(match.game, match.state), _last_cells(match, drawn))
    lines = [plain(line) for line in show_state(match.game, match.state).splitlines()]
    return Text("\n".join(" " * INDENT + line for line in lines))


def letters(match: Match) -> str:
    """Which letters are whose; empty where there are none."""
    drawn = board_of(match.game, match.state)
    pieces = drawn.pieces if drawn is not None and drawn.is_grid else ()
    return ", ".join(f"{plain(piece.letter)} is {piece.side.upper()}" for piece in pieces if piece.side)


def column_at(match: Match, move: int) -> int | None:
    """Where on the line the column of a move stands; None where moves are no columns."""
    drawn = board_of(match.game, match.state)
    cell = cell_of(match.game, move_of(match.game, match.state, move))
    if drawn is None or cell is None or not drawn.falls:
        return None
    wide = _wide(drawn)
    return INDENT + cell % drawn.cols * (wide + 1) + wide - 1


def _grid(drawn: Board, line: Collection[int], last: Collection[int]) -> Text:
    wide, text = _wide(drawn), Text()
    for cell, content in enumerate(drawn.cells):
        letter, at_left = _letter(drawn, cell), cell % drawn.cols == 0
        text.append("\n" * (at_left and cell > 0) + " " * ((INDENT if at_left else 1) + wide - len(letter)))
        text.append(letter, _style(drawn.pieces[content], cell in line, cell in last) if content else Style(dim=True))
    if drawn.labels:
        text.append("\n" + " " * INDENT + " ".join(plain(label).rjust(wide) for label in drawn.labels), "dim")
    return text


def _wide(drawn: Board) -> int:
    """Characters of a cell."""
    return max(1, *(len(plain(word)) for word in (*drawn.labels, *drawn.cell_labels, *(piece.letter for piece in drawn.pieces))))


def _letter(drawn: Board, cell: int) -> str:
    if drawn.cells[cell]:
        return plain(drawn.pieces[drawn.cells[cell]].letter)
    return plain(drawn.cell_labels[cell]) if drawn.cell_labels else NOTHING


def _last_cells(match: Match, drawn: Board) -> tuple[int, ...]:
    before = board_of(match.game, replace(match, moves=match.moves[:-1]).state) if match.moves else None
    return last_cells(before, drawn) if before is not None else ()


def _style(piece: Piece, in_line: bool, last: bool) -> Style:
    colour = {MAX: LIGHT.lines[1], MIN: LIGHT.lines[0]}.get(piece.side)
    return Style(color=colour, bold=True, underline=last, reverse=in_line)
