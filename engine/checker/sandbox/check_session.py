"""The check of one program in the worker process: load it, start its search, judge it."""

import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, TextIO

from engine.checker.discovery.argument_synthesis import ArgumentSynthesizer, EntryPoint
from engine.checker.discovery.changing_state import find_changing_globals, find_shared_places
from engine.checker.discovery.entry_points import has_state_argument, is_move_chooser
from engine.checker.discovery.project import Project
from engine.checker.discovery.script_options import OptionChooser, chosen_options, list_search_names
from engine.checker.own_code import fingerprint_own_code
from engine.checker.recording.call_recorder import COLUMN_NAMES, NO_ROW, RecordedCalls, record_function, record_root_function
from engine.checker.recording.program_clock import CLOCK
from engine.checker.recording.shared_state import set_shared_places
from engine.checker.sandbox import resource_limits
from engine.checker.sandbox.first_search import FirstSearchDone, KeptRecord
from engine.checker.sandbox.launcher import GRACE_SECONDS, max_program_seconds
from engine.checker.sandbox.loader import LoadedProgram, installed_finders, load_program, noninteractive_mode
from engine.checker.sandbox.program_source import ProgramSource
from engine.checker.sandbox.report_writer import ReportWriter
from engine.checker.sandbox.search_starter import SearchStarter
from engine.checker.sandbox.user_choices import CHOICES
from engine.checker.sandbox.worker_protocol import Answer, CheckRequest, RepairedName, SearchReport
from engine.checker.stopped_run import StopCause, StoppedRun

WATCHDOG_SPARE_SECONDS = resource_limits.MAX_STOP_SECONDS + 1.5  # until a program is killed that cannot be interrupted
RESERVED_SECONDS = 6.0  # to stop a program and to send the answer
MAX_START_SHARE = 0.6  # of the time, for starting the search; the rest is for judging it
MIN_RUN_SECONDS = 0.5
MAX_BUSY_FACTOR = 3.0  # on a busy machine a run may take this many times its seconds, if there is time
MAX_IDLE_SECONDS = 5.0  # for an entry point to reach the search
MAX_GUESSED_ROWS = 20_000  # of a search that is repeated with larger depths, if we have started it
MIN_JUDGED_ROWS = 100  # of a search that shows enough; a larger one is looked for otherwise
MAX_WAITING_SECONDS = 3.0  # for a larger search of the same run
PROTECTED_MODULES = {"numpy", "msgspec"}  # never unloaded, even if a file beside the program has the name


