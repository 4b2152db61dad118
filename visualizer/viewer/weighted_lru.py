"""What was used last, as much as may be kept: for all visitors, so that what one has asked for is there for the next."""

import sys
from collections import OrderedDict
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class Recent(Generic[T]):
    """Things by key, each with a weight. Those used longest ago are dropped when all weigh too much, or are more than `most`,
    however small; the last one never is.

    >>> kept = Recent(10)
    >>> kept.put("one", 1, 6), kept.put("two", 2, 6), kept.get("one"), kept.get("two")
    (1, 2, None, 2)
    >>> few = Recent(10, most=1)
    >>> few.put("one", 1, 1), few.put("two", 2, 1), few.get("one"), few.get("two")
    (1, 2, None, 2)
    """

    def __init__(self, heaviest: int, most: int = sys.maxsize):
        self._heaviest, self._most = heaviest, most
        self._things: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self._weight = 0
        self._lock = Lock()
        self._making: dict[Hashable, tuple[Lock, int]] = {}  # by key: who makes it now, and how many wait or make

    def get(self, key: Hashable) -> T | None:
        """The thing, if it is still there."""
        with self._lock:
            if key not in self._things:
                return None
            self._things.move_to_end(key)
            return self._things[key][0]

    @contextmanager
    def alone(self, key: Hashable) -> Iterator[None]:
        """Nobody else is in here for the same key: what several ask for at the same time is made once."""
        with self._lock:
            making, many = self._making.get(key, (Lock(), 0))
            self._making[key] = making, many + 1
        try:
            with making:
                yield
        finally:
            with self._lock:
                making, many = self._making.pop(key)
                if many > 1:
                    self._making[key] = making, many - 1

    def put(self, key: Hashable, thing: T, weight: int) -> T:
        """Keep a thing for as long as it is used; the thing."""
        with self._lock:
            self._weight += weight - self._things.pop(key, (thing, 0))[1]
            self._things[key] = thing, weight
            while (self._weight > self._heaviest or len(self._things) > self._most) and len(self._things) > 1:
                self._weight -= self._things.popitem(last=False)[1][1]
            return thing
