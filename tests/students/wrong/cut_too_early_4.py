# Connect 4 on a small board: the computer is R, the player is Y
from math import inf

ROWS, COLS = 4, 5
DEPTH = 4


def start():
    b = [["."] * COLS for _ in range(ROWS)]
    for c, p in [(0, "R"), (4, "Y"), (1, "R"), (4, "Y"), (2, "R"), (3, "Y")]:
        drop(b, c, p)
    return b


def drop(b, col, p):
    for r in range(ROWS - 1, -1, -1):
        if b[r][col] == ".":
            b[r][col] = p
            return r


def take_back(b, col):
    for r in range(ROWS):
        if b[r][col] != ".":
            b[r][col] = "."
            return


def columns(b):
    return [c for c in range(COLS - 1) if b[0][c] == "."]


def wins(b, p):
    for r in range(ROWS):
        for c in range(COLS):
            for dr, dc in [(0, 1), (1, 0), (1, 1), (1, -1)]:
                if all(0 <= r + k * dr < ROWS and 0 <= c + k * dc < COLS
                       and b[r + k * dr][c + k * dc] == p for k in range(4)):
                    return True
    return False


def evaluate(b):
    total = 0
    for row in b:
        for c, p in enumerate(row):
            worth = 1 + min(c, COLS - 1 - c)
            total += worth if p == "R" else -worth if p == "Y" else 0
    return total


def full(b):
    return "." not in b[0]


def alphabeta(b, depth, alpha, beta, maximizing):
    if wins(b, "R"):
        return 1000
    if wins(b, "Y"):
        return -1000
    if full(b):
        return 0
    if depth == 0:
        return evaluate(b)
    if maximizing:
        best = -inf
        for c in columns(b):
            drop(b, c, "R")
            best = max(best, alphabeta(b, depth - 1, alpha, beta, False))
            take_back(b, c)
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best
    best = inf
    for c in columns(b):
        drop(b, c, "Y")
        best = min(best, alphabeta(b, depth - 1, alpha, beta, True))
        take_back(b, c)
        beta = min(beta, best)
        if alpha >= beta:
            break
    return best


if __name__ == "__main__":
    game = start()
    print("\n".join(" ".join(row) for row in game))
    print("value for R:", alphabeta(game, DEPTH, -inf, inf, True))
