"""A worker process as the server sees it: it can be asked, stopped and replaced."""

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
from visualizer.pool.shared_memory import receive_answer
from visualizer.pool.tasks import Task
from visualizer.pool.worker import ANSWER, NEWS, PROGRESS, READY, REFUSED, STOP

POLL_SECONDS = 0.05  # seconds between two looks at whether a task is still wanted
STOP_GRACE_SECONDS = 1.0  # seconds that work may go on after it was told to stop
START_SECONDS = 180.0  # seconds in which a process has loaded everything, also if it has to compile that on a busy machine


class WorkerDied(Exception):
    """A worker process that ended while it was needed."""


class WorkFailed(Exception):
    """A bug in our own code. The text is the traceback of the worker."""


class WorkerHandle:
    """One worker process, started at once.

    `warm_up` may be called while it still imports. Each of its searches keeps to `memory` bytes.
    """

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
        """Let it load the compiled code, so that its first answer is quick. Raise WorkerDied if it does not get ready."""
        try:
            self._link.send(READY)
            if not self._link.poll(START_SECONDS):
                self._process.kill()
                raise WorkerDied
            self._link.recv()
        except (EOFError, OSError) as error:
            raise WorkerDied from error

    def ask(self, task: Task) -> Any:
        """Return the answer to a task. Raise the error of the task, or WorkerDied."""
        try:
            self._link.send(task.work)
            return self._read_messages(task)
        except (EOFError, OSError) as error:
            raise WorkerDied from error

    def _read_messages(self, task: Task) -> Any:
        told_to_stop = None
        while True:
            if self._link.poll(POLL_SECONDS):
                kind, content = self._link.recv()
                if kind == PROGRESS:
                    task.how_far = content
                elif kind == NEWS:
                    task.news(content)
                elif kind == ANSWER:
                    return receive_answer(self._link, content)
                elif kind == REFUSED:
                    raise PlyscopeError(content)
                else:
                    raise WorkFailed(content)
            if told_to_stop is None and not task.should_continue:
                told_to_stop = monotonic()
                self._link.send(STOP)
            if told_to_stop is not None and monotonic() - told_to_stop > STOP_GRACE_SECONDS:
                self._process.kill()

    def end(self) -> None:
        with suppress(ProcessLookupError):
            self._process.kill()
        self._process.wait()
        self._link.close()
