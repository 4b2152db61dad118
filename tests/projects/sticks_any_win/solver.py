from heaps import after, moves


def solve(heaps, alpha, beta, plies):
    """Return a positive number if the side to move wins. Any win will do."""
    if not any(heaps):
        return -(20 - plies)
    best = -100
    for move in moves(heaps):
        best = max(best, -solve(after(heaps, move), -beta, -alpha, plies + 1))
        if best > 0 or best >= beta:
            return best
        alpha = max(alpha, best)
    return best
