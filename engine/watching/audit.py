"""Every call of the record against those it made: what only the record can show.

A `Suspicion` is a mistake with its evidence at one row; judging puts those of one name together.
"""

import math
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from engine.watching import clues
from engine.watching.known_boards import KnownBoards
from engine.watching.reading import WatchedProgram

CHANCE = ("random", "randint", "uniform", "choice", "gauss", "randrange", "rand", "shuffle")
CLOCKS = ("time", "perf_counter", "monotonic", "process_time", "clock", "timeit")
MOST_GROUPED = 60_000  # rows


class Suspicion(NamedTuple):
    """A mistake seen at one row."""

    name: str
    row: int
    sentence: str
    certain: bool = True


def number(value: Any) -> str:
    """A number as it is read: no more digits than needed.

    >>> number(3.0), number(-1e400), number(0.25)
    ('3', '-inf', '0.25')
    """
    if isinstance(value, float) and math.isfinite(value):
        return f"{value:.4g}" if value != int(value) or abs(value) > 1e15 else str(int(value))
    return str(value)


# ---- leaves


def position_keys(program: WatchedProgram) -> list[Any]:
    """A key for each row that is equal for equal boards and arguments, whatever the window and the depth."""
    keys: list[Any] = []
    seen: dict[Any, Any] = {}
    for row in range(min(len(program.calls), MOST_GROUPED)):
        function, arguments = program.calls.function[row], program.calls.arguments[row]
        roles = program.roles[function]
        names = program.calls.functions[function].arguments
        small = tuple(
            value for name, value in zip(names, arguments, strict=False) if name not in (roles.alpha, roles.beta, roles.depth)
        )
        photo = (function, program.calls.before[row], arguments)
        if photo not in seen:
            seen[photo] = repr(program.board(row)) if roles.state is not None else program.calls.before[row]
        keys.append((function, small, seen[photo]))
    return keys


def inconsistent_leaves(program: WatchedProgram, keys: list[Any]) -> Iterator[Suspicion]:
    """Leaves of one board, side and depth with different scores."""
    inner = {keys[row] for row in range(len(keys)) if program.children[row]}
    seen: dict[Any, int] = {}
    certain = not clues.mentions(program.tree, CLOCKS) and clues.mentions(program.tree, CHANCE)
    for row in range(len(keys)):
        value = program.values[row]
        if value is None or not program.is_leaf(row) or keys[row] in inner or _is_bound(program, row):
            continue
        first = seen.setdefault((keys[row], program.argument(row, "depth")), row)
        if program.values[first] != value:
            yield Suspicion(
                "evaluation-inconsistent",
                row,
                f"this leaf is scored {number(value)}, but the same board {number(program.values[first])} in call {first}",
                certain,
            )


def _is_bound(program: WatchedProgram, row: int) -> bool:
    window = program.window(row)
    return window is not None and program.values[row] in window


def wrong_tables(program: WatchedProgram, keys: list[Any], signs: dict[Any, int]) -> Iterator[Suspicion]:
    """Calls that are answered without a search by what another call of the same board found: for less depth, or as a bound."""
    searched: dict[Any, list[int]] = defaultdict(list)
    others: dict[Any, list[int]] = defaultdict(list)
    down = _depth_step(program)
    for row in range(len(keys)):
        value, key = program.values[row], keys[row]
        if program.children[row]:
            searched[key].append(row)
            others[_without_side(program, row, key)].append(row)
            continue
        if value is None or not program.is_leaf(row):
            continue
        same = [earlier for earlier in searched[key] if program.values[earlier] == value]
        if not searched[key] and key[0] is not None:
            yield from _of_other_side(program, row, others[_without_side(program, row, key)])
        if not same or any(_answers(program, earlier, row, down, signs.get(key[0], 0)) for earlier in searched[key]):
            continue
        earlier = same[-1]
        depths = (program.argument(earlier, "depth"), program.argument(row, "depth"))
        why = (
            f"searched at depth {number(depths[0])} and is used at depth {number(depths[1])}"
            if depths[0] != depths[1]
            else f"searched with the window {_said(program.window(earlier))}, where it is only a bound, "
            f"and is used in {_said(program.window(row))}"
        )
        yield Suspicion("table-wrong", row, f"the score {number(value)} was found by call {earlier}: it was {why}")


def _without_side(program: WatchedProgram, row: int, key: Any) -> Any:
    side = program.argument(row, "side")
    return (key[0], tuple(value for value in key[1] if value is not side), key[2])


def _of_other_side(program: WatchedProgram, row: int, others: list[int]) -> Iterator[Suspicion]:
    """An answer without a search for a board that the other side has searched, and that is therefore not over."""
    value, depth = program.values[row], program.argument(row, "depth")
    same = [
        other
        for other in others
        if program.values[other] == value
        and program.argument(other, "side") != program.argument(row, "side")
        and program.argument(other, "depth") == depth
    ]
    if same:
        yield Suspicion(
            "table-wrong",
            row,
            f"the score {number(value)} was found by call {same[0]}, where the other side is to move on the same board",
        )


def _depth_step(program: WatchedProgram) -> int:
    """-1 where the depth counts down, +1 where it counts up, 0 where there is none."""
    steps = [
        program.argument(row, "depth") - program.argument(program.calls.parent[row], "depth")
        for row in range(min(len(program.calls), 2000))
        if program.calls.parent[row] >= 0
        and isinstance(program.argument(row, "depth"), (int, float))
        and isinstance(program.argument(program.calls.parent[row], "depth"), (int, float))
    ]
    return 0 if not steps else (1 if sum(steps) > 0 else -1 if sum(steps) < 0 else 0)


