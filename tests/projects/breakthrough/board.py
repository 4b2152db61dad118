from copy import deepcopy

SIZE = 4
WHITE, BLACK = "W", "B"


class Board:
    """Breakthrough on 4 x 4: the first pawn on the other side of the board wins."""

    def __init__(self):
        self.cells = [[BLACK] * SIZE] + [[" "] * SIZE for _ in range(SIZE - 2)] + [[WHITE] * SIZE]

    def winner(self):
        if WHITE in self.cells[0]:
            return WHITE
        if BLACK in self.cells[SIZE - 1]:
            return BLACK
        return None

    def moves(self, player):
        step = -1 if player == WHITE else 1
        found = []
        for row in range(SIZE):
            for column in range(SIZE):
                if self.cells[row][column] != player or not 0 <= row + step < SIZE:
                    continue
                if self.cells[row + step][column] == " ":
                    found.append(((row, column), (row + step, column)))
                for side in (column - 1, column + 1):
                    if 0 <= side < SIZE and self.cells[row + step][side] != player:
                        found.append(((row, column), (row + step, side)))
        return found

    def after(self, move):
        (row, column), (to_row, to_column) = move
        board = deepcopy(self)
        board.cells[to_row][to_column] = board.cells[row][column]
        board.cells[row][column] = " "
        return board

    def score(self):
        if self.winner() is not None:
            return 100 if self.winner() == WHITE else -100
        pieces = [cell for line in self.cells for cell in line]
        return pieces.count(WHITE) - pieces.count(BLACK)
