from copy import deepcopy


class Isolation:
    """Two kings on a 3x4 board. A king leaves a hole behind. Who cannot move loses."""

    ROWS, COLUMNS = 3, 4

    def __init__(self):
        self.holes = set()
        self.kings = {"A": (0, 1), "B": (2, 2)}

    def moves(self, name):
        r, c = self.kings[name]
        around = [(r + dr, c + dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if dr or dc]
        taken = self.holes | set(self.kings.values())
        return [at for at in around if 0 <= at[0] < self.ROWS and 0 <= at[1] < self.COLUMNS and at not in taken]

    def move(self, name, to):
        self.holes.add(self.kings[name])
        self.kings[name] = to

    def winner(self, to_move):
        if not self.moves(to_move):
            return "B" if to_move == "A" else "A"
        return None

    def evaluate(self):
        return len(self.moves("A")) - len(self.moves("B"))

    def children(self, name):
        for to in self.moves(name):
            child = deepcopy(self)
            child.move(name, to)
            yield child
