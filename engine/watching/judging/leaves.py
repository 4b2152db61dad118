"""The scores of the leaves."""

import math
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from engine.watching import clues
from engine.watching.judging.examined import Examined
from engine.watching.judging.suspicions import Suspicion, number
from engine.watching.probes import BlackBox
from engine.watching.reading import WatchedProgram

CHANCE = ("random", "randint", "uniform", "choice", "gauss", "randrange", "rand", "shuffle")
CLOCKS = ("time", "perf_counter", "monotonic", "process_time", "clock", "timeit")


def turned(search: Examined) -> Iterator[Suspicion]:
    """Leaves scored once more as if the other side were to move."""
    sides = defaultdict(set)
    for row in range(min(len(search.program.calls), 2000)):
        sides[search.program.calls.function[row]].add(search.program.argument(row, "side"))
    turned, same = [], []
    depths = [search.program.argument(row, "depth") for row in range(len(search.program.calls)) if search.program.is_leaf(row)]
    horizon = {min(depths), max(depths)} if depths and all(isinstance(depth, (int, float)) for depth in depths) else set()
    for kept in search.program.calls.kept.calls:
        if kept.is_root or not kept.is_leaf or search.program.argument(kept.row, "depth") not in horizon:
            continue
        if search.known is not None and (search.known.lines(kept.row) or search.known.is_full(kept.row)):
            continue
        value = search.program.values[kept.row]
        others = sides[kept.number] - {search.program.argument(kept.row, "side")}
        if not value or not math.isfinite(value) or len(others) != 1 or None in sides[kept.number]:
            continue
        outcome = BlackBox(search.program, kept).run(lambda child: math.nan, given={"side": others.pop()})
        if outcome.failed or outcome.asked or outcome.value is None:
            continue
        if outcome.value == -value:
            turned.append(kept.row)
        elif outcome.value == value:
            same.append(kept.row)
    if turned and not same and not search.negamax and any(facts.known for facts in search.nodes):
        row = turned[0]
        yield Suspicion(
            "leaf-viewpoint",
            row,
            f"this leaf is scored {number(search.program.values[row])}, and {number(-search.program.values[row])} "
            "if the other side is to move",
            certain=len(turned) > 1,
        )
    if same and not turned and search.negamax:
        row = same[0]
        yield Suspicion(
            "sign-lost",
            row,
            f"this leaf is scored {number(search.program.values[row])} whoever is to move: in negamax it must change its sign",
            certain=len(same) > 1,
        )


def inconsistent(search: Examined) -> Iterator[Suspicion]:
    """Leaves of one board, side and depth with different scores."""
    program, keys = search.program, search.keys
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


def of_the_mover(search: Examined) -> Iterator[Suspicion]:
    """Won boards whose scores do not say who has won."""
    program, known = search.program, search.known
    if known is None or search.negamax:
        return
    signs: dict[Any, set[tuple[int, int]]] = defaultdict(set)
    first: dict[Any, int] = {}
    for row in range(len(known.boards)):
        found, value = known.lines(row), program.values[row]
        if found and program.is_leaf(row) and value:
            piece = found[0][0]
            first.setdefault(piece, row)
            signs[piece].add((1 if value > 0 else -1, program.calls.depth[row] % 2))
    if len(signs) != 2:
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
