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


def search(b, alpha, beta, mine):
    if winner(b) == X:
        return 1
    if winner(b) == O:
        return -1
    if not free(b):
        return 0
    if mine:
        for i in free(b):
            b[i] = X
            alpha = max(alpha, search(b, alpha, beta, False))
            b[i] = EMPTY
            if alpha >= beta:
                return beta
        return alpha
    for i in free(b):
        b[i] = O
        beta = min(beta, search(b, alpha, beta, True))
        b[i] = EMPTY
        if beta <= alpha:
            return alpha
    return beta


def best_move(b):
    alpha, choice = -2, None
    for i in free(b):
        b[i] = X
        s = search(b, alpha, 2, False)
        b[i] = EMPTY
        print("square", i, "score", s)
        if s >= alpha:
            alpha, choice = s, i
    return choice


def main():
    print("You are O. Squares are numbered 0-8.")
    while winner(board) is None and free(board):
        board[best_move(board)] = X
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
