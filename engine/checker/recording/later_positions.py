"""Reach later positions of the game by the program's own moves, and run its search there again.

From an empty board a search often sees only one score. Later there are wins, losses and forced moves.
"""

import contextlib
import copy
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import inf
from time import process_time
from typing import Any, NamedTuple

import msgspec

from engine.checker.diagnosis.black_box import DEFAULT_SEED, BlackBox, answer_always, call_with_arguments, reproducible_run
from engine.checker.diagnosis.program_view import WatchedProgram, Window, find_outermost_copy, to_plain_data
from engine.checker.recording.call_recorder import COLUMN_NAMES, RecordedCalls, TooManyCalls, record_root_function
from engine.checker.recording.call_snapshots import CallSnapshot
from engine.checker.recording.observations import is_observing, is_reading, observe, observed
from engine.checker.recording.plain_values import plain_record
from engine.checker.recording.record_transfer import PackedRecord, fill_record, pack_record
from engine.checker.recording.state_encoding import is_number

MAX_PLIES = 60
MAX_GAMES = 8
MOVES_BEFORE_END = ((2, 3, 1, 4, 5), (7, 6, 8, 5, 4))  # the most informative first
EXTRA_DEPTHS = (0, 2)  # for every other game, so that nodes of both sides are examined
MIN_ROW_LIMIT, MAX_ROW_LIMIT = 1000, 5000
MAX_SECONDS = 6.0
MAX_ROOT_SECONDS = 4.0
MAX_SEARCH_SECONDS = 1.5  # for one later search
SAVED_COLUMNS = (*COLUMN_NAMES, "late")
SAVED_ATTRIBUTES = ("count", "texts", "runs", "snapshots", "here", "asleep", "when_left", "max_rows", "sleeps_when_full", "until")


class LaterSearch(NamedTuple):
    """A search that was run again, `plies` moves after the first one."""

    program: WatchedProgram
    plies: int
    is_deeper: bool = False  # with more depth than the program itself asks for


@contextlib.contextmanager
def suspended_recording(calls: RecordedCalls, max_rows: int, until: float = inf) -> Iterator[None]:
    """Set the record aside while the block makes another one, and restore it afterwards. A search ends after `until`."""
    columns = {name: getattr(calls, name)[:] for name in SAVED_COLUMNS}
    beside = {name: getattr(calls, name) for name in SAVED_ATTRIBUTES}
    positions = dict(calls.positions)
    calls.clear()
    calls.when_left, calls.max_rows, calls.sleeps_when_full, calls.until = None, max_rows, False, until
    try:
        yield
    finally:
        calls.clear()
        for name, column in columns.items():
            getattr(calls, name).extend(column)
        for name, value in beside.items():
            setattr(calls, name, value)
        calls.positions.update(positions)


@plain_record
class NotedSearch(NamedTuple):
    """A later search as it is noted for the judge's own process."""

    record: bytes
    plies: int
    is_deeper: bool


def iterate_later_searches(
    program: WatchedProgram, max_searches: int, is_over: Callable[[Any], bool] | None = None
) -> Iterator[LaterSearch]:
    """Yield searches at later positions that see more than one score. Each is the record until the next one is requested.

    `is_over` tells for a board as plain data if the game has ended there, whatever the program says.
    """
    return _observe_searches(program, _find_later_searches(program, max_searches, is_over))


def iterate_later_roots(
    program: WatchedProgram, max_searches: int, is_over: Callable[[Any], bool] | None = None
) -> Iterator[LaterSearch]:
    """Yield searches by the loop over the root's moves at later positions, where its side is to move."""
    return _observe_searches(program, _find_later_roots(program, max_searches, is_over))


def _observe_searches(program: WatchedProgram, searches: Iterator[LaterSearch]) -> Iterator[LaterSearch]:
    """Yield the searches. Each one is an observation."""
    if is_reading():
        yield from _read_searches(program)
        return
    current: list[LaterSearch] = []

    def find_next() -> NotedSearch | None:
        current[:] = [later for later in [next(searches, None)] if later is not None]
        if not current or not is_observing():
            return None
        return NotedSearch(msgspec.msgpack.encode(pack_record(program.calls)), current[0].plies, current[0].is_deeper)

    while True:
        observe("later search", find_next)
        if not current:
            return
        yield current[0]


