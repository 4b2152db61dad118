"""Run work on a dask cluster instead of this machine.

The queue is the same; as many tasks run at a time as the cluster has threads. Progress comes as events of the scheduler. Trees
come
back over the network, because there is no memory to share.
"""

import time
import uuid
from threading import Thread
from typing import Any

from engine.core.errors import PlyscopeError
from engine.matches.executors import NoCluster, connect_to_cluster
from visualizer.pool.limits import Limits
from visualizer.pool.pool import QueuedPool
from visualizer.pool.tasks import Task, Work
from visualizer.pool.worker import NEWS, PROGRESS
from visualizer.pool.worker_handle import POLL_SECONDS

REPORT_SECONDS = 0.2  # seconds


class SchedulerListener:
    """Reports to the server through the scheduler, and asks it whether to go on. Lives in a worker of the cluster."""

    def __init__(self, name: str):
        from distributed import Event, get_client, get_worker

        self._name, self._worker, self._stop = name, get_worker(), Event(name, client=get_client())
        self._told = 0.0
        self._going_on = True

    def progress(self, how_far: Any) -> bool:
        now = time.monotonic()
        if self._going_on and now - self._told > REPORT_SECONDS:
            self._told = now
            self._tell(PROGRESS, how_far)
            self._going_on = not self._stop.is_set()
        return self._going_on

    def news(self, item: Any) -> None:
        self._tell(NEWS, item)

    def _tell(self, kind: str, what: Any) -> None:
        from distributed.protocol.pickle import dumps

        self._worker.log_event(self._name, (kind, dumps(what)))


def run_on_cluster(work: Work, name: str) -> Any:
    """Run work in a worker of the cluster."""
    return work(SchedulerListener(name))


class Cluster(QueuedPool):
    """A pool of the workers of a dask scheduler, which must have Plyscope installed. The scheduler retries when a worker dies."""

    def __init__(self, limits: Limits, address: str):
        super().__init__(limits)
        self._address, self._client = address, connect_to_cluster(address)
        self.workers = max(1, sum(self._client.nthreads().values()))

    def warm_up(self) -> None:
        for number in range(self.workers):
            Thread(target=self._work_forever, args=(number,), daemon=True).start()

    def close(self) -> None:
        super().close()
        self._client.close()

    def _answer(self, number: int, task: Task) -> Any:
        name = f"plyscope-{uuid.uuid4()}"
        self._client.subscribe_topic(name, lambda event: _forward_event(task, *event[1]))
        try:
            return self._result(task, name, self._client.submit(run_on_cluster, task.work, name, pure=False, key=name, retries=0))
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
            time.sleep(POLL_SECONDS)
            if not stopping and not task.should_continue:
                stopping = True
                Event(name, client=self._client).set()
        return future.result()


def _forward_event(task: Task, kind: str, packed: bytes) -> None:
    from distributed.protocol.pickle import loads

    if kind == NEWS:
        task.news(loads(packed))
    else:
        task.how_far = loads(packed)
