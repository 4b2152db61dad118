"""Everything that touches private parts of numba and llvmlite. The tested versions are capped in pyproject.toml.

- `CompiledFunction` and `CompiledRowFunction`: functions with a cache on disk that recovers from damage.
- `popcount`, `prefetch_word`, `copy_word`: machine instructions for the kernels.

Other modules use only numba's documented names: `njit`, `types`, and `overload` and `register_jitable` of `numba.extending`.
`tests/engine/compiled/test_numba_compat.py` lists the private names and says what to check when numba changes.
"""

import itertools
import os
import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import intrinsic

from engine.compiled.compile_policy import announce_waiting, note_interpreted, note_unsaved, should_compile_first
from engine.core.file_lock import IsLocked, hold_file_lock
from engine.core.interrupts import defer_interrupts, run_interruptibly

MAX_WAIT_SECONDS = 6.0  # for another process that compiles the same function; then this one compiles it, too
WORD_BYTES = 16  # copied at once by `copy_word`


class NotReady(Exception):
    """The function is compiled neither in memory nor on disk."""


class CompiledFunction:
    """A function that numba compiles at its first call, or loads from its cache on disk.

    Without a writable folder for the cache the function is compiled in every process. A damaged cache file makes loading fail
    in many ways; it is then deleted and the function compiled again. The compiler uses the vectorizer that processes the four
    directions of a board side by side (the kernel is 1.3 times faster with it).

    numba checks only the file of the function itself to decide if its cache is current. So other modules whose code is compiled
    in are declared: a change in one of `uses`, or in this module, invalidates the cache, too.
    """

    MAX_INTERPRETED_ROWS = 20_000  # rows that readable searches process while this is not compiled; a second at most

    def __init__(self, function: Callable[..., Any], uses: tuple[ModuleType, ...] = ()):
        self.__doc__ = function.__doc__
        self.function = function
        self._rows_left = self.MAX_INTERPRETED_ROWS
        self._is_only_loading = False
        self.cache_file: Any = None  # None: no folder for it is writable
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
        """Return True if a call with such arguments needs no compiling. Code on disk is loaded."""
        return self._find_overload(arguments) is not None

    @property
    def cache_folder(self) -> Path | None:
        """Return the folder of the cache; None if no folder for it is writable."""
        return None if self.cache_file is None else Path(self.cache_file._cache_path)

    @property
    def row_allowance(self) -> int:
        """Return the number of rows that may still be processed without this function while it is not ready."""
        return 0 if should_compile_first() else self._rows_left

    def spend_allowance(self, rows: int) -> None:
        """Note that this many rows were processed without this function because it was not ready."""
        self._rows_left = max(0, self._rows_left - rows)
        note_interpreted()

    def _choose_overload(self, *arguments: Any) -> Any:
        """Return the function to call. numba calls this if it has no code in memory for arguments of these types."""
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
        """Compile it, or wait for another process that compiles it, and load the result. Ctrl-C stops waiting at once."""
        announce_waiting(self.cache_file is not None)
        try:
            return run_interruptibly(lambda: self._compile_alone(arguments))
        except KeyboardInterrupt:
            note_interpreted()  # so that another process compiles it
            raise

    def _compile_alone(self, arguments: tuple[Any, ...]) -> Any:
        """Compile it if no other process does, and load the result."""
        config: Any = numba.config
        with ExitStack() as alone:
            if self.cache_file is not None:
                with suppress(IsLocked):
                    alone.enter_context(hold_file_lock(Path(f"{self.cache_file._index_path}.lock"), MAX_WAIT_SECONDS))
            with global_compiler_lock:
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
            self.cache_file._source_stamp = (self.cache_file._source_stamp, *map(_file_stamp, (sys.modules[__name__], *uses)))
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

        So no process loads data that is missing or was left by an older version.
        """
        file = self.cache_file
        names = file._load_index()
        taken = set(names.values())
        name = names.get(key) or next(new for number in itertools.count(1) if (new := file._data_name(number)) not in taken)
        file._save_data(name, data)
        file._save_index({**names, key: name})


class CompiledRowFunction(CompiledFunction):
    """A compiled function over rows that Python can also interpret. Python does so for few rows while nothing is compiled yet.

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
        with np.errstate(all="ignore"):  # like compiled code, in which integers overflow silently
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

    numba's own loader first imports and registers everything it can compile (strings, dates, polynomials …), which takes a
    third of the first call of a process. Compiled code only calls numba's run-time system, and a compiler that is needed
    later still registers everything before it begins.
    """

    def load(signature: Any, context: Any) -> Any:
        from numba.core.runtime.nrt import rtsys

        rtsys.initialize(context)
        return cache._load_overload(signature, context)

    return load


def _make_forgiving_loader(quick: Callable[..., Any], load: Callable[..., Any], forget: Callable[[], None]) -> Callable[..., Any]:
    """Return a function that loads from the cache and treats a damaged file as missing. It calls `load` if the quick
    loader fails.
    """

    def load_or_forget(*key: Any) -> Any:
        with suppress(Exception):
            return quick(*key)
        try:
            return load(*key)
        except Exception:
            with suppress(OSError):  # on a full or read-only disk
                forget()
            return None

    return load_or_forget


def is_jit_disabled() -> bool:
    """Return True if numba is configured not to compile anything."""
    return bool(numba.config.DISABLE_JIT)  # type: ignore[attr-defined]


# ---- machine instructions ------------------------------------------------------------------------------------------------


@intrinsic
def popcount(typing, bits):
    """Return the number of set bits, as one machine instruction."""

    def generate(context, builder, signature, arguments):
        return builder.call(builder.module.declare_intrinsic("llvm.ctpop", [ir.IntType(64)]), arguments)

    return types.int64(types.uint64), generate


@intrinsic
def prefetch_word(typing, words, index):
    """Tell the processor to prefetch this element of an array."""

    def generate(context, builder, signature, arguments):
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        address = builder.bitcast(builder.gep(array.data, [arguments[1]]), ir.IntType(8).as_pointer())
        int32 = ir.IntType(32)
        function = builder.module.declare_intrinsic(
            "llvm.prefetch",
            [ir.IntType(8).as_pointer()],
            ir.FunctionType(ir.VoidType(), [ir.IntType(8).as_pointer(), int32, int32, int32]),
        )
        builder.call(function, [address, int32(1), int32(3), int32(1)])  # to write, keep in all caches, data
        return context.get_dummy_value()

    return types.void(words, types.uint64), generate


@intrinsic
def copy_word(typing, source, begin, target, at):
    """Copy WORD_BYTES bytes at once; a loop over bytes is six times slower."""

    def generate(context, builder, signature, arguments):
        pointers = []
        for array, index in ((0, 1), (2, 3)):
            struct = context.make_array(signature.args[array])(context, builder, arguments[array])
            pointers.append(builder.gep(struct.data, [arguments[index]]))
        cgutils.raw_memcpy(builder, pointers[1], pointers[0], ir.Constant(ir.IntType(64), WORD_BYTES), 1)
        return context.get_dummy_value()

    return types.void(source, types.int64, target, types.int64), generate
