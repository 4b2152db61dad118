"""Run a recorded search again as a whole. A change from outside may give its calls other arguments, or answer them."""

import contextlib
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import process_time
from typing import Any, NamedTuple, cast

from engine.checker.diagnosis.black_box import BlackBox, TooManyChildCalls, call_with_arguments, insert_score, reproducible_run
from engine.checker.diagnosis.program_view import WatchedProgram, Window, find_outermost_copy
from engine.checker.recording.call_snapshots import CallSnapshot, CallSnapshots
from engine.checker.recording.observations import observed
from engine.checker.recording.plain_values import plain_record
from engine.checker.recording.state_encoding import is_number, simplify_result

MAX_CALLS = 30_000
MAX_SECONDS = 4.0
SEEDS = (7, 8)
ROOT_NUMBER = -1  # of the function around the search, which is not one of its functions


class ReachedRow(BaseException):
    """The wanted call was reached. Not an Exception: the program must not catch it."""


@dataclass
class ReplayedCall:
    """A call of the search that is made again, or the function around the search (then `number` is ROOT_NUMBER)."""

    program: WatchedProgram
    number: int
    arguments: list[Any]
    level: int  # nested calls above; -1 for the function around the search
    above: "ReplayedCall | None"
    scores: list[float | None] = field(default_factory=list)  # of the calls that it has made so far
    results: dict[Any, Any] = field(default_factory=dict)  # of these calls, for changes that keep them
    other: tuple[Callable[..., Any], list[Any]] | None = None  # another function to call instead, with its arguments
    window_given: Window | None = None  # the window that the other function gets

    def argument(self, role: str) -> Any:
        """Return the argument in a role, or None."""
        place = None if self.number == ROOT_NUMBER else self.program.role_index(self.number, role)
        return None if place is None else self.arguments[place]

    def change_argument(self, role: str, value: Any) -> None:
        """Replace the argument in a role, if there is one."""
        place = self.program.role_index(self.number, role)
        if place is not None:
            self.arguments[place] = value

    @property
    def window(self) -> Window | None:
        """Return the window of the call, or None."""
        alpha, beta = self.argument("alpha"), self.argument("beta")
        return (alpha, beta) if is_number(alpha) and is_number(beta) else None

    def answer_score(self, score: float) -> Any:
        """Return a result of the program with this score."""
        template = BlackBox(self.program, self.program.calls.snapshots.calls[0]).result_template(self.number)
        return insert_score(template, self.program.score.keys, score)


Perform = Callable[[ReplayedCall], Any]
Change = Callable[[ReplayedCall, Perform], Any]  # makes the call, with what it changes before and after it


@plain_record
class SearchRun(NamedTuple):
    """The search, run again."""

    scores: list[Any]  # of every call, in the order of returning
    outermost: list[Any]  # those of the outermost calls
    calls: int  # the calls that were made; those that a change has answered are not counted
    result: Any = None  # of the function around the search, or of the outermost call


@observed
def run_search_again(program: WatchedProgram, change: Change | None = None, seed: int = SEEDS[0]) -> SearchRun | None:
    """Run the recorded search again, with a change of every call. Return None if it fails or is too large."""
    try:
        return _replay_search(program, change, seed)
    except (Exception, SystemExit, TooManyChildCalls):
        return None


def exceeds_levels(program: WatchedProgram, levels: int) -> bool:
    """Run the search again with more nested calls allowed. Return True if it needs still more."""
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(max(levels, usual))
    try:
        _replay_search(program, None, SEEDS[0])
    except RecursionError:
        return True
    except (Exception, SystemExit, TooManyChildCalls):
        return False
    finally:
        sys.setrecursionlimit(usual)
    return False


def copy_call(program: WatchedProgram, row: int) -> CallSnapshot | None:
    """Return a complete copy of the call of a row: run the search again up to there. Return None if that is not possible."""
    return copy_calls(program, [row]).get(row)


