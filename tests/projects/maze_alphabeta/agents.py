from math import inf


class AlphaBetaAgent:
    def __init__(self, depth=2):
        self.depth = depth

    def evaluate(self, state):
        distance = sum(abs(state.agents[0][0] - r) + abs(state.agents[0][1] - c) for r, c in state.agents[1:])
        return state.score + distance / 10 - (300 if state.is_lose() else 0)

    def getAction(self, state):
        best, chosen, alpha = -inf, None, -inf
        for action in state.get_legal_actions(0):
            score = self.min_value(state.generate_successor(0, action), self.depth, 1, alpha, inf)
            if score > best:
                best, chosen = score, action
            alpha = max(alpha, best)
        return chosen

    def max_value(self, state, depth, alpha, beta):
        if depth == 0 or state.is_win() or state.is_lose():
            return self.evaluate(state)
        v = -inf
        for action in state.get_legal_actions(0):
            v = max(v, self.min_value(state.generate_successor(0, action), depth, 1, alpha, beta))
            if v > beta:
                return v
            alpha = max(alpha, v)
        return v

    def min_value(self, state, depth, ghost, alpha, beta):
        if depth == 0 or state.is_win() or state.is_lose():
            return self.evaluate(state)
        v = inf
        for action in state.get_legal_actions(ghost):
            successor = state.generate_successor(ghost, action)
            if ghost == state.get_num_agents() - 1:
                v = min(v, self.max_value(successor, depth - 1, alpha, beta))
            else:
                v = min(v, self.min_value(successor, depth, ghost + 1, alpha, beta))
            if v < alpha:
                return v
            beta = min(beta, v)
        return v


MinimaxAgent = AlphaBetaAgent
