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


def alpha_beta(heaps: Heaps, my_turn: bool, alpha: float, beta: float) -> dict:
    if finished(heaps):
        return {"score": -1 if my_turn else 1, "move": None}
    best = {"score": -9 if my_turn else 9, "move": None}
    for move in moves(heaps):
        reply = alpha_beta(take(heaps, move), not my_turn, alpha, beta)
        if my_turn and reply["score"] > best["score"]:
            best = {"score": reply["score"], "move": move}
            alpha = max(alpha, best["score"])
        if not my_turn and reply["score"] < best["score"]:
            best = {"score": reply["score"], "move": move}
            beta = min(beta, best["score"])
        if alpha >= beta:
            break
    return best


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
            move: Optional[Move] = alpha_beta(heaps, True, -9, 9)["move"]
            print("I take", move)
        else:
            move = ask(heaps)
        heaps = take(heaps, move)
        computer = not computer
    print("You win!" if computer else "I win!")


if __name__ == "__main__":
    main()
