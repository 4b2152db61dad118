import numpy as np


class TicTacToe:
    def __init__(self):
        self.board = np.zeros(9, dtype=int)
        self.best = None

    def line_sums(self):
        grid = self.board.reshape(3, 3)
        return [*grid.sum(axis=0), *grid.sum(axis=1), np.trace(grid), np.trace(np.fliplr(grid))]

    def value(self):
        sums = self.line_sums()
        if 3 in sums:
            return 1
        if -3 in sums:
            return -1
        return 0

    def over(self):
        return self.value() != 0 or np.all(self.board != 0)

    def search(self, player, ply=0):
        if self.over():
            return self.value()
        best = -player * 2
        for cell in range(9):
            if self.board[cell]:
                continue
            self.board[cell] = player
            score = self.search(-player, ply + 1)
            self.board[cell] = 0
            if player * score > player * best:
                best = score
                if ply == 0:
                    self.best = cell
        return best

    def computer_move(self):
        self.search(-1)
        self.board[self.best] = -1
