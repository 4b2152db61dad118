from bot import search
from mancala import finished, lead, legal, sow, start

board, player = start(), 0
while not finished(board):
    print(board)
    if player == 1:
        pit = int(input(f"pit {legal(board, 1)}: "))
        if pit not in legal(board, 1):
            continue
    else:
        score, pit = search(board, 0, 6, float("-inf"), float("inf"))
    board, player = sow(board, player, pit)
print("lead of player 0:", lead(board))
