"""Hexapawn on a 3x4 board. A state is (board, side): the board is a string of 12 cells, white moves up."""

START = ("bbb......www", "w")
WIDTH, HEIGHT = 3, 4


def moves(state):
    board, side = state
    other, step = ("b", -WIDTH) if side == "w" else ("w", WIDTH)
    found = []
    for at, pawn in enumerate(board):
        if pawn != side or not 0 <= at + step < len(board):
            continue
        targets = [at + step] if board[at + step] == "." else []
        for shift in (-1, 1):
            column = at % WIDTH + shift
            if 0 <= column < WIDTH and board[at + step + shift] == other:
                targets.append(at + step + shift)
        for target in targets:
            cells = list(board)
            cells[at], cells[target] = ".", side
            found.append(("".join(cells), other))
    return found


def is_lost(state):
    """The side to move has lost: a pawn of the opponent has reached the end."""
    board, side = state
    return "b" in board[-WIDTH:] if side == "w" else "w" in board[:WIDTH]
