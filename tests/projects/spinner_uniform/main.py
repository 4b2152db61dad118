from race import Race
from search import best_action

game = Race()
while not game.over():
    action = best_action(game, 3)
    print(game.position, action)
    game = game.choose(action).spin(2)
