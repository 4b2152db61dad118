class Expectimax:
    def __init__(self, depth):
        self.depth = depth

    def getAction(self, state):
        actions = state.get_legal_actions(0)
        return max(actions, key=lambda action: self.expect(state.generate_successor(0, action), 1, 0))

    def expect(self, state, agent, level):
        if agent >= state.get_num_agents():
            agent, level = 0, level + 1
        if level >= self.depth or state.is_win() or state.is_lose():
            return state.score - 100 * state.is_lose() - len(state.food)
        values = [self.expect(state.generate_successor(agent, action), agent + 1, level) for action in state.get_legal_actions(agent)]
        return max(values) if agent == 0 else sum(values) / len(values)


MinimaxAgent = Expectimax
