"""Run work on a dask cluster instead of this machine.

The queue is the same. The cluster runs as many tasks at a time as it has threads. Progress arrives as events of the scheduler.
Trees come back over the network, because there is no shared memory.
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
from visualizer.pool.worker import PROGRESS, RESULT
from visualizer.pool.worker_handle import POLL_SECONDS

REPORT_SECONDS = 0.2


class SchedulerListener:
    """Reports to the server through the scheduler, and asks whether to continue. Runs in a worker of the cluster."""

    def __init__(self, name: str):
        from distributed import Event, get_client, get_worker

        self._name, self._worker, self._stop = name, get_worker(), Event(name, client=get_client())
        self._last_report = 0.0
        self._should_continue = True

    def progress(self, amount: Any) -> bool:
        now = time.monotonic()
        if self._should_continue and now - self._last_report > REPORT_SECONDS:
            self._last_report = now
            self._send_event(PROGRESS, amount)
            self._should_continue = not self._stop.is_set()
        return self._should_continue

    def add_result(self, item: Any) -> None:
        self._send_event(RESULT, item)

    def _send_event(self, kind: str, content: Any) -> None:
        from distributed.protocol.pickle import dumps

        self._worker.log_event(self._name, (kind, dumps(content)))


def run_on_cluster(work: Work, name: str) -> Any:
    """Run work in a worker of the cluster."""
    return work(SchedulerListener(name))


class Cluster(QueuedPool):
    """The workers of a dask scheduler, which must have Plyscope installed. The scheduler retries when a worker dies."""

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
            raise NoCluster(f"the cluster at {self._address} failed ({type(error).__name__}: {str(error)[:200]})") from error
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

    if kind == RESULT:
        task.add_result(loads(packed))
    else:
        task.latest_progress = loads(packed)
