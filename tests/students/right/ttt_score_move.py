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


def alphabeta(b, maximizing_player, alpha=-2, beta=2):
    """Returns (score, square)."""
    w = winner(b)
    if w is not None:
        return (1 if w == X else -1), None
    squares = free(b)
    if len(squares) == 0:
        return 0, None
    best_square = None
    if maximizing_player:
        best = -2
        for i in squares:
            b[i] = X
            score, _ = alphabeta(b, False, alpha, beta)
            b[i] = EMPTY
            if score > best:
                best, best_square = score, i
            alpha = max(alpha, best)
            if alpha >= beta:
                break
    else:
        best = 2
        for i in squares:
            b[i] = O
            score, _ = alphabeta(b, True, alpha, beta)
            b[i] = EMPTY
            if score < best:
                best, best_square = score, i
            beta = min(beta, best)
            if alpha >= beta:
                break
    return best, best_square


def main():
    print("You are O. Squares are numbered 0-8.")
    while winner(board) is None and free(board):
        board[alphabeta(board, True)[1]] = X
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
