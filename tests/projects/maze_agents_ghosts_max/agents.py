def evaluation(state):
    hero = state.agents[0]
    if state.is_lose():
        return -500 + state.score
    if not state.food:
        return 500 + state.score
    nearest = min(abs(hero[0] - r) + abs(hero[1] - c) for r, c in state.food)
    return state.score - nearest


class MinimaxAgent:
    def __init__(self, depth):
        self.depth = depth

    def getAction(self, state):
        value, action = self.value(state, 0, 0)
        return action

    def value(self, state, index, depth):
        if index == state.get_num_agents():
            index, depth = 0, depth + 1
        if depth == self.depth or state.is_win() or state.is_lose():
            return evaluation(state), None
        results = []
        for action in state.get_legal_actions(index):
            successor = state.generate_successor(index, action)
            results.append((self.value(successor, index + 1, depth)[0], action))
        if index != 1:
            return max(results, key=lambda pair: pair[0])
        return min(results, key=lambda pair: pair[0])
