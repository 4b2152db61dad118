from math import inf


def max_value(game, depth, alpha, beta):
    if game.over() or depth == 0:
        return game.score()
    best = -inf
    for action in game.actions():
        best = max(best, chance_value(game.choose(action), depth, max(alpha, best), beta))
    return best


def chance_value(game, depth, alpha, beta):
    scores = []
    for eyes in game.eyes():
        scores.append(max_value(game.spin(eyes), depth - 1, -inf, inf))
        if sum(scores) / len(scores) < alpha:
            break
    return sum(scores) / len(scores)


def best_action(game, depth):
    return max(game.actions(), key=lambda action: chance_value(game.choose(action), depth, -inf, inf))
