"""Delay Ctrl-C while code runs that would lose it, such as a compiler with callbacks."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def defer_interrupts() -> Iterator[None]:
    """Delay Ctrl-C until the end of this context. A second Ctrl-C takes effect at once."""
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
