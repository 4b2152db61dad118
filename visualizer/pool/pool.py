"""The pool: what is asked of it is worked on in processes, or, where there are none, in threads of this one."""

from collections.abc import Hashable
from threading import Lock, Thread
from time import monotonic, thread_time
from typing import Any
from weakref import WeakValueDictionary

from engine.core.errors import PlyscopeError
from visualizer.pool.fair_queue import FairQueue
from visualizer.pool.limits import Limits
from visualizer.pool.tasks import Job, Task, Unfinished, Work
from visualizer.pool.worker_handle import Worker, WorkerDied

TRIES = 2  # of a task whose worker dies
MOMENT = 0.01  # seconds of a core for which work is tried at once, before it goes elsewhere
DIED_TWICE = (
    "The process that worked on this ended twice in the middle of it, as it does when the machine has no memory left. "
    "Lower K, or start from a later position."
)


class Moment:
    """What work talks to that may go on for a moment only."""

    def __init__(self) -> None:
        self._until = thread_time() + MOMENT
        self.over = False

    def progress(self, how_far: Any) -> bool:
        self.over = self.over or thread_time() > self._until
        return not self.over

    def news(self, item: Any) -> None:
        return


def at_once(work: Work) -> tuple[bool, Any]:
    """Whether work is done within a moment, and its answer."""
    moment = Moment()
    answer = work(moment)
    return not moment.over, answer


class Threads:
    """Every task in a thread of this process. Those who ask for the same while it is worked on share one task."""

    workers = 1

    def __init__(self, limits: Limits | None = None):
        self.limits = limits or Limits()
        self._open: WeakValueDictionary[Hashable, Task] = WeakValueDictionary()
        self._lock = Lock()

    def submit(self, job: Job, key: Hashable, work: Work) -> None:
        """Let a job wait for this work; `key` is the same for whoever asks the same."""
        with self._lock:
            if self._joins(job, key):
                return
            task = Task(work, self.limits.seconds)
            job.joins(task)
            self._open[key] = task
        self._start(task)

    def answer_soon(self, job: Job, key: Hashable, work: Work) -> None:
        """The same for what may be small: work that takes a moment is not worth the way to another process and back."""
        with self._lock:
            if self._joins(job, key):
                return
        done, answer = at_once(work)
        if not done:
            self.submit(job, key, work)
            return
        task = Task(work, MOMENT)
        task.finish(answer)
        job.joins(task)

    def _joins(self, job: Job, key: Hashable) -> bool:
        task = self._open.get(key)
        return task is not None and task.admit(job)

    def place(self, job: Job) -> int:
        """Of a job in the queue; 0 when it is worked on."""
        return 0

    def warm_up(self) -> None:
        """Be ready, as soon as everything is compiled."""

    def close(self) -> None:
        """Work on nothing more."""

    def _start(self, task: Task) -> None:
        Thread(target=self._do, args=(task,), daemon=True).start()

    def _do(self, task: Task) -> None:
        task.begin()
        try:
            answer = task.work(task)
        except Exception as error:
            task.finish(error=error)
            return
        self._finish(task, answer)

    def _finish(self, task: Task, answer: Any) -> None:
        """The end of a task, or of a part of it."""
        if isinstance(answer, Unfinished) and task.going_on:
            task.work = answer.rest
            self._start(task)
        else:
            task.finish(answer)


class Queued(Threads):
    """Tasks wait in a fair queue for the next of those who work; `_answer` is how they do it."""

    def __init__(self, limits: Limits):
        super().__init__(limits)
        self._queue = FairQueue()

    def place(self, job: Job) -> int:
        return self._queue.place(job)

    def close(self) -> None:
        self._queue.close()

    def _start(self, task: Task) -> None:
        task.arrived = monotonic()
        self._queue.put(task)

    def _work(self, number: int) -> None:
        """One task after another, in a thread for each of those who work."""
        while self._work_on_next(number):
            continue

    def _work_on_next(self, number: int) -> bool:
        """Whether there was one. Nothing of it is kept while the next is waited for."""
        task = self._queue.take()
        if task is None:
            return False
        try:
            answer = self._answer(number, task)
        except Exception as error:
            self._queue.given_back(task)
            task.finish(error=error.with_traceback(None))  # which leads back to the task
        else:
            self._queue.given_back(task)  # before the rest of it stands in the queue again
            self._finish(task, answer)
        return True

    def _answer(self, number: int, task: Task) -> Any:
        raise NotImplementedError


class Processes(Queued):
    """Workers on this machine; one that dies is replaced."""

    def __init__(self, limits: Limits):
        super().__init__(limits)
        self.workers = limits.workers
        self._closed = False
        self.members = [Worker(limits.one_tree) for _ in range(limits.workers)]

    def warm_up(self) -> None:
        for number, worker in enumerate(self.members):
            try:
                worker.warm_up()
            except WorkerDied:
                self._replace(number)
            Thread(target=self._work, args=(number,), daemon=True).start()

    def close(self) -> None:
        self._closed = True
        super().close()
        for worker in self.members:
            worker.end()

    def _answer(self, number: int, task: Task) -> Any:
        for _ in range(TRIES):
            try:
                return self.members[number].ask(task)
            except WorkerDied:
                self._replace(number)
                if not task.going_on:
                    return None
        raise PlyscopeError(DIED_TWICE)

    def _replace(self, number: int) -> None:
        if self._closed:
            return
        self.members[number].end()
        self.members[number] = Worker(self.limits.one_tree)
        try:
            self.members[number].warm_up()
        except WorkerDied:  # it is told when the next task wants it
            return


class _Current:
    """The pool of this server."""

    pool: Threads | None = None


def use(pool: Threads | None) -> None:
    """Work on everything in this pool from now on."""
    _Current.pool = pool


def the_pool() -> Threads:
    """Where work goes: threads of this process, unless the server has started something better."""
    if _Current.pool is None:
        _Current.pool = Threads()
    return _Current.pool
