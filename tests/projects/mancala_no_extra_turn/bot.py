from mancala import finished, lead, legal, sow


def search(board, player, depth, alpha, beta):
    """Return the score for player 0 and the best pit."""
    if depth == 0 or finished(board):
        return lead(board), None
    best_pit = None
    best = float("-inf") if player == 0 else float("inf")
    for pit in legal(board, player):
        child, turn = sow(board, player, pit)
        score, _ = search(child, 1 - player, depth - 1, alpha, beta)
        if player == 0 and score > best:
            best, best_pit = score, pit
            alpha = max(alpha, best)
        elif player == 1 and score < best:
            best, best_pit = score, pit
            beta = min(beta, best)
        if beta <= alpha:
            break
    return best, best_pit
