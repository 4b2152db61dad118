"""A fair queue: the next task belongs to the visitor with the fewest running tasks, then the least recent use, then first come.

A visitor's second job waits for the first jobs of the others. A move on Play does not wait for a hundred games of somebody else.
"""

from collections import Counter
from collections.abc import Hashable
from threading import Condition
from time import monotonic

from visualizer.pool.tasks import Job, Task

USE_HALF_LIFE_SECONDS = 60.0  # after this time a visitor's use counts half
ORDER_CACHE_SECONDS = 0.2  # for this time the order of waiting tasks is not computed again
NEGLIGIBLE_SECONDS = 0.001  # less use is forgotten
NO_ORDER: tuple[float, list[Task]] = (0.0, [])  # not computed


class FairQueue:
    """Waiting tasks, and the time that each visitor has used."""

    def __init__(self) -> None:
        self._waiting: list[Task] = []
        self._taken: dict[Task, set[Hashable]] = {}  # running tasks with the visitors they were taken for
        self._running: Counter[Hashable] = Counter()
        self._used: dict[Hashable, tuple[float, float]] = {}  # seconds, and when they were computed
        self._changed = Condition()
        self._closed = False
        self._order = NO_ORDER  # time of computing, and the waiting tasks in order

    def put(self, task: Task) -> None:
        with self._changed:
            if not self._closed:
                self._waiting.append(task)
                self._changed.notify()
                return
        task.drop()

    def take(self) -> Task | None:
        """Return the next wanted task, waiting until there is one. Return None when the queue is closed."""
        with self._changed:
            while not self._closed:
                self._drop_unwanted()
                if self._waiting:
                    task = min(self._waiting, key=self._rank)
                    self._waiting.remove(task)
                    self._taken[task] = task.visitors
                    self._running.update(self._taken[task])
                    task.begin()
                    return task
                self._changed.wait()
        return None

    def give_back(self, task: Task) -> None:
        """End a task that was taken. Its time is charged to the visitors it was taken for, even if some have left."""
        with self._changed:
            now, visitors = monotonic(), self._taken.pop(task)
            self._order = NO_ORDER
            self._running.subtract(visitors)
            self._running = +self._running
            for visitor in visitors:
                self._used[visitor] = (self._decayed_use(visitor, now) + now - task.began, now)
            self._used = {
                visitor: use for visitor, use in self._used.items() if self._decayed_use(visitor, now) > NEGLIGIBLE_SECONDS
            }

    def queue_position(self, job: Job) -> int:
        """Return the position of a job's first task in the queue, counted from 1, or 0 if none of its tasks waits."""
        with self._changed:
            if not any(task in self._waiting for task in job.tasks) or any(self._is_running(task) for task in job.tasks):
                return 0
            if monotonic() - self._order[0] > ORDER_CACHE_SECONDS:
                self._order = (monotonic(), sorted((task for task in self._waiting if task.visitors), key=self._rank))
            ranked = self._order[1]
        return next((place for place, task in enumerate(ranked, start=1) if task in job.tasks), len(ranked) + 1)

    def close(self) -> None:
        """Close the queue and drop everything that waits in it."""
        with self._changed:
            self._closed = True
            left, self._waiting, self._order = self._waiting, [], NO_ORDER
            self._changed.notify_all()
        for task in left:
            task.drop()

    def _is_running(self, task: Task) -> bool:
        return task not in self._waiting and not task.done.is_set()

    def _rank(self, task: Task) -> tuple[int, float, float]:
        now = monotonic()
        shares = ((self._running[visitor], self._decayed_use(visitor, now)) for visitor in task.visitors)
        return *min(shares, default=(0, 0.0)), task.arrived

    def _decayed_use(self, visitor: Hashable, now: float) -> float:
        seconds, when = self._used.get(visitor, (0.0, now))
        return seconds * 0.5 ** ((now - when) / USE_HALF_LIFE_SECONDS)

    def _drop_unwanted(self) -> None:
        wanted = [task for task in self._waiting if not task.drop_if_unwanted()]
        if len(wanted) < len(self._waiting):
            self._waiting, self._order = wanted, NO_ORDER
