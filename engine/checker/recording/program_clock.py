"""The clock that a checked program reads. It can be put back, so that a call with a time limit can be made again.

It counts the processor seconds of this process, so that a busy machine does not change a search with a time limit.
"""

import time
import timeit
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import process_time
from typing import SupportsIndex

CLOCK_NAMES = ("time", "monotonic", "perf_counter", "process_time")


class ProgramClock:
    """The seconds that have passed for the program."""

    def __init__(self) -> None:
        self._shift = -process_time()

    @property
    def seconds(self) -> float:
        """Return the seconds since the beginning, for the program."""
        return process_time() + self._shift

    def advance(self, seconds: float | SupportsIndex) -> None:
        """Let time pass for the program, as if it had slept."""
        self._shift += max(float(seconds), 0.0)

    @contextmanager
    def put_back(self, seconds: float) -> Iterator[None]:
        """Put the clock back while the block runs. Afterwards it goes on where it was."""
        before, self._shift = self.seconds, seconds - process_time()
        try:
            yield
        finally:
            self._shift = before - process_time()

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Let the program read this clock while the block runs."""
        originals = {name: getattr(time, name) for name in CLOCK_NAMES}
        original_timer = timeit.default_timer
        for name, original in originals.items():
            setattr(time, name, self._make_reader(original()))
        timeit.default_timer = time.perf_counter
        try:
            yield
        finally:
            for name, original in originals.items():
                setattr(time, name, original)
            timeit.default_timer = original_timer

    def _make_reader(self, now: float) -> Callable[[], float]:
        begin = now - self.seconds
        return lambda: begin + self.seconds


CLOCK = ProgramClock()
