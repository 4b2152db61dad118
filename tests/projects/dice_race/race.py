GOAL = 12


class Race:
    def __init__(self, position, turns, pending=None):
        self.position, self.turns, self.pending = position, turns, pending

    def actions(self):
        return ["walk", "jump", "rest"]

    def choose(self, action):
        return Race(self.position, self.turns, action)

    def roll(self, eyes):
        step = {"walk": eyes, "jump": 2 * eyes if eyes > 1 else -3, "rest": 1}[self.pending]
        return Race(max(0, self.position + step), self.turns + 1)

    def over(self):
        return self.position >= GOAL or self.turns >= 8

    def score(self):
        return min(self.position, GOAL) - 0.5 * self.turns

    def __repr__(self):
        return f"Race({self.position}, {self.turns})"
