"""Nim with several heaps: whoever takes the last match wins."""
from __future__ import annotations

from typing import Optional

Heaps = tuple[int, ...]
Move = tuple[int, int]

START: Heaps = (1, 2, 3)


def moves(heaps: Heaps) -> list[Move]:
    return [(i, n) for i, size in enumerate(heaps) for n in range(1, size + 1)]


def take(heaps: Heaps, move: Move) -> Heaps:
    i, n = move
    return heaps[:i] + (heaps[i] - n,) + heaps[i + 1:]


def finished(heaps: Heaps) -> bool:
    return sum(heaps) == 0


def max_value(heaps: Heaps) -> tuple[int, Optional[Move]]:
    if finished(heaps):
        return -1, None
    v, choice = 0, None
    for m in moves(heaps):
        w, _ = min_value(take(heaps, m))
        if w > v:
            v, choice = w, m
    return v, choice or moves(heaps)[0]


def min_value(heaps: Heaps) -> tuple[int, Optional[Move]]:
    if finished(heaps):
        return 1, None
    v, choice = 10, None
    for m in moves(heaps):
        w, _ = max_value(take(heaps, m))
        if w < v:
            v, choice = w, m
    return v, choice


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
            move: Optional[Move] = max_value(heaps)[1]
            print("I take", move)
        else:
            move = ask(heaps)
        heaps = take(heaps, move)
        computer = not computer
    print("You win!" if computer else "I win!")


if __name__ == "__main__":
    main()