def _read_searches(program: WatchedProgram) -> Iterator[LaterSearch]:
    while isinstance(noted := observe("later search", str), NotedSearch):
        record = msgspec.msgpack.decode(noted.record, type=PackedRecord)
        with suspended_recording(program.calls, program.calls.max_rows):
            fill_record(program.calls, record)
            searched = WatchedProgram(program.calls, program.roles, program.score, program.tree, functions=program.functions)
            yield LaterSearch(searched, noted.plies, noted.is_deeper)


def _find_later_searches(
    program: WatchedProgram, max_searches: int, is_over: Callable[[Any], bool] | None = None
) -> Iterator[LaterSearch]:
    until = process_time() + MAX_SECONDS
    max_rows = max(MIN_ROW_LIMIT, min(MAX_ROW_LIMIT, 3 * len(program.calls)))
    found = 0
    for game in range(MAX_GAMES):
        too_large = 0  # the last position of this game whose search is too large: those before it are, too
        for plies, position in _iterate_late_positions(program, game, until, is_over):
            if plies <= too_large:
                continue
            ends = min(until, process_time() + MAX_SEARCH_SECONDS)
            with suspended_recording(program.calls, max_rows, ends):
                searched = _search_position(program, position)
                if searched is None and (len(program.calls) >= max_rows or process_time() > ends):
                    too_large = plies
                if searched is not None and len(set(searched.leaf_values)) > 1 and len(searched.calls) > 2:
                    yield LaterSearch(searched, plies, bool(EXTRA_DEPTHS[game % 2]))
                    found += 1
                    break
        if found == max_searches or process_time() > until:
            return


def _find_later_roots(
    program: WatchedProgram, max_searches: int, is_over: Callable[[Any], bool] | None = None
) -> Iterator[LaterSearch]:
    loops = [run for run, _ in program.runs_with_loops()]
    roots = [one for one in program.calls.snapshots.calls if one.is_root]
    root = next((one for one in roots if any(program.calls.runs[one.number] is run for run in loops)), None)
    start = find_outermost_copy(program)
    if root is None or start is None:
        return
    name = program.calls.runs[root.number].name
    rows = next(rows for run, rows in program.runs_with_loops() if run is program.calls.runs[root.number])
    repeats = len({program.calls.before[row] for row in rows}) == 1  # with growing depths: it makes no move itself
    until = process_time() + MAX_ROOT_SECONDS
    roles = ("alpha", "beta", "depth") if _is_limited_by_depth(program, start) else ("alpha", "beta")
    max_rows = max(MIN_ROW_LIMIT, min(MAX_ROW_LIMIT, 3 * len(program.calls)))
    found = 0
    for game in range(MAX_GAMES):
        played = list(_play_random_game(program, start, roles, random.Random(100 + game), until))  # noqa: S311 - no secret
        played = _cut_at_end(program, played, is_over)[:-1]  # the game may be over in the last position
        fitting = [ply for ply in range(1, len(played)) if _has_same_side(program, start, played[ply], ply) == repeats]
        for plies in fitting[-2 - game % 2 :][::-1][game % 2 :]:  # the last ones, and in every other game those before
            with suspended_recording(program.calls, max_rows, min(until, process_time() + MAX_SEARCH_SECONDS)):
                later = _place_state(program, root, start, played[plies])
                searched = None if later is None else _search_from_root(program, later, name)
                if searched is not None and searched.runs_with_loops():
                    yield LaterSearch(searched, plies + 1)
                    found += 1
                    break
        if found == max_searches or process_time() > until:
            return


