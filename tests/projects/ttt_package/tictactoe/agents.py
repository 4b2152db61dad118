from math import inf


class Agent:
    def __init__(self, mark):
        self.mark = mark

    def get_move(self, state):
        raise NotImplementedError


class HumanAgent(Agent):
    def get_move(self, state):
        while True:
            text = input(f"your move {state.moves()}: ")
            if text.isdigit() and int(text) in state.moves():
                return int(text)


class AlphaBetaAgent(Agent):
    def get_move(self, state):
        value, move = self._search(state, -inf, inf)
        return move

    def _utility(self, state):
        winner = state.winner()
        if winner is None:
            return 0
        return 1 if winner == self.mark else -1

    def _search(self, state, alpha, beta):
        if state.is_terminal():
            return self._utility(state), None
        best_move = None
        if state.to_move == self.mark:
            value = -inf
            for move in state.moves():
                score, _ = self._search(state.play(move), alpha, beta)
                if score > value:
                    value, best_move = score, move
                alpha = max(alpha, value)
                if value >= beta:
                    break
        else:
            value = inf
            for move in state.moves():
                score, _ = self._search(state.play(move), alpha, beta)
                if score < value:
                    value, best_move = score, move
                beta = min(beta, value)
                if value <= alpha:
                    break
        return value, best_move
