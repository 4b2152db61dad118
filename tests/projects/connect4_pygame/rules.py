import numpy as np

ROWS, COLS = 6, 7
EMPTY, PLAYER, AI = 0, 1, 2


def create_board():
    return np.zeros((ROWS, COLS))


def drop_piece(board, row, col, piece):
    board[row][col] = piece


def is_valid(board, col):
    return board[ROWS - 1][col] == EMPTY


def next_open_row(board, col):
    for row in range(ROWS):
        if board[row][col] == EMPTY:
            return row


def valid_columns(board):
    return [col for col in range(COLS) if is_valid(board, col)]


def windows(board):
    for r in range(ROWS):
        for c in range(COLS):
            for dr, dc in ((0, 1), (1, 0), (1, 1), (-1, 1)):
                if 0 <= r + 3 * dr < ROWS and c + 3 * dc < COLS:
                    yield [board[r + i * dr][c + i * dc] for i in range(4)]


def winning_move(board, piece):
    return any(window.count(piece) == 4 for window in windows(board))
