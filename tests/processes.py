"""Processes that tests start and interrupt: Ctrl-C works in them wherever the suite runs, and none of them stays behind."""

import os
import signal
import subprocess
from contextlib import contextmanager, suppress

PATIENCE = 300  # seconds for anything awaited: many times what a machine with a load of 20 needs


@contextmanager
def ctrl_c_works():
    """Ctrl-C interrupts this process and those it starts, although a parent (nohup, a shell's `&`, a CI runner) may ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def started(command, **options):
    """A process in a group of its own, in which Ctrl-C works; at the end the whole group is gone, whatever happened."""
    with ctrl_c_works():
        process = subprocess.Popen(command, start_new_session=True, **options)
    try:
        yield process
    finally:
        end(process)


def press_ctrl_c(process):
    """As a terminal does: the whole group is told."""
    os.killpg(process.pid, signal.SIGINT)


def end(process):
    """Ask a process to go, and kill what is left of the group that it leads."""
    process.terminate()
    with suppress(subprocess.TimeoutExpired):
        process.wait(10)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(PATIENCE)
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