def _place_state(program: WatchedProgram, root: CallSnapshot, start: CallSnapshot, position: CallSnapshot) -> CallSnapshot | None:
    """Return the call of the loop over the root's moves for another position. Return None if it is not clear how."""
    place, there = (program.role_index(call.number, "state") for call in (start, position))
    if place is None or there is None:
        return None
    state = position.arguments[there]
    fitting = [index for index, value in enumerate(root.arguments) if _is_same_kind(value, state)]
    arguments = list(root.arguments)
    if len(fitting) == 1:
        arguments[fitting[0]] = state
        return replace(root, arguments=tuple(arguments))
    owners = [
        (value, name)
        for value in root.arguments
        for name, held in getattr(value, "__dict__", {}).items()
        if _is_same_kind(held, state) and not isinstance(value, type)
    ]
    if fitting or len(owners) != 1:
        return None
    owner, name = owners[0]
    changed = copy.copy(owner)
    setattr(changed, name, state)
    return replace(root, arguments=tuple(changed if value is owner else value for value in arguments))


def _is_same_kind(value: Any, state: Any) -> bool:
    """Return True if two values have the same type, and the same length if they have one."""
    if type(value) is not type(state) or is_number(value) or value is None:
        return False
    return not isinstance(value, (str, list)) or len(value) == len(state)


def _search_from_root(program: WatchedProgram, root: CallSnapshot, name: str) -> WatchedProgram | None:
    """Run the loop over the root's moves and record it. Return None if it fails or is too large."""
    call = record_root_function(program.calls, name, root.function)
    with root.restored_context() as arguments, reproducible_run(DEFAULT_SEED):
        program.calls.adjust = program.calls.adjusted
        try:
            call_with_arguments(call, arguments)
        except (Exception, SystemExit, TooManyCalls):
            return None
        finally:
            program.calls.adjust = None
            program.calls.drop_partial_rows()
    return WatchedProgram(program.calls, program.roles, program.score, program.tree, functions=program.functions)


def _iterate_late_positions(
    program: WatchedProgram, game: int, until: float, is_over: Callable[[Any], bool] | None
) -> Iterator[tuple[int, CallSnapshot]]:
    """Yield late positions of one random game, with the side and the window of the start, and with enough depth."""
    start = find_outermost_copy(program)
    if start is None:
        return
    roles = ("alpha", "beta", "depth") if _is_limited_by_depth(program, start) else ("alpha", "beta")
    played = list(_play_random_game(program, start, roles, random.Random(game), until))  # noqa: S311 - no secret
    played = _cut_at_end(program, played, is_over)
    depth = _find_start_depth(program, start) if "depth" in roles else None
    before_end = sorted(
        MOVES_BEFORE_END[game % 2], key=lambda moves: depth is not None and moves > depth + EXTRA_DEPTHS[game % 2]
    )
    for moves in (*_moves_to_horizon(program, start, game), *before_end):
        plies = len(played) - moves
        if plies > 0 and _has_same_side(program, start, played[plies], plies):
            yield plies, _with_start_arguments(program, start, played[plies], roles, EXTRA_DEPTHS[game % 2])


def _cut_at_end(program: WatchedProgram, played: list[CallSnapshot], is_over: Callable[[Any], bool] | None) -> list[CallSnapshot]:
    """Return the positions of a game up to its end, whatever the program says."""
    ends = [] if is_over is None else [ply for ply, position in enumerate(played) if is_over(_read_state(program, position))]
    return played[: ends[0] + 1] if ends else played


def _moves_to_horizon(program: WatchedProgram, start: CallSnapshot, game: int) -> tuple[int, ...]:
    """Return the moves until the depth limit for every other game: a game that ends there shows the order of the tests."""
    depth = _find_start_depth(program, start)
    return (depth + 1,) if depth is not None and not EXTRA_DEPTHS[game % 2] else ()


def _find_start_depth(program: WatchedProgram, start: CallSnapshot) -> int | None:
    """Return the depth of the start, if it is a number of moves."""
    place = program.role_index(start.number, "depth")
    depth = None if place is None else start.arguments[place]
    return depth if isinstance(depth, int) and 0 < depth < MAX_PLIES else None


def _read_state(program: WatchedProgram, position: CallSnapshot) -> Any:
    place = program.role_index(position.number, "state")
    return None if place is None else to_plain_data(position.arguments[place])


