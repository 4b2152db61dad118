"""Windows and cutoffs of the record against those of alpha-beta over the same calls in the same order, with MAX's numbers."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.watching.audit import Suspicion, number
from engine.watching.reading import WatchedProgram, Window

DEEPEST = 200  # calls inside of each other


class Movers(NamedTuple):
    """Who is to move in each row; `negamax` scores are those of the side to move."""

    maximizing: list[bool]
    negamax: bool

    def value(self, program: WatchedProgram, row: int) -> float | None:
        found = program.values[row]
        return -found if found is not None and self.negamax and not self.maximizing[row] else found

    def window(self, program: WatchedProgram, row: int) -> Window | None:
        found = program.window(row)
        return (-found[1], -found[0]) if found is not None and self.negamax and not self.maximizing[row] else found


def loose_windows(
    program: WatchedProgram, sides: Movers, name: str, above: Window, maximizing: bool, children: Sequence[int]
) -> Iterator[Suspicion]:
    """Calls of one row whose window is wider than what the calls before them have left of it."""
    alpha, beta = above
    for before, row in zip((None, *children), children, strict=False):
        value = None if before is None else sides.value(program, before)
        if value is not None:
            alpha, beta = (max(alpha, value), beta) if maximizing else (alpha, min(beta, value))
        window = sides.window(program, row)
        if before is not None and window is not None and alpha < beta and (window[0] < alpha or window[1] > beta):
            yield Suspicion(
                name,
                row,
                f"the window of this call is ({number(window[0])}, {number(window[1])}), but the moves before it have left only "
                f"({number(alpha)}, {number(beta)})",
            )


def cuts_not_taken(program: WatchedProgram, sides: Movers, name: str, row: int) -> Iterator[Suspicion]:
    """Calls that a row makes though its score has reached the bound."""
    window = sides.window(program, row)
    if window is None:
        return
    alpha, beta = window
    for child in program.children[row]:
        if alpha >= beta:
            yield Suspicion(
                name,
                child,
                f"this move is searched though alpha = {number(alpha)} has reached beta = {number(beta)} in call {row}",
            )
        value = sides.value(program, child)
        if value is not None:
            alpha, beta = (max(alpha, value), beta) if sides.maximizing[row] else (alpha, min(beta, value))


def calls_needed(program: WatchedProgram, sides: Movers, tops: Sequence[int], top_is_max: bool) -> int | None:
    """How many of the calls alpha-beta makes; `tops` are the calls below one root. None where the record does not tell."""
    if any(depth > DEEPEST for depth in program.calls.depth) or any(end < 0 for end in program.calls.end):
        return None

    def visit(row: int, alpha: float, beta: float) -> tuple[float, int]:
        below = program.children[row]
        if not below:
            return sides.value(program, row) or 0.0, 1
        value, calls = over(below, sides.maximizing[row], alpha, beta)
        return value, calls + 1

    def over(rows: Sequence[int], maximizing: bool, alpha: float, beta: float) -> tuple[float, int]:
        best, calls = (-INFINITE if maximizing else INFINITE), 0
        for row in rows:
            value, made = visit(row, alpha, beta)
            calls += made
            best = max(best, value) if maximizing else min(best, value)
            alpha, beta = (max(alpha, best), beta) if maximizing else (alpha, min(beta, best))
            if alpha >= beta:
                break
        return best, calls

    return over(tops, top_is_max, -INFINITE, INFINITE)[1] if len(tops) > 1 else visit(tops[0], -INFINITE, INFINITE)[1]


INFINITE = float("inf")
