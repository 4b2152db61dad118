from .board import WIDTH

EXACT, LOWER, UPPER = range(3)
INFINITY = 10**9
WIN = 10_000


class Searcher:
    def __init__(self):
        self.table = {}

    def best_move(self, board, max_depth):
        move = None
        for depth in range(1, max_depth + 1):
            self.table.clear()
            score, move = self.negamax(board, depth, -INFINITY, INFINITY)
        return move

    def evaluate(self, board):
        score = 0
        for column, discs in enumerate(board.columns):
            weight = min(column, WIDTH - 1 - column)
            score += sum(weight if mark == board.turn() else -weight for mark in discs)
        return score

    def negamax(self, board, depth, alpha, beta):
        if board.last_player_won():
            return -WIN - depth, None
        moves = board.legal()
        if not moves:
            return 0, None
        if depth == 0:
            return self.evaluate(board), None
        key = (board.key(), depth)
        entry = self.table.get(key)
        if entry is not None:
            kind, score, move = entry
            if kind == EXACT or (kind == LOWER and score >= beta) or (kind == UPPER and score <= alpha):
                return score, move
        moves.sort(key=lambda column: abs(column - WIDTH // 2))
        start, best, best_move = alpha, -INFINITY, None
        for column in moves:
            board.push(column)
            score = -self.negamax(board, depth - 1, -beta, -alpha)[0]
            board.pop()
            if score > best:
                best, best_move = score, column
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        kind = UPPER if best <= start else LOWER if best >= beta else EXACT
        self.table[key] = kind, best, best_move
        return best, best_move
