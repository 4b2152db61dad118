"""Check tables of scores, and the calls that they answer."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from engine.checker.diagnosis.context import SearchContext
from engine.checker.diagnosis.depths import find_depth_step
from engine.checker.diagnosis.evidence import Suspicion, format_number, format_window
from engine.checker.diagnosis.program_view import WatchedProgram
from engine.checker.discovery import source_analysis


def check_table_answers(search: SearchContext) -> Iterator[Suspicion]:
    """Yield calls that are answered without a search by a wrong result of the same board: too shallow, or only a bound."""
    program, keys = search.program, search.keys
    if not source_analysis.has_table(program.tree):
        return
    searched: dict[Any, list[int]] = defaultdict(list)
    others: dict[Any, list[int]] = defaultdict(list)
    down = find_depth_step(program)
    for row in range(len(keys)):
        value, key = program.values[row], keys[row]
        if program.children[row]:
            searched[key].append(row)
            others[_key_without_side(program, row, key)].append(row)
            continue
        if value is None or not program.is_leaf(row):
            continue
        same = [earlier for earlier in searched[key] if program.values[earlier] == value]
        if not searched[key] and key[0] is not None:
            yield from _check_other_side(program, row, others[_key_without_side(program, row, key)])
        if not same or any(_can_answer(program, earlier, row, down) for earlier in searched[key]):
            continue
        earlier = same[-1]
        depths = (program.argument(earlier, "depth"), program.argument(row, "depth"))
        why = (
            f"at depth {format_number(depths[0])}, but it is used at depth {format_number(depths[1])}"
            if depths[0] != depths[1]
            else f"in the window {format_window(program.window(earlier))}, where it is only a bound, "
            f"but it is used in the window {format_window(program.window(row))}"
        )
        yield Suspicion("table-wrong", row, f"call {earlier} found the score {format_number(value)} {why}")


def _key_without_side(program: WatchedProgram, row: int, key: Any) -> Any:
    side = program.argument(row, "side")
    return (key[0], tuple(value for value in key[1] if value is not side), key[2])


def _check_other_side(program: WatchedProgram, row: int, others: list[int]) -> Iterator[Suspicion]:
    """Yield an answer without a search for a board that the other side has searched: so the game is not over there."""
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
            f"call {same[0]} found the score {format_number(value)}, but there the other side is to move on the same board",
        )


def _can_answer(program: WatchedProgram, earlier: int, row: int, down: int) -> bool:
    """Return True if the result of an earlier call is valid for a later one: deep enough, and exact or a sufficient bound."""
    had, needed = program.argument(earlier, "depth"), program.argument(row, "depth")
    if down and had is not None and needed is not None and (had - needed) * -down < 0:
        return not _has_horizon_below(program, earlier, down)
    window, now, value = program.window(earlier), program.window(row), program.values[earlier]
    if window is None or now is None or window[0] < value < window[1]:
        return True
    is_least = value >= window[1]  # the value is a lower bound, otherwise an upper bound
    return value >= now[1] if is_least else value <= now[0]


def _has_horizon_below(program: WatchedProgram, row: int, down: int) -> bool:
    """Return True if the depth ended the search somewhere below a row."""
    end = program.calls.end[row]
    depths = [program.argument(other, "depth") for other in range(row, end)]
    limit = min if down < 0 else max
    deepest = limit(
        depth for depth in (program.argument(other, "depth") for other in range(len(program.calls))) if depth is not None
    )
    return deepest in depths
