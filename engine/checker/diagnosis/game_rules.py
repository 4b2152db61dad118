"""Searches against the rules of known games: where a game ends, and how its end is scored."""

import math
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from engine.checker.diagnosis.black_box import BlackBox, always
from engine.checker.diagnosis.board_rules import KnownBoards
from engine.checker.diagnosis.context import Examined
from engine.checker.diagnosis.depths import horizon
from engine.checker.diagnosis.evidence import Suspicion, number
from engine.checker.diagnosis.program_view import WatchedProgram

UNUSUAL = ((-3.25, 7.75), (-2011.5, 5012.5))  # windows whose bounds are no scores
Lines = list[tuple[int, list[tuple[Any, frozenset[tuple[int, int]]]]]]


def of_search(search: Examined) -> Iterator[Suspicion]:
    """Searches that go on after the end of a game, or score it like any other board."""
    if search.known is not None:
        yield from _known_ends(search.program, search.known, search.later)
    yield from _starts_returned(search)
    yield from _never_scored(search)


def _known_ends(program: WatchedProgram, known: KnownBoards, later: bool) -> Iterator[Suspicion]:
    stops: Lines = []
    goes_on: Lines = []
    at_horizon: Lines = []
    last = horizon(program)
    for row in range(len(known.boards)):
        found = known.lines(row)
        parent = program.calls.parent[row]
        if found and (parent < 0 or not known.lines(parent)):
            if program.children[row]:
                goes_on.append((row, found))
            elif program.is_leaf(row):
                deep = last is not None and program.argument(row, "depth") == last
                (at_horizon if deep else stops).append((row, found))
        if known.is_full(row) and not found and program.is_leaf(row) and not math.isfinite(program.values[row] or 0):
            yield Suspicion(
                "terminal-not-tested",
                row,
                f"the board is full, and its score is {number(program.values[row])}",
                certain=not later,  # the program itself may never search so deep there
            )
    yield from _lines_not_seen(program, stops, goes_on, at_horizon, known)
    yield from _scored_as_heuristic(program, stops, at_horizon)


def _lines_not_seen(
    program: WatchedProgram, stops: Lines, goes_on: Lines, at_horizon: Lines, known: KnownBoards
) -> Iterator[Suspicion]:
    seen_of = {piece for _, found in stops for piece, _ in found}
    directions = {_direction(squares) for _, found in goes_on for _, squares in found}
    stopping = {_direction(squares) for _, found in stops for _, squares in found}
    scores = program.constants_returned()
    stopping |= {_direction(squares) for row, found in at_horizon if program.values[row] in scores - {0} for _, squares in found}
    of_one = bool(seen_of) and not seen_of & {found[0][0] for _, found in goes_on}  # the other side's wins only are tested
    missing = len(directions) < 4 and not directions & stopping and bool(stops or scores) and not of_one
    for row, found in goes_on:
        piece = found[0][0]
        name = "win-lines-missing" if piece in seen_of or missing else "terminal-not-tested"
        squares = ", ".join(str(square) for square in sorted(found[0][1]))
        yield Suspicion(
            name,
            row,
            f"{piece!r} has {known.in_a_row} in a row ({squares}: row and column from 0), "
            f"but the search goes on with {len(program.children[row])} moves",
            certain=bool(scores - {0}) or known.counts_lines(program),
        )


def _direction(squares: frozenset[tuple[int, int]]) -> tuple[int, int]:
    first, second = sorted(squares)[:2]
    return second[0] - first[0], second[1] - first[1]


def _scored_as_heuristic(program: WatchedProgram, stops: Lines, at_horizon: Lines) -> Iterator[Suspicion]:
    """Wins where the depth ends that are scored like boards without a win. Where other lines are seen there, it is the line."""
    usual: dict[Any, list[float]] = defaultdict(list)
    lines: set[frozenset[tuple[int, int]]] = set()  # that are seen somewhere
    for row, found in stops:
        if program.values[row] is not None:
            usual[found[0][0]].append(program.values[row])
            lines |= {squares for _, squares in found}
    of_both = [score for scores in usual.values() for score in scores]
    low, as_usual = [], set()
    for row, found in at_horizon:
        scores, value = usual.get(found[0][0], of_both), program.values[row]
        if scores and value is not None:
            if abs(value) < 0.5 * min(abs(score) for score in scores):
                low.append((row, found, scores))
            else:
                as_usual.add(found[0][0])
                lines |= {squares for _, squares in found}
    for row, found, scores in low:
        known = any(squares in lines for _, squares in found)
        yield Suspicion(
            "win-lines-missing" if found[0][0] in as_usual and not known else "depth-before-win",
            row,
            f"{found[0][0]!r} has won, but the score at depth {number(program.argument(row, 'depth'))} is "
            f"{number(program.values[row])}; elsewhere {'a win' if scores is not of_both else 'a win of the other side'} "
            f"is scored {number(scores[0])}",
            certain=scores is not of_both and (known or found[0][0] in as_usual),
        )


def _starts_returned(search: Examined) -> Iterator[Suspicion]:
    """Calls that make none and return the number that their best score starts at: there was no move, and nobody has noticed."""
    program = search.program
    last, written = horizon(program), program.numbers_in_returns()
    for row, start in _starts(search).items():
        depth = program.argument(row, "depth")
        if (
            program.values[row] == start
            and program.is_leaf(row)
            and abs(start) not in written
            and (depth is None or depth != last)
        ):
            yield Suspicion(
                "terminal-not-tested",
                row,
                f"there is no move here, and {number(start)} comes back: the number that the best score starts at",
                certain=False,
            )


def _never_scored(search: Examined) -> Iterator[Suspicion]:
    """Leaves that return the bound they were given, or infinity, as if their loop over no moves were all: nothing is scored."""
    program = search.program
    kept = [kept for kept in program.calls.kept.calls if not kept.is_root and kept.is_leaf]
    nodes = [BlackBox(program, one) for one in kept if program.window(one.row) is not None]
    answers = [[(window, node.run(always(0.0), window=window).value) for window in UNUSUAL] for node in nodes]
    if (
        nodes
        and any(all(value == window[place] for window, value in seen) for place in (0, 1) for seen in answers[:1])
        and all(all(value in window for window, value in seen) for seen in answers)
    ):
        yield Suspicion(
            "terminal-not-tested",
            nodes[0].row,
            "there is no move here, and the bound that it was given comes back, whichever it is: the position is not scored",
            certain=len(nodes) > 1,
        )
    leaves = [row for row in range(len(program.calls)) if program.is_leaf(row) and program.values[row] is not None]
    if leaves and math.inf not in program.numbers_in_returns() and all(math.isinf(program.values[row]) for row in leaves):
        yield Suspicion(
            "terminal-not-tested",
            leaves[0],
            f"there is no move here, and {number(program.values[leaves[0]])} comes back, as everywhere: no position is scored",
            certain=False,
        )


def _starts(search: Examined) -> dict[int, float]:
    """By row, the number that its best score starts at."""
    by_key = {search.key(facts.row): facts.starts_at for facts in search.nodes if facts.known and facts.starts_at is not None}
    rows = range(min(len(search.program.calls), len(search.keys)))
    return {row: start for row in rows if (start := by_key.get(search.key(row))) is not None}
