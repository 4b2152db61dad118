"""Nim with several heaps: whoever takes the last match wins."""
from __future__ import annotations

from typing import Optional

Heaps = tuple[int, ...]
Move = tuple[int, int]

START: Heaps = (2, 2, 3)


def moves(heaps: Heaps) -> list[Move]:
    return [(i, n) for i, size in enumerate(heaps) for n in range(1, size + 1)]


def take(heaps: Heaps, move: Move) -> Heaps:
    i, n = move
    return heaps[:i] + (heaps[i] - n,) + heaps[i + 1:]


def finished(heaps: Heaps) -> bool:
    return sum(heaps) == 0


def minimax(heaps: Heaps, player: int) -> tuple[int, Optional[Move]]:
    """player 1 is the computer (wants +1), player 2 the human (wants -1)"""
    if finished(heaps):
        return (-1, None) if player == 1 else (1, None)
    score = 0
    best = None
    best_move = None
    for move in moves(heaps):
        score, _ = minimax(take(heaps, move), 3 - player)
        if best is None or (player == 1 and score > best) or (player == 2 and score < best):
            best = score
            best_move = move
    return score, best_move


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
            move: Optional[Move] = minimax(heaps, 1)[1]
            print("I take", move)
        else:
            move = ask(heaps)
        heaps = take(heaps, move)
        computer = not computer
    print("You win!" if computer else "I win!")


if __name__ == "__main__":
    main()