def _is_limited_by_depth(program: WatchedProgram, start: CallSnapshot) -> bool:
    """Return True if the depth ended the search at a board with moves. Otherwise it counts free squares, or nothing."""
    place = program.role_index(start.number, "depth")
    leaves = [snapshot for snapshot in program.calls.snapshots.calls if not snapshot.is_root and snapshot.is_leaf]
    return place is not None and any(
        BlackBox(program, snapshot).run(answer_always(0.0), overrides={"depth": start.arguments[place]}).child_calls
        for snapshot in leaves
    )


def _play_random_game(
    program: WatchedProgram, start: CallSnapshot, roles: Sequence[str], chance: random.Random, until: float
) -> Iterator[CallSnapshot]:
    """Play a random game from the start. Yield each position as the call that the program makes for it."""
    position: CallSnapshot | None = start
    for _ in range(MAX_PLIES):
        if position is None or process_time() > until:
            return
        yield position
        node = BlackBox(program, _with_start_arguments(program, start, position, roles))
        position = node.run(answer_always(0.0), should_copy=lambda child: chance.random() * (child + 1) < 1).snapshot


def _has_same_side(program: WatchedProgram, start: CallSnapshot, position: CallSnapshot, plies: int) -> bool:
    """Return True if the side to move is that of the start."""
    place = program.role_index(start.number, "side")
    if place is None:
        return position.number == start.number and plies % 2 == 0
    return position.number == start.number and bool(position.arguments[place] == start.arguments[place])


def _with_start_arguments(
    program: WatchedProgram, start: CallSnapshot, position: CallSnapshot, roles: Sequence[str], deeper: int = 0
) -> CallSnapshot:
    """Return the call of a position with the window, and maybe the depth, of the start, or a larger depth."""
    arguments = list(position.arguments)
    for role in roles:
        here, there = program.role_index(position.number, role), program.role_index(start.number, role)
        if here is not None and there is not None:
            arguments[here] = _widest_bound(program, role, start.arguments[there])
            if role == "depth" and is_number(arguments[here]) and arguments[here] > 0:
                arguments[here] += deeper
    return replace(position, arguments=tuple(arguments))


def _widest_bound(program: WatchedProgram, role: str, default: Any) -> Any:
    """Return the widest bound of all outermost calls, because a loop over the root's moves narrows it.

    For other roles return `default`.
    """
    if role not in ("alpha", "beta"):
        return default
    tops = [row for row in range(len(program.calls)) if program.calls.parent[row] < 0][:MAX_PLIES]
    bounds = [bound for bound in (program.argument(row, role) for row in tops) if is_number(bound)]
    return (min if role == "alpha" else max)(bounds, default=default)


def _search_position(program: WatchedProgram, position: CallSnapshot) -> WatchedProgram | None:
    """Run the search at a position and record it. Return None if it fails or is too large."""
    ended = _make_call(program, position)
    searched = WatchedProgram(program.calls, program.roles, program.score, program.tree, functions=program.functions)
    return searched if ended else None


@observed
def search_call_value(program: WatchedProgram, position: CallSnapshot, window: Window, max_rows: int) -> float | None:
    """Make a call with a window and return its score. Return None if it fails or makes too many calls."""
    arguments = list(position.arguments)
    for role, bound in zip(("alpha", "beta"), window, strict=True):
        place = program.role_index(position.number, role)
        if place is not None:
            arguments[place] = bound
    with suspended_recording(program.calls, max_rows):
        ended = _make_call(program, replace(position, arguments=tuple(arguments)))
        return program.score.read_score(program.calls.results[0]) if ended and len(program.calls) else None


def _make_call(program: WatchedProgram, position: CallSnapshot) -> bool:
    """Make a call and record it. Return True if it returned."""
    call = program.calls.functions[position.number].call
    if call is None:
        return False
    with position.restored_context() as arguments, reproducible_run(DEFAULT_SEED):
        try:
            call_with_arguments(call, arguments)
        except (Exception, SystemExit, TooManyCalls):
            return False
        finally:
            program.calls.drop_partial_rows()
    return True
