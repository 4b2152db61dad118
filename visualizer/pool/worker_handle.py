"""A worker as the server sees it: a process that can be asked, told to stop, and replaced."""

import os
import socket
import subprocess
import sys
from contextlib import suppress
from multiprocessing.connection import Connection
from time import monotonic
from typing import Any

from engine.core.errors import PlyscopeError
from visualizer.background_compiler import own_python_path
from visualizer.pool.shared_memory import received
from visualizer.pool.tasks import Task
from visualizer.pool.worker import ANSWER, NEWS, PROGRESS, READY, REFUSED, STOP

LOOK_EVERY = 0.05  # seconds between two looks at whether a task is still wanted
STUBBORN = 1.0  # seconds that work may go on after it was told to stop
GETS_READY = 180.0  # seconds in which a process has loaded everything, also if it has to compile that on a busy machine


class WorkerDied(Exception):
    """The process has ended in the middle of something."""


class WorkFailed(Exception):
    """A mistake of ours: the text is the traceback."""


class Worker:
    """One process, started at once; `warm_up` may be called while it still imports what it needs. Each search there keeps to
    `memory` bytes."""

    def __init__(self, memory: int) -> None:
        ours, theirs = socket.socketpair()
        with ours, theirs:
            self._process = subprocess.Popen(  # noqa: S603 - our own module, in our own Python
                [sys.executable, "-P", "-m", "visualizer.pool.worker", str(theirs.fileno()), str(memory)],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C in a terminal is for the server, which ends them
                env={**os.environ, "PYTHONPATH": own_python_path()},
            )
            self._link = Connection(ours.detach())

    @property
    def pid(self) -> int:
        return self._process.pid

    def warm_up(self) -> None:
        """Let it load what is compiled by now, so that its first answer is as quick as any. If it does not, it has died."""
        try:
            self._link.send(READY)
            if not self._link.poll(GETS_READY):
                self._process.kill()
                raise WorkerDied
            self._link.recv()
        except (EOFError, OSError) as error:
            raise WorkerDied from error

    def ask(self, task: Task) -> Any:
        """The answer to a task. Raises what is wrong with it, or that the process has died."""
        try:
            self._link.send(task.work)
            return self._listen(task)
        except (EOFError, OSError) as error:
            raise WorkerDied from error

    def _listen(self, task: Task) -> Any:
        told_to_stop = None
        while True:
            if self._link.poll(LOOK_EVERY):
                kind, content = self._link.recv()
                if kind == PROGRESS:
                    task.how_far = content
                elif kind == NEWS:
                    task.news(content)
                elif kind == ANSWER:
                    return received(self._link, content)
                elif kind == REFUSED:
                    raise PlyscopeError(content)
                else:
                    raise WorkFailed(content)
            if told_to_stop is None and not task.going_on:
                told_to_stop = monotonic()
                self._link.send(STOP)
            if told_to_stop is not None and monotonic() - told_to_stop > STUBBORN:
                self._process.kill()

    def end(self) -> None:
        with suppress(ProcessLookupError):
            self._process.kill()
        self._process.wait()
        self._link.close()
