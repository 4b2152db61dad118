def scoreEvaluationFunction(currentGameState):
    return currentGameState.score - 100 * currentGameState.isLose() - len(currentGameState.food)


class Agent:
    def __init__(self, index=0):
        self.index = index


class MultiAgentSearchAgent(Agent):
    def __init__(self, evalFn=scoreEvaluationFunction, depth="2"):
        self.index = 0
        self.evaluationFunction = evalFn
        self.depth = int(depth)


class MinimaxAgent(MultiAgentSearchAgent):
    def getAction(self, gameState):
        return self.value(gameState, 0, self.depth)[1]

    def value(self, gameState, agent, depth):
        if depth == 0 or gameState.isWin() or gameState.isLose():
            return self.evaluationFunction(gameState), None
        following = (agent + 1) % gameState.getNumAgents()
        left = depth - 1 if following == 0 else depth
        choices = [(self.value(gameState.generateSuccessor(agent, action), following, left)[0], action) for action in gameState.getLegalActions(agent)]
        return max(choices) if agent == 0 else min(choices)
