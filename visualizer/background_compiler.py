"""Compiles behind the first command, in a process of its own (compile_cache.py), so that later ones find everything compiled.

The command line and the server start it where they had to do without something compiled: detached, so that no command waits for
it, and at low priority.
"""

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from engine.compiled.compile_policy import is_behind
from engine.core.file_lock import IsLocked, locked

LOCK = "plyscope-compiling.lock"
MIN_FREE_BYTES = 50_000_000  # the whole cache takes 5 MB
DETACHED = 0x00000008 | 0x00004000  # Windows: without a console, below normal priority


class _Started:
    process: subprocess.Popen[bytes] | None = None


def compile_behind() -> None:
    """Start a process that fills the cache, if this one had to do without something compiled, and there is a place for it."""
    if not is_behind() or (folder := cache_folder()) is None or is_compiling():
        return
    with suppress(IsLocked, OSError):  # another process does it; or none can be started: it is compiled when it is needed
        if shutil.disk_usage(folder).free >= MIN_FREE_BYTES:
            with locked(folder / LOCK):
                pass
            _Started.process = _start()


def _start() -> subprocess.Popen[bytes]:
    nothing = subprocess.DEVNULL
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "visualizer.compile_cache"],
        stdin=nothing,
        stdout=nothing,
        stderr=nothing,
        env={**os.environ, "PYTHONPATH": own_python_path()},
        start_new_session=os.name == "posix",
        creationflags=DETACHED if os.name == "nt" else 0,
    )


def is_compiling() -> bool:
    """Return whether the process that this one has started is still at work."""
    return _Started.process is not None and _Started.process.poll() is None


def wait_until_compiled() -> None:
    """Wait for that process, if there is one."""
    if _Started.process is not None:
        _Started.process.wait()


def own_python_path() -> str:
    """Return where a process of ours looks for modules: first where this one comes from."""
    return os.pathsep.join(filter(None, [str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]))


def cache_folder() -> Path | None:
    """Return where the compiled search is kept; None if there is no place for it."""
    from engine.compiled import alphabeta_kernel

    file = alphabeta_kernel.advance.cache_file
    return None if file is None else Path(file._cache_path)
