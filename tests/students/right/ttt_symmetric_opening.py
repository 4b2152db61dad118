"""Noughts and crosses. On the empty board only one corner, one edge and the centre are tried: the others are the same."""

INFINITY = 100
WINS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def has_won(cells, player):
    return any(all(cells[i] == player for i in line) for line in WINS)


def moves(cells):
    if all(cell == "-" for cell in cells):
        return [4, 0, 1]
    return [i for i in range(9) if cells[i] == "-"]


def place(cells, i, player):
    after = list(cells)
    after[i] = player
    return after


def evaluate(cells):
    if has_won(cells, "X"):
        return 1
    if has_won(cells, "O"):
        return -1
    return 0


def finished(cells):
    return has_won(cells, "X") or has_won(cells, "O") or "-" not in cells


def alphabeta(cells, alpha, beta, is_x):
    if finished(cells):
        return evaluate(cells)
    if is_x:
        value = -INFINITY
        for i in moves(cells):
            value = max(value, alphabeta(place(cells, i, "X"), alpha, beta, False))
            alpha = max(alpha, value)
            if alpha >= beta:
                break  # O will not allow this
        return value
    value = INFINITY
    for i in moves(cells):
        value = min(value, alphabeta(place(cells, i, "O"), alpha, beta, True))
        beta = min(beta, value)
        if alpha >= beta:
            break  # X has something better
    return value


def best_first_move():
    return max(moves(["-"] * 9), key=lambda i: alphabeta(place(["-"] * 9, i, "X"), -INFINITY, INFINITY, False))


if __name__ == "__main__":
    print("value of the game:", alphabeta(["-"] * 9, -INFINITY, INFINITY, True))
