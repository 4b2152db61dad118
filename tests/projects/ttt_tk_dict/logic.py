from itertools import product

ROWS = [[(r, c) for c in range(3)] for r in range(3)]
COLUMNS = [[(r, c) for r in range(3)] for c in range(3)]
DIAGONALS = [[(i, i) for i in range(3)], [(i, 2 - i) for i in range(3)]]


def empty_board():
    return {cell: "" for cell in product(range(3), repeat=2)}


def has_won(board, mark):
    return any(all(board[cell] == mark for cell in line) for line in ROWS + COLUMNS + DIAGONALS)


def finished(board):
    return has_won(board, "X") or has_won(board, "O") or all(board.values())


def minimax(board, player):
    """Return the score for O and the best cell."""
    if has_won(board, "O"):
        return 1, None
    if has_won(board, "X"):
        return -1, None
    if all(board.values()):
        return 0, None
    scores = []
    for cell in [cell for cell in board if not board[cell]]:
        board[cell] = player
        score, _ = minimax(board, "X" if player == "O" else "O")
        board[cell] = ""
        scores.append((score, cell))
    return max(scores) if player == "O" else min(scores)
