"""Compiling with numba: cached on disk where there is a place for it, recovering from a damaged cache."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import ModuleType
from typing import Any

import numba


class Compiled:
    """A function that numba compiles at its first call, or loads from its cache on disk.

    Without a writable place for the cache the function is compiled in every process. A damaged file of the cache makes loading
    fail in many ways; it is thrown away then, and the function compiled again. The compiler is asked for the vectorizer that puts
    the four directions of a board side by side (the kernel is 1.3 times faster with it).

    numba sees by the file of the function whether its cache is of today. What is compiled in from other modules is told here:
    `uses` are those whose change makes it old, too.
    """

    def __init__(self, function: Callable[..., Any], uses: tuple[ModuleType, ...] = ()):
        self.__doc__ = function.__doc__
        try:
            self.dispatcher = numba.njit(cache=True, nogil=True)(function)
        except RuntimeError:  # no locator available: neither the package's folder nor the user's is writable
            self.dispatcher = numba.njit(nogil=True)(function)
        cache: Any = getattr(self.dispatcher, "_cache", None)
        if hasattr(cache, "_cache_file"):  # there is one
            cache._cache_file._source_stamp = (cache._cache_file._source_stamp, *map(_stamp, uses))
            cache.load_overload = _forgiving(_quick(cache), cache.load_overload, cache.flush)

    def __call__(self, *arguments: Any) -> Any:
        config: Any = numba.config
        setting, config.SLP_VECTORIZE = config.SLP_VECTORIZE, 1
        try:
            return self.dispatcher(*arguments)
        finally:
            config.SLP_VECTORIZE = setting


def _stamp(module: ModuleType) -> tuple[float, int]:
    """What changes when its file does, as far as numba looks."""
    found = os.stat(str(module.__file__))
    return found.st_mtime, found.st_size


def _quick(cache: Any) -> Callable[..., Any]:
    """Loading from the cache without what only the compiler needs.

    numba's own loading first imports and registers all that it could compile (strings, dates, polynomials …), which takes a third
    of the first call of a process. What compiled code calls is its run-time system, and a compiler that is asked for something
    later still registers everything before it begins.
    """

    def load(signature: Any, context: Any) -> Any:
        from numba.core.runtime.nrt import rtsys

        rtsys.initialize(context)
        return cache._load_overload(signature, context)

    return load


def _forgiving(quick: Callable[..., Any], load: Callable[..., Any], forget: Callable[[], None]) -> Callable[..., Any]:
    """Loading from the cache such that a damaged file counts as none; `load` is asked where the quick way finds nothing."""

    def load_or_forget(*key: Any) -> Any:
        with suppress(Exception):
            if (found := quick(*key)) is not None:
                return found
        try:
            return load(*key)
        except Exception:
            forget()
            return None

    return load_or_forget


@contextmanager
def interrupts_kept() -> Iterator[None]:
    """Ctrl-C while the compiler runs takes effect after it: raised inside, it can get lost in the compiler's callbacks."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    pressed: list[int] = []
    signal.signal(signal.SIGINT, lambda number, frame: pressed.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        before(pressed[0], sys._getframe())


def switched_off() -> bool:
    """Whether numba was told not to compile anything."""
    return bool(numba.config.DISABLE_JIT)  # type: ignore[attr-defined]
