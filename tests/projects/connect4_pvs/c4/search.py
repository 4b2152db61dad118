from .board import WIDTH

WIN = 1000


class Searcher:
    def best_move(self, board, max_depth):
        return self.pvs(board, max_depth, -10 * WIN, 10 * WIN)[1]

    def evaluate(self, board):
        score = 0
        for column, discs in enumerate(board.columns):
            weight = min(column, WIDTH - 1 - column)
            for height, mark in enumerate(discs):
                score += (weight + height) * (1 if mark == board.turn() else -1)
        return score

    def pvs(self, board, depth, alpha, beta):
        if board.last_player_won():
            return -WIN - depth, None
        moves = sorted(board.legal(), key=lambda column: abs(column - WIDTH // 2))
        if not moves:
            return 0, None
        if depth == 0:
            return self.evaluate(board), None
        best, best_move = -10 * WIN, None
        for number, column in enumerate(moves):
            board.push(column)
            if number == 0:
                score = -self.pvs(board, depth - 1, -beta, -alpha)[0]
            else:
                score = -self.pvs(board, depth - 1, -alpha - 1, -alpha)[0]
                if alpha < score < beta:
                    score = -self.pvs(board, depth - 1, -beta, -alpha)[0]
            board.pop()
            if score > best:
                best, best_move = score, column
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best, best_move
