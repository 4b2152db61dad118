"""Measure the cost of recording: CPU time of a program with and without recorded calls, and the bytes per call.

`python benchmarks/watching.py` prints a table: programs as students write them, by how their position is held.
"""

import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.checker.recording.call_recorder import RecordedCalls, record_function

TURNS = 9
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def winner(board: Any) -> str:
    for a, b, c in LINES:
        if board[a] != " " and board[a] == board[b] == board[c]:
            return str(board[a])
    return ""


def tictactoe(board: list[str], depth: int, alpha: float, beta: float, is_max: bool) -> float:
    """A flat list, changed in place."""
    won = winner(board)
    if won:
        return 10 - depth if won == "X" else depth - 10
    free = [square for square in range(9) if board[square] == " "]
    if not free:
        return 0
    best = -100.0 if is_max else 100.0
    for square in free:
        board[square] = "X" if is_max else "O"
        score = tictactoe(board, depth + 1, alpha, beta, not is_max)
        board[square] = " "
        best = max(best, score) if is_max else min(best, score)
        if is_max:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
        if beta <= alpha:
            break
    return best


def four(rows: Any, length: int = 4) -> int:
    score = 0
    for row in range(6):
        for col in range(7):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if 0 <= row + 3 * down < 6 and 0 <= col + 3 * right < 7:
                    line = [rows[row + step * down][col + step * right] for step in range(length)]
                    score += (line.count(1) - line.count(2)) * (10 if 0 not in line else 1)
    return score


def connect4(rows: list[list[int]], depth: int, is_max: bool) -> float:
    """Lists of lists, copied."""
    if depth == 0:
        return four(rows)
    scores = []
    for col in range(7):
        if rows[0][col] == 0:
            copy = [list(line) for line in rows]
            lowest = max(row for row in range(6) if copy[row][col] == 0)
            copy[lowest][col] = 1 if is_max else 2
            scores.append(connect4(copy, depth - 1, not is_max))
    return max(scores) if is_max else min(scores)


def arrays(rows: np.ndarray, depth: int, is_max: bool) -> float:
    """A numpy array, copied."""
    if depth == 0:
        return float((rows == 1).sum() * 3 - rows.sum() + rows[3].dot(np.arange(7)))
    scores = []
    for col in range(7):
        if rows[0][col] == 0:
            copy = rows.copy()
            copy[max(row for row in range(6) if copy[row][col] == 0)][col] = 1 if is_max else 2
            scores.append(arrays(copy, depth - 1, not is_max))
    return max(scores) if is_max else min(scores)


class Board:
    """An object that knows its own text."""

    def __init__(self, squares: list[str]):
        self.squares = squares

    def __str__(self) -> str:
        return "\n".join(" ".join(self.squares[start : start + 3]) for start in (0, 3, 6))


def objects(board: Board, is_max: bool) -> float:
    """Objects with a board in them."""
    won = winner(board.squares)
    if won:
        return 1 if won == "X" else -1
    free = [square for square in range(9) if board.squares[square] == " "]
    scores = []
    for square in free:
        squares = list(board.squares)
        squares[square] = "X" if is_max else "O"
        scores.append(objects(Board(squares), not is_max))
    return (max(scores) if is_max else min(scores)) if scores else 0


PROGRAMS: dict[str, tuple[Callable[..., Any], Callable[[], tuple[Any, ...]]]] = {
    "tictactoe": (tictactoe, lambda: ([" "] * 9, 0, -1000, 1000, True)),
    "connect4": (connect4, lambda: ([[0] * 7 for _ in range(6)], 4, True)),
    "arrays": (arrays, lambda: (np.zeros((6, 7), int), 5, True)),
    "objects": (objects, lambda: (Board(["X", "O", *" " * 7]), True)),
}


def measured(name: str) -> tuple[int, float, float, float]:
    """Return calls, seconds alone, seconds recorded, and bytes per call. Both run in turns, so that a busy machine slows both."""
    function, arguments = PROGRAMS[name]
    alone, seen = [], []
    for _ in range(TURNS):
        globals()[function.__name__] = function
        alone.append(timed(function, arguments()))
        globals()[function.__name__] = record_function(RecordedCalls(), name, function)
        seen.append(timed(globals()[function.__name__], arguments()))
    calls = RecordedCalls()
    globals()[function.__name__] = record_function(calls, name, function)
    tracemalloc.start()
    globals()[function.__name__](*arguments())
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    globals()[function.__name__] = function
    return len(calls), min(alone), min(seen), size / len(calls)


def timed(function: Callable[..., Any], arguments: tuple[Any, ...]) -> float:
    begun = time.process_time()
    function(*arguments)
    return time.process_time() - begun


if __name__ == "__main__":
    print(f"{'program':<12}{'calls':>9}{'alone':>9}{'watched':>9}{'times':>7}{'bytes per call':>14}")
    for program in PROGRAMS:
        calls, alone, seen, size = measured(program)
        print(f"{program:<12}{calls:>9,}{alone:>8.3f}s{seen:>8.3f}s{seen / alone:>7.2f}{size:>14.0f}")
