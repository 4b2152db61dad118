"""What a student's program may use while it is watched: time, memory, calls, prints; a folder of its own and no network.

This keeps programs from doing harm by mistake, and one program from spoiling a class run. It is no prison for a program that
means harm: it can call C by itself, and it can change the watcher, which runs in the same process.
"""

import builtins
import concurrent.futures
import ctypes
import faulthandler
import importlib
import multiprocessing
import os
import random
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from io import TextIOBase
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from engine.checker.recording.call_recorder import TooManyCalls
from engine.checker.sandbox.loader import NeedsInput

try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None  # type: ignore[assignment]
AF_UNIX = getattr(socket, "AF_UNIX", None)  # pairs of them are used inside of a process

SECONDS, MEMORY = 60.0, 1 << 30
STACK = 256 << 20  # bytes: our own frames stand between those of the program
MOST_FRAMES = 20_000
FRAMES_OF_A_CALL = 3  # at most, with ours
PRINTS_KEPT = 50_000  # characters at the beginning, and as many at the end
NEWS = 0.05  # seconds between two looks at the clock
PR_SET_PDEATHSIG = 1  # of linux/prctl.h
MAX_FILE_BYTES = 64 << 20  # that a program may write
MAX_OPEN_FILES = 64
TELLING_MEMORY = 1 << 30  # bytes that are left to tell what happened
STUBBORN = 2.0  # seconds that a program may go on after it was told to stop
LEFT_BEHIND = ", while it catches every error and goes on"  # the end of the sentence on a program that still runs
START_THREAD, END = threading.Thread.start, os._exit


class TimeIsUp(BaseException):
    """The program runs for too long. No Exception: the program must not catch it."""


class Forbidden(PermissionError):
    """Something that a watched program may not do."""


class Prints(TextIOBase):
    """What a program prints: the beginning and the end of it."""

    def __init__(self) -> None:
        self.first: list[str] = []
        self.last: list[str] = []
        self.size = self._room = 0
        self.encoding_errors = "replace"
        self.forget()

    def forget(self) -> None:
        self.first, self.last, self.size, self._room = [], [], 0, PRINTS_KEPT

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.size += len(text)
        if self._room > 0:
            self.first.append(text[: self._room])
            self._room -= len(text)
        else:
            self.last.append(text[-PRINTS_KEPT:])
            if len(self.last) > 2_000:
                self.last = ["".join(self.last)[-PRINTS_KEPT:]]
        return len(text)

    @property
    def text(self) -> str:
        first, last = "".join(self.first), "".join(self.last)[-PRINTS_KEPT:]
        left_out = self.size - len(first) - len(last)
        return f"{first}\n… {left_out:,} characters …\n{last}" if left_out > 0 else first + last


# ---- once, before anything foreign is loaded

