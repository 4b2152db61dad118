"""Limits for a student's program: time, memory, calls, output, its own folder and no network.

They prevent accidental damage, and keep one program from spoiling a class run. They are not a security boundary:
a malicious program can call C. kernel_barrier.py is one. own_code.py sees if a program changes the checker.
"""

import builtins
import ctypes
import faulthandler
import importlib
import os
import random
import re
import signal
import socket
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from io import TextIOBase
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, TextIO

import numpy as np

from engine.checker.recording.call_recorder import TooManyCalls
from engine.checker.sandbox.loader import NeedsInput, format_error
from engine.checker.sandbox.synchronous_pools import replace_executors
from engine.checker.stopped_run import StopCause, StoppedRun

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]
AF_UNIX = getattr(socket, "AF_UNIX", None)  # socket pairs inside a process are allowed

DEFAULT_SECONDS, DEFAULT_MEMORY_BYTES = 60.0, 1 << 30
STACK_BYTES = 256 << 20  # large, because our frames are between those of the program
MAX_FRAMES = 20_000
MAX_FRAMES_PER_CALL = 3  # with ours
MAX_KEPT_OUTPUT_CHARS = 50_000  # at the beginning, and the same number at the end
MIN_WORKED_SHARE = 1 / 3  # of the seconds that pass
POLL_SECONDS = 0.05  # between two checks of the clock
PR_SET_PDEATHSIG = 1  # of linux/prctl.h
MAX_FILE_BYTES = 64 << 20  # of a file that a program writes
MAX_OPEN_FILES = 64
REPORT_MEMORY_BYTES = 1 << 30  # for the report, after the program has used up its own
MAX_STOP_SECONDS = 2.0  # until a program has stopped after its time limit
START_THREAD, EXIT_PROCESS = threading.Thread.start, os._exit


class TimeLimitReached(BaseException):
    """The program runs for too long. Not an Exception: the program must not catch it."""


class ForbiddenAction(PermissionError):
    """An action that the sandbox does not allow."""


class CapturedOutput(TextIOBase):
    """The output of a program: its beginning and its end."""

    def __init__(self) -> None:
        self.first: list[str] = []
        self.last: list[str] = []
        self.size = self._room = 0
        self.encoding_errors = "replace"
        self.clear()

    def clear(self) -> None:
        self.first, self.last, self.size, self._room = [], [], 0, MAX_KEPT_OUTPUT_CHARS

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.size += len(text)
        if self._room > 0:
            self.first.append(text[: self._room])
            self._room -= len(text)
        else:
            self.last.append(text[-MAX_KEPT_OUTPUT_CHARS:])
            if len(self.last) > 2_000:
                self.last = ["".join(self.last)[-MAX_KEPT_OUTPUT_CHARS:]]
        return len(text)

    @property
    def text(self) -> str:
        first, last = "".join(self.first), "".join(self.last)[-MAX_KEPT_OUTPUT_CHARS:]
        left_out = self.size - len(first) - len(last)
        return f"{first}\n… {left_out:,} characters …\n{last}" if left_out > 0 else first + last


# ---- once, before the program is loaded

