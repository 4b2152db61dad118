"""Compile in the background, in a separate process (compile_cache.py), so that later commands find everything compiled.

The command line and the server start it if they had to do without something compiled. It is detached, so that no command
waits for it, and runs at low priority.
"""

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from engine.compiled.compile_policy import has_interpreted
from engine.core.file_lock import IsLocked, hold_file_lock

LOCK_NAME = "plyscope-compiling.lock"
MIN_FREE_BYTES = 50_000_000  # the whole cache takes 5 MB
DETACHED_FLAGS = 0x00000008 | 0x00004000  # Windows: without a console, below normal priority


class _StartedProcess:
    process: subprocess.Popen[bytes] | None = None


def start_background_compile() -> None:
    """Start a process that fills the cache, if this one had to do without something compiled and there is a place for the
    cache.
    """
    if not has_interpreted() or (folder := cache_folder()) is None or is_compiling():
        return
    with suppress(IsLocked, OSError):  # another process compiles, or none can be started: then code is compiled on first use
        if shutil.disk_usage(folder).free >= MIN_FREE_BYTES:
            with hold_file_lock(folder / LOCK_NAME):
                pass
            _StartedProcess.process = _start_process()


def _start_process() -> subprocess.Popen[bytes]:
    nothing = subprocess.DEVNULL
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "visualizer.compile_cache"],
        stdin=nothing,
        stdout=nothing,
        stderr=nothing,
        env={**os.environ, "PYTHONPATH": own_python_path()},
        start_new_session=os.name == "posix",
        creationflags=DETACHED_FLAGS if os.name == "nt" else 0,
    )


def is_compiling() -> bool:
    """Return True if the process that this one has started is still running."""
    return _StartedProcess.process is not None and _StartedProcess.process.poll() is None


def wait_until_compiled() -> None:
    """Wait for that process, if there is one."""
    if _StartedProcess.process is not None:
        _StartedProcess.process.wait()


def own_python_path() -> str:
    """Return the PYTHONPATH for our processes: the folder of this package comes first."""
    return os.pathsep.join(filter(None, [str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]))


def cache_folder() -> Path | None:
    """Return the folder of the compiled search; None if there is no place for it."""
    from engine.compiled import alphabeta_kernel

    return alphabeta_kernel.advance.cache_folder
