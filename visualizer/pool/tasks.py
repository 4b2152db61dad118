"""Tasks and jobs: a task is run once for all who ask the same, and each visitor's job follows it."""

from collections.abc import Callable, Hashable
from threading import Event, Lock
from time import monotonic
from typing import Any, NamedTuple, Protocol


class Listener(Protocol):
    """Receives the progress and the results of work."""

    def progress(self, how_far: Any) -> bool:
        """Take the latest progress. Return False to stop the work."""

    def news(self, item: Any) -> None:
        """Take a result that can be shown before the end. None is lost."""


Work = Callable[[Listener], Any]  # with everything in it that a process of its own needs


class Unfinished(NamedTuple):
    """The answer of work that is done in parts. The rest goes back into the queue."""

    rest: Work


class Task:
    """Work for everybody who asked for it. It may run for some seconds at a time."""

    def __init__(self, work: Work, seconds: float):
        self.work, self.seconds = work, seconds
        self.jobs: list[Job] = []  # that wait: none when it is done, so that its answer goes with the last who needs it
        self.how_far: Any = None
        self.items: list[Any] = []
        self.answer: Any = None
        self.error: Exception | None = None
        self.done = Event()
        self.stopping = self.timed_out = False
        self.arrived = self.began = monotonic()
        self._door = Lock()  # nobody joins while it is decided that nobody waits, or that it is done

    @property
    def visitors(self) -> set[Hashable]:
        """Return the visitors who wait for it."""
        return {job.visitor for job in tuple(self.jobs) if job.wanted}

    @property
    def should_continue(self) -> bool:
        """Return True while a visitor waits for it and its time is not up. Once it is stopped, it stays stopped."""
        with self._door:
            if not self.stopping:
                self.timed_out = monotonic() - self.began > self.seconds
                self.stopping = self.timed_out or not self.visitors
            return not self.stopping

    def admit(self, job: "Job") -> bool:
        """Let another job wait for this task, and return True, unless it is done or stopping."""
        with self._door:
            if self.stopping or self.done.is_set():
                return False
            job.join_task(self)
            return True

    def drop_if_unwanted(self) -> bool:
        """End the task and return True if nobody waits for it any more."""
        with self._door:
            if self.visitors:
                return False
            self.stopping = True
        self.finish()
        return True

    def drop(self) -> None:
        """End the task because nobody will work on it."""
        self.stopping = True
        self.finish()

    def begin(self) -> None:
        self.began = monotonic()

    def progress(self, how_far: Any) -> bool:
        self.how_far = how_far
        return self.should_continue

    def news(self, item: Any) -> None:
        self.items.append(item)

    def finish(self, answer: Any = None, error: Exception | None = None) -> None:
        with self._door:
            self.answer, self.error = answer, error
            self.done.set()
            self.jobs = []


class Job:
    """A visitor's wait for one or more tasks.

    It is wanted until it is cancelled or its visitor has gone. A slow page keeps it.
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
    def wanted(self) -> bool:
        return not self._cancelled and self.visitor_is_here()

    @property
    def over(self) -> bool:
        """Return True if there is nothing left to wait for: it is done, or cancelled and running on for others."""
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
        """Return True if it was stopped because its visitor had gone, and the visitor is here again."""
        return self.over and self.stopped and not self.timed_out and not self._cancelled

    @property
    def how_far(self) -> Any:
        return self.tasks[0].how_far

    @property
    def items(self) -> list[Any]:
        """Return the results so far that can be shown."""
        return [item for task in self.tasks for item in tuple(task.items)]

    @property
    def answer(self) -> Any:
        return self.tasks[0].answer

    def wait(self, seconds: float) -> bool:
        """Wait, and return True if it is done within this time. Raise the error of its tasks."""
        until = monotonic() + seconds
        done = all(task.done.wait(max(0.0, until - monotonic())) for task in self.tasks)
        for task in self.tasks:
            if task.error is not None:
                raise task.error
        return done

    def cancel(self) -> None:
        """Stop the work within some hundredths of a second, unless others want the same."""
        self._cancelled = True
