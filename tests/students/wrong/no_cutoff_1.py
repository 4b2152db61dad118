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


def minimax(b, alpha, beta, maximizing):
    w = winner(b)
    if w == X:
        return 1
    elif w == O:
        return -1
    elif not free(b):
        return 0

    if maximizing:
        best = -1000
        for i in free(b):
            b[i] = X
            score = minimax(b, alpha, beta, False)
            b[i] = EMPTY
            if score > best:
                best = score
            if best > alpha:
                alpha = best
        return best

    best = 1000
    for i in free(b):
        b[i] = O
        score = minimax(b, alpha, beta, True)
        b[i] = EMPTY
        if score < best:
            best = score
        if best < beta:
            beta = best
    return best


def computer_move(b):
    best, square = -1000, None
    for i in free(b):
        b[i] = X
        score = minimax(b, best, 1000, False)
        b[i] = EMPTY
        if score > best:
            best, square = score, i
    return square


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