PROTECTED_LIMITS = (
    () if resource is None else (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE)
)
WRITE_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
LOCAL_SOCKET_EVENTS = ("socket.gethostname", "socket.getservbyname", "socket.getservbyport")
NETWORK_EVENTS = ("urllib.Request", "webbrowser.open", "http.client.connect", "ftplib.connect", "smtplib.connect")
PROCESS_EVENTS = (
    "subprocess.Popen",
    "os.system",
    "os.fork",
    "os.forkpty",
    "os.exec",
    "os.posix_spawn",
    "os.spawn",
    "os.startfile",
)
MEMORY_EVENTS = ("gc.get_objects", "gc.get_referrers", "sys._current_frames", "sys._current_exceptions")  # lead to the checker
SIGNAL_EVENTS = ("os.kill", "os.killpg", "resource.prlimit")
FILE_EVENTS = {  # events that change files: the number of paths at the beginning, and the indices of the dir_fds
    "os.remove": (1, (1,)),
    "os.rename": (2, (2, 3)),
    "os.rmdir": (1, (1,)),
    "os.mkdir": (1, (2,)),
    "os.truncate": (1, ()),
    "os.chmod": (1, (2,)),
    "os.chown": (1, (3,)),
    "os.chflags": (1, ()),
    "os.utime": (1, (3,)),
    "os.link": (2, (2, 3)),
    "os.setxattr": (1, ()),
    "os.removexattr": (1, ()),
    "shutil.rmtree": (1, ()),
}
UNAUDITED_FUNCTIONS = {  # functions that affect other processes or files without an audit event
    "posix": ("mkfifo", "mknod", "chroot", "memfd_create", "pidfd_open", "setpriority", "sched_setaffinity", "sched_setscheduler",
              "sched_setparam", "setpgid", "setsid"),
    "_posixsubprocess": ("fork_exec",),
    "_posixshmem": ("shm_open", "shm_unlink"),
    "_signal": ("pidfd_send_signal",),
}  # fmt: skip
BLOCKED_MODULES = ("_gdbm", "_dbm")  # write files without an audit event; `dbm` then uses its Python version
MAX_FOLDER_DEPTH = 30  # in the program's folder: deeper folders could not be removed


