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


HEURISTIC = [3, 2, 3, 2, 4, 2, 3, 2, 3]


def evaluate(b):
    total = 0
    for i in range(9):
        if b[i] == X:
            total += HEURISTIC[i]
        elif b[i] == O:
            total -= HEURISTIC[i]
    return total


def minimax(b, depth, alpha, beta, isMaximizing):
    if winner(b) == X:
        return 100
    if winner(b) == O:
        return -100
    if not free(b):
        return 0
    if depth == 0:
        return evaluate(b)
    if isMaximizing:
        best = -1000
        for i in free(b):
            b[i] = X
            best = max(best, minimax(b, depth - 1, alpha, beta, False))
            b[i] = EMPTY
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best
    best = 1000
    for i in free(b):
        b[i] = O
        best = min(best, minimax(b, depth, alpha, beta, True))
        b[i] = EMPTY
        beta = min(beta, best)
        if alpha >= beta:
            break
    return best


def computer_move(b, depth=4):
    best, square = -1000, None
    for i in free(b):
        b[i] = X
        s = minimax(b, depth - 1, best, 1000, False)
        b[i] = EMPTY
        if s > best:
            best, square = s, i
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
