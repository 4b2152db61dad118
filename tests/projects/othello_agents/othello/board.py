SIZE = 6
DIRECTIONS = [(dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if dr or dc]


class Board:
    def __init__(self):
        self.grid = [[0] * SIZE for _ in range(SIZE)]
        middle = SIZE // 2
        self.grid[middle - 1][middle - 1] = self.grid[middle][middle] = -1
        self.grid[middle - 1][middle] = self.grid[middle][middle - 1] = 1

    def clone(self):
        other = Board()
        other.grid = [row[:] for row in self.grid]
        return other

    def flips(self, row, column, player):
        found = []
        for dr, dc in DIRECTIONS:
            line, r, c = [], row + dr, column + dc
            while 0 <= r < SIZE and 0 <= c < SIZE and self.grid[r][c] == -player:
                line.append((r, c))
                r, c = r + dr, c + dc
            if line and 0 <= r < SIZE and 0 <= c < SIZE and self.grid[r][c] == player:
                found += line
        return found

    def legal_moves(self, player):
        return [(r, c) for r in range(SIZE) for c in range(SIZE) if self.grid[r][c] == 0 and self.flips(r, c, player)]

    def apply(self, move, player):
        for r, c in [move, *self.flips(*move, player)]:
            self.grid[r][c] = player

    def is_over(self):
        return not self.legal_moves(1) and not self.legal_moves(-1)

    def difference(self, player):
        return player * sum(map(sum, self.grid))
