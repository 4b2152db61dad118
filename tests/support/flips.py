"""A game that the project does not have: Othello on a small board. Moves are words, and one changes several cells."""

from engine.games.boards import EMPTY, MAX, MIN, Board, Piece
from engine.games.evaluation_parts import EvaluationPart

ROWS, COLS = 4, 5
PIECES = (EMPTY, Piece("b", MAX), Piece("w", MIN))
PASS = "pass"
WAYS = [(down, across) for down in (-1, 0, 1) for across in (-1, 0, 1) if (down, across) != (0, 0)]
START = {6: 2, 7: 1, 8: 0, 11: 1, 12: 2}

SHOWN_DEPTH = 3  # of its search on the page of browser/flips_page.py


class Flips:
    """A state is (cells, side to move). A side that cannot turn a disc passes; the game ends when neither side can."""

    name = "flips"

    def start(self):
        return tuple(START.get(cell, 0) for cell in range(ROWS * COLS)), 1

    def moves(self, state):
        return [f"{'abcde'[cell % COLS]}{cell // COLS + 1}" for cell in range(ROWS * COLS) if self.turned(state, cell)] or [PASS]

    def play(self, state, move):
        cells, side = list(state[0]), state[1]
        if move != PASS:
            for cell in (self.cell_of(move), *self.turned(state, self.cell_of(move))):
                cells[cell] = side
        return tuple(cells), 3 - side

    def is_over(self, state):
        return self.moves(state) == [PASS] and self.moves((state[0], 3 - state[1])) == [PASS]

    def maximizing(self, state):
        return state[1] == 1

    def evaluate(self, state):
        return state[0].count(1) - state[0].count(2)

    def turned(self, state, cell):
        """The discs that a disc in an empty cell would turn."""
        cells, side = state
        found = []
        for down, across in WAYS if cells[cell] == 0 else ():
            line, row, column = [], cell // COLS + down, cell % COLS + across
            while 0 <= row < ROWS and 0 <= column < COLS and cells[row * COLS + column] == 3 - side:
                line.append(row * COLS + column)
                row, column = row + down, column + across
            if 0 <= row < ROWS and 0 <= column < COLS and cells[row * COLS + column] == side:
                found += line
        return found

    # ---- what makes it a board to see and to click on

    def board(self, state):
        return Board(state[0], ROWS, COLS, PIECES, labels=tuple("abcde"))

    def cell_of(self, move):
        return None if move == PASS else "abcde".index(move[0]) + (int(move[1]) - 1) * COLS

    def evaluation_parts(self, state):
        for words, sign, side in (("discs of MAX", 1, 1), ("discs of MIN", -1, 2)):
            cells = tuple(cell for cell, content in enumerate(state[0]) if content == side)
            yield EvaluationPart(words, sign * len(cells), cells)
