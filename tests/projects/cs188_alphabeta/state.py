MOVES = {"North": (-1, 0), "South": (1, 0), "East": (0, 1), "West": (0, -1)}


class GameState:
    """A maze with a hero (agent 0) and ghosts (agents 1, 2, ...)."""

    def __init__(self, walls, food, agents, score=0):
        self.walls, self.food, self.agents, self.score = walls, food, agents, score

    @classmethod
    def from_text(cls, text):
        walls, food, agents = set(), set(), {}
        for r, line in enumerate(text.strip().splitlines()):
            for c, sign in enumerate(line):
                if sign == "%":
                    walls.add((r, c))
                elif sign == ".":
                    food.add((r, c))
                elif sign.isdigit():
                    agents[int(sign)] = (r, c)
        return cls(frozenset(walls), frozenset(food), tuple(agents[i] for i in sorted(agents)))

    def getNumAgents(self):
        return len(self.agents)

    def getLegalActions(self, index):
        r, c = self.agents[index]
        return [name for name, (dr, dc) in MOVES.items() if (r + dr, c + dc) not in self.walls]

    def generateSuccessor(self, index, action):
        dr, dc = MOVES[action]
        r, c = self.agents[index]
        agents = self.agents[:index] + ((r + dr, c + dc),) + self.agents[index + 1 :]
        food, score = self.food, self.score - (index == 0)
        if index == 0 and agents[0] in food:
            food, score = food - {agents[0]}, score + 10
        return GameState(self.walls, food, agents, score)

    def isLose(self):
        return self.agents[0] in self.agents[1:]

    def isWin(self):
        return not self.food
