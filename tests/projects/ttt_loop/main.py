from board import new_board, show, winner, is_full
from ai import best_move

HUMAN, COMPUTER = "X", "O"


def ask_move(board):
    while True:
        row = int(input("row (0-2): "))
        column = int(input("column (0-2): "))
        if board[row][column] == " ":
            return row, column
        print("taken")


def main():
    board = new_board()
    turn = HUMAN
    while not winner(board) and not is_full(board):
        show(board)
        row, column = ask_move(board) if turn == HUMAN else best_move(board)
        board[row][column] = turn
        turn = COMPUTER if turn == HUMAN else HUMAN
    show(board)
    print("winner:", winner(board) or "nobody")


if __name__ == "__main__":
    main()
