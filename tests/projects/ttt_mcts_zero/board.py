LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class Board:
    def __init__(self, cells=(" ",) * 9, turn="X"):
        self.cells, self.turn = cells, turn

    def moves(self):
        return [] if self.winner() else [place for place, cell in enumerate(self.cells) if cell == " "]

    def play(self, place):
        return Board((*self.cells[:place], self.turn, *self.cells[place + 1 :]), "O" if self.turn == "X" else "X")

    def winner(self):
        for a, b, c in LINES:
            if self.cells[a] != " " and self.cells[a] == self.cells[b] == self.cells[c]:
                return self.cells[a]
        return None
