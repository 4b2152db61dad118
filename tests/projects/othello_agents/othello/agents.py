import random

INF = float("inf")


class RandomAgent:
    def __init__(self, colour):
        self.colour = colour

    def choose_move(self, board):
        return random.choice(board.legal_moves(self.colour))


class AlphaBetaAgent:
    def __init__(self, colour, plies):
        self.colour = colour
        self.plies = plies

    def choose_move(self, board):
        return self.max_value(board, self.plies, -INF, INF)[1]

    def evaluate(self, board):
        corners = board.grid[0][0] + board.grid[0][-1] + board.grid[-1][0] + board.grid[-1][-1]
        return board.difference(self.colour) + 5 * self.colour * corners

    def max_value(self, board, plies, alpha, beta):
        if board.is_over() or plies == 0:
            return self.evaluate(board), None
        moves = board.legal_moves(self.colour)
        if not moves:
            return self.min_value(board, plies - 1, alpha, beta)[0], None
        best, best_move = -INF, None
        for move in moves:
            child = board.clone()
            child.apply(move, self.colour)
            value = self.min_value(child, plies - 1, alpha, beta)[0]
            if value > best:
                best, best_move = value, move
            if best >= beta:
                return best, best_move
            alpha = max(alpha, best)
        return best, best_move

    def min_value(self, board, plies, alpha, beta):
        if board.is_over() or plies == 0:
            return self.evaluate(board), None
        moves = board.legal_moves(-self.colour)
        if not moves:
            return self.max_value(board, plies - 1, alpha, beta)[0], None
        best, best_move = INF, None
        for move in moves:
            child = board.clone()
            child.apply(move, -self.colour)
            value = self.max_value(child, plies - 1, alpha, beta)[0]
            if value < best:
                best, best_move = value, move
            if best <= alpha:
                return best, best_move
            beta = min(beta, best)
        return best, best_move
