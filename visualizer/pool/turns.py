"""Turns: the pages of a server run one after another.

Python runs one thread at a time. Where many pages run at once none of them is done any sooner, and the thread that hears and
answers all browsers waits behind each of them. A turn is a courtesy, not a lock: whoever waits for work gives it back, and nobody
waits long for it, as the one who has it may be waiting for something that nobody here knows of.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, local

PATIENCE = 0.3  # seconds after which a page runs without a turn


class Turns:
    """Who may run a page.

    >>> turns = Turns()
    >>> with turns.my_turn():
    ...     turns.taken, turns.give_back(), turns.taken
    (True, None, False)
    >>> turns.taken
    False
    """

    def __init__(self) -> None:
        self._free = Lock()
        self._mine = local()

    @property
    def taken(self) -> bool:
        return self._free.locked()

    @contextmanager
    def my_turn(self) -> Iterator[None]:
        """Wait for one's turn, and have it until the end of the block or until it is given back; who has it, keeps it."""
        if self._is_mine:
            yield
            return
        self._mine.turn = self._free.acquire(timeout=PATIENCE)
        try:
            yield
        finally:
            self.give_back()

    def give_back(self) -> None:
        """Let others run now; who has no turn has nothing to give."""
        if self._is_mine:
            self._mine.turn = False
            self._free.release()

    @property
    def _is_mine(self) -> bool:
        return getattr(self._mine, "turn", False)


TURNS = Turns()  # of this server
