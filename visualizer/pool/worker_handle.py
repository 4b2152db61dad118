"""The server's side of a worker process: start it, give it tasks, stop it."""

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
from visualizer.pool.worker import ANSWER, PROGRESS, READY, REFUSED, RESULT, STOP

POLL_SECONDS = 0.05  # between two checks whether a task is still wanted
STOP_GRACE_SECONDS = 1.0  # a worker that does not stop within this time is killed
START_SECONDS = 180.0  # for a process to load everything, even if it must compile on a busy machine


class WorkerDied(Exception):
    """A worker process ended while it was needed."""


class WorkFailed(Exception):
    """A bug in our own code. The message is the traceback of the worker."""


class WorkerHandle:
    """One worker process, started at once.

    `warm_up` may be called while it still imports. Each of its searches may use `memory` bytes.
    """

    def __init__(self, memory: int) -> None:
        ours, theirs = socket.socketpair()
        with ours, theirs:
            self._process = subprocess.Popen(  # noqa: S603 - our own module, in our own Python
                [sys.executable, "-P", "-m", "visualizer.pool.worker", str(theirs.fileno()), str(memory)],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C in a terminal goes only to the server, which ends the workers
                env={**os.environ, "PYTHONPATH": own_python_path()},
            )
            self._link = Connection(ours.detach())

    @property
    def pid(self) -> int:
        return self._process.pid

    def warm_up(self) -> None:
        """Let it load the compiled code, so that its first answer is fast. Raise WorkerDied if it does not get ready."""
        try:
            self._link.send(READY)
            if not self._link.poll(START_SECONDS):
                self._process.kill()
                raise WorkerDied
            self._link.recv()
        except (EOFError, OSError) as error:
            raise WorkerDied from error

    def ask(self, task: Task) -> Any:
        """Run a task and return its answer. Raise the error of the task, or WorkerDied."""
        try:
            self._link.send(task.work)
            return self._read_messages(task)
        except (EOFError, OSError) as error:
            raise WorkerDied from error

    def _read_messages(self, task: Task) -> Any:
        stop_time = None
        while True:
            if self._link.poll(POLL_SECONDS):
                kind, content = self._link.recv()
                if kind == PROGRESS:
                    task.latest_progress = content
                elif kind == RESULT:
                    task.add_result(content)
                elif kind == ANSWER:
                    return receive_answer(self._link, content)
                elif kind == REFUSED:
                    raise PlyscopeError(content)
                else:
                    raise WorkFailed(content)
            if stop_time is None and not task.should_continue:
                stop_time = monotonic()
                self._link.send(STOP)
            if stop_time is not None and monotonic() - stop_time > STOP_GRACE_SECONDS:
                self._process.kill()

    def end(self) -> None:
        with suppress(ProcessLookupError):
            self._process.kill()
        self._process.wait()
        self._link.close()
