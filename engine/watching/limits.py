"""What a student's program may use while it is watched: time, memory, calls, prints; a folder of its own and no network.

This keeps programs from doing harm by mistake. It is no prison for one that means harm: such a program is not to be run at all.
"""

import builtins
import concurrent.futures
import ctypes
import multiprocessing
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from io import TextIOBase
from pathlib import Path
from typing import Any

import numpy as np

from engine.watching.calls import TooManyCalls
from engine.watching.loading import NeedsInput

try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None  # type: ignore[assignment]

SECONDS, MEMORY = 60.0, 1 << 30
STACK = 256 << 20  # bytes: our own frames stand between those of the program
MOST_FRAMES = 20_000
FRAMES_OF_A_CALL = 3  # at most, with ours
PRINTS_KEPT = 50_000  # characters at the beginning, and as many at the end
NEWS = 0.05  # seconds between two looks at the clock
PR_SET_PDEATHSIG = 1  # of linux/prctl.h
STUBBORN = 2.0  # seconds that a program may go on after it was told to stop
LEFT_BEHIND = ", while it catches every error and goes on"  # the end of the sentence on a program that still runs
START_THREAD = threading.Thread.start


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

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
NETWORK = ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.sendto", "urllib.Request", "webbrowser.open")
PROCESSES = ("subprocess.Popen", "os.system", "os.fork", "os.forkpty", "os.exec", "os.posix_spawn", "os.spawn", "os.startfile")
CHANGES = ("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.truncate", "os.chmod", "os.link", "os.symlink", "shutil.rmtree")


def confine(folder: Path) -> None:
    """From now on this process writes into the folder only, calls nobody and starts nothing. It cannot be taken back."""
    allowed = str(folder.resolve())

    def is_inside(path: Any) -> bool:
        if isinstance(path, int) or path is None:
            return True
        return os.path.realpath(os.fsdecode(path)).startswith((allowed, os.devnull))

    def check(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, mode, flags = arguments
            writes = any(sign in mode for sign in "wax+") if isinstance(mode, str) else bool(flags & WRITING)
            if writes and not is_inside(path):
                raise Forbidden(f"the program may not write to {os.fsdecode(path)}: it runs in a folder of its own")
        elif event in NETWORK:
            raise Forbidden(f"the program may not use the network ({event})")
        elif event in PROCESSES:
            raise Forbidden(f"the program may not start other programs ({event})")
        elif event in CHANGES and not is_inside(arguments[0]):
            raise Forbidden(f"the program may not change {os.fsdecode(arguments[0])}: it runs in a folder of its own")
        elif event == "os.kill":
            raise Forbidden("the program may not end processes")

    sys.addaudithook(check)


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


def end_without_the_parent(seconds: float) -> None:
    """The process that started this one ends it in time; if that one is killed, the system does."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if resource is not None:
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        most = int(seconds) if hard == resource.RLIM_INFINITY else min(int(seconds), hard)
        resource.setrlimit(resource.RLIMIT_CPU, (most, hard))


@contextmanager
def _less_memory(memory: int) -> Iterator[None]:
    """The process gets so much memory more than it has now; more again afterwards, so that it can tell what happened."""
    if resource is None or not Path("/proc/self/statm").exists():
        yield
        return
    now = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
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
