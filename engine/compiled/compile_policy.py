"""When functions are compiled: before their first use, or behind it, while Python does what is small. Needs no numba itself.

On the very first start nothing is compiled yet, and the compiler takes seconds. So Python runs the text of a function where
little is to be done, and another process fills the cache on disk meanwhile (visualizer/compile_cache.py).
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SETTING = "PLYSCOPE_COMPILE"  # in the environment: "first" compiles everything before its first use
KEPT_ON_DISK = "compiling, once: later runs start at once"
NOT_KEPT = "compiling, which takes some seconds: there is no place to keep what is compiled"


class _Process:
    """What is known of compiling in this process."""

    is_behind = False  # Python has run something because it was not compiled
    can_save = True  # as far as it was tried
    timed_works = 0  # that are running
    rehearsals = 0  # likewise
    announce: Callable[[str], object] | None = None


def compiles_first() -> bool:
    """Return whether everything is compiled before its first use, however small the work."""
    is_timing = _Process.timed_works > 0 and _Process.rehearsals == 0
    return is_timing or os.environ.get(SETTING) == "first"


@contextmanager
def compiling_first() -> Iterator[None]:
    """Compile everything before its first use meanwhile, so that no times of compiled and of interpreted runs are compared."""
    _Process.timed_works += 1
    try:
        yield
    finally:
        _Process.timed_works -= 1


@contextmanager
def rehearsing() -> Iterator[None]:
    """Load what is compiled and compile nothing more, also in work that is timed: its times are thrown away."""
    _Process.rehearsals += 1
    try:
        yield
    finally:
        _Process.rehearsals -= 1


def note_interpreted() -> None:
    """Note that Python has run something because it was not compiled."""
    _Process.is_behind = True


def is_behind() -> bool:
    """Return whether Python has run anything in this process because it was not compiled."""
    return _Process.is_behind


def note_unsaved() -> None:
    """Note that something compiled could not be saved on disk."""
    _Process.can_save = False


def can_save() -> bool:
    """Return whether everything that was compiled in this process could be saved on disk."""
    return _Process.can_save


def announce_with(announce: Callable[[str], object] | None) -> None:
    """Call this with a sentence, once, before something has to wait for the compiler."""
    _Process.announce = announce


def announce_waiting(is_kept: bool) -> None:
    """Say that something waits for the compiler now, if that was not said yet."""
    announce, _Process.announce = _Process.announce, None
    if announce is not None:
        announce(KEPT_ON_DISK if is_kept else NOT_KEPT)
