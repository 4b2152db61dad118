def expectimax(game, depth, agent):
    if game.over() or depth == 0:
        return game.score()
    if agent == "max":
        return max(expectimax(game.choose(action), depth, "chance") for action in game.actions())
    return sum(expectimax(game.roll(eyes), depth - 1, "max") for eyes in (1, 2, 3)) / 3


def best_action(game, depth):
    return max(game.actions(), key=lambda action: expectimax(game.choose(action), depth, "chance"))
