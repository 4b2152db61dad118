# Connect 4 on a small board. If a column wins at once, the others are not searched.
from math import inf

ROWS, COLS = 4, 5


def start():
    grid = [[0] * COLS for _ in range(ROWS)]
    for col, piece in [(2, 1), (2, 2), (1, 1), (3, 2)]:
        play(grid, col, piece)
    return grid


def play(grid, col, piece):
    row = max(r for r in range(ROWS) if grid[r][col] == 0)
    grid[row][col] = piece


def undo(grid, col):
    row = min(r for r in range(ROWS) if grid[r][col] != 0)
    grid[row][col] = 0


def open_columns(grid):
    found = [c for c in range(COLS) if grid[0][c] == 0]
    return sorted(found, key=lambda c: abs(c - COLS // 2))


def four(grid, piece):
    for r in range(ROWS):
        for c in range(COLS):
            for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(r + k * dr, c + k * dc) for k in range(4)]
                if all(0 <= i < ROWS and 0 <= j < COLS and grid[i][j] == piece for i, j in cells):
                    return True
    return False


def wins_at_once(grid, col, piece):
    play(grid, col, piece)
    won = four(grid, piece)
    undo(grid, col)
    return won


def heuristic(grid):
    worth = (1, 2, 3, 2, 1)
    return sum(worth[c] * (1 if cell == 1 else -1 if cell == 2 else 0) for row in grid for c, cell in enumerate(row))


def search(grid, depth, alpha, beta, piece):
    """Value for player 1. Nobody has four in a row yet: that is tested before the call."""
    columns = open_columns(grid)
    if not columns:
        return 0
    if any(wins_at_once(grid, col, piece) for col in columns):
        return 500 if piece == 1 else -500
    if depth == 0:
        return heuristic(grid)
    best = -inf if piece == 1 else inf
    for col in columns:
        play(grid, col, piece)
        value = search(grid, depth - 1, alpha, beta, 3 - piece)
        undo(grid, col)
        if piece == 1:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


if __name__ == "__main__":
    print("value:", search(start(), 6, -inf, inf, 1))
