"""A SIGINT handler that never loses Ctrl-C. Python drops it, or turns it into another error, if it comes at a bad moment."""

import signal
import sys
import threading
import time
from types import FrameType

RETRY_SECONDS = 0.02
IMPORTLIB_FILENAME = "<frozen importlib._bootstrap>"


def install_sigint_handler() -> None:
    """Install a handler that delays Ctrl-C during imports, and sends it again if a callback has dropped it.

    Compiled libraries turn a Ctrl-C during their import into an ImportError. Each import also runs callbacks that drop
    exceptions.
    """
    if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _handle_sigint)
    if sys.unraisablehook is sys.__unraisablehook__:
        sys.unraisablehook = _handle_unraisable


def _handle_sigint(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt, or send the signal again later if a module is being imported."""
    around = frame
    while around is not None and around.f_code.co_filename != IMPORTLIB_FILENAME:
        around = around.f_back
    if around is not None:
        _PENDING_INTERRUPT.send_again()
    elif _PENDING_INTERRUPT.acknowledge_first():
        signal.default_int_handler(number, frame)


def _handle_unraisable(dropped: "sys.UnraisableHookArgs") -> None:
    """Send the signal again if a callback has dropped a KeyboardInterrupt."""
    if issubclass(dropped.exc_type, KeyboardInterrupt):
        _PENDING_INTERRUPT.send_again()
    else:
        sys.__unraisablehook__(dropped)


class _PendingInterrupt:
    """A Ctrl-C that is sent until it is acknowledged.

    One that comes just before a wait for input would be delayed by the wait.
    """

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None
        self._acknowledged = threading.Event()

    def send_again(self) -> None:
        """Send the signal again, from another thread, until it is acknowledged."""
        self._acknowledged.clear()
        if self._thread is None:
            self._thread = threading.Thread(target=self._send_until_acknowledged, daemon=True)
            self._thread.start()

    def acknowledge_first(self) -> bool:
        """Acknowledge the signal. Return False if it only repeats one that was acknowledged."""
        echo = self._thread is not None and self._acknowledged.is_set()
        self._acknowledged.set()
        return not echo

    def _send_until_acknowledged(self) -> None:
        while not self._acknowledged.is_set():
            while not self._acknowledged.wait(RETRY_SECONDS):
                _send_sigint()
            time.sleep(RETRY_SECONDS)  # for its echoes
            self._thread = None


def _send_sigint() -> None:
    """Send SIGINT to the main thread."""
    if sys.platform == "win32":
        signal.raise_signal(signal.SIGINT)
    else:  # to the main thread, so that it stops waiting for input
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)


_PENDING_INTERRUPT = _PendingInterrupt()
