"""Compile with numba: cached on disk where that is possible, recovering from a damaged cache."""

import itertools
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import numba
import numpy as np
from numba.core.compiler_lock import global_compiler_lock

from engine.compiled.compile_policy import announce_waiting, note_interpreted, note_unsaved, should_compile_first
from engine.core.file_lock import IsLocked, hold_file_lock

MAX_WAIT_SECONDS = 6.0  # for another process, which may be a slow one: then this one compiles, too


class NotReady(Exception):
    """The function is compiled neither in memory nor on disk."""


class CompiledFunction:
    """A function that numba compiles at its first call, or loads from its cache on disk.

    Without a writable place for the cache the function is compiled in every process. A damaged cache file makes loading fail
    in many ways; it is then deleted and the function compiled again. The compiler uses the vectorizer that processes the four
    directions of a board side by side (the kernel is 1.3 times faster with it).

    numba checks by the file of the function whether its cache is current. Code compiled in from other modules is declared here:
    a change in one of the modules `uses` invalidates the cache, too.
    """

    MAX_INTERPRETED_ROWS = 20_000  # that a process does without it while it is not compiled: readable searches, a second at most

    def __init__(self, function: Callable[..., Any], uses: tuple[ModuleType, ...] = ()):
        self.__doc__ = function.__doc__
        self.function = function
        self._rows_left = self.MAX_INTERPRETED_ROWS
        self._is_only_loading = False
        self.cache_file: Any = None  # None: there is no place for it
        try:
            self.dispatcher: Any = numba.njit(cache=True, nogil=True)(function)
        except RuntimeError:  # no locator available: neither the package's folder nor the user's is writable
            self.dispatcher = numba.njit(nogil=True)(function)
        if is_jit_disabled():
            return
        self._compile_or_load = self.dispatcher._compile_for_args
        self.dispatcher._compile_for_args = self._choose_overload
        self._harden_cache(uses)

    def __call__(self, *arguments: Any) -> Any:
        return self.dispatcher(*arguments)

    def is_ready(self, *arguments: Any) -> bool:
        """Return True if a call with such arguments starts at once. Code on disk is loaded."""
        return self._find_overload(arguments) is not None

    @property
    def row_allowance(self) -> int:
        """Return the number of rows that may still be processed without this function while it is not ready."""
        return 0 if should_compile_first() else self._rows_left

    def spend_allowance(self, rows: int) -> None:
        """Note that so many rows were processed without this function because it was not ready."""
        self._rows_left = max(0, self._rows_left - rows)
        note_interpreted()

    def _choose_overload(self, *arguments: Any) -> Any:
        """Return the function to call. numba asks for it if it has nothing in memory for arguments of these types."""
        return self._find_overload(arguments) or self._compile_overload(arguments)

    def _find_overload(self, arguments: tuple[Any, ...]) -> Any:
        """Return the function for such arguments, from memory or disk; None if it has to be compiled."""
        with global_compiler_lock, defer_interrupts():
            self._is_only_loading = True
            try:
                return self._compile_or_load(*arguments)
            except NotReady:
                return None
            finally:
                self._is_only_loading = False

    def _compile_overload(self, arguments: tuple[Any, ...]) -> Any:
        """Compile it, or load what another process is compiling right now."""
        announce_waiting(self.cache_file is not None)
        config: Any = numba.config
        with ExitStack() as alone:
            if self.cache_file is not None:
                with suppress(IsLocked):
                    alone.enter_context(hold_file_lock(Path(f"{self.cache_file._index_path}.lock"), MAX_WAIT_SECONDS))
            with defer_interrupts(), global_compiler_lock:
                setting, config.SLP_VECTORIZE = config.SLP_VECTORIZE, 1
                try:
                    return self._compile_or_load(*arguments)
                finally:
                    config.SLP_VECTORIZE = setting

    def _harden_cache(self, uses: tuple[ModuleType, ...]) -> None:
        """Make the cache of this function notice more changes and survive more faults than numba's does."""
        cache: Any = self.dispatcher._cache
        load, save = cache.load_overload, cache.save_overload
        if hasattr(cache, "_cache_file"):
            self.cache_file = cache._cache_file
            self.cache_file._source_stamp = (self.cache_file._source_stamp, *map(_file_stamp, uses))
            self.cache_file.save = self._save_data_first
            load = _make_forgiving_loader(_make_quick_loader(cache), load, cache.flush)

        def load_or_give_up(*key: Any) -> Any:
            found = load(*key)
            if found is None and self._is_only_loading:
                raise NotReady
            return found

        def save_if_possible(*entry: Any) -> None:
            try:
                save(*entry)
            except OSError:  # a full disk: the next process compiles again
                note_unsaved()

        cache.load_overload, cache.save_overload = load_or_give_up, save_if_possible

    def _save_data_first(self, key: Any, data: Any) -> None:
        """Save an entry as numba does, but its data before the index that names it.

        So no process loads data that is not there yet, or that an older version has left there.
        """
        file = self.cache_file
        names = file._load_index()
        taken = set(names.values())
        name = names.get(key) or next(new for number in itertools.count(1) if (new := file._data_name(number)) not in taken)
        file._save_data(name, data)
        file._save_index({**names, key: name})


