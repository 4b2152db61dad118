"""The worker process: `python -m engine.checker.sandbox.worker_main FOLDER`.

It reads a CheckRequest from its input and writes an Answer to its output, whatever the program does.
"""

import os
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import msgspec

from engine.checker.answer_builder import build_answer, clear_missing_rows, find_roles
from engine.checker.diagnosis.crashes import is_own_exception
from engine.checker.diagnosis.evidence import describe_own_crash
from engine.checker.diagnosis.judge import Judgement, judge_search
from engine.checker.diagnosis.program_view import WatchedProgram
from engine.checker.diagnosis.score_choice import choose_score
from engine.checker.discovery.argument_facts import is_program_object
from engine.checker.discovery.argument_synthesis import TRIED_DEPTHS, ArgumentSynthesizer, EntryPoint
from engine.checker.discovery.depth_limit import has_depth, limit_depth, lower_settings
from engine.checker.discovery.entry_points import find_changing_globals, has_state_argument, is_move_chooser, list_stages
from engine.checker.discovery.object_repairs import ObjectRepairs
from engine.checker.discovery.project import MIN_SEARCH_SCORE, Project, ProjectSearch, find_project_search, read_project
from engine.checker.discovery.script_options import OptionChooser, chosen_options, list_search_names
from engine.checker.discovery.search_finder import FoundSearch, ProgramFunction, score_group
from engine.checker.discovery.source_analysis import defined_names
from engine.checker.experiments.proofs import describe_endless_recursion
from engine.checker.recording.argument_roles import ArgumentRoles, ScorePath, find_score
from engine.checker.recording.call_recorder import COLUMN_NAMES, NO_ROW, RecordedCalls, record_function, record_root_function
from engine.checker.recording.state_display import format_state
from engine.checker.sandbox import resource_limits
from engine.checker.sandbox.import_stubs import AbsorbingStub
from engine.checker.sandbox.launcher import GRACE_SECONDS, max_worker_seconds
from engine.checker.sandbox.loader import LoadedProgram, installed_finders, load_program, noninteractive_mode
from engine.checker.sandbox.module_state import ModuleSnapshot
from engine.checker.sandbox.user_choices import CHOICES
from engine.checker.sandbox.window_events import EVENTS
from engine.checker.sandbox.worker_protocol import Answer, CheckRequest, FunctionSource
from engine.checker.stopped_run import StopCause, StoppedRun
from engine.checker.verdict import Finding, Unchecked
from engine.core.errors import PlyscopeError

WATCHDOG_SPARE_SECONDS = resource_limits.MAX_STOP_SECONDS + 1.5  # until a program is killed that cannot be interrupted
MAX_CORES = 2  # that a program may use
RESERVED_SECONDS = 6.0  # to stop a program and to send the answer
MAX_START_SHARE = 0.6  # of the time, for starting the search; the rest is for judging it
MIN_RUN_SECONDS = 0.5
MAX_BUSY_FACTOR = 3.0  # on a busy machine a run may take this many times its seconds, if there is time
LONG_SECONDS = 20.0  # with more time than this, each start gets a share of it
MAX_STAGE_SECONDS = 4.0  # to find the next entry point
MAX_MODULE_SECONDS = 4.0  # to load another module of the project
MAX_IDLE_SECONDS = 5.0  # for an entry point to reach the search
MAX_IDLE_GUESS_SECONDS = 2.0
MAX_OWN_SECONDS = 10.0  # for a start of the program itself; then a smaller search is tried
MAX_GUESS_SECONDS = 8.0  # for a guessed entry point
MAX_GUESSED_ROWS = 20_000  # of a search that is repeated with larger depths, if we have started it
MIN_FAILING_ROWS = 10  # of a search that raises an error although we have made its arguments
MIN_LARGE_ROWS = 1_000  # of a search that is too large for its time
MAX_SCORE_SECONDS = 4.0  # to see which number of a result is the score
MAX_SHOWN_TRIES = 6
MAX_SHOWN_NOTES = 2
MAX_START_CHARS = 100  # of a start or a reason that is shown
MAX_FAILURE_CHARS = 400
LATER_ROWS_RANGE = (50, 20_000)  # of a smaller search that replaces one that is too large
MAX_SOURCE_LINES = 400
PROTECTED_MODULES = {"numpy", "msgspec"}  # never unloaded, even if a file beside the program has the name


