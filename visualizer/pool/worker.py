"""A worker process. It runs one task of the server after another.

The server starts `python -m visualizer.pool.worker FD BYTES` with one end of a socket pair and the memory that a search may take.
The worker ends when the server ends, even if the server is killed.
"""

import os
import sys
import time
import traceback
from multiprocessing.connection import Connection
from typing import Any

from engine.compiled.growable_column import share_large_columns
from engine.core.errors import PlyscopeError
from engine.core.memory_budget import set_process_limit
from visualizer.pool.shared_memory import send_answer
from visualizer.pool.work_types import warm_up

REPORT_SECONDS = 0.1
READY, STOP, PROGRESS, RESULT, ANSWER, REFUSED, FAILED = "ready", "stop", "progress", "result", "answer", "refused", "failed"
NO_MEMORY = "there was not enough memory for this search: lower K, or start from a later position"


class ServerListener:
    """Reports to the server, and checks whether to stop."""

    def __init__(self, link: Connection):
        self._link = link
        self._last_report = 0.0
        self._should_continue = True

    def progress(self, amount: Any) -> bool:
        now = time.monotonic()
        if now - self._last_report > REPORT_SECONDS:
            self._last_report = now
            self._link.send((PROGRESS, amount))
        while self._should_continue and self._link.poll():
            self._should_continue = self._link.recv() != STOP
        return self._should_continue

    def add_result(self, item: Any) -> None:
        self._link.send((RESULT, item))


def run_tasks(link: Connection) -> None:
    """Run tasks until the server ends."""
    link.recv()  # the server has compiled everything: now the code is only loaded
    warm_up()
    link.send((READY, None))
    while True:
        work = link.recv()
        if work != STOP:  # a STOP that came too late
            _run_task(link, work)


def _run_task(link: Connection, work: Any) -> None:
    try:
        send_answer(link, ANSWER, work(ServerListener(link)))
    except PlyscopeError as error:
        link.send((REFUSED, str(error)))
    except MemoryError:
        link.send((REFUSED, NO_MEMORY))
    except (EOFError, OSError):
        raise
    except Exception:
        link.send((FAILED, traceback.format_exc()))


def main() -> None:
    set_process_limit(int(sys.argv[2]))
    share_large_columns()
    try:
        run_tasks(Connection(int(sys.argv[1])))
    except (EOFError, OSError):
        os._exit(0)  # the server has ended


if __name__ == "__main__":
    main()
