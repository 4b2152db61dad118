import numpy as np

# three in a row on a 3x4 board (3 rows, 4 columns), the AI is 1 and the human is -1
ROWS, COLS = 3, 4

VALUES = np.array([[2, 3, 3, 1],
                   [3, 6, 5, 2],
                   [1, 3, 4, 2]])


class Board:
    def __init__(self, cells=None):
        self.cells = np.zeros((ROWS, COLS), dtype=int) if cells is None else cells

    def copy(self):
        return Board(self.cells.copy())

    def full(self):
        return not (self.cells == 0).any()

    def winner(self):
        c = self.cells.tolist()
        for i in range(ROWS):
            for j in range(COLS):
                for di, dj in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    ei, ej = i + 2 * di, j + 2 * dj
                    if c[i][j] and ei < ROWS and 0 <= ej < COLS:
                        if c[i][j] == c[i + di][j + dj] == c[ei][ej]:
                            return c[i][j]
        return 0

    def heuristic(self):
        return int((self.cells * VALUES).sum())

    def __repr__(self):
        return "\n".join(" ".join(".XO"[v] for v in row) for row in self.cells)


def opening():
    b = Board()
    b.cells[1, 1] = -1
    b.cells[1, 2] = 1
    b.cells[0, 3] = -1
    return b


def alpha_beta(b, depth, alpha, beta, maximizer):
    """Returns ((row, col), score)."""
    if b.winner() != 0:
        return None, 100 * b.winner()
    if b.full():
        return None, 0
    if depth == 0:
        return None, b.heuristic()
    best_move = None
    best = -1000 if maximizer else 1000
    for i in range(ROWS):
        for j in range(COLS):
            if b.cells[i, j] != 0:
                continue
            child = b.copy()
            child.cells[i, j] = 1 if maximizer else -1
            score = alpha_beta(child, depth - 1, alpha, beta, not maximizer)[1]
            if maximizer and score > best:
                best, best_move = score, (i, j)
                alpha = max(alpha, best)
            elif not maximizer and score < best:
                best, best_move = score, (i, j)
                beta = min(beta, best)
            if alpha >= beta:
                break
    return best_move, best


def human(b):
    while True:
        i, j = map(int, input("row col: ").split())
        if b.cells[i, j] == 0:
            b.cells[i, j] = -1
            return


if __name__ == "__main__":
    b = Board()
    while not b.full() and b.winner() == 0:
        print(b)
        human(b)
        if not b.full() and b.winner() == 0:
            b.cells[alpha_beta(b, 3, -1000, 1000, True)[0]] = 1
    print(b)
    print({1: "computer", -1: "you", 0: "nobody"}[b.winner()], "won")
