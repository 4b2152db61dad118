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


class Player:
    def __init__(self, depth):
        self.depth = depth
        self.best = None

    def choose(self, board):
        self.best = None
        value = self.max_node(board, self.depth, -1000, 1000)
        return value, self.best

    def max_node(self, board, depth, alpha, beta):
        if board.winner() != 0 or board.full() or depth == 0:
            return self.leaf(board)
        for i, j in zip(*np.where(board.cells == 0)):
            child = board.copy()
            child.cells[i, j] = 1
            v = self.min_node(child, depth - 1, alpha, beta)
            if v > alpha:
                alpha = v
                if depth == self.depth:
                    self.best = (int(i), int(j))
            if alpha >= beta:
                return beta
        return alpha

    def min_node(self, board, depth, alpha, beta):
        if board.winner() != 0 or board.full() or depth == 0:
            return self.leaf(board)
        for i, j in zip(*np.where(board.cells == 0)):
            child = board.copy()
            child.cells[i, j] = -1
            v = self.max_node(child, depth - 1, alpha, beta)
            if v < beta:
                beta = v
            if alpha >= beta:
                return alpha
        return beta

    def leaf(self, board):
        if board.winner() != 0:
            return 100 * board.winner()
        return 0 if board.full() else board.heuristic()


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
            b.cells[Player(3).choose(b)[1]] = 1
    print(b)
    print({1: "computer", -1: "you", 0: "nobody"}[b.winner()], "won")
