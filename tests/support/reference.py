"""Naive second opinions: slow, obvious, sharing no code with the engine."""

from collections import Counter
from itertools import product


def minimax_value(game, state, remaining):
    """The value by definition."""
    if game.is_over(state) or remaining == 0:
        return game.evaluate(state)
    values = [minimax_value(game, game.play(state, move), remaining - 1) for move in game.moves(state)]
    return max(values) if game.maximizing(state) else min(values)


def quiet_value(game, state, remaining, plies):
    """Minimax with quiescence: at the horizon the static value or the best noisy move, at most `plies` further."""
    if game.is_over(state):
        return game.evaluate(state)
    best = max if game.maximizing(state) else min
    if remaining > 0:
        return best(quiet_value(game, game.play(state, move), remaining - 1, plies) for move in game.moves(state))
    noisy = game.noisy_moves(state) if plies > 0 else []
    return best([game.evaluate(state), *(quiet_value(game, game.play(state, move), 0, plies - 1) for move in noisy)])


def perft(game, state, depth):
    """Number of move sequences of exactly this length."""
    if depth == 0:
        return 1
    if game.is_over(state):
        return 0
    return sum(perft(game, game.play(state, move), depth - 1) for move in game.moves(state))


def alphabeta_log(game, state, remaining, cut_on_equal=True):
    """Alpha-beta as a list of events, written down while it happens: what the trace must tell."""
    log = []

    def visit(state, remaining, alpha, beta, node_of_parent):
        number = len([event for event in log if event[0] == "enter"])
        log.append(("enter", number, alpha, beta))
        if game.is_over(state) or remaining == 0:
            value = game.evaluate(state)
            log.append(("evaluate", number, value))
            return number, value
        sign = 1 if game.maximizing(state) else -1
        best = None
        moves = list(game.moves(state))
        for index, move in enumerate(moves):
            child, score = visit(game.play(state, move), remaining - 1, alpha, beta, number)
            improves = best is None or sign * score > sign * best
            best = score if improves else best
            narrows = ""
            if sign == 1 and score > alpha:
                narrows, alpha = "alpha", score
            if sign == -1 and score < beta:
                narrows, beta = "beta", score
            log.append(("return", number, child, score, improves, narrows))
            reached = alpha >= beta if cut_on_equal else alpha > beta
            if reached and index < len(moves) - 1:
                log.append(("cutoff", number, best, tuple(moves[index + 1 :])))
                return number, best
        log.append(("leave", number, best))
        return number, best

    visit(state, remaining, float("-inf"), float("inf"), None)
    return log


class Grid:
    """A Connect board as a dict of cells, for checking bitboards: rows and columns counted from the lower left."""

    def __init__(self, rows, cols):
        self.rows, self.cols, self.cells = rows, cols, {}

    def drop(self, column, side):
        row = sum((column, r) in self.cells for r in range(self.rows))
        assert row < self.rows
        self.cells[column, row] = side

    def windows(self, length):
        steps = ((1, 0), (0, 1), (1, 1), (1, -1))
        for column, row, (right, up) in product(range(self.cols), range(self.rows), steps):
            window = [(column + i * right, row + i * up) for i in range(length)]
            if all(0 <= c < self.cols and 0 <= r < self.rows for c, r in window):
                yield window

    def full_windows(self, length):
        """How many windows each side fills."""
        owners = ({self.cells.get(cell) for cell in window} for window in self.windows(length))
        return Counter(next(iter(owner)) for owner in owners if len(owner) == 1)
