from mancala import finished, lead, legal, sow


def search(board, player, depth, alpha, beta):
    """Return the score for the player to move, and the best pit."""
    if depth == 0 or finished(board):
        return (lead(board) if player == 0 else -lead(board)), None
    best, best_pit = -100, None
    for pit in legal(board, player):
        child, turn = sow(board, player, pit)
        if turn == player:
            score = search(child, turn, depth - 1, alpha, beta)[0]
        else:
            score = -search(child, turn, depth - 1, -beta, -alpha)[0]
        if score > best:
            best, best_pit = score, pit
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best, best_pit
