"""The pool runs the app's work in worker processes, or in threads where processes are not possible."""

from collections.abc import Hashable
from threading import Lock, Thread
from time import monotonic, thread_time
from typing import Any
from weakref import WeakValueDictionary

from engine.core.errors import PlyscopeError
from visualizer.pool.fair_queue import FairQueue
from visualizer.pool.limits import Limits
from visualizer.pool.tasks import Job, Task, Unfinished, Work
from visualizer.pool.worker_handle import WorkerDied, WorkerHandle

MAX_TRIES = 2  # if the worker of a task dies
MOMENT_SECONDS = 0.01  # of processor time for which work is tried at once, before a worker gets it
WORKER_DIED_TWICE = (
    "The worker process ended twice during this work, probably because the machine ran out of memory. "
    "Lower K, or start from a later position."
)


class MomentListener:
    """A listener that stops work after a moment."""

    def __init__(self) -> None:
        self._until = thread_time() + MOMENT_SECONDS
        self.over = False

    def progress(self, amount: Any) -> bool:
        self.over = self.over or thread_time() > self._until
        return not self.over

    def add_result(self, item: Any) -> None:
        return


def try_briefly(work: Work) -> tuple[bool, Any]:
    """Run work for a moment. Return True and its answer if it was finished."""
    moment = MomentListener()
    answer = work(moment)
    return not moment.over, answer


class ThreadPool:
    """A pool that runs every task in a thread of this process. Equal requests share one task."""

    workers = 1

    def __init__(self, limits: Limits | None = None):
        self.limits = limits or Limits()
        self._open: WeakValueDictionary[Hashable, Task] = WeakValueDictionary()
        self._lock = Lock()

    def submit(self, job: Job, key: Hashable, work: Work) -> None:
        """Let a job wait for this work. Equal requests have the same `key`."""
        with self._lock:
            if self._join_open_task(job, key):
                return
            task = Task(work, self.limits.seconds)
            job.join_task(task)
            self._open[key] = task
        self._start(task)

    def answer_soon(self, job: Job, key: Hashable, work: Work) -> None:
        """Submit work that may be small. If it takes only a moment, it runs here instead of in another process."""
        with self._lock:
            if self._join_open_task(job, key):
                return
        done, answer = try_briefly(work)
        if not done:
            self.submit(job, key, work)
            return
        task = Task(work, MOMENT_SECONDS)
        task.finish(answer)
        job.join_task(task)

    def _join_open_task(self, job: Job, key: Hashable) -> bool:
        task = self._open.get(key)
        return task is not None and task.admit(job)

    def queue_position(self, job: Job) -> int:
        """Return the position of a job in the queue, or 0 if it is running."""
        return 0

    def warm_up(self) -> None:
        """Load everything that workers need, once it is compiled."""

    def close(self) -> None:
        """Stop working."""

    def _start(self, task: Task) -> None:
        Thread(target=self._run_task, args=(task,), daemon=True).start()

    def _run_task(self, task: Task) -> None:
        task.begin()
        try:
            answer = task.work(task)
        except Exception as error:
            task.finish(error=error)
            return
        self._finish_part(task, answer)

    def _finish_part(self, task: Task, answer: Any) -> None:
        """Finish a task, or one part of it."""
        if isinstance(answer, Unfinished) and task.should_continue:
            task.work = answer.rest
            self._start(task)
        else:
            task.finish(answer)


class QueuedPool(ThreadPool):
    """A pool whose tasks wait in a fair queue for the next worker. Subclasses define in `_answer` how a worker runs a task."""

    def __init__(self, limits: Limits):
        super().__init__(limits)
        self._queue = FairQueue()

    def queue_position(self, job: Job) -> int:
        return self._queue.queue_position(job)

    def close(self) -> None:
        self._queue.close()

    def _start(self, task: Task) -> None:
        task.arrived = monotonic()
        self._queue.put(task)

    def _work_forever(self, number: int) -> None:
        """Run one task after another. Each worker has its own thread for this."""
        while self._run_next_task(number):
            continue

    def _run_next_task(self, number: int) -> bool:
        """Run the next task and return True. Return False when the queue is closed.

        The thread keeps no reference to a finished task while it waits for the next one.
        """
        task = self._queue.take()
        if task is None:
            return False
        try:
            answer = self._answer(number, task)
        except Exception as error:
            self._queue.give_back(task)
            task.finish(error=error.with_traceback(None))  # the traceback refers to the task
        else:
            self._queue.give_back(task)  # before its rest is queued again
            self._finish_part(task, answer)
        return True

    def _answer(self, number: int, task: Task) -> Any:
        raise NotImplementedError


class ProcessPool(QueuedPool):
    """A pool of worker processes on this machine. A worker that dies is replaced."""

    def __init__(self, limits: Limits):
        super().__init__(limits)
        self.workers = limits.workers
        self._closed = False
        self.members = [WorkerHandle(limits.max_tree_bytes) for _ in range(limits.workers)]

    def warm_up(self) -> None:
        for number, worker in enumerate(self.members):
            try:
                worker.warm_up()
            except WorkerDied:
                self._replace(number)
            Thread(target=self._work_forever, args=(number,), daemon=True).start()

    def close(self) -> None:
        self._closed = True
        super().close()
        for worker in self.members:
            worker.end()

    def _answer(self, number: int, task: Task) -> Any:
        for _ in range(MAX_TRIES):
            try:
                return self.members[number].ask(task)
            except WorkerDied:
                self._replace(number)
                if not task.should_continue:
                    return None
        raise PlyscopeError(WORKER_DIED_TWICE)

    def _replace(self, number: int) -> None:
        if self._closed:
            return
        self.members[number].end()
        self.members[number] = WorkerHandle(self.limits.max_tree_bytes)
        try:
            self.members[number].warm_up()
        except WorkerDied:  # the next task notices it
            return


class _CurrentPool:
    """The pool of this server."""

    pool: ThreadPool | None = None


def use_pool(pool: ThreadPool | None) -> None:
    """Run all work in this pool from now on."""
    _CurrentPool.pool = pool


def current_pool() -> ThreadPool:
    """Return the pool of this server, by default threads of this process."""
    if _CurrentPool.pool is None:
        _CurrentPool.pool = ThreadPool()
    return _CurrentPool.pool
