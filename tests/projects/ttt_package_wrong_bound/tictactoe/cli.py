from .agents import AlphaBetaAgent, HumanAgent
from .state import State


def play():
    agents = {"X": HumanAgent("X"), "O": AlphaBetaAgent("O")}
    state = State()
    while not state.is_terminal():
        print(state)
        state = state.play(agents[state.to_move].get_move(state))
    print(state)
    print(f"result: {state.winner() or 'draw'}")
