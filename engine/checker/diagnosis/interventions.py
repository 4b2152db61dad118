"""Prove a mistake by taking it away from outside: run the whole search again with one thing changed, and compare.

The search runs twice without a change first. If these two runs differ, chance decides, and nothing can be proved.
"""

import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from engine.checker.diagnosis.black_box import TooManyChildCalls, call_with_arguments, reproducible_run
from engine.checker.diagnosis.evidence import format_number
from engine.checker.diagnosis.program_view import WatchedProgram
from engine.checker.recording.call_snapshots import CallSnapshot, deep_copy, is_program_data, unwrap_function
from engine.checker.recording.state_encoding import is_simple_value, simplify_result

MAX_CALLS = 30_000
MAX_SECONDS = 4.0
INFINITY = float("inf")
SEEDS = (7, 8)

Perform = Callable[[], Any]


class Intervention(NamedTuple):
    """A change of every call. `apply` makes the call, with what it changes before and after it."""

    name: str
    words: str  # the beginning of the proof
    apply: Callable[[WatchedProgram, int, list[Any], Callable[[list[Any]], Any]], Any]
    exact: bool = True  # calls are compared one by one; otherwise only the scores of the outermost calls


class WholeRun(NamedTuple):
    """The search, run again: the score of every call in the order of returning, and those of the outermost calls."""

    scores: list[Any]
    outermost: list[Any]


class Experiment(NamedTuple):
    """The result of an intervention."""

    changed: bool
    proof: str = ""


def run_whole_search(program: WatchedProgram, intervention: Intervention | None = None, seed: int = SEEDS[0]) -> WholeRun | None:
    """Run the recorded search again, with a change of every call. Return None if it fails or is too large."""
    snapshot = _find_start(program)
    if snapshot is None:
        return None
    found = WholeRun([], [])
    until, level, made = time.perf_counter() + MAX_SECONDS, 0, 0

    def answer(number: int, arguments: tuple[Any, ...]) -> Any:
        nonlocal level, made
        made += 1
        if made > MAX_CALLS or time.perf_counter() > until:
            raise TooManyChildCalls
        function = _find_function(program, snapshot, number)
        level += 1
        try:
            if intervention is None:
                result = call_with_arguments(function, arguments)
            else:
                result = intervention.apply(program, number, list(arguments), lambda new: call_with_arguments(function, new))
        finally:
            level -= 1
        score = program.score.read_score(simplify_result(result))
        found.scores.append(score)
        if not level:
            found.outermost.append(score)
        return result

    calls = program.calls
    was = calls.answer
    with snapshot.restored_context() as fresh, reproducible_run(seed):
        calls.answer = answer
        try:
            if snapshot.is_root:
                call_with_arguments(snapshot.function, fresh)
            else:
                answer(snapshot.number, fresh)
        except (Exception, SystemExit, TooManyChildCalls):
            return None
        finally:
            calls.answer = was
    return found


def _find_start(program: WatchedProgram) -> CallSnapshot | None:
    """Return the copy of the loop over the root's moves, else of the first outermost call."""
    loops = [run for run, _ in program.runs_with_loops()]
    copies = program.calls.snapshots.calls
    roots = [copy for copy in copies if copy.is_root and any(program.calls.runs[copy.number] is run for run in loops)]
    outermost = [copy for copy in copies if not copy.is_root and program.calls.parent[copy.row] < 0]
    return next(iter([*roots, *outermost]), None)


def _find_function(program: WatchedProgram, start: CallSnapshot, number: int) -> Callable[..., Any]:
    if not start.is_root and start.number == number:
        return start.function
    wrapper = program.calls.functions[number].call
    function: Callable[..., Any] = getattr(wrapper, "__wrapped__", None) or start.function
    return function


# ---- the experiments


def try_intervention(program: WatchedProgram, intervention: Intervention) -> Experiment | None:
    """Run the search with and without the change. Return None if that is not possible."""
    plain, again = (run_whole_search(program, seed=seed) for seed in SEEDS)
    if plain is None or again is None or plain.outermost != again.outermost:
        return None
    changed = run_whole_search(program, intervention)
    if changed is None:
        return None
    if changed.outermost != plain.outermost:
        old, new = next(
            (pair for pair in zip(plain.outermost, changed.outermost, strict=False) if pair[0] != pair[1]), (None, None)
        )
        if old is None or new is None:
            return Experiment(True, f"{intervention.words} the same search takes another course")
        scores = f"{format_number(new)} instead of {format_number(old)}"
        return Experiment(True, f"{intervention.words} the same search finds {scores}")
    if not intervention.exact or changed.scores == plain.scores:
        return Experiment(False)
    if len(changed.scores) != len(plain.scores):
        return Experiment(
            True, f"{intervention.words} the same search makes {len(changed.scores):,} calls instead of {len(plain.scores):,}"
        )
    return Experiment(True, f"{intervention.words} calls of the same search return other scores")