class CheckSession:
    """The check of one program."""

    def __init__(self, request: CheckRequest, root: Path, path: Path | None, stderr: TextIO, began: float):
        self.request = request
        self.find_changes: Callable[[], str] = str  # returns the names of the checker's own code that the program has changed
        self.changed = ""
        self.stderr = stderr  # for the traceback if the process has to be killed
        total = max_program_seconds(request)
        self.deadline = began + total - min(RESERVED_SECONDS, total / 4)
        self.start_deadline = began + total * MAX_START_SHARE
        resource_limits.set_watchdog(GRACE_SECONDS, stderr)
        self.source = source = ProgramSource(request, root, path)
        self.project, self.search, self.found, self.path = source.project, source.search, source.found, source.path
        self.tree, self.functions, self.files = source.tree, source.functions, source.files
        self.trees = [module.tree for module in self.project.modules.values()]
        searching = [self.functions[name] for name in self.found.functions]
        CHOICES.set_search([name for function in searching for name in (function.plain_name, function.owner)])
        self.calls = RecordedCalls(max_rows=request.max_rows)
        self.calls.when_left = self._end_first_search
        self.prints = resource_limits.CapturedOutput()
        self.program: LoadedProgram | None = None
        self.own = False  # the run ends after its first search
        self.guessing = False
        self.changing: Callable[[], Any] | None = None
        self.result: Any = None
        self.left_behind = False  # it could not be stopped, and runs on
        self.kept: KeptRecord | None = None  # the largest search of this run that was too small
        self.kept_until = 0.0
        self.repaired: list[RepairedName] = []  # that the file of the search forgot to import

    def make_wrapper(self, name: str) -> Callable[[Any], Any]:
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
        if len(self.calls) <= 1 or self._waits_for_larger():
            self.calls.clear()  # one call is not a search: the game may have been over
        elif self.program is None:
            self.calls.asleep = True  # still loading: the rest of the program is needed
        else:
            raise FirstSearchDone

    def _waits_for_larger(self) -> bool:
        """Keep a search that is too small to judge, and return True if a larger one may follow.

        The first search of a program with growing depths makes only a few calls, and so does one at the end of a game.
        """
        if len(self.calls) >= MIN_JUDGED_ROWS or self.guessing or self.request.call is not None:
            return False
        if self.kept is None:
            self.kept_until = process_time() + MAX_WAITING_SECONDS
        if self.kept is None or len(self.calls) > self.kept.rows:
            self.kept = KeptRecord(len(self.calls), self.calls.copy_columns(), self.result, 0.0)
        return process_time() < self.kept_until

    def report(self) -> SearchReport | Answer:
        """Return the report, or why there is none: for a program that has changed the checker a verdict would mean nothing."""
        report = self._run_program()
        if changed := self.changed or self.find_changes():
            return Answer(failed=f"the program changes its checker ({changed}), so a verdict would mean nothing")
        return report

    def _run_program(self) -> SearchReport | Answer:
        options = OptionChooser(list_search_names(self.found.functions), [path.name for path in self.project.data_files])
        sys.argv = [str(self.path)]
        with resource_limits.patched_runtime(self.prints), noninteractive_mode(), CLOCK.installed(), chosen_options(options):
            resource_limits.seed_random()
            resource_limits.restore_old_numpy_names()
            self.find_changes = fingerprint_own_code()
            self.own = True
            begun = perf_counter()
            stopped = self.run_limited(self._load_program, self.request.seconds, self._never_searches)
            self.seconds = perf_counter() - begun
            if self.kept is not None and len(self.calls) < self.kept.rows and not self.left_behind:
                self.put_back(self.kept._replace(seconds=self.seconds))
            if len(self.calls) > 1 and self.request.call is None:
                loading = EntryPoint("the program while it was loaded", _do_nothing, True)
                return ReportWriter(self).build_report(loading, [], stopped)
            if self.program is None:
                why = "" if stopped is None else f": {stopped.sentence}"
                return Answer(failed=f"{self.path.name} cannot be loaded{why}", prints=self.prints.text)
            self.changing = find_changing_globals(self.program, self.functions)
            set_shared_places(find_shared_places(self.program, self.trees))
            self.synthesizer = ArgumentSynthesizer(self.program, self.project, self.search)
            with installed_finders(self.program.finders):
                starter = SearchStarter(self)
                failed, start, stopped = starter.try_entry_points()
                if start is None:
                    return ReportWriter(self).build_failure(failed, starter.guesses)
                return ReportWriter(self).build_report(start, failed, stopped)

    def _never_searches(self, passed: float) -> bool:
        return passed > max(MAX_IDLE_SECONDS, self.request.seconds / 4) and len(self.calls) == 0

    def _load_program(self) -> None:
        _unload_shadowed_modules(self.project)
        home, layout = self.search.module, self.project.layout()
        names = [
            *self.found.functions,
            *(name for name in self.found.roots if self.search.is_monte_carlo or is_move_chooser(self.functions[name])),
        ]
        layout.decorated[home.path] = {self.functions[name].node.lineno: name for name in names}
        for name, caller in self.source.iterate_outer_callers():
            layout.decorated.setdefault(caller.module.path, {})[self.functions[name].node.lineno] = name
        self.program = load_program(self.path, self.request.call, None, self.make_wrapper, layout)

    def run_limited(
        self,
        work: Callable[[], Any],
        seconds: float,
        gives_up: Callable[[float], bool] | None = None,
        until: float | None = None,
    ) -> StoppedRun | None:
        """Run something with limits. On a busy machine it may take longer than its seconds, but not after `until`."""
        left = max(self.deadline - perf_counter(), MIN_RUN_SECONDS)
        most = seconds * MAX_BUSY_FACTOR if until is None else max(seconds, until - perf_counter())
        seconds, most = min(seconds, left), min(most, seconds * MAX_BUSY_FACTOR, left)
        resource_limits.set_watchdog(most + WATCHDOG_SPARE_SECONDS, self.stderr)
        stopped = resource_limits.run_with_limits(work, seconds, self.request.memory, gives_up, most)
        resource_limits.set_watchdog(GRACE_SECONDS, self.stderr)
        self.changed = self.changed or self.find_changes()
        if stopped is not None and stopped.cause is StopCause.STILL_RUNNING:
            self.left_behind = True
            self.calls.asleep = True
            self.calls = self.calls.copy_columns()  # the program may still write into its own
        self.calls.drop_partial_rows()
        return stopped

    def keep_record(self) -> KeptRecord:
        return KeptRecord(len(self.calls), self.calls.copy_columns(), self.result, self.seconds)

    def put_back(self, kept: KeptRecord) -> None:
        """Put an earlier record back, because all later ones were worse."""
        self.calls.clear()
        for name in COLUMN_NAMES:
            getattr(self.calls, name)[:] = getattr(kept.calls, name)
        self.calls.positions.update(kept.calls.positions)
        self.calls.late.extend(kept.calls.late)
        self.calls.count, self.calls.texts, self.calls.runs = kept.calls.count, kept.calls.texts, kept.calls.runs
        self.calls.snapshots, self.result, self.seconds = kept.calls.snapshots, kept.result, kept.seconds
        self.calls.adjusted, self.calls.is_board_guessed = kept.calls.adjusted, kept.calls.is_board_guessed


def _do_nothing() -> None:
    """Do nothing: a search that ran while its program was loaded cannot be run again by a call."""


def _unload_shadowed_modules(project: Project) -> None:
    """Unload modules that have the same name as files of the project. For the program its own files come first."""
    for module in project.modules.values():
        for name in {module.name.partition(".")[0], module.path.stem}:
            if name in sys.modules and name not in sys.stdlib_module_names and name not in PROTECTED_MODULES:
                for loaded in [one for one in sys.modules if one == name or one.startswith(f"{name}.")]:
                    del sys.modules[loaded]
