import numpy as np


class Engine:
    SIZE, LENGTH = 4, 3

    @staticmethod
    def lines(board):
        for matrix in (board, board.T):
            for row in matrix:
                for start in range(Engine.SIZE - Engine.LENGTH + 1):
                    yield row[start : start + Engine.LENGTH]
        for flipped in (board, np.fliplr(board)):
            for offset in range(-1, 2):
                diagonal = np.diagonal(flipped, offset)
                for start in range(len(diagonal) - Engine.LENGTH + 1):
                    yield diagonal[start : start + Engine.LENGTH]

    @staticmethod
    def winner(board):
        for line in Engine.lines(board):
            if abs(line.sum()) == Engine.LENGTH:
                return int(line[0])
        return 0

    @staticmethod
    def heuristic(board):
        return int(sum(line.sum() for line in Engine.lines(board) if 0 in line))

    @staticmethod
    def negamax(board, depth, alpha, beta, colour):
        winner = Engine.winner(board)
        if winner:
            return colour * winner * 1000, None
        cells = np.argwhere(board == 0)
        if len(cells) == 0:
            return 0, None
        if depth == 0:
            return colour * Engine.heuristic(board), None
        best, best_cell = -np.inf, None
        for row, column in cells:
            board[row, column] = colour
            score = -Engine.negamax(board, depth - 1, -beta, -alpha, -colour)[0]
            board[row, column] = 0
            if score > best:
                best, best_cell = score, (int(row), int(column))
            alpha = max(alpha, score)
            if alpha >= beta:
                break
        return best, best_cell
