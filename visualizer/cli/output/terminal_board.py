"""Boards for the terminal: letters coloured by side. The last move is underlined, a winning line reversed."""

from collections.abc import Collection
from dataclasses import replace

from rich.style import Style
from rich.text import Text

from engine.games.boards import MAX, MIN, Board, Piece, cell_of, find_board, format_state, last_move_cells
from engine.games.capabilities import winning_line
from engine.games.protocol import move_from_code
from engine.matches.match import Match
from visualizer.drawing.theme import LIGHT
from visualizer.narration.escapes import sanitize_line

INDENT = 2
EMPTY_CELL = "·"


def format_board(match: Match) -> Text:
    """Return the state of a match as text."""
    drawn = find_board(match.game, match.state)
    if drawn is not None and drawn.is_grid:
        return _format_grid(drawn, winning_line(match.game, match.state), _cells_of_last_move(match, drawn))
    lines = [sanitize_line(line) for line in format_state(match.game, match.state).splitlines()]
    return Text("\n".join(" " * INDENT + line for line in lines))


def describe_letters(match: Match) -> str:
    """Return a text that says whose the letters are, or an empty text if there are none."""
    drawn = find_board(match.game, match.state)
    pieces = drawn.pieces if drawn is not None and drawn.is_grid else ()
    return ", ".join(f"{sanitize_line(piece.letter)} is {piece.side.upper()}" for piece in pieces if piece.side)


def column_offset(match: Match, move: int) -> int | None:
    """Return the offset of a move's column in the line, or None if moves are not columns."""
    drawn = find_board(match.game, match.state)
    cell = cell_of(match.game, move_from_code(match.game, match.state, move))
    if drawn is None or cell is None or not drawn.falls:
        return None
    wide = _cell_width(drawn)
    return INDENT + cell % drawn.cols * (wide + 1) + wide - 1


def _format_grid(drawn: Board, line: Collection[int], last: Collection[int]) -> Text:
    wide, text = _cell_width(drawn), Text()
    for cell, content in enumerate(drawn.cells):
        letter, at_left = _cell_letter(drawn, cell), cell % drawn.cols == 0
        text.append("\n" * (at_left and cell > 0) + " " * ((INDENT if at_left else 1) + wide - len(letter)))
        text.append(letter, _piece_style(drawn.pieces[content], cell in line, cell in last) if content else Style(dim=True))
    if drawn.labels:
        text.append("\n" + " " * INDENT + " ".join(sanitize_line(label).rjust(wide) for label in drawn.labels), "dim")
    return text


def _cell_width(drawn: Board) -> int:
    """Return the width of a cell in characters."""
    return max(
        1, *(len(sanitize_line(word)) for word in (*drawn.labels, *drawn.cell_labels, *(piece.letter for piece in drawn.pieces)))
    )


def _cell_letter(drawn: Board, cell: int) -> str:
    if drawn.cells[cell]:
        return sanitize_line(drawn.pieces[drawn.cells[cell]].letter)
    return sanitize_line(drawn.cell_labels[cell]) if drawn.cell_labels else EMPTY_CELL


def _cells_of_last_move(match: Match, drawn: Board) -> tuple[int, ...]:
    before = find_board(match.game, replace(match, moves=match.moves[:-1]).state) if match.moves else None
    return last_move_cells(before, drawn) if before is not None else ()


def _piece_style(piece: Piece, in_line: bool, last: bool) -> Style:
    colour = {MAX: LIGHT.lines[1], MIN: LIGHT.lines[0]}.get(piece.side)
    return Style(color=colour, bold=True, underline=last, reverse=in_line)
