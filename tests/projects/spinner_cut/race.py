GOAL = 14
CHANCES = {1: 0.5, 2: 0.3, 4: 0.2}


class Race:
    """Walk or jump towards the goal; a spinner says how far."""

    def __init__(self, position=0, turns=0, pending=None):
        self.position, self.turns, self.pending = position, turns, pending

    def actions(self):
        return ["walk", "jump", "rest"]

    def choose(self, action):
        return Race(self.position, self.turns, action)

    def outcomes(self):
        return list(CHANCES.items())

    def spin(self, eyes):
        step = {"walk": eyes, "jump": 2 * eyes if eyes > 1 else -3, "rest": 1}[self.pending]
        return Race(max(0, self.position + step), self.turns + 1)

    def over(self):
        return self.position >= GOAL or self.turns >= 8

    def score(self):
        return 3 * min(self.position, GOAL) - 2 * self.turns
