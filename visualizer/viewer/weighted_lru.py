"""A thread-safe LRU cache that is bounded by total weight. All visitors share it."""

import sys
from collections import OrderedDict
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class WeightedLRU(Generic[T]):
    """A cache of items by key, each with a weight. Drops the least recently used ones.

    Items are dropped when all together weigh more than `heaviest`, or when there are more than `most`. The last one is
    never dropped.

    >>> kept = WeightedLRU(10)
    >>> kept.put("one", 1, 6), kept.put("two", 2, 6), kept.get("one"), kept.get("two")
    (1, 2, None, 2)
    >>> few = WeightedLRU(10, most=1)
    >>> few.put("one", 1, 1), few.put("two", 2, 1), few.get("one"), few.get("two")
    (1, 2, None, 2)
    """

    def __init__(self, heaviest: int, most: int = sys.maxsize):
        self._max_weight, self._max_items = heaviest, most
        self._items_by_key: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self._weight = 0
        self._lock = Lock()
        self._key_locks: dict[Hashable, tuple[Lock, int]] = {}  # by key: who makes it now, and how many wait or make

    def get(self, key: Hashable) -> T | None:
        """Return the item, or None if it was dropped."""
        with self._lock:
            if key not in self._items_by_key:
                return None
            self._items_by_key.move_to_end(key)
            return self._items_by_key[key][0]

    @contextmanager
    def lock_key(self, key: Hashable) -> Iterator[None]:
        """Lock a key, so that an item that several threads ask for at the same time is made once."""
        with self._lock:
            making, many = self._key_locks.get(key, (Lock(), 0))
            self._key_locks[key] = making, many + 1
        try:
            with making:
                yield
        finally:
            with self._lock:
                making, many = self._key_locks.pop(key)
                if many > 1:
                    self._key_locks[key] = making, many - 1

    def put(self, key: Hashable, thing: T, weight: int) -> T:
        """Store an item and return it."""
        with self._lock:
            self._weight += weight - self._items_by_key.pop(key, (thing, 0))[1]
            self._items_by_key[key] = thing, weight
            while (self._weight > self._max_weight or len(self._items_by_key) > self._max_items) and len(self._items_by_key) > 1:
                self._weight -= self._items_by_key.popitem(last=False)[1][1]
            return thing
