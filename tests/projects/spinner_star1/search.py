from math import inf

LOWEST, HIGHEST = -16, 42


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


def chance_value(game, depth, alpha, beta):
    total, left = 0, 1
    for eyes, probability in game.outcomes():
        left -= probability
        low = max(LOWEST, (alpha - total - left * HIGHEST) / probability)
        high = min(HIGHEST, (beta - total - left * LOWEST) / probability)
        total += probability * max_value(game.spin(eyes), depth - 1, low, high)
        if total + left * HIGHEST <= alpha:
            return total + left * HIGHEST
        if total + left * LOWEST >= beta:
            return total + left * LOWEST
    return total


def best_action(game, depth):
    best, chosen = -inf, None
    for action in game.actions():
        value = chance_value(game.choose(action), depth, best, inf)
        if value > best:
            best, chosen = value, action
    return chosen
