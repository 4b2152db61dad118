"""Tasks and jobs. A task runs once for all equal requests. A job is one visitor's wait for it."""

from collections.abc import Callable, Hashable
from threading import Event, Lock
from time import monotonic
from typing import Any, NamedTuple, Protocol


class Listener(Protocol):
    """Receives the progress and the results of work."""

    def progress(self, amount: Any) -> bool:
        """Receive the latest progress. Return False to stop the work."""

    def add_result(self, item: Any) -> None:
        """Receive a result that can be shown before the end. Every result arrives."""


Work = Callable[[Listener], Any]  # can be sent to another process


class Unfinished(NamedTuple):
    """The answer of work that runs in parts. The rest goes back into the queue."""

    rest: Work


class Task:
    """Work that several jobs may wait for. Each part of it may run for some seconds."""

    def __init__(self, work: Work, seconds: float):
        self.work, self.seconds = work, seconds
        self.jobs: list[Job] = []  # waiting jobs; empty when it is done, so that the answer is freed with the last job
        self.latest_progress: Any = None
        self.items: list[Any] = []
        self.answer: Any = None
        self.error: Exception | None = None
        self.done = Event()
        self.stopping = self.timed_out = False
        self.arrived = self.began = monotonic()
        self._lock = Lock()  # so that no job joins while the task is being stopped or finished

    @property
    def visitors(self) -> set[Hashable]:
        """Return the visitors who wait for it."""
        return {job.visitor for job in tuple(self.jobs) if job.is_wanted}

    @property
    def should_continue(self) -> bool:
        """Return True while a visitor waits for it and its time is not over. Once stopped, it stays stopped."""
        with self._lock:
            if not self.stopping:
                self.timed_out = monotonic() - self.began > self.seconds
                self.stopping = self.timed_out or not self.visitors
            return not self.stopping

    def admit(self, job: "Job") -> bool:
        """Let another job wait for this task and return True. Return False if the task is done or stopping."""
        with self._lock:
            if self.stopping or self.done.is_set():
                return False
            job.join_task(self)
            return True

    def drop_if_unwanted(self) -> bool:
        """End the task and return True if no visitor waits for it any more."""
        with self._lock:
            if self.visitors:
                return False
            self.stopping = True
        self.finish()
        return True

    def drop(self) -> None:
        """End the task without running it."""
        self.stopping = True
        self.finish()

    def begin(self) -> None:
        self.began = monotonic()

    def progress(self, amount: Any) -> bool:
        self.latest_progress = amount
        return self.should_continue

    def add_result(self, item: Any) -> None:
        self.items.append(item)

    def finish(self, answer: Any = None, error: Exception | None = None) -> None:
        with self._lock:
            self.answer, self.error = answer, error
            self.done.set()
            self.jobs = []


class Job:
    """A visitor's wait for one or more tasks.

    It is wanted until it is cancelled or its visitor has left. A slow page does not end it.
    """

    def __init__(self, visitor: Hashable = None, visitor_is_here: Callable[[], bool] = lambda: True):
        self.visitor, self.visitor_is_here = visitor, visitor_is_here
        self.tasks: list[Task] = []
        self._cancelled = False

    def join_task(self, task: Task) -> None:
        self.tasks.append(task)
        if not task.done.is_set():
            task.jobs.append(self)

    @property
    def is_wanted(self) -> bool:
        return not self._cancelled and self.visitor_is_here()

    @property
    def is_over(self) -> bool:
        """Return True if there is nothing left to wait for: it is done, or it was cancelled and only others wait for it."""
        return all(task.done.is_set() or (self._cancelled and task.visitors) for task in self.tasks)

    @property
    def stopped(self) -> bool:
        """Return True if it ended early: it was cancelled, its visitor left, or it took too long."""
        return any(task.stopping for task in self.tasks)

    @property
    def timed_out(self) -> bool:
        """Return True if it was stopped because it took too long."""
        return any(task.timed_out for task in self.tasks)

    @property
    def was_abandoned(self) -> bool:
        """Return True if it was stopped because its visitor had left, and the visitor is back."""
        return self.is_over and self.stopped and not self.timed_out and not self._cancelled

    @property
    def latest_progress(self) -> Any:
        return self.tasks[0].latest_progress

    @property
    def items(self) -> list[Any]:
        """Return the results so far that can be shown."""
        return [item for task in self.tasks for item in tuple(task.items)]

    @property
    def answer(self) -> Any:
        return self.tasks[0].answer

    def wait(self, seconds: float) -> bool:
        """Wait up to this time and return True if it is done. Raise the error of its tasks."""
        until = monotonic() + seconds
        done = all(task.done.wait(max(0.0, until - monotonic())) for task in self.tasks)
        for task in self.tasks:
            if task.error is not None:
                raise task.error
        return done

    def cancel(self) -> None:
        """Stop the work within some hundredths of a second, unless others wait for it."""
        self._cancelled = True
