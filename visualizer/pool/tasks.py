"""Work on behalf of visitors: a task is done once for all who ask the same, and each of them has a job that tells of it."""

from collections.abc import Callable, Hashable
from threading import Event, Lock
from time import monotonic
from typing import Any, NamedTuple, Protocol


class Listener(Protocol):
    """How work tells of itself."""

    def progress(self, how_far: Any) -> bool:
        """How far it is, of which the latest counts; the answer is whether to go on."""

    def news(self, item: Any) -> None:
        """Something that is done and can be shown before the end: none of these is lost."""


Work = Callable[[Listener], Any]  # with everything in it that a process of its own needs


class Unfinished(NamedTuple):
    """The answer of work that is done in parts: what is left of it stands in the queue again."""

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
        """Those who wait for it."""
        return {job.visitor for job in tuple(self.jobs) if job.wanted}

    @property
    def going_on(self) -> bool:
        """Whether somebody waits for it and it has time; once it is stopped, it stays so."""
        with self._door:
            if not self.stopping:
                self.timed_out = monotonic() - self.began > self.seconds
                self.stopping = self.timed_out or not self.visitors
            return not self.stopping

    def admit(self, job: "Job") -> bool:
        """Let a job wait for this, too, unless it is done or stops."""
        with self._door:
            if self.stopping or self.done.is_set():
                return False
            job.joins(self)
            return True

    def drop_unwanted(self) -> bool:
        """Whether nobody waits for it any more; then that is the end of it."""
        with self._door:
            if self.visitors:
                return False
            self.stopping = True
        self.finish()
        return True

    def drop(self) -> None:
        """There will be nobody to work on it."""
        self.stopping = True
        self.finish()

    def begin(self) -> None:
        self.began = monotonic()

    def progress(self, how_far: Any) -> bool:
        self.how_far = how_far
        return self.going_on

    def news(self, item: Any) -> None:
        self.items.append(item)

    def finish(self, answer: Any = None, error: Exception | None = None) -> None:
        with self._door:
            self.answer, self.error = answer, error
            self.done.set()
            self.jobs = []


class Job:
    """What one visitor waits for. It is wanted until it is cancelled or its visitor has gone; a slow page keeps it."""

    def __init__(self, visitor: Hashable = None, visitor_is_here: Callable[[], bool] = lambda: True):
        self.visitor, self.visitor_is_here = visitor, visitor_is_here
        self.tasks: list[Task] = []
        self._cancelled = False

    def joins(self, task: Task) -> None:
        self.tasks.append(task)
        if not task.done.is_set():
            task.jobs.append(self)

    @property
    def wanted(self) -> bool:
        return not self._cancelled and self.visitor_is_here()

    @property
    def over(self) -> bool:
        """Whether there is nothing left to wait for: it is done, or cancelled and going on for others."""
        return all(task.done.is_set() or (self._cancelled and task.visitors) for task in self.tasks)

    @property
    def stopped(self) -> bool:
        """Whether it ended before its end: it was cancelled, its visitor went, or it took too long."""
        return any(task.stopping for task in self.tasks)

    @property
    def timed_out(self) -> bool:
        """Whether it was stopped because it took too long."""
        return any(task.timed_out for task in self.tasks)

    @property
    def abandoned(self) -> bool:
        """Whether it was stopped although nobody said so: its visitor had gone, and is here again."""
        return self.over and self.stopped and not self.timed_out and not self._cancelled

    @property
    def how_far(self) -> Any:
        return self.tasks[0].how_far

    @property
    def items(self) -> list[Any]:
        """What is done so far and can be shown."""
        return [item for task in self.tasks for item in tuple(task.items)]

    @property
    def answer(self) -> Any:
        return self.tasks[0].answer

    def wait(self, seconds: float) -> bool:
        """Whether it is done within this time. Raises what went wrong in it."""
        until = monotonic() + seconds
        done = all(task.done.wait(max(0.0, until - monotonic())) for task in self.tasks)
        for task in self.tasks:
            if task.error is not None:
                raise task.error
        return done

    def cancel(self) -> None:
        """Work on it stops within some hundredths of a second, unless others want the same."""
        self._cancelled = True
