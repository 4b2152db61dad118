"""Nim with several heaps: whoever takes the last match wins."""
from __future__ import annotations

from typing import Optional

Heaps = tuple[int, ...]
Move = tuple[int, int]

START: Heaps = (1, 2, 5)


def moves(heaps: Heaps) -> list[Move]:
    return [(i, n) for i, size in enumerate(heaps) for n in range(1, size + 1)]


def take(heaps: Heaps, move: Move) -> Heaps:
    i, n = move
    return heaps[:i] + (heaps[i] - n,) + heaps[i + 1:]


def finished(heaps: Heaps) -> bool:
    return sum(heaps) == 0


known: dict[Heaps, int] = {}


def minimax(heaps: Heaps, computer: bool) -> int:
    """+1 if the computer wins, -1 if not. Positions are remembered."""
    if finished(heaps):
        return -1 if computer else 1
    key = tuple(sorted(heaps))
    if key in known:
        return known[key]
    values = [minimax(take(heaps, m), not computer) for m in moves(heaps)]
    known[key] = max(values) if computer else min(values)
    return known[key]


def best_move(heaps: Heaps) -> Optional[Move]:
    best, choice = -2, None
    for m in moves(heaps):
        value = minimax(take(heaps, m), False)
        if value > best:
            best, choice = value, m
    return choice


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
            move: Optional[Move] = best_move(heaps)
            print("I take", move)
        else:
            move = ask(heaps)
        heaps = take(heaps, move)
        computer = not computer
    print("You win!" if computer else "I win!")


if __name__ == "__main__":
    main()
