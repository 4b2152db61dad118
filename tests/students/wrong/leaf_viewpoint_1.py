# Tic Tac Toe - you against the computer
import random

X = "X"
O = "O"
EMPTY = " "
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8),
         (0, 3, 6), (1, 4, 7), (2, 5, 8),
         (0, 4, 8), (2, 4, 6)]

# the computer is X
board = ["X", " ", " ",
         " ", " ", " ",
         " ", "O", " "]


def winner(b):
    for i, j, k in LINES:
        if b[i] != EMPTY and b[i] == b[j] and b[j] == b[k]:
            return b[i]
    return None


def free(b):
    return [i for i in range(9) if b[i] == EMPTY]


def show(b):
    for r in range(0, 9, 3):
        print(" " + " | ".join(b[r:r + 3]))
        if r < 6:
            print("---+---+---")


def evaluate(b):
    # if there is a winner, the one to move now has lost
    if winner(b) is not None:
        return -1
    return 0


def minimax(b, player):
    """Returns [score, square]."""
    if winner(b) is not None or not free(b):
        return [evaluate(b), -1]
    if player == X:
        best = [-1000, -1]
    else:
        best = [1000, -1]
    for i in free(b):
        b[i] = player
        result = minimax(b, O if player == X else X)
        b[i] = EMPTY
        if player == X and result[0] > best[0]:
            best = [result[0], i]
        if player == O and result[0] < best[0]:
            best = [result[0], i]
    return best


def main():
    print("You are O. Squares are numbered 0-8.")
    while winner(board) is None and free(board):
        board[minimax(board, X)[1]] = X
        show(board)
        if winner(board) is None and free(board):
            square = int(input("Your move: "))
            while square not in free(board):
                square = int(input("Not free. Your move: "))
            board[square] = O
    show(board)
    print("Winner:", winner(board) or "nobody")


if __name__ == "__main__":
    main()
