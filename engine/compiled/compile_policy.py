"""The compile policy: compile functions before their first use, or in the background while Python interprets small inputs.

This module does not import numba.

On the very first start nothing is compiled yet, and the compiler takes seconds. So Python interprets functions for small
inputs, while another process fills the cache on disk (visualizer/compile_cache.py).
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

COMPILE_VARIABLE = "PLYSCOPE_COMPILE"  # in the environment: "first" compiles everything before its first use
CACHED_NOTICE = "compiling once: later runs start immediately"
UNCACHED_NOTICE = "compiling, which takes some seconds in every run: no folder for the compiled code is writable"


class _ProcessState:
    """The state of compiling in this process."""

    is_behind = False  # Python has run something because it was not compiled
    can_save = True  # until saving fails
    timed_works = 0  # running now
    rehearsals = 0  # running now
    announce: Callable[[str], object] | None = None


def should_compile_first() -> bool:
    """Return True if everything is compiled before its first use, even for small inputs."""
    is_timing = _ProcessState.timed_works > 0 and _ProcessState.rehearsals == 0
    return is_timing or os.environ.get(COMPILE_VARIABLE) == "first"


@contextmanager
def compile_before_use() -> Iterator[None]:
    """Compile everything before its first use inside this context, so that times of compiled and interpreted runs are not
    mixed.
    """
    _ProcessState.timed_works += 1
    try:
        yield
    finally:
        _ProcessState.timed_works -= 1


@contextmanager
def load_without_compiling() -> Iterator[None]:
    """Load compiled code but compile nothing inside this context, not even in timed work: its times are discarded."""
    _ProcessState.rehearsals += 1
    try:
        yield
    finally:
        _ProcessState.rehearsals -= 1


def note_interpreted() -> None:
    """Note that Python has interpreted something because it was not compiled."""
    _ProcessState.is_behind = True


def has_interpreted() -> bool:
    """Return True if Python has interpreted anything in this process because it was not compiled."""
    return _ProcessState.is_behind


def note_unsaved() -> None:
    """Note that something compiled could not be saved on disk."""
    _ProcessState.can_save = False


def can_save() -> bool:
    """Return True if everything that was compiled in this process could be saved on disk."""
    return _ProcessState.can_save


def set_announcer(announce: Callable[[str], object] | None) -> None:
    """Set the function that is called with a sentence, once, before the program waits for the compiler."""
    _ProcessState.announce = announce


def announce_waiting(is_cached: bool) -> None:
    """Announce once that the program waits for the compiler."""
    announce, _ProcessState.announce = _ProcessState.announce, None
    if announce is not None:
        announce(CACHED_NOTICE if is_cached else UNCACHED_NOTICE)
