"""Runs of programs in the background: one for each visitor at a time, first come, first served.

A program never runs in this process: engine/checker starts a process with limits for it.
"""

import threading
import time
from collections import deque
from functools import cache

from engine.checker.check import CheckedProgram, check
from engine.checker.run_file import write_run_file
from engine.checker.sandbox.worker_protocol import CheckRequest
from engine.core.errors import PlyscopeError
from visualizer.app.state.opened_runs import OpenedFile, open_run

MAX_RUNS_AT_ONCE = 2
MAX_WAITING = 20
MAX_SECONDS = 60.0


class ProgramRun:
    """One run. It waits for its turn, then a thread of its own waits for the process of the program."""

    def __init__(self, request: CheckRequest):
        self.request = request
        self.checked: CheckedProgram | None = None
        self.failed = ""
        self._cancelled, self._done = threading.Event(), threading.Event()
        self._began = 0.0

    def run(self) -> None:
        """Run the program. Called by the queue."""
        self._began = time.monotonic()
        try:
            self.checked = check(self.request, self._cancelled.is_set)
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
        return self._cancelled.is_set()

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


class RunQueue:
    """The runs that wait, in order. Some threads run one after the other."""

    def __init__(self, max_at_once: int = MAX_RUNS_AT_ONCE):
        self._waiting: deque[ProgramRun] = deque()
        self._max_at_once, self._running = max_at_once, 0
        self._lock = threading.Lock()

    def submit(self, run: ProgramRun) -> None:
        """Add a run. Raise PlyscopeError if too many wait."""
        with self._lock:
            if len(self._waiting) >= MAX_WAITING:
                raise PlyscopeError("too many programs are waiting: try again later")
            self._waiting.append(run)
            if self._running < self._max_at_once:
                self._running += 1
                threading.Thread(target=self._work, daemon=True).start()

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._running -= 1
                    return
                run = self._waiting.popleft()
            if run.is_cancelled:
                run.skip()
            else:
                run.run()

    def place(self, run: ProgramRun) -> int:
        """Return how many runs are before this one; 0 if it runs or has ended."""
        with self._lock:
            return self._waiting.index(run) + 1 if run in self._waiting else 0


@cache
def run_queue() -> RunQueue:
    return RunQueue()
