"""Watching a student's program in a process of its own, with limits; nothing of it runs here.

The process leads a session of its own, so that no signal of it reaches anybody else. It is ended with all that it has started,
whatever happens here. Everything that comes from it is bounded and checked.
"""

import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

import msgspec

from engine.checker.recording.wire_format import BadRun, unpacked
from engine.checker.sandbox.program_files import read_program_files, readable_name
from engine.checker.sandbox.resource_limits import MAX_FILE_BYTES
from engine.checker.sandbox.worker_protocol import Answer, WatchWish

GRACE = 20.0  # seconds beyond its own limit, for loading, judging and telling
KEPT_OF_OURS = ("PATH", "LANG", "SYSTEMROOT", "LD_LIBRARY_PATH", "VIRTUAL_ENV")
MAX_ANSWER_BYTES = 32 << 20
MAX_ERROR_BYTES = 64 << 10
MAX_FOLDER_BYTES = 4 * MAX_FILE_BYTES
MAX_FOLDER_FILES = 5_000
LOOK_SECONDS = 0.25  # between two looks at the clock and the folder
EXIT_SECONDS = 5.0  # that the process may take to end after its answer
CHUNK_BYTES = 1 << 20
WATCHDOG = b"Timeout ("  # how faulthandler begins


def with_files(wish: WatchWish) -> WatchWish:
    """Return the wish with the files of the program in it: whatever other programs do, these will be run."""
    return msgspec.structs.replace(wish, files=read_program_files(Path(wish.file)))


def run(wish: WatchWish) -> Answer:
    """Return what was seen of the program; an answer that failed says why."""
    wish = wish if wish.files else with_files(wish)
    began = time.monotonic()
    with _own_folder() as folder, _started(folder) as process:
        answer, errors = _Reader(process.stdout, MAX_ANSWER_BYTES), _Reader(process.stderr, MAX_ERROR_BYTES)
        _send(process, wish)
        stopped = _wait(process, answer, began, longest(wish), folder)
        if not stopped:
            with suppress(subprocess.TimeoutExpired):
                process.wait(EXIT_SECONDS)
                errors.join(EXIT_SECONDS)
    if not stopped and process.returncode:
        seconds = time.monotonic() - began
        stopped = _why_it_died(process.returncode, bytes(errors.content), seconds, Path(wish.file).name)
    return Answer(failed=stopped) if stopped else _read(bytes(answer.content))


def longest(wish: WatchWish) -> float:
    """Return the seconds after which the process is ended, whatever it does."""
    return 3 * wish.seconds + GRACE


# ---- the process


@contextmanager
def _own_folder() -> Iterator[str]:
    """Make a folder for one run. A program may leave something there that cannot be removed: nobody else suffers for that."""
    folder = tempfile.TemporaryDirectory(prefix="plyscope-", ignore_cleanup_errors=True)
    try:
        yield folder.name
    finally:
        with suppress(RecursionError):
            folder.cleanup()


