"""Connect three on a 4x3 board: a tuple of columns, each a string."""

WIDTH, HEIGHT = 4, 3
START = ("",) * WIDTH


def turn(board):
    return "ab"[sum(map(len, board)) % 2]


def moves(board):
    return [c for c in range(WIDTH) if len(board[c]) < HEIGHT]


def play(board, column):
    return board[:column] + (board[column] + turn(board),) + board[column + 1 :]


def won(board, player):
    grid = [column.ljust(HEIGHT) for column in board]
    for c in range(WIDTH):
        for r in range(HEIGHT):
            for dc, dr in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(c + i * dc, r + i * dr) for i in range(3)]
                if all(x < WIDTH and 0 <= y < HEIGHT and grid[x][y] == player for x, y in cells):
                    return True
    return False


def evaluate(board):
    if won(board, "a"):
        return 100
    if won(board, "b"):
        return -100
    return 0