def confine_process(folder: Path) -> None:
    """Allow this process to write only into the folder, and forbid network and other processes. This cannot be undone.

    This works by Python's audit events. A program that calls C by itself (ctypes) gets around it.
    """
    inside = WritableFolder(str(folder.resolve()))
    ours = threading.get_ident()

    def check(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "builtins.id":  # the most frequent one by far: copy.deepcopy asks for many identities
            return
        if event == "open":
            inside.check_open(*arguments)
        elif event in FILE_EVENTS:
            paths, folders = FILE_EVENTS[event]
            by_folder = any(arguments[place] not in (-1, None) for place in folders if place < len(arguments))
            for path in arguments[:paths]:
                if isinstance(path, int) and event != "os.truncate":  # a file descriptor, maybe open for reading only
                    raise ForbiddenAction("the program may not change files by their descriptors")
                inside.check_change(path, by_folder, is_new_folder=event == "os.mkdir")
        elif event == "os.symlink":
            inside.check_link(arguments[0])
            inside.check_change(arguments[1], arguments[2] not in (-1, None))
        elif event.startswith("sqlite3.connect"):
            raise ForbiddenAction("the program may not open databases")
        elif event in NETWORK_EVENTS or event.startswith("socket."):
            is_local = event in LOCAL_SOCKET_EVENTS or (event == "socket.__new__" and arguments[1] == AF_UNIX)
            if not is_local:
                raise ForbiddenAction(f"the program may not use the network ({event})")
        elif event in PROCESS_EVENTS:
            raise ForbiddenAction(f"the program may not start other programs ({event})")
        elif event in SIGNAL_EVENTS:
            raise ForbiddenAction("the program may not end or limit processes")
        elif event in MEMORY_EVENTS and threading.get_ident() != ours:
            raise ForbiddenAction(f"the program may not look for the objects of its checker ({event})")
        elif event == "resource.setrlimit" and arguments[0] in PROTECTED_LIMITS and threading.get_ident() != ours:
            raise ForbiddenAction("the program may not change its limits")

    _block_unaudited_functions()
    sys.addaudithook(check)


class WritableFolder:
    """The folder that a program may change, with checks whether a path leads there."""

    def __init__(self, folder: str):
        self.folder = folder
        self._below = os.path.join(folder, "")
        self._max_separators = self._below.count(os.sep) + MAX_FOLDER_DEPTH
        self._realpath, self._join, self._split = os.path.realpath, os.path.join, os.path.split  # a program may replace them
        self._is_folder = os.path.isdir

    def check_open(self, path: Any, mode: Any, flags: int) -> None:
        """Raise ForbiddenAction if a path may not be opened.

        `os.open` has no mode, and its event does not tell `dir_fd`: so no folder outside may be opened, and `..` is refused.
        """
        if isinstance(path, int):
            return
        text, is_low = os.fsdecode(path), not isinstance(mode, str)
        real = self._realpath(text)
        if real.startswith("/proc/") and real.endswith("/mem"):
            raise ForbiddenAction(f"the program may not open {text}: it has the memory of the checker")
        writes = bool(flags & WRITE_FLAGS) if is_low else any(sign in mode for sign in "wax+")
        if writes and real != os.devnull and (not self.is_inside(real) or (is_low and self._has_parent_step(text))):
            raise ForbiddenAction(f"the program may not write to {text}: it has its own folder")
        if is_low and (self._has_parent_step(text) or (not self.is_inside(real) and self._is_folder(real))):
            raise ForbiddenAction(f"the program may not open the folder {text}")

    def check_change(self, path: Any, by_folder: bool = False, is_new_folder: bool = False) -> None:
        """Raise ForbiddenAction if a path may not be changed.

        Some functions change a link itself, others its target: both have to be inside.
        """
        if isinstance(path, int) or path is None:
            return
        text = os.fsdecode(path)
        above, name = self._split(text.rstrip(os.sep) or text)
        places = (self._realpath(text), self._join(self._realpath(above), name))
        if not all(map(self.is_inside, places)) or (by_folder and self._has_parent_step(text)):
            raise ForbiddenAction(f"the program may not change {text}: it has its own folder")
        if is_new_folder and places[0].count(os.sep) > self._max_separators:
            raise ForbiddenAction(f"the program may not nest more than {MAX_FOLDER_DEPTH} folders")

    def check_link(self, target: Any) -> None:
        """Raise ForbiddenAction if a link would lead outside, wherever it is moved."""
        text = os.fsdecode(target)
        if self._has_parent_step(text) or not self.is_inside(self._realpath(text)):
            raise ForbiddenAction(f"the program may not make a link to {text}: it has its own folder")

    def _has_parent_step(self, text: str) -> bool:
        return not os.path.isabs(text) and ".." in text.replace("\\", "/").split("/")

    def is_inside(self, real: str) -> bool:
        return real == self.folder or real.startswith(self._below)


def _block_unaudited_functions() -> None:
    def refuse(*arguments: Any, **options: Any) -> Any:
        raise ForbiddenAction("the program may not reach other processes or create anything but files and folders")

    for module_name, names in UNAUDITED_FUNCTIONS.items():
        try:
            module = importlib.import_module(module_name)
        except ImportError:  # another system
            continue
        for name in names:
            for place in (module, os, signal):
                if hasattr(place, name):
                    setattr(place, name, refuse)
    for module_name in BLOCKED_MODULES:
        sys.modules[module_name] = None  # type: ignore[assignment]


def set_hard_limits(memory: int, cpu_seconds: float) -> None:
    """Set the limits that the process cannot raise again: total memory, processor time, file size, open files."""
    if resource is None:
        return
    lower_hard_limit(resource.RLIMIT_CPU, int(cpu_seconds) + 1)
    lower_hard_limit(resource.RLIMIT_FSIZE, MAX_FILE_BYTES)
    lower_hard_limit(resource.RLIMIT_NOFILE, MAX_OPEN_FILES)
    lower_hard_limit(resource.RLIMIT_CORE, 0)
    if (now := _used_memory_bytes()) is not None:
        lower_hard_limit(resource.RLIMIT_AS, now + memory + 2 * STACK_BYTES + REPORT_MEMORY_BYTES)
    if hasattr(signal, "SIGXFSZ"):
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a file that is too large raises OSError


def lower_hard_limit(limit: int, value: int) -> None:
    """Set a limit of this process that it cannot raise again."""
    _, hard = resource.getrlimit(limit)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(limit, (value, value))


@cache
def _open_memory_facts() -> int | None:
    """Open the file in which the kernel tells the memory of this process. It stays open: later it may be out of reach."""
    try:
        return os.open("/proc/self/statm", os.O_RDONLY)
    except OSError:
        return None


def _used_memory_bytes() -> int | None:
    """Return the address space of this process in bytes, or None if the system does not tell."""
    facts = _open_memory_facts()
    try:
        return None if facts is None else int(os.pread(facts, 100, 0).split()[0]) * resource.getpagesize()
    except (OSError, ValueError, IndexError):  # a program may have closed it, or opened another file in its place
        return None


def die_with_parent() -> None:
    """Let the system end this process when its parent ends, where it can do that."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def watch_lifeline(lifeline: int) -> None:
    """End this process when the parent's end of the pipe `lifeline` closes."""

    def wait() -> None:
        with suppress(OSError):
            os.read(lifeline, 1)
            EXIT_PROCESS(1)

    threading.Thread(target=wait, daemon=True).start()


def set_watchdog(seconds: float, stderr: TextIO) -> None:
    """End this process after a number of seconds, even inside C code, and write a traceback.

    Each call restarts the clock.
    """
    faulthandler.dump_traceback_later(seconds, exit=True, file=stderr)


@contextmanager
def patched_runtime(prints: CapturedOutput) -> Iterator[None]:
    """Patch the runtime while the block runs.

    Output is captured, threads run synchronously, random numbers come from one seed, and `os._exit` raises SystemExit.
    """
    originals = (sys.stdout, sys.stderr, os._exit, threading.Thread.start, sys.setrecursionlimit)
    set_limit = sys.setrecursionlimit

    def leave(code: int = 0) -> None:
        raise SystemExit(code)

    def run_at_once(thread: threading.Thread) -> None:
        thread._started.set()  # type: ignore[attr-defined]
        try:
            thread.run()
        finally:
            thread.join = lambda timeout=None: None  # type: ignore[method-assign]
            thread.is_alive = lambda: False  # type: ignore[method-assign]

    sys.stdout = sys.stderr = prints
    os._exit = leave  # type: ignore[assignment]
    threading.Thread.start = run_at_once  # type: ignore[method-assign, assignment]
    others = replace_executors()
    sys.setrecursionlimit = lambda frames: set_limit(min(max(frames, 1_000) * MAX_FRAMES_PER_CALL, MAX_FRAMES))
    set_limit(3_000)
    try:
        yield
    finally:
        sys.stdout, sys.stderr, os._exit = originals[:3]
        threading.Thread.start, sys.setrecursionlimit = originals[3:]  # type: ignore[method-assign]
        for module, name, value in others:
            setattr(module, name, value)


def restore_old_numpy_names() -> None:
    """Give numpy the names that version 2 has removed. Programs for version 1 use them."""
    old = {"infty": np.inf, "Inf": np.inf, "NINF": -np.inf, "PINF": np.inf, "NaN": np.nan, "float": float, "int": int,
           "object": object, "str": str, "float_": np.float64, "product": np.prod}  # fmt: skip
    for name, value in old.items():
        if name not in vars(np):
            setattr(np, name, value)


def seed_random() -> None:
    """Seed the random generators, so that every run draws the same numbers."""
    random.seed(0)
    np.random.seed(0)


# ---- each run


def run_with_limits(
    work: Callable[[], Any],
    seconds: float,
    memory: int,
    gives_up: Callable[[float], bool] | None = None,
    max_seconds: float | None = None,
) -> StoppedRun | None:
    """Do the work in a thread, with limits. Return why it ended early, or None.

    `seconds` are seconds that were worked, which other programs on the machine do not change. No more than `max_seconds` pass.
    `gives_up` is called regularly with the seconds that were worked. It returns True if waiting is pointless.
    """
    max_seconds = seconds if max_seconds is None else max_seconds
    stopped: list[StoppedRun | None] = [None]
    running = threading.Event()

    def run() -> None:
        try:
            try:
                work()
            except BaseException as error:
                running.set()
                stopped[0] = classify_error(error, seconds, memory)
            running.set()
        except BaseException as error:  # an interrupt that came late
            stopped[0] = stopped[0] or classify_error(error, seconds, memory)

    ours = dict(vars(builtins))
    before = threading.stack_size(STACK_BYTES)
    thread = threading.Thread(target=run, daemon=True)
    begun, worked = perf_counter(), process_time()
    over = 0.0  # seconds passed when its time was over
    with _limited_memory(memory):
        START_THREAD(thread)
        threading.stack_size(before)
        while thread.is_alive():
            threading.Thread.join(thread, POLL_SECONDS)
            passed = perf_counter() - begun
            busy = max(process_time() - worked, passed * MIN_WORKED_SHARE)  # a program that only waits gives up, too
            is_over = busy > seconds or passed > max_seconds
            if not running.is_set() and (is_over or (gives_up is not None and gives_up(busy))):
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(TimeLimitReached))
            over = over or (passed if is_over else 0.0)
            if over and passed > over + MAX_STOP_SECONDS:
                return StoppedRun(StopCause.STILL_RUNNING, format_seconds(seconds))
    vars(builtins).update(ours)  # a program may have replaced max or len, which we need
    return stopped[0]


