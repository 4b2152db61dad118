import random
import sys

from multiAgents import ExpectimaxAgent
from state import GameState


def load(path):
    with open(path) as file:
        return GameState.from_text(file.read())


def play(state, agent, turns=6):
    random.seed(1)
    for _ in range(turns):
        if state.isWin() or state.isLose():
            break
        state = state.generateSuccessor(0, agent.getAction(state))
        for ghost in range(1, state.getNumAgents()):
            if not state.isLose():
                state = state.generateSuccessor(ghost, random.choice(state.getLegalActions(ghost)))
    return state.score


if __name__ == "__main__":
    layout = sys.argv[1] if len(sys.argv) > 1 else "layouts/small.txt"
    print(play(load(layout), ExpectimaxAgent(depth=2)))