class CompiledRowFunction(CompiledFunction):
    """A compiled function over rows that Python can also interpret. It does if the rows are few and nothing is compiled yet.

    The first array among its arguments gives the number of rows.
    """

    MAX_INTERPRETED_ROWS = 100_000  # 1 to 7 µs each

    def _choose_overload(self, *arguments: Any) -> Any:
        found = self._find_overload(arguments)
        if found is not None:
            return found
        rows = _first_array_size(arguments)
        if rows > self.row_allowance:
            return self._compile_overload(arguments)
        self.spend_allowance(rows)
        return self._interpret

    def _interpret(self, *arguments: Any) -> Any:
        with np.errstate(all="ignore"):  # as compiled code does, whose whole numbers wrap around
            return self.function(*arguments)


def _first_array_size(arguments: Any) -> int:
    """Return the number of entries of the first array, also looking inside tuples."""
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            return argument.size
        if isinstance(argument, tuple) and (size := _first_array_size(argument)):
            return size
    return 0


def _file_stamp(module: ModuleType) -> tuple[float, int]:
    """Return the modification time and size of a module's file, which numba also compares."""
    found = os.stat(str(module.__file__))
    return found.st_mtime, found.st_size


def _make_quick_loader(cache: Any) -> Callable[..., Any]:
    """Return a function that loads from the cache without the parts that only the compiler needs.

    numba's own loading first imports and registers all that it could compile (strings, dates, polynomials …), which takes a
    third of the first call of a process. Compiled code only calls numba's run-time system, and a compiler that is needed
    later still registers everything before it begins.
    """

    def load(signature: Any, context: Any) -> Any:
        from numba.core.runtime.nrt import rtsys

        rtsys.initialize(context)
        return cache._load_overload(signature, context)

    return load


def _make_forgiving_loader(quick: Callable[..., Any], load: Callable[..., Any], forget: Callable[[], None]) -> Callable[..., Any]:
    """Return a function that loads from the cache and treats a damaged file as missing. It calls `load` where the quick way
    fails.
    """

    def load_or_forget(*key: Any) -> Any:
        with suppress(Exception):
            return quick(*key)
        try:
            return load(*key)
        except Exception:
            with suppress(OSError):  # on a disk that takes nothing
                forget()
            return None

    return load_or_forget


@contextmanager
def defer_interrupts() -> Iterator[None]:
    """Delay Ctrl-C until the compiler is done: raised inside, it can get lost in the compiler's callbacks.

    Pressed again, it takes effect at once.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    pressed: list[int] = []

    def keep_the_first(number: int, frame: FrameType | None) -> None:
        pressed.append(number)
        if len(pressed) > 1:
            before(number, frame)

    signal.signal(signal.SIGINT, keep_the_first)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        before(pressed[0], sys._getframe())


def is_jit_disabled() -> bool:
    """Return True if numba is configured not to compile anything."""
    return bool(numba.config.DISABLE_JIT)  # type: ignore[attr-defined]
