"""Ctrl-C that is never lost: Python drops it, or makes another error of it, where it comes at a bad moment."""

import signal
import sys
import threading
import time
from types import FrameType

SOON = 0.02  # seconds
IMPORTING = "<frozen importlib._bootstrap>"


def come_through() -> None:
    """From now on Ctrl-C waits until no module is being imported, and is pressed again where a callback has dropped it.

    The compiled parts of libraries answer a Ctrl-C during their import with an ImportError, and each import runs callbacks from
    which no exception comes back.
    """
    if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _unless_importing)
    if sys.unraisablehook is sys.__unraisablehook__:
        sys.unraisablehook = _unless_interrupted


def _unless_importing(number: int, frame: FrameType | None) -> None:
    around = frame
    while around is not None and around.f_code.co_filename != IMPORTING:
        around = around.f_back
    if around is not None:
        _PRESSED.again()
    elif _PRESSED.for_the_first_time():
        signal.default_int_handler(number, frame)


def _unless_interrupted(dropped: "sys.UnraisableHookArgs") -> None:
    if issubclass(dropped.exc_type, KeyboardInterrupt):
        _PRESSED.again()
    else:
        sys.__unraisablehook__(dropped)


class _Pressed:
    """A Ctrl-C that is pressed until it is heard: one that comes just before input is waited for would wait with it."""

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None
        self._heard = threading.Event()

    def again(self) -> None:
        self._heard.clear()
        if self._thread is None:
            self._thread = threading.Thread(target=self._press_until_heard, daemon=True)
            self._thread.start()

    def for_the_first_time(self) -> bool:
        """Whether nobody has heard it yet; its echoes are not heard."""
        echo = self._thread is not None and self._heard.is_set()
        self._heard.set()
        return not echo

    def _press_until_heard(self) -> None:
        while not self._heard.is_set():
            while not self._heard.wait(SOON):
                _press()
            time.sleep(SOON)  # for its echoes
            self._thread = None


def _press() -> None:
    if sys.platform == "win32":
        signal.raise_signal(signal.SIGINT)
    else:  # in the thread that may be waiting for input, which it then leaves
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)


_PRESSED = _Pressed()
