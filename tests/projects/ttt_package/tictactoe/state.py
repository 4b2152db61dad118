LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class State:
    """An immutable position: nine cells and the side to move."""

    def __init__(self, cells=(".",) * 9, to_move="X"):
        self.cells = cells
        self.to_move = to_move

    def moves(self):
        return [i for i, cell in enumerate(self.cells) if cell == "."]

    def play(self, move):
        cells = self.cells[:move] + (self.to_move,) + self.cells[move + 1 :]
        return State(cells, "O" if self.to_move == "X" else "X")

    def winner(self):
        for a, b, c in LINES:
            if self.cells[a] != "." and self.cells[a] == self.cells[b] == self.cells[c]:
                return self.cells[a]
        return None

    def is_terminal(self):
        return self.winner() is not None or "." not in self.cells

    def __str__(self):
        return "\n".join(" ".join(self.cells[i : i + 3]) for i in (0, 3, 6))
