def minimax(position, depth, max_player, alpha=float("-inf"), beta=float("inf")):
    name = "A" if max_player else "B"
    won = position.winner(name)
    if won is not None:
        return (100 + depth if won == "A" else -100 - depth), position
    if depth == 0:
        return position.evaluate(), position
    children = sorted(position.children(name), key=lambda child: child.evaluate(), reverse=max_player)
    best, choice = None, None
    for child in children:
        value, _ = minimax(child, depth - 1, not max_player, alpha, beta)
        if best is None or (value > best if max_player else value < best):
            best, choice = value, child
        if max_player:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if beta <= alpha:
            break
    return best, choice
