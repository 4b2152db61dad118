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


def chance_value(game, depth, alpha, beta):
    total = 0
    for eyes, probability in game.outcomes():
        total += probability * max_value(game.spin(eyes), depth - 1, alpha, beta)
        if total <= alpha:
            break
    return total


def best_action(game, depth):
    return max(game.actions(), key=lambda action: chance_value(game.choose(action), depth, -inf, inf))
