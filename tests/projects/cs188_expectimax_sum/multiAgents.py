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


class ExpectimaxAgent(MultiAgentSearchAgent):
    def getAction(self, gameState):
        best, chosen = float("-inf"), None
        for action in gameState.getLegalActions(0):
            value = self.expValue(gameState.generateSuccessor(0, action), 1, 0)
            if value > best:
                best, chosen = value, action
        return chosen

    def maxValue(self, gameState, depth):
        if depth == self.depth or gameState.isWin() or gameState.isLose():
            return self.evaluationFunction(gameState)
        return max(self.expValue(gameState.generateSuccessor(0, action), 1, depth) for action in gameState.getLegalActions(0))

    def expValue(self, gameState, agentIndex, depth):
        if gameState.isWin() or gameState.isLose():
            return self.evaluationFunction(gameState)
        actions = gameState.getLegalActions(agentIndex)
        total = 0
        for action in actions:
            successor = gameState.generateSuccessor(agentIndex, action)
            if agentIndex == gameState.getNumAgents() - 1:
                value = self.maxValue(successor, depth + 1)
            else:
                value = self.expValue(successor, agentIndex + 1, depth)
            total += value
        return total
