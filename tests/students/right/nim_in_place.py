"""Nim with several heaps: whoever takes the last match wins."""
from __future__ import annotations

from typing import Optional

Heaps = tuple[int, ...]
Move = tuple[int, int]

START: Heaps = (2, 3, 3)


def moves(heaps: Heaps) -> list[Move]:
    return [(i, n) for i, size in enumerate(heaps) for n in range(1, size + 1)]


def take(heaps: Heaps, move: Move) -> Heaps:
    i, n = move
    return heaps[:i] + (heaps[i] - n,) + heaps[i + 1:]


def finished(heaps: Heaps) -> bool:
    return sum(heaps) == 0


class Nim:
    def __init__(self, heaps: Heaps) -> None:
        self.heaps = list(heaps)

    def solve(self, alpha: int = -1, beta: int = 1, mine: bool = True) -> tuple[int, Optional[Move]]:
        """Window as narrow as the scores themselves: -1 and 1."""
        if not any(self.heaps):
            return (-1, None) if mine else (1, None)
        found: Optional[Move] = None
        value = -1 if mine else 1
        for i, n in moves(tuple(self.heaps)):
            self.heaps[i] -= n
            score, _ = self.solve(alpha, beta, not mine)
            self.heaps[i] += n
            if found is None or (mine and score > value) or (not mine and score < value):
                value, found = score, (i, n)
            if mine:
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
            if alpha >= beta:
                break
        return value, found


def ask(heaps: Heaps) -> Move:
    while True:
        print("heaps:", *heaps)
        i = int(input("which heap? "))
        n = int(input("how many? "))
        if (i, n) in moves(heaps):
            return i, n
        print("you can't do that")


def main() -> None:
    heaps = (3, 4, 5)
    computer = False
    while not finished(heaps):
        if computer:
            move: Optional[Move] = Nim(heaps).solve()[1]
            print("I take", move)
        else:
            move = ask(heaps)
        heaps = take(heaps, move)
        computer = not computer
    print("You win!" if computer else "I win!")


if __name__ == "__main__":
    main()
