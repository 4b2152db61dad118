from math import inf


def max_value(game, depth, alpha, beta):
    if game.over() or depth == 0:
        return game.score()
    best = -inf
    for action in game.actions():
        best = max(best, chance_value(game.choose(action), depth, alpha, beta))
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


def min_value(game, depth, alpha, beta):
    """The dealer delays the race."""
    if game.over() or depth == 0:
        return game.score()
    worst = inf
    for delay in (0, 1):
        worst = min(worst, max_value(game.delay(delay), depth, alpha, beta))
        beta = min(beta, worst)
        if beta <= alpha:
            break
    return worst


def chance_value(game, depth, alpha, beta):
    scores = []
    for eyes in game.eyes():
        scores.append(min_value(game.spin(eyes), depth - 1, alpha, beta))
    return sum(scores) / len(scores)


def best_action(game, depth):
    best, chosen = -inf, None
    for action in game.actions():
        value = chance_value(game.choose(action), depth, best, inf)
        if value > best:
            best, chosen = value, action
    return chosen