class FailedStart(NamedTuple):
    """An entry point that did not lead to a search, and why."""

    start: str
    reason: str

    @property
    def text(self) -> str:
        return f"{self.start}: {self.reason}"

    @property
    def short_text(self) -> str:
        start = self.start if len(self.start) <= MAX_START_CHARS else f"{self.start[:MAX_START_CHARS]}…"
        return f"{start}: {self.reason[:MAX_START_CHARS]}"


class StoppedStart(NamedTuple):
    """A start that reached the search and was stopped, with its record."""

    start: EntryPoint
    stopped: StoppedRun
    rows: int
    calls: RecordedCalls
    result: Any
    seconds: float


class FirstSearchDone(BaseException):
    """The first search of a program is over. The rest of the program is not run."""


def main() -> None:
    folder = Path(sys.argv[1])
    request = msgspec.json.decode(sys.stdin.buffer.readline(), type=CheckRequest)
    lifeline, out, stderr = os.dup(0), os.fdopen(os.dup(1), "wb"), os.fdopen(os.dup(2), "w")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    sys.dont_write_bytecode = True
    began = time.perf_counter() - request.passed
    root, path = _copy_program(request, folder)
    resource_limits.exit_with_parent(lifeline)
    resource_limits.set_hard_limits(request.memory, MAX_CORES * max_worker_seconds(request))
    resource_limits.confine_process(folder)
    try:
        answer = CheckSession(request, root, path, stderr, began).answer()
    except PlyscopeError as error:
        answer = Answer(failed=str(error))
    except Exception as error:
        answer = Answer(failed=f"the program: {describe_own_crash(error)}")
    out.write(_encode_answer(answer))
    out.close()
    resource_limits.EXIT_PROCESS(0)  # also ends threads of the program


def _copy_program(request: CheckRequest, folder: Path) -> tuple[Path, Path | None]:
    """Write the files of the project into its folder and go there. Return the root and the path of the checked file."""
    if not request.files:
        return Path(request.file).parent, Path(request.file)  # cannot be read: the parser reports why
    copy = folder / "program"
    for name, content in request.files.items():
        copy.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
        copy.joinpath(name).write_bytes(content)
    path = copy / request.target if request.target else None
    os.chdir(copy if path is None else path.parent)
    return copy, path


def _encode_answer(answer: Answer) -> bytes:
    """Encode the answer for the pipe. Lone surrogates in the output of a program are replaced."""
    try:
        return msgspec.msgpack.encode(answer)
    except UnicodeError:
        return msgspec.msgpack.encode(msgspec.convert(_replace_surrogates(msgspec.to_builtins(answer)), Answer))


