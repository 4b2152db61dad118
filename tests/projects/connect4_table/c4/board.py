WIDTH, HEIGHT = 5, 4


class Board:
    def __init__(self):
        self.columns = [[] for _ in range(WIDTH)]
        self.history = []

    def turn(self):
        return len(self.history) % 2

    def legal(self):
        return [c for c in range(WIDTH) if len(self.columns[c]) < HEIGHT]

    def push(self, column):
        self.columns[column].append(self.turn())
        self.history.append(column)

    def pop(self):
        self.columns[self.history.pop()].pop()

    def cell(self, column, row):
        return self.columns[column][row] if 0 <= column < WIDTH and 0 <= row < len(self.columns[column]) else None

    def last_player_won(self):
        if not self.history:
            return False
        column = self.history[-1]
        row = len(self.columns[column]) - 1
        mark = self.columns[column][row]
        for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1)):
            count = 1
            for sign in (1, -1):
                c, r = column + sign * dc, row + sign * dr
                while self.cell(c, r) == mark:
                    count, c, r = count + 1, c + sign * dc, r + sign * dr
            if count >= 4:
                return True
        return False

    def key(self):
        return tuple(map(tuple, self.columns))
