"""Later positions of the game, reached by the program's own moves, and its search run there once more.

From an empty board a search often sees one score only; later there are wins and losses, and forced moves.
"""

import contextlib
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from engine.checker.diagnosis.black_box import SEED, BlackBox, always, called, quiet
from engine.checker.diagnosis.program_view import WatchedProgram, Window
from engine.checker.recording.call_recorder import Calls, TooManyCalls
from engine.checker.recording.call_snapshots import KeptCall
from engine.checker.recording.state_encoding import is_number

MOST_PLIES = 60
GAMES = 8
FROM_THE_END = ((2, 3, 1, 4, 5), (7, 6, 8, 5, 4))  # moves before the end of a game, the most telling first
DEEPER = (0, 2)  # plies than at the start: in the other games, so that nodes of both sides are below the first
FEWEST_ROWS, MOST_ROWS = 1000, 5000
SECONDS = 6.0
COLUMNS = ("function", "parent", "depth", "end", "before", "after", "arguments", "results", "late")
BESIDE = ("count", "texts", "runs", "kept", "here", "asleep", "when_left", "most_rows", "sleeps_when_full")


class LaterSearch(NamedTuple):
    """A search that was run again, `plies` moves after where it was first run."""

    program: WatchedProgram
    plies: int


@contextlib.contextmanager
def aside(calls: Calls, most_rows: int) -> Iterator[None]:
    """The record is put aside, so that another one can be made; afterwards it is there again."""
    columns = {name: getattr(calls, name)[:] for name in COLUMNS}
    beside = {name: getattr(calls, name) for name in BESIDE}
    positions = dict(calls.positions)
    calls.forget()
    calls.when_left, calls.most_rows, calls.sleeps_when_full = None, most_rows, False
    try:
        yield
    finally:
        calls.forget()
        for name, column in columns.items():
            getattr(calls, name).extend(column)
        for name, value in beside.items():
            setattr(calls, name, value)
        calls.positions.update(positions)


def telling_searches(program: WatchedProgram, most: int) -> Iterator[LaterSearch]:
    """Searches at later positions that see more than one score; each is the record until the next one is asked for."""
    until = time.perf_counter() + SECONDS
    most_rows = max(FEWEST_ROWS, min(MOST_ROWS, 3 * len(program.calls)))
    told = 0
    for game in range(GAMES):
        for plies, position in _near_the_end(program, game, until):
            with aside(program.calls, most_rows):
                searched = _searched(program, position)
                if searched is not None and len(set(searched.leaf_values)) > 1 and len(searched.calls) > 2:
                    yield LaterSearch(searched, plies)
                    told += 1
                    break
        if told == most or time.perf_counter() > until:
            return


def _outermost(program: WatchedProgram) -> KeptCall | None:
    calls = program.calls
    return next((kept for kept in calls.kept.calls if not kept.is_root and calls.parent[kept.row] < 0), None)


def _near_the_end(program: WatchedProgram, game: int, until: float) -> Iterator[tuple[int, KeptCall]]:
    """Positions of one game by chance where the side of the start is to move, with the window of the start, and deep."""
    start = _outermost(program)
    if start is None:
        return
    roles = ("alpha", "beta", "depth") if _depth_limits(program, start) else ("alpha", "beta")
    played = list(_played(program, start, roles, random.Random(game), until))  # noqa: S311 - no secret
    for moves in FROM_THE_END[game % 2]:
        plies = len(played) - moves
        if plies > 0 and _same_side(program, start, played[plies], plies):
            yield plies, _as_at_start(program, start, played[plies], roles, DEEPER[game % 2])


def _depth_limits(program: WatchedProgram, start: KeptCall) -> bool:
    """Whether the depth has ended the search at a board with moves; otherwise it counts the squares that are left, or nothing."""
    place = program.place(start.number, "depth")
    leaves = [kept for kept in program.calls.kept.calls if not kept.is_root and kept.is_leaf]
    return place is not None and any(
        BlackBox(program, kept).run(always(0.0), given={"depth": start.arguments[place]}).asked for kept in leaves
    )


def _played(
    program: WatchedProgram, start: KeptCall, roles: Sequence[str], chance: random.Random, until: float
) -> Iterator[KeptCall]:
    """The positions of a game by chance, from the start on: each as the call that the program makes for it."""
    position: KeptCall | None = start
    for _ in range(MOST_PLIES):
        if position is None or time.perf_counter() > until:
            return
        yield position
        node = BlackBox(program, _as_at_start(program, start, position, roles))
        position = node.run(always(0.0), keeps=lambda child: chance.random() * (child + 1) < 1).kept


def _same_side(program: WatchedProgram, start: KeptCall, position: KeptCall, plies: int) -> bool:
    place = program.place(start.number, "side")
    if place is None:
        return position.number == start.number and plies % 2 == 0
    return position.number == start.number and bool(position.arguments[place] == start.arguments[place])


def _as_at_start(program: WatchedProgram, start: KeptCall, position: KeptCall, roles: Sequence[str], deeper: int = 0) -> KeptCall:
    """The call of a position with the window, and maybe the depth, that the search starts with, or a larger depth."""
    arguments = list(position.arguments)
    for role in roles:
        here, there = program.place(position.number, role), program.place(start.number, role)
        if here is not None and there is not None:
            arguments[here] = _widest(program, role, start.arguments[there])
            if role == "depth" and is_number(arguments[here]) and arguments[here] > 0:
                arguments[here] += deeper
    return replace(position, arguments=tuple(arguments))


def _widest(program: WatchedProgram, role: str, given: Any) -> Any:
    """The widest bound of all outermost calls: a loop over the root's moves narrows it. Of other roles what is given."""
    if role not in ("alpha", "beta"):
        return given
    tops = [row for row in range(len(program.calls)) if program.calls.parent[row] < 0][:MOST_PLIES]
    bounds = [bound for bound in (program.argument(row, role) for row in tops) if is_number(bound)]
    return (min if role == "alpha" else max)(bounds, default=given)


def _searched(program: WatchedProgram, position: KeptCall) -> WatchedProgram | None:
    """The search run at a position, as the record; None where it fails or is too large."""
    ended = _made(program, position)
    return WatchedProgram(program.calls, program.roles, program.score, program.tree) if ended else None


def value_of_call(program: WatchedProgram, position: KeptCall, window: Window) -> float | None:
    """The score of a call when it is made with a window; None where it fails or is too large."""
    arguments = list(position.arguments)
    for role, bound in zip(("alpha", "beta"), window, strict=True):
        place = program.place(position.number, role)
        if place is not None:
            arguments[place] = bound
    ended = _made(program, replace(position, arguments=tuple(arguments)))
    return program.score.of(program.calls.results[0]) if ended and len(program.calls) else None


def _made(program: WatchedProgram, position: KeptCall) -> bool:
    """Whether a call came to its end when it was made; its record is there."""
    call = program.calls.functions[position.number].call
    if call is None:
        return False
    with position.made_again() as arguments, quiet(SEED):
        try:
            called(call, arguments)
        except (Exception, SystemExit, TooManyCalls):
            return False
        finally:
            program.calls.settle()
    return True
