import numpy as np

from gomoku.engine import Engine


class Match:
    def __init__(self, depth=3):
        self.board = np.zeros((Engine.SIZE, Engine.SIZE), dtype=int)
        self.depth = depth
        self.colour = 1

    def step(self):
        score, cell = Engine.negamax(self.board, self.depth, -np.inf, np.inf, self.colour)
        self.board[cell] = self.colour
        self.colour = -self.colour

    def run(self):
        while not Engine.winner(self.board) and (self.board == 0).any():
            self.step()
        return Engine.winner(self.board)
