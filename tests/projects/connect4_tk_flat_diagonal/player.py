class Computer:
    def __init__(self, disc, depth):
        self.disc = disc
        self.other = "R" if disc == "Y" else "Y"
        self.depth = depth

    def play(self, grid):
        return self.minimax(grid, self.depth, float("-inf"), float("inf"), True)[0]

    def rate(self, grid):
        score = 0
        for line in grid.lines():
            if self.other not in line:
                score += line.count(self.disc) ** 2
            if self.disc not in line:
                score -= line.count(self.other) ** 2
        return score

    def minimax(self, grid, depth, alpha, beta, maximizing):
        if grid.has_four(self.disc):
            return None, 1000 + depth
        if grid.has_four(self.other):
            return None, -1000 - depth
        columns = grid.open_columns()
        if not columns:
            return None, 0
        if depth == 0:
            return None, self.rate(grid)
        best_column = columns[0]
        best = float("-inf") if maximizing else float("inf")
        for column in columns:
            grid.drop(column, self.disc if maximizing else self.other)
            score = self.minimax(grid, depth - 1, alpha, beta, not maximizing)[1]
            grid.lift(column)
            if maximizing and score > best:
                best, best_column = score, column
                alpha = max(alpha, best)
            elif not maximizing and score < best:
                best, best_column = score, column
                beta = min(beta, best)
            if alpha >= beta:
                break
        return best_column, best
