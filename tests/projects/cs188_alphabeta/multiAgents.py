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


class AlphaBetaAgent(MultiAgentSearchAgent):
    def getAction(self, gameState):
        alpha, beta, best, chosen = float("-inf"), float("inf"), float("-inf"), None
        for action in gameState.getLegalActions(0):
            value = self.minValue(gameState.generateSuccessor(0, action), 1, 0, alpha, beta)
            if value > best:
                best, chosen = value, action
            alpha = max(alpha, best)
        return chosen

    def maxValue(self, gameState, depth, alpha, beta):
        if depth == self.depth or gameState.isWin() or gameState.isLose():
            return self.evaluationFunction(gameState)
        value = float("-inf")
        for action in gameState.getLegalActions(0):
            value = max(value, self.minValue(gameState.generateSuccessor(0, action), 1, depth, alpha, beta))
            if value > beta:
                return value
            alpha = max(alpha, value)
        return value

    def minValue(self, gameState, agentIndex, depth, alpha, beta):
        if gameState.isWin() or gameState.isLose():
            return self.evaluationFunction(gameState)
        value = float("inf")
        for action in gameState.getLegalActions(agentIndex):
            successor = gameState.generateSuccessor(agentIndex, action)
            if agentIndex == gameState.getNumAgents() - 1:
                value = min(value, self.maxValue(successor, depth + 1, alpha, beta))
            else:
                value = min(value, self.minValue(successor, agentIndex + 1, depth, alpha, beta))
            if value < alpha:
                return value
            beta = min(beta, value)
        return value
