# Tic-tac-toe against the computer, squares are 0 to 8
import math

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6),
         (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

board = list(" OX   OX ")


def winner(b):
    for x, y, z in LINES:
        if b[x] != " " and b[x] == b[y] == b[z]:
            return b[x]
    return None


def minimax(b, is_max):
    w = winner(b)
    if w == "X":
        return 1
    if w == "O":
        return -1
    if " " not in b:
        return 0
    if is_max:
        best = -math.inf
        for i in range(9):
            if b[i] == " ":
                b[i] = "X"
                best = max(best, minimax(b, False))
                b[i] = " "
        return best
    else:
        best = math.inf
        for i in range(8):
            if b[i] == " ":
                b[i] = "O"
                best = min(best, minimax(b, True))
                b[i] = " "
        return best


def show(b):
    for r in range(0, 9, 3):
        print("|".join(b[r:r + 3]))


if __name__ == "__main__":
    show(board)
    print("value:", minimax(board, True))
