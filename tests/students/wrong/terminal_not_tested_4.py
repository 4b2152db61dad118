# noughts and crosses with an enum, negamax that looks one move ahead for threats
from enum import Enum


class Mark(Enum):
    EMPTY = 0
    CROSS = 1
    NOUGHT = -1

    def other(self):
        return Mark(-self.value)


LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8),
         (0, 3, 6), (1, 4, 7), (2, 5, 8),
         (0, 4, 8), (2, 4, 6)]
LOST = -100


class Game:
    def __init__(self, moves=()):
        self.squares = [[Mark.EMPTY] * 3 for _ in range(3)]
        mark = Mark.CROSS
        for place in moves:
            self.put(place, mark)
            mark = mark.other()

    def put(self, place, mark):
        self.squares[place // 3][place % 3] = mark

    def free(self):
        return [i for i in range(9) if self.squares[i // 3][i % 3] == Mark.EMPTY]

    def has_won(self, mark):
        return any(all(self.squares[i // 3][i % 3] == mark for i in line) for line in LINES)

    def is_over(self):
        return self.has_won(Mark.CROSS) or self.has_won(Mark.NOUGHT) or not self.free()

    def points(self, mark):
        won = -LOST * self.has_won(mark)
        lost = LOST * self.has_won(mark.other())
        return won + lost

    def can_win(self, mark):
        """Is there a square that wins for this side now?"""
        for place in self.free():
            self.put(place, mark)
            won = self.has_won(mark)
            self.put(place, Mark.EMPTY)
            if won:
                return True
        return False

    def __repr__(self):
        return "/".join("".join({0: ".", 1: "x", -1: "o"}[s.value] for s in row) for row in self.squares)


def negamax(game, alpha, beta, mark):
    if game.is_over():
        return game.points(mark)
    best = LOST
    for place in game.free():
        game.put(place, mark)
        if game.can_win(mark.other()):
            score = LOST    # no need to look further
        else:
            score = -negamax(game, -beta, -alpha, mark.other())
        game.put(place, Mark.EMPTY)
        best = max(best, score)
        alpha = max(alpha, score)
        if alpha >= beta:
            break
    return best


def choose(game, mark):
    scores = {}
    for place in game.free():
        game.put(place, mark)
        scores[place] = -negamax(game, LOST, -LOST, mark.other())
        game.put(place, Mark.EMPTY)
    return max(scores, key=scores.get)


if __name__ == "__main__":
    game, mark = Game([4]), Mark.NOUGHT
    print("NOUGHT can get", negamax(game, LOST, -LOST, mark))
    while not game.is_over():
        game.put(choose(game, mark), mark)
        mark = mark.other()
        print(game)