def _replace_surrogates(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode(errors="replace").decode()
    if isinstance(value, dict):
        return {_replace_surrogates(key): _replace_surrogates(one) for key, one in value.items()}
    return [_replace_surrogates(one) for one in value] if isinstance(value, (list, tuple)) else value


class CheckSession:
    """The check of one program."""

    def __init__(self, request: CheckRequest, root: Path, path: Path | None, stderr: TextIO, began: float):
        self.request = request
        self.stderr = stderr  # for the traceback if the process has to be killed
        total = max_worker_seconds(request)
        self.deadline = began + total - min(RESERVED_SECONDS, total / 4)
        self.start_deadline = began + total * MAX_START_SHARE
        resource_limits.set_watchdog(GRACE_SECONDS, stderr)
        files = [root / name for name in request.files] or [path or root]
        self.project: Project = read_project(root, path, files)
        self.search: ProjectSearch = find_project_search(self.project, request.function, request.call)
        self.path = self.search.module.path
        self.tree = self.search.module.tree
        self.found: FoundSearch = self.search.found
        self.functions: dict[str, ProgramFunction] = dict(self.search.module.functions)
        searching = [self.functions[name] for name in self.found.functions]
        CHOICES.set_search([name for function in searching for name in (function.plain_name, function.owner)])
        self.files: dict[str, Path] = {}  # of functions in other modules
        self.calls = RecordedCalls(max_rows=request.max_rows)
        self.calls.when_left = self._end_first_search
        self.prints = resource_limits.CapturedOutput()
        self.program: LoadedProgram | None = None
        self.own = False  # the run ends after its first search
        self.guessing = False
        self.changing: Callable[[], Any] | None = None
        self.result: Any = None
        self.left_behind = False  # it could not be stopped, and runs on
        self.hanging: set[str] = set()  # scripts that did not reach the search in time
        self.last_start: EntryPoint | None = None
        self.last_error: BaseException | None = None  # of the last start
        self.guesses: list[tuple[int, EntryPoint]] = []  # calls that were tried, with the number of their rows

    # ---- recording

    def _make_wrapper(self, name: str) -> Callable[[Any], Any]:
        record = record_function if name in self.found.functions else record_root_function
        read_globals = None if has_state_argument(self.functions[name]) else self._read_changing_globals
        return lambda function: record(self.calls, name, function, read_globals)

    def _read_changing_globals(self) -> Any:
        return None if self.changing is None else self.changing()

    def _end_first_search(self) -> None:
        """End the first search: an outermost call, or the function around it, has returned."""
        if not self.own:
            return
        if any(run.end == NO_ROW for run in self.calls.runs) and not (self.guessing and len(self.calls) > MAX_GUESSED_ROWS):
            return
        if len(self.calls) > 1 and self.program is None:
            self.calls.asleep = True  # still loading: the rest of the program is needed
        elif len(self.calls) > 1:
            raise FirstSearchDone
        else:
            self.calls.clear()  # one call is not a search: the game may have been over

    # ---- running

    def answer(self) -> Answer:
        options = OptionChooser(list_search_names(self.found.functions), [path.name for path in self.project.data_files])
        sys.argv = [str(self.path)]
        with resource_limits.patched_runtime(self.prints), noninteractive_mode(), chosen_options(options):
            resource_limits.seed_random()
            resource_limits.restore_old_numpy_names()
            self.own = True
            begun = time.perf_counter()
            stopped = self._run_limited(self._load_program, self.request.seconds, self._never_searches)
            self.seconds = time.perf_counter() - begun
            if len(self.calls) > 1 and self.request.call is None:
                return self._build_answer(EntryPoint("the program while it was loaded", _do_nothing, True), [], stopped)
            if self.program is None:
                why = "" if stopped is None else f": {stopped.sentence}"
                return Answer(failed=f"{self.path.name} cannot be loaded{why}", prints=self.prints.text)
            self.changing = find_changing_globals(self.program, self.functions)
            self.synthesizer = ArgumentSynthesizer(self.program, self.project, self.search)
            with installed_finders(self.program.finders):
                failed, start, stopped = self._try_entry_points()
                if start is None:
                    return self._build_failure(failed)
                return self._build_answer(start, failed, stopped)

    def _never_searches(self, passed: float) -> bool:
        return passed > max(MAX_IDLE_SECONDS, self.request.seconds / 4) and len(self.calls) == 0

    def _load_program(self) -> None:
        _unload_shadowed_modules(self.project)
        home, layout = self.search.module, self.project.layout()
        names = [*self.found.functions, *(name for name in self.found.roots if is_move_chooser(self.functions[name]))]
        layout.decorated[home.path] = {self.functions[name].node.lineno: name for name in names}
        for caller in self.search.callers:
            function = caller.function
            if caller.level == 1 and function is not None and caller.module is not home and is_move_chooser(function):
                name = f"{caller.module.name}.{function.name}"
                self.functions[name], self.files[name] = function, caller.module.path
                layout.decorated.setdefault(caller.module.path, {})[function.node.lineno] = name
        self.program = load_program(self.path, self.request.call, None, self._make_wrapper, layout)

    def _run_limited(
        self,
        work: Callable[[], Any],
        seconds: float,
        gives_up: Callable[[float], bool] | None = None,
        until: float | None = None,
    ) -> StoppedRun | None:
        """Run something with limits. On a busy machine it may take longer than its seconds, but not after `until`."""
        left = max(self.deadline - time.perf_counter(), MIN_RUN_SECONDS)
        most = seconds * MAX_BUSY_FACTOR if until is None else max(seconds, until - time.perf_counter())
        seconds, most = min(seconds, left), min(most, seconds * MAX_BUSY_FACTOR, left)
        resource_limits.set_watchdog(most + WATCHDOG_SPARE_SECONDS, self.stderr)
        stopped = resource_limits.run_with_limits(work, seconds, self.request.memory, gives_up, most)
        resource_limits.set_watchdog(GRACE_SECONDS, self.stderr)
        if stopped is not None and stopped.cause is StopCause.STILL_RUNNING:
            self.left_behind = True
            self.calls.asleep = True
            self.calls = self.calls.copy_columns()  # the program may still write into its own
        self.calls.drop_partial_rows()
        return stopped

    def _iterate_starts(self) -> Iterator[EntryPoint]:
        """Yield entry points. To find the next one runs code of the program, with limits."""
        assert self.program is not None  # noqa: S101 - loaded before
        guess = self.synthesizer
        for module in guess.needed_modules:
            if self._run_limited(partial(guess.names.load, module), MAX_MODULE_SECONDS) is not None:
                guess.names.forget(module)
        for stage in list_stages(self.program, self.project, self.search, self.request.call, guess):
            while True:
                found: list[EntryPoint] = []
                self.own, self.calls.asleep = False, True  # calls of the search are not recorded meanwhile
                self._run_limited(partial(_take_next, stage, found), MAX_STAGE_SECONDS)
                self.calls.asleep = False
                if not found or self.left_behind:
                    break
                yield found[0]

    def _iterate_with_repairs(self) -> Iterator[EntryPoint]:
        """Yield entry points. After a call that fails, because its object is not prepared, come calls with a prepared one."""
        for start in self._iterate_starts():
            yield start
            if not start.call or not isinstance(self.last_error, AttributeError) or self.left_behind:
                continue
            found: list[EntryPoint] = []
            repairs = partial(found.extend, ObjectRepairs(self.synthesizer).iterate_repairs(start, self.last_error))
            self.calls.asleep = True
            self._run_limited(repairs, MAX_STAGE_SECONDS)
            self.calls.asleep = False
            yield from found

    def _try_entry_points(self) -> tuple[list[FailedStart], EntryPoint | None, StoppedRun | None]:
        """Try entry points until calls are recorded.

        Return the failed ones, the one that worked, and why it ended early.
        """
        assert self.program is not None  # noqa: S101 - loaded before
        failed: list[FailedStart] = []
        fallback: StoppedStart | None = None  # the best start that was stopped
        for start in self._iterate_with_repairs():
            if start.script in self.hanging:
                continue
            if self.left_behind or (time.perf_counter() > self.start_deadline and failed):
                break
            memory = ModuleSnapshot(self.program.module) if start.guessed else None
            start, stopped = self._try_smaller(start, self._try_entry_point(start))
            self.last_start, self.last_error = start, None if stopped is None else stopped.error
            rows = len(self.calls)
            if start.guessed:
                self.guesses.append((rows, start))
            if rows > 1 and (stopped is None or not start.guessed):
                return failed, start, stopped
            is_error = stopped is not None and not stopped.is_too_large and rows < MIN_FAILING_ROWS
            is_error = is_error and not self._prove_own_error(self.last_error)
            if rows and stopped is not None and not (start.guessed and is_error) and (fallback is None or rows > fallback.rows):
                fallback = StoppedStart(start, stopped, rows, self.calls.copy_columns(), self.result, self.seconds)
            failed.append(FailedStart(start.text, (stopped or StoppedRun(StopCause.NO_SEARCH_CALL)).sentence))
            if start.script and stopped is not None and stopped.cause is StopCause.NO_SEARCH_IN_TIME:
                self.hanging.add(start.script)
            if memory is not None:
                memory.restore_state()
        if fallback is None:
            return failed, None, None
        self._put_back(fallback)
        return [attempt for attempt in failed if attempt.start != fallback.start.text], fallback.start, fallback.stopped

    def _prove_own_error(self, error: BaseException | None) -> str:
        """Return why an error is the program's own, whatever its arguments are: nothing defines the name. Else return ""."""
        name = getattr(error, "name", None)
        if not isinstance(name, str) or isinstance(error, UnboundLocalError) or self.program is None:
            return ""
        if isinstance(error, NameError) and name not in vars(self.program.module) and name not in defined_names(self.tree):
            return f"nothing in {self.path.name} defines or imports {name}, so this line fails for every position"
        is_defined = any(name in defined_names(module.tree) for module in self.project.modules.values())
        if isinstance(error, AttributeError) and is_program_object(type(error.obj)) and not is_defined:
            return f"nothing in the project defines {name}, so this line fails for every position"
        return ""

    def _put_back(self, kept: "StoppedStart") -> None:
        """Put the record of an earlier start back, because all later ones were worse."""
        self.calls.clear()
        for name in COLUMN_NAMES:
            getattr(self.calls, name)[:] = getattr(kept.calls, name)
        self.calls.positions.update(kept.calls.positions)
        self.calls.late.extend(kept.calls.late)
        self.calls.count, self.calls.texts, self.calls.runs = kept.calls.count, kept.calls.texts, kept.calls.runs
        self.calls.snapshots, self.result, self.seconds = kept.calls.snapshots, kept.result, kept.seconds

    def _try_smaller(self, start: EntryPoint, stopped: StoppedRun | None) -> tuple[EntryPoint, StoppedRun | None]:
        """If a search is too large, try it later in the game, then with smaller depths."""
        if (
            stopped is None
            or not stopped.is_too_large
            or len(self.calls) <= 1
            or self.left_behind
            or self.request.call is not None
        ):
            return start, stopped
        kept = StoppedStart(start, stopped, len(self.calls), self.calls.copy_columns(), self.result, self.seconds)
        if (later := self._choose_later_start(start)) is not None:
            return later, self._try_entry_point(later)
        if stopped.cause is StopCause.MEMORY_LIMIT or len(self.calls) < MIN_LARGE_ROWS:
            return start, stopped  # it hangs, or does something else
        for depth in TRIED_DEPTHS:
            if time.perf_counter() > self.start_deadline:
                break
            smaller = start.at_depth(depth) if start.at_depth is not None else self._limit_depth(start, depth)
            if smaller is None or smaller.text == start.text:
                continue
            ended = self._try_entry_point(smaller)
            if len(self.calls) > 1 and (ended is None or not ended.is_too_large):
                return smaller, ended
        self._put_back(kept)
        return start, stopped

    def _limit_depth(self, start: EntryPoint, depth: int) -> EntryPoint | None:
        """Return the start with a smaller depth in its outermost calls. Return None if no depth is known."""
        settings = vars(self.program.module) if self.program is not None else {}
        names = [self.functions[name].arguments for name in self.found.functions]
        if not has_depth(names, settings):
            return None

        def run() -> Any:
            self.calls.adjust = lambda number, args, kwargs: limit_depth(
                self.functions[self.calls.functions[number].name], self.calls.functions[number].arguments, args, kwargs, depth
            )
            held = lower_settings(settings, depth)
            try:
                return start.run()
            finally:
                self.calls.adjust = None
                settings.update(held)

        return start._replace(text=f"{start.text}, with a depth of {depth}", run=run)

    def _try_entry_point(self, start: EntryPoint) -> StoppedRun | None:
        self.calls.clear()
        self.prints.clear()
        EVENTS.restart()
        CHOICES.restart()
        self.own, self.guessing, self.result = start.own, start.guessed, None
        resource_limits.seed_random()
        done: list[bool] = []

        def work() -> None:
            try:
                self.result = start.run()
            except FirstSearchDone:
                done.append(True)

        begun = time.perf_counter()
        long = self.request.seconds >= LONG_SECONDS and self.request.call is None
        limit = min(self.request.seconds / 4, MAX_OWN_SECONDS) if long else self.request.seconds
        seconds = min(limit, MAX_GUESS_SECONDS) if start.guessed else limit
        idle = MAX_IDLE_GUESS_SECONDS if start.guessed or self.hanging else MAX_IDLE_SECONDS
        gives_up = None if self.request.call is not None else (lambda passed: passed > idle and len(self.calls) == 0)
        stopped = self._run_limited(work, seconds, gives_up, self.start_deadline)
        self.seconds = time.perf_counter() - begun
        self.own = False
        if done:
            return None
        is_idle = gives_up is not None and len(self.calls) == 0
        if stopped is not None and stopped.cause is StopCause.TIME_LIMIT and is_idle:
            return StoppedRun(StopCause.NO_SEARCH_IN_TIME, resource_limits.format_seconds(min(idle, seconds)))
        return stopped

    def _choose_later_start(self, start: EntryPoint) -> EntryPoint | None:
        """Return an entry point later in the game, for a search that is too large: its largest call that returned.

        Return None if the user has chosen the start, or if the search has windows: there the root's windows matter.
        """
        ended = [
            snapshot for snapshot in self.calls.snapshots.calls if not snapshot.is_root and self.calls.end[snapshot.row] != NO_ROW
        ]
        sizes = {snapshot.row: self.calls.end[snapshot.row] - snapshot.row for snapshot in ended}
        fitting = [snapshot for snapshot in ended if LATER_ROWS_RANGE[0] <= sizes[snapshot.row] <= LATER_ROWS_RANGE[1]]
        if self.request.call is not None or not fitting or any(roles.alpha for roles in find_roles(self.calls)):
            return None
        chosen = max(fitting, key=lambda snapshot: sizes[snapshot.row])
        name = self.calls.functions[chosen.number].name

        def run() -> Any:
            with chosen.restored_context() as arguments:
                return self._make_wrapper(name)(chosen.function)(*arguments)

        return EntryPoint(f"{start.text}, which is too large; instead {name} later in the game (call {chosen.row:,})", run, False)

    def _build_failure(self, failed: list[FailedStart]) -> Answer:
        """Build the answer if no start has worked: what was found, what was tried, and a call to type."""
        assert self.program is not None  # noqa: S101 - loaded before
        search = ", ".join(self.found.functions)
        if self.request.call is not None:
            why = failed[0].reason if failed else "it cannot be evaluated"
            failure = f"--call {self.request.call!r} does not reach {search}: {why}"
        elif isinstance(vars(self.program.module).get(self.found.functions[0].partition(".")[0]), AbsorbingStub):
            failure = f"{search} cannot be defined ({'; '.join(self.program.notes[:MAX_SHOWN_NOTES])})"
        else:
            failure = f"no way to start {search} was found" + (f" ({failed[0].text})" if failed else "")
        return Answer(
            failed=failure[:MAX_FAILURE_CHARS],
            functions=list(self.found.functions),
            place=self._place(self.found.functions[0]),
            tried=[attempt.short_text for attempt in failed[:MAX_SHOWN_TRIES]],
            prints=self.prints.text,
            notes=[*self.project.notes, *self.program.notes],
            pretended=self._list_stand_ins(),
            hint=self._choose_hint(),
            others=self._list_other_searches(),
        )

    def _choose_hint(self) -> str:
        """Return the call that came nearest to the search, if it can be typed."""
        if self.request.call is not None:
            return ""
        best = max(self.guesses, key=lambda guess: guess[0], default=None)
        return best[1].call if best is not None else ""

    def _list_other_searches(self) -> list[str]:
        """Return other functions of the file that look like a search. There are none if the user has chosen one."""
        if self.request.call is not None or self.request.function is not None:
            return []
        groups = [group for group in self.found.others if score_group(group, self.functions) >= MIN_SEARCH_SCORE]
        return [group[0] for group in groups]

    def _place(self, name: str) -> str:
        return f"{self._file_name(name)}, line {self.functions[name].node.lineno}"

    def _file_name(self, name: str) -> str:
        path = self.files.get(name, self.path)
        return path.relative_to(self.project.root).as_posix() if path.is_relative_to(self.project.root) else path.name

    def _list_stand_ins(self) -> list[str]:
        return [] if self.program is None else sorted({name.partition(".")[0] for name in self.program.stubs})

    # ---- the answer

    def _build_answer(self, start: EntryPoint, failed: list[FailedStart], stopped: StoppedRun | None) -> Answer:
        roles = find_roles(self.calls, self.request.roles)
        score = self._find_score(roles)
        answer = build_answer(self.calls, roles, score)
        answer.functions = list(self.found.functions)
        names = [*(function.name for function in self.calls.functions), *([answer.root.name] if answer.root else [])]
        answer.sources = [self._read_source(name) for name in names]
        answer.started, answer.tried = start.text, [attempt.text for attempt in failed]
        answer.stopped = "" if stopped is None else stopped.sentence
        answer.result, answer.seconds, answer.prints = format_state(self.result)[:200], self.seconds, self.prints.text
        answer.notes = [*self.project.notes, *(self.program.notes if self.program is not None else [])]
        answer.pretended, answer.place = self._list_stand_ins(), self._place(self.found.functions[0])
        self._add_judgement(roles, score, stopped, answer)
        return answer

    def _find_score(self, roles: list[ArgumentRoles]) -> ScorePath | None:
        """Return the place of the score. If results have several numbers, calls are made again to see which one counts."""
        usual = find_score(self.calls)
        if usual is None or self.left_behind:
            return usual
        chosen = [usual]
        when_left, self.calls.when_left = self.calls.when_left, None
        self._run_limited(lambda: chosen.append(choose_score(self.calls, roles, usual)), MAX_SCORE_SECONDS)
        self.calls.when_left = when_left
        return chosen[-1]

    def _add_judgement(
        self, roles: list[ArgumentRoles], score: ScorePath | None, stopped: StoppedRun | None, answer: Answer
    ) -> None:
        """Add the judgement to the answer. The judge makes some calls of the program again, with the same limits."""
        if score is None:
            answer.not_looked_at.append(Unchecked.SCORES)
            if stopped is not None and stopped.cause is StopCause.ENDLESS_RECURSION:
                name = self.calls.functions[self.calls.function[0]].name
                line = self.functions[name].node.lineno
                sentence = f"in {name} (line {line}): {stopped.sentence}"
                proof = describe_endless_recursion(WatchedProgram(self.calls, roles, ScorePath(), self.tree, False))
                found_at = (self._file_name(name), line, proof)
                answer.findings.append(Finding("infinite-or-huge", bool(proof), 0, 1, sentence, "", *found_at))
            elif stopped is not None and is_own_exception(stopped, self.tree):
                answer.findings.append(self._report_error(stopped))
            return
        if self.left_behind:
            answer.not_looked_at.append(Unchecked.CALLS_AGAIN)
            return
        found: list[Judgement] = []
        self.calls.when_left, self.calls.max_rows = None, 2 * self.request.max_rows
        functions = {name: replace(function, file=self._file_name(name)) for name, function in self.functions.items()}
        program = WatchedProgram(self.calls, roles, score, self.tree, stopped is None, functions)
        crashes: list[str] = []

        def judge() -> None:
            try:
                found.append(judge_search(program, stopped, found.append))
            except Exception as error:  # ours: those of the program are caught where its calls are made again
                crashes.append(describe_own_crash(error))

        ended = self._run_limited(judge, self.request.seconds)
        if found:
            judgement = found[-1]
            answer.variants, answer.findings, answer.one_score = judgement.variants, judgement.findings, judgement.one_score
            answer.looked_at, answer.not_looked_at = judgement.looked_at, judgement.not_looked_at
            answer.calls, answer.positions = judgement.calls, judgement.positions
            answer.findings = clear_missing_rows(answer.findings, answer.rows.count if answer.rows is not None else 0)
        if ended is not None or crashes:
            what = "some of the calls" if found else "the calls one by one"
            answer.not_looked_at.append(f"{what}: {crashes[0] if crashes else 'the time ran out'}")

    def _report_error(self, stopped: StoppedRun) -> Finding:
        """Return the finding that the search stops with an error, at the last line of its file that was running."""
        name = self.calls.functions[self.calls.function[-1]].name
        trace = traceback.extract_tb(stopped.error.__traceback__) if stopped.error is not None else []
        lines = [frame.lineno for frame in trace if frame.filename == str(self.path) and frame.lineno]
        line = lines[-1] if lines else self.functions[name].node.lineno
        proof = self._prove_own_error(stopped.error)
        row = len(self.calls) - 1
        return Finding("raises", bool(proof), row, 1, stopped.sentence, file=self._file_name(name), line=line, proof=proof)

    def _read_source(self, name: str) -> FunctionSource:
        node, path = self.functions[name].node, self.files.get(name, self.path)
        lines = path.read_text(errors="replace").splitlines()[node.lineno - 1 : node.end_lineno]
        return FunctionSource(name, node.lineno, lines[:MAX_SOURCE_LINES], self._file_name(name))


def _take_next(stage: Iterator[EntryPoint], found: list[EntryPoint]) -> None:
    found.extend(islice(stage, 1))


def _do_nothing() -> None:
    """Do nothing: a search that ran while its program was loaded cannot be run again by a call."""


def _unload_shadowed_modules(project: Project) -> None:
    """Unload modules that have the same name as files of the project. For the program its own files come first."""
    for module in project.modules.values():
        for name in {module.name.partition(".")[0], module.path.stem}:
            if name in sys.modules and name not in sys.stdlib_module_names and name not in PROTECTED_MODULES:
                for loaded in [one for one in sys.modules if one == name or one.startswith(f"{name}.")]:
                    del sys.modules[loaded]


if __name__ == "__main__":
    main()
