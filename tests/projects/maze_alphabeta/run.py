import random
import sys

from agents import MinimaxAgent
from state import GameState


def load(path):
    with open(path) as file:
        return GameState.from_text(file.read())


def play(state, agent, turns=6):
    random.seed(1)
    for _ in range(turns):
        if state.is_win() or state.is_lose():
            break
        state = state.generate_successor(0, agent.getAction(state))
        for ghost in range(1, state.get_num_agents()):
            if not state.is_lose():
                state = state.generate_successor(ghost, random.choice(state.get_legal_actions(ghost)))
    return state.score


if __name__ == "__main__":
    layout = sys.argv[1] if len(sys.argv) > 1 else "layouts/small.txt"
    print(play(load(layout), MinimaxAgent(depth=2)))
