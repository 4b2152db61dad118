"""Kalah with three pits on each side and two stones in each pit."""

PITS = 3


def start():
    return [2, 2, 2, 0, 2, 2, 2, 0]  # pits and store of player 0, then of player 1


def store(player):
    return PITS if player == 0 else 2 * PITS + 1


def legal(board, player):
    first = 0 if player == 0 else PITS + 1
    return [pit for pit in range(first, first + PITS) if board[pit]]


def sow(board, player, pit):
    """Return the board after a move, and the player who moves next."""
    board = board[:]
    stones, board[pit] = board[pit], 0
    while stones:
        pit = (pit + 1) % len(board)
        if pit == store(1 - player):
            continue
        board[pit] += 1
        stones -= 1
    return board, player if pit == store(player) else 1 - player


def finished(board):
    return not legal(board, 0) or not legal(board, 1)


def lead(board):
    return sum(board[: PITS + 1]) - sum(board[PITS + 1 :]) if finished(board) else board[store(0)] - board[store(1)]
