"""Start the search of a program: try its entry points one by one, and searches of a fitting size."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.checker.answer_builder import find_roles
from engine.checker.discovery.argument_synthesis import TRIED_DEPTHS, EntryPoint
from engine.checker.discovery.changing_state import find_shared_places
from engine.checker.discovery.depth_limit import has_depth, limit_depth, lower_settings, raise_depth
from engine.checker.discovery.entry_points import list_stages
from engine.checker.discovery.object_repairs import ObjectRepairs
from engine.checker.recording.argument_roles import ArgumentRoles
from engine.checker.recording.call_recorder import NO_ROW
from engine.checker.recording.call_snapshots import CallSnapshot
from engine.checker.recording.shared_state import set_shared_places
from engine.checker.sandbox import resource_limits
from engine.checker.sandbox.first_search import FirstSearchDone, KeptRecord
from engine.checker.sandbox.module_state import ModuleSnapshot
from engine.checker.sandbox.name_repairs import NameRepairs
from engine.checker.sandbox.own_errors import prove_own_error
from engine.checker.sandbox.user_choices import CHOICES
from engine.checker.sandbox.window_events import EVENTS
from engine.checker.stopped_run import StopCause, StoppedRun

if TYPE_CHECKING:
    from engine.checker.sandbox.check_session import CheckSession

LONG_SECONDS = 20.0  # with more time than this, each start gets a share of it
MAX_STAGE_SECONDS = 4.0  # to find the next entry point
MAX_MODULE_SECONDS = 4.0  # to load another module of the project
MAX_IDLE_SECONDS = 5.0  # for an entry point to reach the search
MAX_IDLE_SHARE, MIN_PATIENCE_SECONDS = 1 / 3, 1.0  # of the time for all starts that one may take to reach the search
MAX_IDLE_GUESS_SECONDS = 2.0
MAX_OWN_SECONDS = 6.0  # for a start of the program itself; then a smaller search is tried
MAX_GUESS_SECONDS = 8.0  # for a guessed entry point
MAX_SHALLOW_LEVEL = 1  # of a search that looks only one move ahead
LARGER_DEPTHS = (4, 3, 2)  # for such a search
MIN_FAILING_ROWS = 10  # of a search that raises an error although we have made its arguments
MIN_LARGE_ROWS = 1_000  # of a search that is too large for its time
MAX_LARGE_SECONDS, MAX_AWAITED_ROWS = 3.0, 8_000  # then a search with a depth is run with a smaller one
MAX_START_CHARS = 100  # of a start or a reason that is shown
LATER_ROWS_RANGE = (50, 6_000)  # of a smaller search that replaces one that is too large


class FailedStart(NamedTuple):
    """An entry point that did not lead to a search, and why."""

    start: str
    reason: str

    @property
    def text(self) -> str:
        return f"{self.start}: {self.reason}"

    @property
    def short_text(self) -> str:
        texts = (self.start, self.reason)
        return ": ".join(text if len(text) <= MAX_START_CHARS else f"{text[:MAX_START_CHARS]}…" for text in texts)


class StoppedStart(NamedTuple):
    """A start that reached the search and was stopped, with its record."""

    start: EntryPoint
    stopped: StoppedRun
    record: KeptRecord

    @property
    def rows(self) -> int:
        return self.record.rows


Guess = tuple[int, EntryPoint]  # a call that was tried, with the number of its rows


class SearchStarter:
    """The starts of one session."""

    def __init__(self, session: "CheckSession"):
        self.session = session
        self.hanging: set[str] = set()  # scripts that did not reach the search in time
        self.last_error: BaseException | None = None  # of the last start
        self.guesses: list[Guess] = []

    def try_entry_points(self) -> tuple[list[FailedStart], EntryPoint | None, StoppedRun | None]:
        """Try entry points until calls are recorded.

        Return the failed ones, the one that worked, and why it ended early.
        """
        assert self.session.program is not None  # noqa: S101 - loaded before
        failed: list[FailedStart] = []
        fallback: StoppedStart | None = None  # the best start that was stopped
        for start in self._iterate_with_repairs():
            if start.script in self.hanging:
                continue
            if self.session.left_behind or (perf_counter() > self.session.start_deadline and failed):
                break
            memory = ModuleSnapshot(self.session.program.module)
            start, stopped = self._try_smaller(start, self._try_entry_point(start))
            self.last_error = None if stopped is None else stopped.error
            rows = len(self.session.calls)
            if start.guessed:
                self.guesses.append((rows, start))
            if rows > 1 and (stopped is None or not start.guessed):
                return failed, self._try_larger(start, stopped), stopped
            is_error = stopped is not None and not stopped.is_too_large and rows < MIN_FAILING_ROWS
            is_error = is_error and not prove_own_error(self.session, self.last_error)
            if rows and stopped is not None and not (start.guessed and is_error) and (fallback is None or rows > fallback.rows):
                fallback = StoppedStart(start, stopped, self.session.keep_record())
            failed.append(FailedStart(start.text, (stopped or StoppedRun(StopCause.NO_SEARCH_CALL)).sentence))
            if start.script and stopped is not None and stopped.cause is StopCause.NO_SEARCH_IN_TIME:
                self.hanging.add(start.script)
            memory.restore_state()
        if fallback is None:
            return failed, None, None
        self.session.put_back(fallback.record)
        return [attempt for attempt in failed if attempt.start != fallback.start.text], fallback.start, fallback.stopped

    def _iterate_starts(self) -> Iterator[EntryPoint]:
        """Yield entry points. To find the next one runs code of the program, with limits."""
        assert self.session.program is not None  # noqa: S101 - loaded before
        guess = self.session.synthesizer
        for module in guess.needed_modules:
            if self.session.run_limited(partial(guess.names.load, module), MAX_MODULE_SECONDS) is not None:
                guess.names.forget(module)
        for stage in list_stages(
            self.session.program, self.session.project, self.session.search, self.session.request.call, guess
        ):
            while True:
                found: list[EntryPoint] = []
                self.session.own, self.session.calls.asleep = False, True  # calls of the search are not recorded meanwhile
                self.session.run_limited(partial(_take_next, stage, found), MAX_STAGE_SECONDS)
                self.session.calls.asleep = False
                if not found or self.session.left_behind:
                    break
                yield found[0]

    def _iterate_with_repairs(self) -> Iterator[EntryPoint]:
        """Yield entry points, and those that fail again after a repair: with a prepared object, with a missing name bound."""
        names = NameRepairs(self.session)
        for start in self._iterate_starts():
            yield start
            while not self.session.left_behind and names.repair(self.last_error):
                yield start
            if not start.call or not isinstance(self.last_error, AttributeError) or self.session.left_behind:
                continue
            found: list[EntryPoint] = []
            repairs = partial(found.extend, ObjectRepairs(self.session.synthesizer).iterate_repairs(start, self.last_error))
            self.session.calls.asleep = True
            self.session.run_limited(repairs, MAX_STAGE_SECONDS)
            self.session.calls.asleep = False
            yield from found

    def _try_entry_point(self, start: EntryPoint) -> StoppedRun | None:
        self.session.calls.clear()
        self.session.calls.adjusted = None
        templates = self.session.synthesizer.positions.templates
        self.session.calls.is_board_guessed = any(text in start.call for text in templates)
        if self.session.program is not None:  # an earlier start may have loaded more modules
            set_shared_places(find_shared_places(self.session.program, self.session.trees))
        self.session.prints.clear()
        EVENTS.restart()
        CHOICES.restart()
        self.session.own, self.session.guessing, self.session.result, self.session.kept = start.own, start.guessed, None, None
        resource_limits.seed_random()
        done: list[bool] = []

        def work() -> None:
            try:
                self.session.result = start.run()
            except FirstSearchDone:
                done.append(True)

        begun = perf_counter()
        long = self.session.request.seconds >= LONG_SECONDS and self.session.request.call is None
        limit = min(self.session.request.seconds / 4, MAX_OWN_SECONDS) if long else self.session.request.seconds
        seconds = min(limit, MAX_GUESS_SECONDS) if start.guessed else limit
        idle = MAX_IDLE_GUESS_SECONDS if start.guessed or self.hanging else MAX_IDLE_SECONDS
        is_chosen = self.session.request.call is not None
        patience = max((self.session.start_deadline - begun) * MAX_IDLE_SHARE, MIN_PATIENCE_SECONDS)  # on a busy computer

        def gives_up(passed: float) -> bool:
            return self._is_hopeless(passed, idle) or (perf_counter() - begun > patience and len(self.session.calls) == 0)

        stopped = self.session.run_limited(work, seconds, None if is_chosen else gives_up, self.session.start_deadline)
        self.session.seconds = perf_counter() - begun
        self.session.own = False
        if (
            self.session.kept is not None
            and not self.session.left_behind
            and (stopped is not None or len(self.session.calls) < self.session.kept.rows)
        ):
            self.session.put_back(self.session.kept._replace(seconds=self.session.seconds))
            return None
        if done:
            return None
        is_idle = not is_chosen and len(self.session.calls) == 0
        if stopped is not None and stopped.cause is StopCause.TIME_LIMIT and is_idle:
            return StoppedRun(StopCause.NO_SEARCH_IN_TIME, resource_limits.format_seconds(min(idle, seconds)))
        return stopped

    def _is_hopeless(self, passed: float, idle: float) -> bool:
        """Return True if a start does not reach the search, or if a smaller search would show as much."""
        rows = len(self.session.calls)
        return (passed > idle and rows == 0) or (passed > MAX_LARGE_SECONDS and rows > MAX_AWAITED_ROWS and self._has_depth())

    def _has_depth(self) -> bool:
        return has_depth([self.session.functions[name].arguments for name in self.session.found.functions], {})

    def _try_smaller(self, start: EntryPoint, stopped: StoppedRun | None) -> tuple[EntryPoint, StoppedRun | None]:
        """If a search is too large, try it later in the game, then with smaller depths."""
        if (
            stopped is None
            or not stopped.is_too_large
            or len(self.session.calls) <= 1
            or self.session.left_behind
            or self.session.request.call is not None
        ):
            return start, stopped
        kept = self.session.keep_record()
        roles = find_roles(self.session.calls)
        later = self._choose_later_start(start, roles)
        if later is not None and not any(
            one.alpha for one in roles
        ):  # with a window the root's matters, so the root is tried first
            return later, self._try_entry_point(later)
        if stopped.cause is StopCause.MEMORY_LIMIT or len(self.session.calls) < MIN_LARGE_ROWS:
            return start, stopped  # it hangs, or does something else
        for depth in TRIED_DEPTHS:
            if perf_counter() > self.session.start_deadline:
                break
            smaller = start.at_depth(depth) if start.at_depth is not None else self._limit_depth(start, depth)
            if smaller is None or smaller.text == start.text:
                continue
            ended = self._try_entry_point(smaller)
            if len(self.session.calls) > 1 and (ended is None or not ended.is_too_large):
                return smaller, ended
            if max(self.session.calls.depth, default=0) > depth + 1:
                break  # this depth does not end the search
        if later is not None and perf_counter() < self.session.start_deadline:
            ended = self._try_entry_point(later)
            if len(self.session.calls) > 1 and (ended is None or not ended.is_too_large):
                return later, ended
        self.session.put_back(kept)
        return start, stopped

    def _try_larger(self, start: EntryPoint, stopped: StoppedRun | None) -> EntryPoint:
        """If a search looks only one move ahead, try it with more depth. Return the start whose record is kept."""
        if (
            stopped is not None
            or max(self.session.calls.depth, default=0) > MAX_SHALLOW_LEVEL
            or self.session.request.call is not None
            or self.session.left_behind
        ):
            return start
        kept, again = self.session.keep_record(), self._repeat_copied_call(start)
        for depth in LARGER_DEPTHS:
            larger = None if again is None else self._change_depth(again, depth, raise_depth)
            if larger is None or perf_counter() > self.session.start_deadline:
                break
            ended = self._try_entry_point(larger)
            if self.session.left_behind or (ended is None and len(self.session.calls) >= 2 * kept.rows):
                return larger
        self.session.put_back(kept)
        return start

    def _repeat_copied_call(self, start: EntryPoint) -> EntryPoint | None:
        """Return a start that makes the copied outermost call again, or the function around it. Return None if there is none."""
        copies = self.session.calls.snapshots.calls
        fitting = [copy for copy in copies if copy.is_root or self.session.calls.parent[copy.row] == NO_ROW]
        if not fitting:
            return None
        chosen = fitting[0]
        name = self.session.calls.runs[chosen.number].name if chosen.is_root else self.session.calls.functions[chosen.number].name
        return EntryPoint(start.text, partial(self._make_call_again, chosen, name), False, guessed=True, call=start.call)

    def _make_call_again(self, copied: CallSnapshot, name: str) -> Any:
        with copied.restored_context() as arguments:
            return self.session.make_wrapper(name)(copied.function)(*arguments)

    def _limit_depth(self, start: EntryPoint, depth: int) -> EntryPoint | None:
        """Return the start with a smaller depth in its outermost calls. Return None if no depth is known."""
        return self._change_depth(start, depth, limit_depth, lower_settings)

    def _change_depth(
        self,
        start: EntryPoint,
        depth: int,
        change: Callable[..., Any],
        change_settings: Callable[..., Any] | None = None,
    ) -> EntryPoint | None:
        """Return the start with another depth in its outermost calls. Return None if no depth is known."""
        settings = vars(self.session.program.module) if self.session.program is not None else {}
        names = [self.session.functions[name].arguments for name in self.session.found.functions]
        if not has_depth(names, settings):
            return None

        def run() -> Any:
            self.session.calls.adjust = self.session.calls.adjusted = lambda number, args, kwargs: change(
                self.session.functions[self.session.calls.functions[number].name],
                self.session.calls.functions[number].arguments,
                args,
                kwargs,
                depth,
            )
            held = {} if change_settings is None else change_settings(settings, depth)
            try:
                return start.run()
            finally:
                self.session.calls.adjust = None
                settings.update(held)

        return start._replace(text=f"{start.text}, with a depth of {depth}", run=run)

    def _choose_later_start(self, start: EntryPoint, roles: list[ArgumentRoles]) -> EntryPoint | None:
        """Return an entry point later in the game, for a search that is too large: its largest call that returned.

        It gets the window of the outermost call. Return None if the user has chosen the start.
        """
        ended = [
            snapshot
            for snapshot in self.session.calls.snapshots.calls
            if not snapshot.is_root and self.session.calls.end[snapshot.row] != NO_ROW
        ]
        sizes = {snapshot.row: self.session.calls.end[snapshot.row] - snapshot.row for snapshot in ended}
        fitting = [snapshot for snapshot in ended if LATER_ROWS_RANGE[0] <= sizes[snapshot.row] <= LATER_ROWS_RANGE[1]]
        if self.session.request.call is not None or not fitting:
            return None
        chosen = self._with_first_window(max(fitting, key=lambda snapshot: sizes[snapshot.row]), roles)
        name = self.session.calls.functions[chosen.number].name
        run = partial(self._make_call_again, chosen, name)
        text = f"{name} from a position later in the game (call {chosen.row:,} of {start.text}, which is too large)"
        return start._replace(text=text, run=run, own=False, guessed=False, at_depth=None, script="")

    def _with_first_window(self, copied: CallSnapshot, roles: list[ArgumentRoles]) -> CallSnapshot:
        """Return a copied call with the window of the first outermost call."""
        arguments = list(copied.arguments)
        for role in ("alpha", "beta"):
            first, name = (getattr(roles[number], role) for number in (self.session.calls.function[0], copied.number))
            if first is not None and name is not None:
                bound = self.session.calls.arguments[0][
                    self.session.calls.functions[self.session.calls.function[0]].arguments.index(first)
                ]
                arguments[self.session.calls.functions[copied.number].arguments.index(name)] = bound
        return replace(copied, arguments=tuple(arguments))


def _take_next(stage: Iterator[EntryPoint], found: list[EntryPoint]) -> None:
    found.extend(islice(stage, 1))