@contextmanager
def _limited_memory(memory: int) -> Iterator[None]:
    """Limit the process to its current memory plus `memory` while the block runs. The rest is needed to report."""
    if resource is None or (now := _used_memory_bytes()) is None:
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = now + memory + 2 * STACK_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def classify_error(error: BaseException, seconds: float, memory: int) -> StoppedRun:
    """Return why the program ended, for an error that it raised or that stopped it."""
    if isinstance(error, TimeLimitReached):
        return StoppedRun(StopCause.TIME_LIMIT, format_seconds(seconds))
    if isinstance(error, TooManyCalls):
        return StoppedRun(StopCause.TOO_MANY_CALLS, f"{error.limit:,}")
    if isinstance(error, RecursionError):
        if sys.getrecursionlimit() >= MAX_FRAMES:  # the program has raised Python's limit up to ours
            return StoppedRun(StopCause.TOO_DEEP, f"{MAX_FRAMES // MAX_FRAMES_PER_CALL:,}")
        return StoppedRun(StopCause.ENDLESS_RECURSION)
    if isinstance(error, MemoryError):
        return StoppedRun(StopCause.MEMORY_LIMIT, f"{memory / (1 << 30):g} GB")
    if isinstance(error, SystemExit):
        return StoppedRun(StopCause.EXIT, "" if error.code is None else repr(error.code))
    if isinstance(error, (NeedsInput, ForbiddenAction)):
        return StoppedRun(StopCause.REFUSED, str(error))
    return StoppedRun(
        StopCause.EXCEPTION, f"{format_error(error)}{_format_program_line(error)}{_name_missing_option(error)}", error
    )


def _name_missing_option(error: BaseException) -> str:
    """Say if an error comes from an argument of the command line that was not given."""
    frames = traceback.extract_tb(error.__traceback__) if isinstance(error, IndexError) else []
    read = re.search(r"\bargv\[.*?\]", frames[-1].line or "") if frames else None
    return f": {read[0]} has to be given on the command line" if read else ""


def format_seconds(seconds: float) -> str:
    """Format a number of seconds.

    >>> format_seconds(1.0), format_seconds(2.5), format_seconds(47.8315)
    ('1 second', '2.5 seconds', '47.8 seconds')
    """
    return f"{round(seconds, 1):g} second{'' if seconds == 1 else 's'}"


def _format_program_line(error: BaseException) -> str:
    """Return the last line of the program itself in a traceback. Frames above it may be ours or a library's."""
    traceback, line = error.__traceback__, 0
    while traceback is not None:
        if "__plyscope_script__" in traceback.tb_frame.f_globals or "__plyscope_failed__" in traceback.tb_frame.f_globals:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return f" (line {line})" if line else ""
