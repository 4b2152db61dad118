"""Work on a dask cluster instead of this machine: the same queue, and as many tasks at a time as the cluster has threads.

What is told on the way comes as events of the scheduler. Trees come back over the network; there is no memory to share.
"""

import time
import uuid
from threading import Thread
from typing import Any

from engine.core.errors import PlyscopeError
from engine.matches.executors import NoCluster, cluster
from visualizer.pool.limits import Limits
from visualizer.pool.pool import Queued
from visualizer.pool.tasks import Task, Work
from visualizer.pool.worker import NEWS, PROGRESS
from visualizer.pool.worker_handle import LOOK_EVERY

TOLD_EVERY = 0.2  # seconds


class ToScheduler:
    """Tells the server by way of the scheduler, and hears from there whether to go on. In a worker of the cluster."""

    def __init__(self, name: str):
        from distributed import Event, get_client, get_worker

        self._name, self._worker, self._stop = name, get_worker(), Event(name, client=get_client())
        self._told = 0.0
        self._going_on = True

    def progress(self, how_far: Any) -> bool:
        now = time.monotonic()
        if self._going_on and now - self._told > TOLD_EVERY:
            self._told = now
            self._tell(PROGRESS, how_far)
            self._going_on = not self._stop.is_set()
        return self._going_on

    def news(self, item: Any) -> None:
        self._tell(NEWS, item)

    def _tell(self, kind: str, what: Any) -> None:
        from distributed.protocol.pickle import dumps

        self._worker.log_event(self._name, (kind, dumps(what)))


def work_there(work: Work, name: str) -> Any:
    """Done in a worker of the cluster."""
    return work(ToScheduler(name))


class Cluster(Queued):
    """The workers of a dask scheduler, which must have Plyscope too. The scheduler tries again what a worker died of."""

    def __init__(self, limits: Limits, address: str):
        super().__init__(limits)
        self._address, self._client = address, cluster(address)
        self.workers = max(1, sum(self._client.nthreads().values()))

    def warm_up(self) -> None:
        for number in range(self.workers):
            Thread(target=self._work, args=(number,), daemon=True).start()

    def close(self) -> None:
        super().close()
        self._client.close()

    def _answer(self, number: int, task: Task) -> Any:
        name = f"plyscope-{uuid.uuid4()}"
        self._client.subscribe_topic(name, lambda event: _heard(task, *event[1]))
        try:
            return self._result(task, name, self._client.submit(work_there, task.work, name, pure=False, key=name, retries=0))
        except PlyscopeError:
            raise
        except Exception as error:
            raise NoCluster(f"the cluster at {self._address} cannot work ({type(error).__name__}: {str(error)[:200]})") from error
        finally:
            self._client.unsubscribe_topic(name)

    def _result(self, task: Task, name: str, future: Any) -> Any:
        from distributed import Event

        stopping = False
        while not future.done():
            time.sleep(LOOK_EVERY)
            if not stopping and not task.going_on:
                stopping = True
                Event(name, client=self._client).set()
        return future.result()


def _heard(task: Task, kind: str, packed: bytes) -> None:
    from distributed.protocol.pickle import loads

    if kind == NEWS:
        task.news(loads(packed))
    else:
        task.how_far = loads(packed)