def _answers(program: WatchedProgram, earlier: int, row: int, down: int, sign: int) -> bool:
    """Whether what an earlier call found is an answer for a later one: deep enough, and exact or a bound that is enough."""
    had, needed = program.argument(earlier, "depth"), program.argument(row, "depth")
    if down and had is not None and needed is not None and (had - needed) * -down < 0:
        return not _reaches_horizon(program, earlier, down)
    del sign
    window, now, value = program.window(earlier), program.window(row), program.values[earlier]
    if window is None or now is None or window[0] < value < window[1]:
        return True
    return value <= now[0] or value >= now[1]


def _reaches_horizon(program: WatchedProgram, row: int, down: int) -> bool:
    """Whether the depth ended the search somewhere below a row."""
    end = program.calls.end[row]
    depths = [program.argument(other, "depth") for other in range(row, end)]
    limit = min if down < 0 else max
    deepest = limit(
        depth for depth in (program.argument(other, "depth") for other in range(len(program.calls))) if depth is not None
    )
    return deepest in depths


def _said(window: Any) -> str:
    return "(" + ", ".join(number(bound) for bound in window) + ")" if window is not None else "none"


# ---- the rules of known games

Lines = list[tuple[int, list[tuple[Any, frozenset[tuple[int, int]]]]]]


def against_rules(program: WatchedProgram, known: KnownBoards) -> Iterator[Suspicion]:
    """Searches that go on after the end of a game, or score it like any other board."""
    stops: Lines = []
    goes_on: Lines = []
    at_horizon: Lines = []
    horizon = _horizon(program)
    for row in range(len(known.boards)):
        found = known.lines(row)
        parent = program.calls.parent[row]
        if found and (parent < 0 or not known.lines(parent)):
            if program.children[row]:
                goes_on.append((row, found))
            elif program.is_leaf(row):
                deep = horizon is not None and program.argument(row, "depth") == horizon
                (at_horizon if deep else stops).append((row, found))
        if known.is_full(row) and not found and program.is_leaf(row) and not math.isfinite(program.values[row] or 0):
            yield Suspicion("terminal-not-tested", row, f"the board is full, and its score is {number(program.values[row])}")
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
    missing = len(directions) < 4 and not directions & stopping and bool(stops or scores)
    for row, found in goes_on:
        piece = found[0][0]
        name = "win-lines-missing" if piece in seen_of or missing else "terminal-not-tested"
        squares = ", ".join(str(square) for square in sorted(found[0][1]))
        yield Suspicion(
            name,
            row,
            f"{piece!r} has {known.in_a_row} in a row ({squares}: row and column from 0), "
            f"but the search goes on with {len(program.children[row])} moves",
            certain=known.in_a_row == 3 or bool(stops or scores),
        )


def _direction(squares: frozenset[tuple[int, int]]) -> tuple[int, int]:
    first, second = sorted(squares)[:2]
    return second[0] - first[0], second[1] - first[1]


def _scored_as_heuristic(program: WatchedProgram, stops: Lines, at_horizon: Lines) -> Iterator[Suspicion]:
    usual: dict[Any, list[float]] = defaultdict(list)
    for row, found in stops:
        if program.values[row] is not None:
            usual[found[0][0]].append(program.values[row])
    for row, found in at_horizon:
        scores, value = usual.get(found[0][0]), program.values[row]
        if scores and value is not None and abs(value) < 0.5 * min(abs(score) for score in scores):
            yield Suspicion(
                "depth-before-win",
                row,
                f"{found[0][0]!r} has won, but the score at depth {number(program.argument(row, 'depth'))} is {number(value)}; "
                f"elsewhere such a win is scored {number(scores[0])}",
            )


def starts_returned(program: WatchedProgram, starts: dict[int, float]) -> Iterator[Suspicion]:
    """Calls that make none and return the number that their best score starts at: there was no move, and nobody has noticed.
    `starts[row]` is that number."""
    horizon, written = _horizon(program), program.numbers_in_returns()
    for row, start in starts.items():
        depth = program.argument(row, "depth")
        if (
            program.values[row] == start
            and program.is_leaf(row)
            and abs(start) not in written
            and (depth is None or depth != horizon)
        ):
            yield Suspicion(
                "terminal-not-tested",
                row,
                f"there is no move here, and {number(start)} comes back: the number that the best score starts at",
                certain=False,
            )


def _horizon(program: WatchedProgram) -> Any:
    """The depth at which leaves are scored by a heuristic."""
    step = _depth_step(program)
    depths = [program.argument(row, "depth") for row in range(len(program.calls)) if program.is_leaf(row)]
    known = [depth for depth in depths if isinstance(depth, (int, float))]
    return None if not step or not known else min(known) if step < 0 else max(known)


def leaves_of_the_mover(program: WatchedProgram, known: KnownBoards, negamax: bool) -> Iterator[Suspicion]:
    """Won boards whose scores do not say who has won."""
    signs: dict[Any, set[tuple[int, int]]] = defaultdict(set)
    first: dict[Any, int] = {}
    for row in range(len(known.boards)):
        found, value = known.lines(row), program.values[row]
        if found and program.is_leaf(row) and value:
            piece = found[0][0]
            first.setdefault(piece, row)
            signs[piece].add((1 if value > 0 else -1, program.calls.depth[row] % 2))
    if negamax or len(signs) != 2:
        return
    seen = {piece: {sign for sign, _ in found} for piece, found in signs.items()}
    one, other = seen
    if seen[one] == seen[other] and len(seen[one]) == 1:
        row = max(first.values())
        yield Suspicion(
            "leaf-viewpoint",
            row,
            f"wins of {one!r} and of {other!r} are both scored {number(program.values[row])}: the score does not say who has won",
        )
