import random

from agents import AlphaBetaAgent, RandomAgent
from board import Board


def main():
    random.seed(4)
    board, player = Board(), 1
    agents = {1: RandomAgent(1), -1: AlphaBetaAgent(-1, 3)}
    while not board.is_over():
        if board.legal_moves(player):
            board.apply(agents[player].choose_move(board), player)
        player = -player
    print("black minus white:", board.difference(1))


main()
