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


def alpha_beta(b, depth, a, z, is_max):
    w = winner(b)
    if w == X:
        return 10 - depth
    if w == O:
        return -10 + depth
    if not free(b):
        return 0
    if is_max:
        for i in free(b):
            b[i] = X
            a = max(a, alpha_beta(b, depth + 1, a, z, False))
            b[i] = EMPTY
            if a >= z:
                return z
        return a
    else:
        for i in free(b):
            b[i] = O
            z = min(z, alpha_beta(b, depth + 1, a, z, True))
            b[i] = EMPTY
            if z <= a:
                return a
        return z


def computer_move(b):
    best_score = -100
    best_square = None
    for i in free(b):
        b[i] = X
        score = alpha_beta(b, 1, -100, 100, False)
        b[i] = EMPTY
        if score > best_score:
            best_score = score
            best_square = i
    return best_square


def main():
    print("You are O. Squares are numbered 0-8.")
    while winner(board) is None and free(board):
        board[computer_move(board)] = X
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
