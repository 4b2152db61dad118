def max_value(game, depth):
    if game.over() or depth == 0:
        return game.score()
    return max(chance_value(game.choose(action), depth) for action in game.actions())


def chance_value(game, depth):
    outcomes = game.outcomes()
    total = 0
    for eyes, probability in outcomes:
        total += max_value(game.spin(eyes), depth - 1)
    return total / len(outcomes)


def best_action(game, depth):
    return max(game.actions(), key=lambda action: chance_value(game.choose(action), depth))
