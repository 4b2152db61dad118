"""Process and thread pools that run everything at once in the caller, for the time of a run."""

import concurrent.futures
import multiprocessing
import queue
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from types import SimpleNamespace
from typing import Any


class SynchronousExecutor(Executor):
    """An executor that runs everything at once in the caller. It replaces pools of threads and of processes."""

    def __init__(self, workers: Any = None, *arguments: Any, initializer: Any = None, initargs: Any = (), **options: Any):
        if arguments and callable(arguments[0]):  # a Pool gets it as its second argument
            initializer, *rest = arguments
            initargs = rest[0] if rest else initargs
        if initializer is not None:
            initializer(*initargs)

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        done: Future[Any] = Future()
        try:
            done.set_result(function(*args, **kwargs))
        except Exception as error:
            done.set_exception(error)
        return done

    def apply(self, function: Callable[..., Any], args: Any = (), kwds: Any = None) -> Any:
        return function(*args, **(kwds or {}))

    def map(self, function: Callable[..., Any], *iterables: Any, timeout: float | None = None, chunksize: int = 1) -> Any:
        return [function(*args) for args in zip(*iterables, strict=False)]

    def starmap(self, function: Callable[..., Any], iterables: Any, chunksize: int = 1) -> list[Any]:
        return [function(*args) for args in iterables]

    def imap(self, function: Callable[..., Any], iterable: Any, chunksize: int = 1) -> Iterator[Any]:
        return map(function, iterable)

    imap_unordered = imap

    def apply_async(self, function: Callable[..., Any], args: Any = (), kwds: Any = None, *callbacks: Any) -> "FinishedResult":
        return FinishedResult(self.apply(function, args, kwds))

    def map_async(self, function: Callable[..., Any], iterable: Any, *options: Any) -> "FinishedResult":
        return FinishedResult(self.map(function, iterable))

    def starmap_async(self, function: Callable[..., Any], iterable: Any, *options: Any) -> "FinishedResult":
        return FinishedResult(self.starmap(function, iterable))

    def close(self) -> None:
        pass

    terminate = join = close


class FinishedResult:
    """The result of a call of a pool that has been made already."""

    def __init__(self, value: Any):
        self._value = value

    def get(self, timeout: float | None = None) -> Any:
        return self._value

    def wait(self, timeout: float | None = None) -> None:
        pass

    def ready(self) -> bool:
        return True

    successful = ready


class SynchronousManager:
    """A manager whose shared objects are plain ones: there is only one process."""

    dict, list, Queue, Namespace = dict, list, queue.Queue, SimpleNamespace
    Lock, RLock, Event = threading.Lock, threading.RLock, threading.Event

    def Value(self, kind: Any, value: Any) -> SimpleNamespace:
        return SimpleNamespace(value=value)

    def Array(self, kind: Any, values: Any) -> Any:
        return [*values]

    def shutdown(self) -> None:
        pass

    def __enter__(self) -> "SynchronousManager":
        return self

    def __exit__(self, *error: Any) -> None:
        pass


def replace_executors() -> list[tuple[Any, str, Any]]:
    """Replace executors, pools, managers and processes by synchronous ones. Return the originals."""
    replacements = {
        (concurrent.futures, "ThreadPoolExecutor"): SynchronousExecutor,
        (concurrent.futures, "ProcessPoolExecutor"): SynchronousExecutor,
        (multiprocessing, "Pool"): SynchronousExecutor,
        (multiprocessing, "Manager"): SynchronousManager,
        (multiprocessing, "Process"): threading.Thread,
    }
    replaced = [(module, name, getattr(module, name)) for module, name in replacements]
    for (module, name), replacement in replacements.items():
        setattr(module, name, replacement)
    return replaced
