class Grid:
    """42 cells in one list, the top row first."""

    def __init__(self):
        self.cells = ["."] * 42

    def open_columns(self):
        return [column for column in range(7) if self.cells[column] == "."]

    def drop(self, column, disc):
        index = column + 35
        while self.cells[index] != ".":
            index -= 7
        self.cells[index] = disc

    def lift(self, column):
        index = column
        while self.cells[index] == ".":
            index += 7
        self.cells[index] = "."

    def lines(self):
        for index in range(42):
            row, column = divmod(index, 7)
            if column <= 3:
                yield [self.cells[index + i] for i in range(4)]
            if row <= 2:
                yield [self.cells[index + 7 * i] for i in range(4)]
            if column <= 3 and row <= 2:
                yield [self.cells[index + 8 * i] for i in range(4)]
            if column >= 3 and row <= 2:
                yield [self.cells[index + 6 * i] for i in range(4)]

    def has_four(self, disc):
        return any(line == [disc] * 4 for line in self.lines())
