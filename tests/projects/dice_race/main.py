from race import Race
from expecti import best_action

game = Race(0, 0)
while not game.over():
    print(game, "->", best_action(game, 3))
    game = game.choose(best_action(game, 3))
    game = game.roll(2)
print("done", game)
