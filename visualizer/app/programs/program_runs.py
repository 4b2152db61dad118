"""Runs of programs in the background: one for each visitor at a time. The visitor who used the least time comes next.

A program never runs in this process: engine/checker starts a process with limits for it.
"""

import threading
import time
from collections.abc import Callable
from functools import cache
from math import ceil

from engine.checker.check import CheckedProgram, check
from engine.checker.run_file import write_run_file
from engine.checker.sandbox.worker_protocol import CheckRequest
from engine.core.errors import PlyscopeError
from visualizer.app.state.opened_runs import OpenedFile, open_run
from visualizer.app.state.program_access import are_programs_isolated

MAX_RUNS_AT_ONCE = 2
MAX_WAITING = 100
MAX_SECONDS = 60.0
BUDGET_SECONDS = 600.0  # for the programs of one visitor, where a server runs those of others
BUDGET_PERIOD_SECONDS = 3600.0


class ProgramRun:
    """One run. It waits for its turn, then a thread of its own waits for the process of the program."""

    def __init__(self, request: CheckRequest, visitor: str = "", is_connected: Callable[[], bool] = lambda: True):
        self.request, self.visitor = request, visitor
        self._is_connected = is_connected
        self.checked: CheckedProgram | None = None
        self.failed = ""
        self._cancelled, self._done = threading.Event(), threading.Event()
        self._began = 0.0

    def run(self) -> None:
        """Run the program. Called by the queue."""
        self._began = time.monotonic()
        try:
            self.checked = check(self.request, lambda: self.is_cancelled)
        except PlyscopeError as error:
            self.failed = str(error)
        except Exception as error:  # ours: the page says so, and the next run may work
            self.failed = f"Plyscope could not look at this program (please report): {type(error).__name__}"
        finally:
            self._done.set()

    def skip(self) -> None:
        """End a run that was cancelled before its turn."""
        self.failed = "the run was cancelled"
        self._done.set()

    def cancel(self) -> None:
        self._cancelled.set()

    def wait(self, seconds: float) -> bool:
        """Return True if the run has ended."""
        return self._done.wait(seconds)

    @property
    def is_cancelled(self) -> bool:
        """Return True if the run was cancelled or its visitor has left."""
        return self._cancelled.is_set() or not self._is_connected()

    @property
    def seconds(self) -> float:
        """Return the seconds since the program was started; 0 while it waits."""
        return time.monotonic() - self._began if self._began else 0.0

    def open_result(self) -> OpenedFile | None:
        """Return the recorded search as the page opens it, or None if nothing was recorded."""
        if self.checked is None or self.checked.answer.rows is None:
            return None
        verdict, answer = self.checked
        return open_run(write_run_file(verdict.file, answer), verdict.file)


class UsedTime:
    """The time that the programs of each visitor have taken in the last hour."""

    def __init__(self) -> None:
        self._runs: dict[str, list[tuple[float, float]]] = {}  # by visitor: when each run ended, and its seconds

    def add(self, visitor: str, seconds: float) -> None:
        """Note a run that has just ended, and forget the old ones of all visitors."""
        now = time.monotonic()
        self._runs.setdefault(visitor, []).append((now, seconds))
        recent = {name: [run for run in runs if run[0] > now - BUDGET_PERIOD_SECONDS] for name, runs in self._runs.items()}
        self._runs = {name: runs for name, runs in recent.items() if runs}

    def count_seconds(self, visitor: str) -> float:
        """Return the seconds of a visitor's recent runs."""
        return sum(seconds for _, seconds in self._recent_runs(visitor))

    def wait_seconds(self, visitor: str, budget: float) -> float:
        """Return how long a visitor has to wait until the runs of the last hour take less than the budget."""
        over = self.count_seconds(visitor) - budget
        for ended, seconds in self._recent_runs(visitor):
            if over < 0:
                return 0.0
            over -= seconds
            if over < 0:
                return ended + BUDGET_PERIOD_SECONDS - time.monotonic()
        return 0.0

    def _recent_runs(self, visitor: str) -> list[tuple[float, float]]:
        begin = time.monotonic() - BUDGET_PERIOD_SECONDS
        return [run for run in self._runs.get(visitor, ()) if run[0] > begin]


class RunQueue:
    """The runs that wait. Some threads run one after the other."""

    def __init__(self, max_at_once: int = MAX_RUNS_AT_ONCE, budget: float | None = None):
        self._waiting: list[ProgramRun] = []
        self._running: list[ProgramRun] = []
        self._max_at_once, self._threads, self._budget = max_at_once, 0, budget
        self._used = UsedTime()
        self._lock = threading.Lock()

    def submit(self, run: ProgramRun) -> None:
        """Add a run. Raise PlyscopeError if too many wait, or if its visitor has one already or has used up the budget."""
        with self._lock:
            self._check_visitor(run.visitor)
            if len(self._waiting) >= MAX_WAITING:
                raise PlyscopeError("too many programs are waiting: try again later")
            self._waiting.append(run)
            if self._threads < self._max_at_once:
                self._threads += 1
                threading.Thread(target=self._work, daemon=True).start()

    def _check_visitor(self, visitor: str) -> None:
        if not visitor:
            return
        if any(run.visitor == visitor and not run.is_cancelled for run in (*self._waiting, *self._running)):
            raise PlyscopeError("your other program has not ended: one program runs for a visitor at a time")
        if self._budget is not None and (seconds := self._used.wait_seconds(visitor, self._budget)) > 0:
            raise PlyscopeError(
                f"your programs have run for {self._used.count_seconds(visitor):.0f} seconds in the last hour, and the limit of "
                f"this server is {self._budget:.0f}: try again in {ceil(seconds / 60)} minutes"
            )

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._threads -= 1
                    return
                run = self._in_order()[0]
                self._waiting.remove(run)
                self._running.append(run)
            if run.is_cancelled:
                run.skip()
            else:
                run.run()
            with self._lock:
                self._running.remove(run)
                self._used.add(run.visitor, run.seconds)

    def _in_order(self) -> list[ProgramRun]:
        """Return the waiting runs as they will be run: those of visitors who used the least time first."""
        return sorted(self._waiting, key=lambda run: self._used.count_seconds(run.visitor))  # stable: then first come

    def place(self, run: ProgramRun) -> int:
        """Return how many runs are before this one, with those that are running; 0 if it runs or has ended."""
        with self._lock:
            return self._in_order().index(run) + 1 if run in self._waiting else 0


@cache
def run_queue() -> RunQueue:
    """Return the queue of this server."""
    return RunQueue(budget=BUDGET_SECONDS if are_programs_isolated() else None)