def _copy_board(program: WatchedProgram, number: int, arguments: list[Any], perform: Callable[[list[Any]], Any]) -> Any:
    """Make a call with a copy of its board. A board in globals is replaced by a copy during the call."""
    place = program.role_index(number, "state")
    if place is not None and not is_simple_value(arguments[place]):
        arguments[place] = deep_copy(arguments[place], {})
        return perform(arguments)
    wrapper = program.calls.functions[number].call
    names = unwrap_function(wrapper).__globals__
    held = {name: value for name, value in names.items() if is_program_data(name, value) and not is_simple_value(value)}
    names.update(deep_copy(held, {}))
    try:
        return perform(arguments)
    finally:
        names.update(held)


def _restore_board_above(program: WatchedProgram, number: int, arguments: list[Any], perform: Callable[[list[Any]], Any]) -> Any:
    """Make a call, and give each board that its own calls have changed its first content again."""
    place = program.role_index(number, "state")
    state = None if place is None else arguments[place]
    above = _STATES[-1] if _STATES else None
    _STATES.append((state, deep_copy(state, {})))
    try:
        return perform(arguments)
    finally:
        _STATES.pop()
        if above is not None:
            _restore_content(above[0], above[1])


def _restore_content(thing: Any, content: Any, levels: int = 4) -> None:
    """Give a list, array, dict or object its earlier content, part by part, so that everything that shares it sees this."""
    if not levels or type(thing) is not type(content):
        return
    if isinstance(thing, list):
        if len(thing) != len(content):
            thing[:] = deep_copy(content, {})
        pairs: list[tuple[Any, Any, Any]] = [(place, thing[place], content[place]) for place in range(len(content))]
    elif isinstance(thing, np.ndarray):
        thing[...] = content
        return
    elif isinstance(thing, dict):
        pairs = [(name, thing.get(name), value) for name, value in content.items()]
    elif hasattr(thing, "__dict__") and not callable(thing):
        _restore_content(vars(thing), vars(content), levels)
        return
    else:
        return
    for place, part, earlier in pairs:
        if is_simple_value(earlier) or type(part) is not type(earlier):
            thing[place] = deep_copy(earlier, {})
        else:
            _restore_content(part, earlier, levels - 1)


_STATES: list[tuple[Any, Any]] = []  # the boards of the calls that are running, each with a copy of its first content
RESTORED_BOARDS = Intervention("restored boards", "with the board restored after every call", _restore_board_above)
COPIED_BOARDS = Intervention("copied boards", "with a copy of the board in every call", _copy_board)


def _empty_tables(program: WatchedProgram, number: int, arguments: list[Any], perform: Callable[[list[Any]], Any]) -> Any:
    """Make a call with empty tables."""
    place = program.role_index(number, "state")
    for where, table in _iterate_tables(program, number, arguments):
        if where != place:
            table.clear()
    return perform(arguments)


def _iterate_tables(program: WatchedProgram, number: int, arguments: list[Any]) -> Iterator[tuple[int, dict[Any, Any]]]:
    """Yield the dicts that may be tables, with the index of their argument: globals, attributes, closures, defaults."""
    function = unwrap_function(program.calls.functions[number].call)
    for place, value in enumerate(arguments):
        if isinstance(value, dict):
            yield place, value
        elif not is_simple_value(value):
            owners = (getattr(value, "__dict__", {}), getattr(type(value), "__dict__", {}))
            for name, held in [item for owner in owners for item in owner.items()]:
                if isinstance(held, dict) and name in _growing_names(program):
                    yield -1, held
    cells = [cell.cell_contents for cell in function.__closure__ or () if _is_filled(cell)]
    defaults = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    for held in [*cells, *defaults]:
        if isinstance(held, dict):
            yield -1, held
    for name, held in function.__globals__.items():
        if isinstance(held, dict) and is_program_data(name, held) and name in _growing_names(program):
            yield -1, held


def _growing_names(program: WatchedProgram) -> set[str]:
    """Return the names in the source that are assigned an empty dict."""
    import ast

    found: set[str] = set()
    for node in ast.walk(program.tree or ast.Module([], [])):
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and _is_empty_dict(node.value):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {getattr(target, "id", getattr(target, "attr", "")) for target in targets}
    return found


def _is_empty_dict(node: Any) -> bool:
    import ast

    called = getattr(getattr(node, "func", None), "id", getattr(getattr(node, "func", None), "attr", ""))
    return (isinstance(node, ast.Dict) and not node.keys) or called in ("dict", "defaultdict", "OrderedDict")


def _is_filled(cell: Any) -> bool:
    try:
        cell.cell_contents  # noqa: B018 - raises if the cell is empty
    except ValueError:
        return False
    return True


def _open_window(program: WatchedProgram, number: int, arguments: list[Any], perform: Callable[[list[Any]], Any]) -> Any:
    """Make a call with an open window."""
    for role, bound in (("alpha", -INFINITY), ("beta", INFINITY)):
        place = program.role_index(number, role)
        if place is not None:
            arguments[place] = bound
    return perform(arguments)


OPEN_WINDOWS = Intervention("open windows", "with an open window in every call", _open_window, exact=False)
EMPTY_TABLES = Intervention("empty tables", "with an empty table in every call", _empty_tables, exact=False)
