"""Observations: what a running program did in the experiments of the judge, as data.

The judge runs twice. In the process of the program it makes calls of the program again, and each result is noted. In a
process of its own it reads these results, in the same order, and gives the verdict. So the verdict is made where the
program cannot reach it: it rests on the record and on these observations alone.

A function is `@observed` if it makes calls of the program or looks at its objects. What it returns is noted.
"""

import functools
import math
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic, process_time
from typing import Any, TypeVar

import msgspec

from engine.checker.recording.plain_values import decode_value, encode_value

MAX_NOTED_BYTES = 24 << 20  # of all observations
MIN_ALARM_SECONDS = 0.001  # an alarm in no time would never ring
Function = TypeVar("Function", bound=Callable[..., Any])


class Observation(msgspec.Struct, array_like=True):
    """The result of one observed function."""

    name: str
    value: bytes
    error: str = ""  # it raised this instead


class EndOfObservations(BaseException):
    """The judge in the program's process came no further. Not an Exception: no check may catch it."""


class OutOfTime(EndOfObservations):
    """The judge's own process has no more time."""


class OtherObservation(BaseException):
    """The two runs of the judge differ. The program has changed one of them."""


class ObservedError(Exception):
    """An error of ours in the process of the program, with its text."""


class Noting:
    """Makes observations and notes them."""

    def __init__(self) -> None:
        self.noted: list[Observation] = []
        self.room = MAX_NOTED_BYTES
        self._is_inside = False  # an observed function: what it calls is part of its own observation

    def ask(self, name: str, make: Callable[[], Any]) -> Any:
        if self._is_inside:
            return make()
        self._is_inside = True
        try:
            value = make()
        except Exception as error:
            self._note(Observation(name, b"", type(error).__name__))
            raise
        else:
            self._note(Observation(name, encode_value(value)))
            return value
        finally:
            self._is_inside = False

    def _note(self, observation: Observation) -> None:
        self.room -= len(observation.value)
        if self.room < 0:
            raise EndOfObservations
        self.noted.append(observation)


class Reading:
    """Reads noted observations instead of making them."""

    def __init__(self, noted: list[Observation], until: float):
        self.left = deque(noted)
        self._until = until  # on the clock of `monotonic`

    def ask(self, name: str, make: Callable[[], Any]) -> Any:
        if monotonic() > self._until:
            raise OutOfTime
        if not self.left:
            raise EndOfObservations
        found = self.left.popleft()
        if found.name != name:
            raise OtherObservation(f"{found.name} instead of {name}")
        if found.error:
            raise ObservedError(found.error)
        return decode_value(found.value)


@contextmanager
def out_of_time_at(until: float) -> Iterator[None]:
    """Raise OutOfTime in the block at a time on the clock of `monotonic`, even if no observation is read there.

    Only the main thread can be interrupted, and not on Windows.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread() or math.isinf(until):
        yield
        return
    is_armed = True

    def ring(number: int, frame: Any) -> None:
        if is_armed:
            raise OutOfTime

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, max(until - monotonic(), MIN_ALARM_SECONDS))
        yield
    finally:
        is_armed = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


_ACTIVE: list[Noting | Reading] = []  # at most one


@contextmanager
def observing(how: Noting | Reading) -> Iterator[None]:
    """Note or read the observations that are made in the block."""
    _ACTIVE.append(how)
    try:
        yield
    finally:
        _ACTIVE.pop()


def observe(name: str, make: Callable[[], Any]) -> Any:
    """Return what a function returns. It is noted, or was noted by the process of the program."""
    return _ACTIVE[-1].ask(name, make) if _ACTIVE else make()


def observed(function: Function) -> Function:
    """Let a function make an observation whenever it is called."""

    @functools.wraps(function)
    def ask(*args: Any, **kwargs: Any) -> Any:
        return observe(function.__qualname__, functools.partial(function, *args, **kwargs))

    return ask  # type: ignore[return-value]


def is_observing() -> bool:
    """Return True if observations are noted or read. A judgement in a process of one's own needs neither."""
    return bool(_ACTIVE)


def is_reading() -> bool:
    """Return True in the judge's own process."""
    return bool(_ACTIVE) and isinstance(_ACTIVE[-1], Reading)


@observed
def is_late(until: float) -> bool:
    """Return True if the process has used more than this many seconds."""
    return process_time() > until
