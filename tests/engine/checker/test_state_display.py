"""Boards of students' programs are shown the right way up, however the program keeps them."""

import random

import pytest

from engine.checker.recording.state_display import format_state, turn_upright

ROWS, COLUMNS = 6, 7


def play_positions(seed):
    """Return the positions of a random game as lists of discs, one list for each column, from the bottom up."""
    chance = random.Random(seed)
    columns = [[] for _ in range(COLUMNS)]
    positions = [[*columns]]
    for ply in range(12):
        column = chance.choice([column for column in range(COLUMNS) if len(columns[column]) < ROWS])
        columns = [[*discs, "XO"[ply % 2]] if at == column else discs for at, discs in enumerate(columns)]
        positions.append(columns)
    return positions


def full_columns(columns):
    return [[*discs, *[" "] * (ROWS - len(discs))] for discs in columns]


def as_rows(columns):
    return [list(row) for row in zip(*full_columns(columns), strict=True)][::-1]


KEPT = {
    "rows": as_rows,
    "rows, bottom first": lambda columns: as_rows(columns)[::-1],
    "columns, bottom first": full_columns,
    "columns, top first": lambda columns: [column[::-1] for column in full_columns(columns)],
}


@pytest.mark.parametrize("kept", KEPT)
def test_a_board_with_stacked_discs_is_shown_the_right_way_up(kept):
    positions = play_positions(3)
    shown = turn_upright([format_state(KEPT[kept](columns)) for columns in positions])
    assert shown == [format_state(as_rows(columns)) for columns in positions]


def test_columns_without_empty_cells_become_a_board():
    positions = play_positions(3)
    shown = turn_upright([format_state(columns) for columns in positions])
    lines = shown[-1].splitlines()
    assert len(lines) == max(4, *map(len, positions[-1]))
    assert shown[0].split() == ["."] * 7 * len(lines)  # the empty board has the same size
    assert [line.split() for line in lines] == [
        [cell.strip() or "." for cell in row] for row in as_rows(positions[-1])[-len(lines) :]
    ]


def test_boards_without_stacked_discs_stay_as_they_are():
    squares = [format_state([[" "] * 4, [" ", "X", " ", " "], [" ", " ", "O", " "], ["X", " ", " ", " "]]), ""]
    assert turn_upright(squares) == squares
    triangle = [format_state([[1] * length for length in range(1, 6)]), format_state([[0] * length for length in range(1, 6)])]
    assert turn_upright(triangle) == triangle  # its lines never grow: it is not a list of columns


def test_pieces_that_are_colors_keep_a_board_in_columns():
    board = [[(255, 0, 0), 0, (255, 255, 255)], [0, (255, 0, 0), 0]]
    assert format_state([[Disc(cell) if cell else 0 for cell in row] for row in board]).splitlines() == [
        "  red     0 white",
        "    0   red     0",
    ]


class Disc:
    def __init__(self, color):
        self.color = color

    def __repr__(self):
        return str(self.color)
