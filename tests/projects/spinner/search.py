def max_value(game, depth):
    if game.over() or depth == 0:
        return game.score()
    return max(chance_value(game.choose(action), depth) for action in game.actions())


def chance_value(game, depth):
    return sum(probability * max_value(game.spin(eyes), depth - 1) for eyes, probability in game.outcomes())


def best_action(game, depth):
    return max(game.actions(), key=lambda action: chance_value(game.choose(action), depth))