@contextmanager
def _started(folder: str) -> Iterator["subprocess.Popen[bytes]"]:
    """Start the process. At the end it is gone, with all processes of its session."""
    pipe = subprocess.PIPE
    process = subprocess.Popen(  # noqa: S603 - our own module, in our own Python
        [sys.executable, "-P", "-m", "engine.checker.sandbox.worker_main", folder],
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        cwd=folder,
        env=_environment(folder),
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
        process.kill()
        process.wait()
        if process.stdin is not None:
            with suppress(OSError):
                process.stdin.close()


def _environment(folder: str) -> dict[str, str]:
    """Nothing of ours but what Python needs; the same order of sets and the same home in every run."""
    kept = {name: os.environ[name] for name in KEPT_OF_OURS if name in os.environ}
    ours = str(Path(__file__).parents[3])
    return {
        **kept,
        "PYTHONPATH": ours,
        "PYTHONHASHSEED": "0",
        "PYTHONIOENCODING": "utf-8",
        "PYTHONUTF8": "1",
        "HOME": folder,
        "TMPDIR": folder,
        "TEMP": folder,
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "MPLBACKEND": "Agg",
    }


def _send(process: "subprocess.Popen[bytes]", wish: WatchWish) -> None:
    """Send the wish as one line. The pipe stays open: when it closes, the process knows that we are gone."""
    assert process.stdin is not None  # noqa: S101 - a pipe
    wish = msgspec.structs.replace(wish, file=readable_name(str(Path(wish.file).absolute())))
    with suppress(BrokenPipeError):  # it has died, and its exit code says why
        process.stdin.write(msgspec.json.encode(wish) + b"\n")
        process.stdin.flush()


class _Reader(threading.Thread):
    """Reads a pipe to its end and keeps the beginning, so that no program can fill our memory."""

    def __init__(self, pipe: IO[bytes] | None, most: int):
        super().__init__(daemon=True)
        self.content = bytearray()
        self.overflowed = False
        self._pipe, self._most = pipe, most
        self.start()

    def run(self) -> None:
        assert self._pipe is not None  # noqa: S101 - a pipe
        with self._pipe, suppress(OSError, ValueError):
            while chunk := os.read(self._pipe.fileno(), CHUNK_BYTES):
                room = self._most - len(self.content)
                self.content += chunk[:room]
                self.overflowed = self.overflowed or len(chunk) > room


def _wait(process: "subprocess.Popen[bytes]", answer: _Reader, began: float, most: float, folder: str) -> str:
    """Wait for the whole answer; return why the process has to be stopped before, empty if it has not."""
    while answer.is_alive() and not answer.overflowed:
        answer.join(LOOK_SECONDS)
        if (seconds := time.monotonic() - began) > most:
            return f"it was stopped after {seconds:.0f} seconds; it could not be interrupted before"
        if _holds_too_much(folder):
            return f"it was stopped because it writes more than {MAX_FOLDER_BYTES >> 20} MB or {MAX_FOLDER_FILES:,} files"
        if process.poll() is not None:
            answer.join(LOOK_SECONDS)  # another process may still hold the pipe
            break
    return (
        f"it was stopped because it sends more than {MAX_ANSWER_BYTES >> 20} MB instead of an answer" if answer.overflowed else ""
    )


def _holds_too_much(folder: str) -> bool:
    size = files = 0
    folders = [folder]
    while folders:
        with suppress(OSError), os.scandir(folders.pop()) as entries:
            for entry in entries:
                files += 1
                with suppress(OSError):
                    size += entry.stat(follow_symlinks=False).st_size
                    folders += [entry.path] if entry.is_dir(follow_symlinks=False) else []
                if size > MAX_FOLDER_BYTES or files > MAX_FOLDER_FILES:
                    return True
    return False


# ---- its answer


def _read(content: bytes) -> Answer:
    """Return the answer. A program can write into the pipe as well: an answer that makes no sense is none."""
    try:
        answer = msgspec.msgpack.decode(content, type=Answer)
        if answer.failed:
            return msgspec.structs.replace(answer, rows=None, findings=[])
        if _makes_sense(answer):
            return answer
    except (msgspec.DecodeError, UnicodeError, RecursionError, BadRun):
        pass
    return Answer(failed="its process has sent something that is no answer: the program has ended it, or has written into it")


def _makes_sense(answer: Answer) -> bool:
    if answer.rows is None:
        return False
    unpacked(answer.rows)  # BadRun if not
    return all(-1 <= finding.row < answer.rows.count and finding.times >= 0 for finding in answer.findings)


def _why_it_died(code: int, said: bytes, seconds: float, file: str) -> str:
    if said.startswith(WATCHDOG):
        line = re.search(rf'{re.escape(readable_name(file))}", line (\d+)', said.decode(errors="replace"))
        where = f" in line {line[1]}" if line else ""
        return f"it was stopped after {seconds:.1f} seconds{where}; it could not be interrupted before"
    if code < 0:
        return f"signal {-code} ended its process: by the program itself, by a recursion too deep, or for want of memory"
    last = said.decode(errors="replace").strip().splitlines()
    return f"its process ended with code {code}{f': {last[-1][:200]}' if last else ''}"
