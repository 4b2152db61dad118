from board import BLACK, WHITE


def minimax(position, depth, white_moves, game):
    if depth == 0 or game.winner() is not None:
        return position.score(), None
    best_move = None
    if white_moves:
        best = float("-inf")
        for move in position.moves(WHITE):
            score, _ = minimax(position.after(move), depth - 1, False, game)
            if score > best:
                best, best_move = score, move
        return best, best_move
    best = float("inf")
    for move in position.moves(BLACK):
        score, _ = minimax(position.after(move), depth - 1, True, game)
        if score < best:
            best, best_move = score, move
    return best, best_move
