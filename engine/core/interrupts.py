"""Ctrl-C while code runs that would lose it, such as a compiler with callbacks: delay it, or stop waiting for that code."""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar

Result = TypeVar("Result")
ABANDONED_THREADS: list[threading.Thread] = []  # they finish work that nobody waits for any more


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


def run_interruptibly(work: Callable[[], Result]) -> Result:
    """Return the result of `work`. In the main thread Ctrl-C takes effect at once, and the work goes on in another thread.

    The process does not end before the work does, unless `is_finishing_work` makes it end by `os._exit`.
    """
    if threading.current_thread() is not threading.main_thread() or not callable(signal.getsignal(signal.SIGINT)):
        return work()
    future: Future[Result] = Future()
    thread = threading.Thread(target=_fulfil, args=(future, work))
    try:
        thread.start()
        return future.result()
    except BaseException:
        if thread.is_alive() and not future.done():
            ABANDONED_THREADS.append(thread)
        raise


def _fulfil(future: Future[Result], work: Callable[[], Result]) -> None:
    try:
        future.set_result(work())
    except BaseException as error:
        future.set_exception(error)


def is_finishing_work() -> bool:
    """Return True if another thread still does work that Ctrl-C stopped waiting for."""
    return any(thread.is_alive() for thread in ABANDONED_THREADS)
