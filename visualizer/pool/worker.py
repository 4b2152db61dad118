"""A worker process: answers one question of the server after another.

The server starts `python -m visualizer.pool.worker FD BYTES` with one end of a socket pair and the memory that a search may take.
The worker ends when the server has ended, in whatever way.
"""

import os
import sys
import time
import traceback
from multiprocessing.connection import Connection
from typing import Any

from engine.core.errors import PlyscopeError
from engine.core.memory_budget import set_process_limit
from visualizer.pool.shared_memory import send_answer
from visualizer.pool.work_types import warm_up

REPORT_SECONDS = 0.1  # seconds
READY, STOP, PROGRESS, NEWS, ANSWER, REFUSED, FAILED = "ready", "stop", "progress", "news", "answer", "refused", "failed"
NO_MEMORY = "there was no memory for this search: lower K, or start from a later position"


class ServerListener:
    """Reports to the server, and reads whether to stop."""

    def __init__(self, link: Connection):
        self._link = link
        self._told = 0.0
        self._going_on = True

    def progress(self, how_far: Any) -> bool:
        now = time.monotonic()
        if now - self._told > REPORT_SECONDS:
            self._told = now
            self._link.send((PROGRESS, how_far))
        while self._going_on and self._link.poll():
            self._going_on = self._link.recv() != STOP
        return self._going_on

    def news(self, item: Any) -> None:
        self._link.send((NEWS, item))


def answer_questions(link: Connection) -> None:
    """Answer questions until the server has gone."""
    link.recv()  # the server has compiled what there is to compile: now it is only loaded
    warm_up()
    link.send((READY, None))
    while True:
        work = link.recv()
        if work != STOP:  # one that came too late
            _answer_one(link, work)


def _answer_one(link: Connection, work: Any) -> None:
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
    try:
        answer_questions(Connection(int(sys.argv[1])))
    except (EOFError, OSError):
        os._exit(0)  # nobody is there to hear of anything


if __name__ == "__main__":
    main()
