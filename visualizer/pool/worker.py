"""A worker: a process that answers one question of the server after another. `python -m visualizer.pool.worker FD BYTES` is
started by the server, with one end of a pair of sockets and the memory that a search may take; when the server has ended, in
whatever way, so does the worker."""

import os
import sys
import time
import traceback
from multiprocessing.connection import Connection
from typing import Any

from engine.core.errors import PlyscopeError
from engine.core.memory_budget import keep_to
from visualizer.pool.shared_memory import send_answer
from visualizer.pool.work_types import warm_up

TOLD_EVERY = 0.1  # seconds
READY, STOP, PROGRESS, NEWS, ANSWER, REFUSED, FAILED = "ready", "stop", "progress", "news", "answer", "refused", "failed"
NO_MEMORY = "there was no memory for this search: lower K, or start from a later position"


class ToServer:
    """Tells the server, and hears from it."""

    def __init__(self, link: Connection):
        self._link = link
        self._told = 0.0
        self._going_on = True

    def progress(self, how_far: Any) -> bool:
        now = time.monotonic()
        if now - self._told > TOLD_EVERY:
            self._told = now
            self._link.send((PROGRESS, how_far))
        while self._going_on and self._link.poll():
            self._going_on = self._link.recv() != STOP
        return self._going_on

    def news(self, item: Any) -> None:
        self._link.send((NEWS, item))


def serve(link: Connection) -> None:
    """Answer questions until the server has gone."""
    link.recv()  # the server has compiled what there is to compile: now it is only loaded
    warm_up()
    link.send((READY, None))
    while True:
        work = link.recv()
        if work != STOP:  # one that came too late
            _answer(link, work)


def _answer(link: Connection, work: Any) -> None:
    try:
        send_answer(link, ANSWER, work(ToServer(link)))
    except PlyscopeError as error:
        link.send((REFUSED, str(error)))
    except MemoryError:
        link.send((REFUSED, NO_MEMORY))
    except (EOFError, OSError):
        raise
    except Exception:
        link.send((FAILED, traceback.format_exc()))


def main() -> None:
    keep_to(int(sys.argv[2]))
    try:
        serve(Connection(int(sys.argv[1])))
    except (EOFError, OSError):
        os._exit(0)  # nobody is there to hear of anything


if __name__ == "__main__":
    main()