@observed
def copy_calls(program: WatchedProgram, rows: Sequence[int]) -> dict[int, CallSnapshot]:
    """Return complete copies of the calls of some rows: run the search again up to the last one. Some may be missing."""
    known = {copy.row: copy for copy in program.calls.snapshots.calls if not copy.is_root and copy.row in rows}
    wanted = set(rows) - known.keys()
    fresh, entered = CallSnapshots(mentioned=program.calls.snapshots.mentioned), -1

    def copy_when_reached(call: ReplayedCall, perform: Perform) -> Any:
        nonlocal entered
        entered += 1
        if entered in wanted:
            function = find_function(program, start, call.number)
            fresh.copy_call(entered, call.number, call.level, function, tuple(call.arguments))
            if entered == max(wanted):
                raise ReachedRow
        return perform(call)

    start = find_start(program)
    if wanted:
        with contextlib.suppress(Exception, SystemExit, TooManyChildCalls, ReachedRow):
            _replay_search(program, copy_when_reached, SEEDS[0])
    return known | {copy.row: copy for copy in fresh.calls if _is_same_call(program, copy.row, copy)}


def _is_same_call(program: WatchedProgram, row: int, copy: CallSnapshot) -> bool:
    """Return True if a copied call has the small arguments of a row."""
    return copy.number == program.calls.function[row] and all(
        recorded is None or recorded == held for recorded, held in zip(program.calls.arguments[row], copy.arguments, strict=False)
    )


def _replay_search(program: WatchedProgram, change: Change | None, seed: int) -> SearchRun:
    start = find_start(program)
    if start is None:
        raise LookupError("no call was copied")
    calls = program.calls
    scores: list[Any] = []
    outermost: list[Any] = []
    until, made, entered = process_time() + MAX_SECONDS, 0, 0
    current = root = ReplayedCall(program, ROOT_NUMBER, [], -1, None)

    def perform(call: ReplayedCall) -> Any:
        nonlocal made, current
        made += 1
        outer, current = current, call
        try:
            return call_with_arguments(*(call.other or (find_function(program, start, call.number), call.arguments)))
        finally:
            current = outer

    def answer(number: int, arguments: tuple[Any, ...]) -> Any:
        nonlocal entered
        entered += 1
        if entered > MAX_CALLS or process_time() > until:
            raise TooManyChildCalls
        above = current
        if above is root and start.is_root and calls.adjusted is not None:
            arguments = calls.adjusted(number, arguments, {})[0]
        call = ReplayedCall(program, number, list(arguments), above.level + 1, above)
        result = perform(call) if change is None else change(call, perform)
        score = program.score.read_score(simplify_result(result))
        above.scores.append(score)
        scores.append(score)
        if above is root:
            outermost.append(score)
        return result

    was = calls.answer
    with start.restored_context() as fresh, reproducible_run(seed):
        calls.answer = answer
        root.arguments = list(fresh) if start.is_root else []
        try:
            result = call_with_arguments(start.function, fresh) if start.is_root else answer(start.number, fresh)
        finally:
            calls.answer = was
    return SearchRun(scores, outermost, made, simplify_result(result))


def find_start(program: WatchedProgram) -> CallSnapshot | None:
    """Return the copy of the loop over the root's moves, else of an outermost call."""
    loops = [run for run, _ in program.runs_with_loops()]
    copies = program.calls.snapshots.calls
    roots = [copy for copy in copies if copy.is_root and any(program.calls.runs[copy.number] is run for run in loops)]
    return roots[0] if roots else find_outermost_copy(program)


def find_function(program: WatchedProgram, start: CallSnapshot | None, number: int) -> Callable[..., Any]:
    """Return the function of the program itself, without the wrapper that records its calls."""
    if start is not None and not start.is_root and start.number == number:
        return start.function
    wrapper = program.calls.functions[number].call
    function: Any = getattr(wrapper, "__wrapped__", None) or (start.function if start is not None else wrapper)
    return cast(Callable[..., Any], function)
