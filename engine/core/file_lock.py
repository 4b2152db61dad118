"""A lock that processes of one machine share. The operating system frees it when its holder ends, even if that is killed."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

POLL_SECONDS = 0.05

if sys.platform == "win32":
    import msvcrt

    def _take(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _take(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


class IsLocked(Exception):
    """Another process, or another thread of this one, holds the lock."""


@contextmanager
def hold_file_lock(path: Path, seconds: float = 0.0) -> Iterator[None]:
    """Hold the lock of this file; raise IsLocked if it is still taken after this many seconds.

    If the file cannot be created, nothing is locked: the lock only avoids doing work twice.
    """
    until = time.monotonic() + seconds
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError:
        yield
        return
    try:
        while not _try_lock(file):
            if time.monotonic() >= until:
                raise IsLocked(path)
            time.sleep(POLL_SECONDS)
        yield
    finally:
        os.close(file)


def _try_lock(file: int) -> bool:
    """Try to take the lock, and return True if it is taken or the file system has no locks."""
    try:
        _take(file)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        return True
    return True