OUR_LIMITS = () if resource is None else (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE)
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
LOCAL_NAMES = ("socket.gethostname", "socket.getservbyname", "socket.getservbyport")
NETWORK = ("urllib.Request", "webbrowser.open", "http.client.connect", "ftplib.connect", "smtplib.connect")
PROCESSES = ("subprocess.Popen", "os.system", "os.fork", "os.forkpty", "os.exec", "os.posix_spawn", "os.spawn", "os.startfile")
SIGNALS = ("os.kill", "os.killpg", "resource.prlimit")
PATHS = {  # of each event that changes files: how many paths come first, and where the dir_fds stand
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
UNAUDITED = {  # functions that reach beyond the process without an event
    "posix": ("mkfifo", "mknod", "chroot", "memfd_create", "pidfd_open", "setpriority", "sched_setaffinity", "sched_setscheduler",
              "sched_setparam", "setpgid", "setsid"),
    "_posixsubprocess": ("fork_exec",),
    "_posixshmem": ("shm_open", "shm_unlink"),
    "_signal": ("pidfd_send_signal",),
}  # fmt: skip
NOT_IMPORTED = ("_gdbm", "_dbm")  # write files without an event; `dbm` then takes its own Python
MAX_FOLDERS_BELOW = 30  # of the program's folder: deeper ones could not be removed


def confine(folder: Path) -> None:
    """From now on this process writes into the folder only, calls nobody and starts nothing. It cannot be taken back.

    This works by Python's audit events. A program that calls C by itself (ctypes) gets around it.
    """
    inside = Inside(str(folder.resolve()))
    ours = threading.get_ident()

    def check(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            inside.check_open(*arguments)
        elif event in PATHS:
            paths, folders = PATHS[event]
            by_folder = any(arguments[place] not in (-1, None) for place in folders if place < len(arguments))
            for path in arguments[:paths]:
                if isinstance(path, int) and event != "os.truncate":  # of a file that may be open for reading only
                    raise Forbidden("the program may not change files by their numbers")
                inside.check_change(path, by_folder, is_new_folder=event == "os.mkdir")
        elif event == "os.symlink":
            inside.check_link(arguments[0])
            inside.check_change(arguments[1], arguments[2] not in (-1, None))
        elif event.startswith("sqlite3.connect"):
            raise Forbidden("the program may not open databases")
        elif event in NETWORK or event.startswith("socket."):
            is_local = event in LOCAL_NAMES or (event == "socket.__new__" and arguments[1] == AF_UNIX)
            if not is_local:
                raise Forbidden(f"the program may not use the network ({event})")
        elif event in PROCESSES:
            raise Forbidden(f"the program may not start other programs ({event})")
        elif event in SIGNALS:
            raise Forbidden("the program may not end or limit processes")
        elif event == "resource.setrlimit" and arguments[0] in OUR_LIMITS and threading.get_ident() != ours:
            raise Forbidden("the program may not change its limits")

    _refuse_unaudited()
    sys.addaudithook(check)


class Inside:
    """The folder that a program may change, and how one sees that a path leads there."""

    def __init__(self, folder: str):
        self.folder = folder
        self._below = os.path.join(folder, "")
        self._most = self._below.count(os.sep) + MAX_FOLDERS_BELOW
        self._realpath, self._join, self._split = os.path.realpath, os.path.join, os.path.split  # a program may replace them
        self._is_folder = os.path.isdir

    def check_open(self, path: Any, mode: Any, flags: int) -> None:
        """`os.open` has no mode, and we are not told its `dir_fd`: no folder outside is opened, and none is left by `..`."""
        if isinstance(path, int):
            return
        text, is_low = os.fsdecode(path), not isinstance(mode, str)
        real = self._realpath(text)
        writes = bool(flags & WRITING) if is_low else any(sign in mode for sign in "wax+")
        if writes and real != os.devnull and (not self.holds(real) or (is_low and self._climbs(text))):
            raise Forbidden(f"the program may not write to {text}: it runs in a folder of its own")
        if is_low and (self._climbs(text) or (not self.holds(real) and self._is_folder(real))):
            raise Forbidden(f"the program may not open the folder {text}")

    def check_change(self, path: Any, by_folder: bool = False, is_new_folder: bool = False) -> None:
        """A link is changed itself by some functions, and what it leads to by others: both have to be inside."""
        if isinstance(path, int) or path is None:
            return
        text = os.fsdecode(path)
        above, name = self._split(text.rstrip(os.sep) or text)
        places = (self._realpath(text), self._join(self._realpath(above), name))
        if not all(map(self.holds, places)) or (by_folder and self._climbs(text)):
            raise Forbidden(f"the program may not change {text}: it runs in a folder of its own")
        if is_new_folder and places[0].count(os.sep) > self._most:
            raise Forbidden(f"the program may not make more than {MAX_FOLDERS_BELOW} folders in each other")

    def check_link(self, target: Any) -> None:
        """Links lead to places inside only, wherever they are moved."""
        text = os.fsdecode(target)
        if self._climbs(text) or not self.holds(self._realpath(text)):
            raise Forbidden(f"the program may not make a link to {text}: it runs in a folder of its own")

    def _climbs(self, text: str) -> bool:
        return not os.path.isabs(text) and ".." in text.replace("\\", "/").split("/")

    def holds(self, real: str) -> bool:
        return real == self.folder or real.startswith(self._below)


def _refuse_unaudited() -> None:
    def refuse(*arguments: Any, **options: Any) -> Any:
        raise Forbidden("the program may not reach other processes, or make anything but files and folders")

    for module_name, names in UNAUDITED.items():
        try:
            module = importlib.import_module(module_name)
        except ImportError:  # another system
            continue
        for name in names:
            for place in (module, os, signal):
                if hasattr(place, name):
                    setattr(place, name, refuse)
    for module_name in NOT_IMPORTED:
        sys.modules[module_name] = None  # type: ignore[assignment]


def limit_forever(memory: int, cpu_seconds: float) -> None:
    """Set the limits that the process cannot raise again: memory in all, processor time, the size of a file, open files."""
    if resource is None:
        return
    _set_hard(resource.RLIMIT_CPU, int(cpu_seconds) + 1)
    _set_hard(resource.RLIMIT_FSIZE, MAX_FILE_BYTES)
    _set_hard(resource.RLIMIT_NOFILE, MAX_OPEN_FILES)
    _set_hard(resource.RLIMIT_CORE, 0)
    if (now := _memory_now()) is not None:
        _set_hard(resource.RLIMIT_AS, now + memory + 2 * STACK + TELLING_MEMORY)
    if hasattr(signal, "SIGXFSZ"):
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a file that is too large is an OSError


def _set_hard(limit: int, most: int) -> None:
    _, hard = resource.getrlimit(limit)
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(limit, (most, most))


def _memory_now() -> int | None:
    """Return the address space of this process in bytes; None where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except OSError:
        return None


def end_without_the_parent(lifeline: int) -> None:
    """End this process with the one that started it, however that ends: then its end of the pipe `lifeline` closes."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)

    def wait() -> None:
        with suppress(OSError):
            os.read(lifeline, 1)
            END(1)

    threading.Thread(target=wait, daemon=True).start()


def end_after(seconds: float, words: TextIO) -> None:
    """End this process after so many seconds from now, even if it never comes back from C, and write down where it was.

    Each call sets the clock anew.
    """
    faulthandler.dump_traceback_later(seconds, exit=True, file=words)


@contextmanager
def tame(prints: Prints) -> Iterator[None]:
    """What a program does to its process is done to nobody else: prints are kept, threads run where they are started, random
    numbers come from one seed, and it cannot leave without being seen."""
    kept = (sys.stdout, sys.stderr, os._exit, threading.Thread.start, sys.setrecursionlimit)
    set_limit = sys.setrecursionlimit

    def leave(code: int = 0) -> None:
        raise SystemExit(code)

    def at_once(thread: threading.Thread) -> None:
        thread._started.set()  # type: ignore[attr-defined]
        try:
            thread.run()
        finally:
            thread.join = lambda timeout=None: None  # type: ignore[method-assign]
            thread.is_alive = lambda: False  # type: ignore[method-assign]

    sys.stdout = sys.stderr = prints
    os._exit = leave  # type: ignore[assignment]
    threading.Thread.start = at_once  # type: ignore[method-assign, assignment]
    others = _run_at_once()
    sys.setrecursionlimit = lambda frames: set_limit(min(max(frames, 1_000) * FRAMES_OF_A_CALL, MOST_FRAMES))
    set_limit(3_000)
    try:
        yield
    finally:
        sys.stdout, sys.stderr, os._exit = kept[:3]
        threading.Thread.start, sys.setrecursionlimit = kept[3:]  # type: ignore[method-assign]
        for module, name, value in others:
            setattr(module, name, value)


class AtOnce(Executor):
    """A pool of workers that does everything itself, at once: stands for those of threads and of processes."""

    def __init__(self, *arguments: Any, **options: Any):
        pass

    def submit(self, function: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        done: Future[Any] = Future()
        try:
            done.set_result(function(*given, **named))
        except Exception as error:
            done.set_exception(error)
        return done

    def starmap(self, function: Callable[..., Any], many: Any, chunksize: int = 1) -> list[Any]:
        return [function(*given) for given in many]

    def apply(self, function: Callable[..., Any], args: Any = (), kwds: Any = None) -> Any:
        return function(*args, **(kwds or {}))

    def map(self, function: Callable[..., Any], *many: Any, timeout: float | None = None, chunksize: int = 1) -> Any:
        return [function(*given) for given in zip(*many, strict=False)]

    def close(self) -> None:
        pass

    terminate = join = close


def _run_at_once() -> list[tuple[Any, str, Any]]:
    """Workers of all kinds do their work where they are asked to; what stood there before."""
    replaced: list[tuple[Any, str, Any]] = [
        (concurrent.futures, "ThreadPoolExecutor", concurrent.futures.ThreadPoolExecutor),
        (concurrent.futures, "ProcessPoolExecutor", concurrent.futures.ProcessPoolExecutor),
        (multiprocessing, "Pool", multiprocessing.Pool),
        (multiprocessing, "Process", multiprocessing.Process),
    ]
    for module, name, _ in replaced:
        setattr(module, name, threading.Thread if name == "Process" else AtOnce)
    return replaced


def same_chance() -> None:
    """Random numbers are the same in every run."""
    random.seed(0)
    np.random.seed(0)


# ---- each run


def run_limited(work: Callable[[], Any], seconds: float, memory: int, gives_up: Callable[[float], bool] | None = None) -> str:
    """Do the work in a thread of its own; how it ended, as a sentence without a full stop, empty if by itself. `gives_up` is
    asked now and then, with the seconds that have passed, whether it is worth waiting."""
    ended: list[str] = [""]
    running = threading.Event()

    def run() -> None:
        try:
            try:
                work()
            except BaseException as error:
                running.set()
                ended[0] = what_happened(error, seconds, memory)
            running.set()
        except BaseException as error:  # an interrupt that came late
            ended[0] = ended[0] or what_happened(error, seconds, memory)

    ours = dict(vars(builtins))
    before = threading.stack_size(STACK)
    thread = threading.Thread(target=run, daemon=True)
    begun = time.perf_counter()
    with _less_memory(memory):
        START_THREAD(thread)
        threading.stack_size(before)
        while thread.is_alive():
            threading.Thread.join(thread, NEWS)
            passed = time.perf_counter() - begun
            if not running.is_set() and (passed > seconds or (gives_up is not None and gives_up(passed))):
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(TimeIsUp))
            if passed > seconds + STUBBORN:
                return what_happened(TimeIsUp(), seconds, memory) + LEFT_BEHIND
    vars(builtins).update(ours)  # a program may give max or len another meaning, and we need them too
    return ended[0]


@contextmanager
def _less_memory(memory: int) -> Iterator[None]:
    """The process gets so much memory more than it has now; more again afterwards, so that it can tell what happened."""
    if resource is None or (now := _memory_now()) is None:
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = now + memory + 2 * STACK
    resource.setrlimit(resource.RLIMIT_AS, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def what_happened(error: BaseException, seconds: float, memory: int) -> str:
    """Why a program ended, for its author."""
    if isinstance(error, TimeIsUp):
        return f"it was stopped after {seconds:g} second{'' if seconds == 1 else 's'}"
    if isinstance(error, TooManyCalls):
        return "it was stopped because it makes more calls than are written down"
    if isinstance(error, RecursionError):
        if sys.getrecursionlimit() >= MOST_FRAMES:  # it wants to go deeper than Python does by itself
            return f"its calls go deeper than can be watched ({MOST_FRAMES // FRAMES_OF_A_CALL:,} at most)"
        return "its recursion never ends (RecursionError)"
    if isinstance(error, MemoryError):
        return f"it was stopped because it needs more than {memory / (1 << 30):g} GB of memory"
    if isinstance(error, SystemExit):
        return f"it ends itself with exit({'' if error.code is None else error.code!r})"
    if isinstance(error, KeyboardInterrupt):
        return "it raises KeyboardInterrupt"
    if isinstance(error, (NeedsInput, Forbidden)):
        return str(error)
    return f"it raises {type(error).__name__}{f': {str(error)[:200]}' if str(error) else ''}{_where(error)}"


def _where(error: BaseException) -> str:
    """The last line of the program itself; what stands on top of it may be ours or a library's."""
    traceback, line = error.__traceback__, 0
    while traceback is not None:
        if "__plyscope_script__" in traceback.tb_frame.f_globals or "__plyscope_failed__" in traceback.tb_frame.f_globals:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return f" (line {line})" if line else ""
