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


def minimax(b, turn):
    w = winner(b)
    if w == X:
        return 1
    if w == O:
        return -1
    if not free(b):
        return 0
    scores = []
    for i in free(b):
        b[i] = turn
        scores.append(minimax(b, O if turn == X else X))
        b[i] = EMPTY
    return max(scores) if turn == X else min(scores)


def computer_move(b):
    best, choices = -2, []
    for i in free(b):
        b[i] = X
        s = minimax(b, O)
        b[i] = EMPTY
        if s > best:
            best, choices = s, [i]
        elif s == best:
            choices.append(i)
    return random.choice(choices)


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
