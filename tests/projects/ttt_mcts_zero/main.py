from board import Board
from mcts import MCTS

board, player = Board(), MCTS()
while board.moves():
    if board.turn == "X":
        board = board.play(player.get_move(board))
    else:
        board = board.play(int(input("Square: ")))
print(board.winner())
