from settings import FIRST, LEVEL

rows = [1, 2, 3]


def take(row, count):
    rows[row] -= count


def put_back(row, count):
    rows[row] += count


def options():
    return [(row, count) for row in range(len(rows)) for count in range(1, rows[row] + 1)]


def ab(level, alpha, beta, player):
    """Who takes the last stick loses."""
    if not options():
        return 1 if player == FIRST else -1
    if level == 0:
        return 0
    for row, count in options():
        take(row, count)
        score = ab(level - 1, alpha, beta, 3 - player)
        put_back(row, count)
        if player == FIRST:
            alpha = max(alpha, score)
        else:
            beta = min(beta, score)
        if alpha >= beta:
            break
    return alpha if player == FIRST else beta


def computer_turn():
    best, choice = -2, None
    for row, count in options():
        take(row, count)
        score = ab(LEVEL, best, 2, 3 - FIRST)
        put_back(row, count)
        if score > best:
            best, choice = score, (row, count)
    take(*choice)
    return choice
