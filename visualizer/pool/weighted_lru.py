"""A thread-safe LRU cache that is bounded by total weight. All visitors of the server share it."""

import sys
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class WeightedLRU(Generic[T]):
    """A cache of items by key. Drops the least recently used items first.

    Items are dropped while all together weigh more than `max_weight`, or while there are more than `max_items`. The newest
    item is never dropped. `weigh` returns the weight of an item; without it each item weighs 1. All items are weighed again
    whenever one is added, so that items may grow.

    >>> cache = WeightedLRU(10, weigh=len)
    >>> cache.put("one", "larger"), cache.put("two", "longer"), cache.get("one"), cache.get("two")
    ('larger', 'longer', None, 'longer')
    >>> cache = WeightedLRU(1)
    >>> cache.put("one", 1), cache.put("two", 2), cache.get("one"), cache.get("two")
    (1, 2, None, 2)
    """

    def __init__(self, max_weight: int, max_items: int = sys.maxsize, weigh: Callable[[T], int] | None = None):
        self._max_weight, self._max_items, self._weigh = max_weight, max_items, weigh
        self._items: OrderedDict[Hashable, T] = OrderedDict()
        self._lock = Lock()
        self._key_locks: dict[Hashable, tuple[Lock, int]] = {}  # the lock of a key, and the number of threads that use it

    def get(self, key: Hashable) -> T | None:
        """Return the item, or None if it was dropped."""
        with self._lock:
            if key not in self._items:
                return None
            self._items.move_to_end(key)
            return self._items[key]

    def put(self, key: Hashable, item: T) -> T:
        """Store an item and return it."""
        with self._lock:
            self._items[key] = item
            self._items.move_to_end(key)
            weight = len(self._items) if self._weigh is None else sum(map(self._weigh, self._items.values()))
            while len(self._items) > 1 and (weight > self._max_weight or len(self._items) > self._max_items):
                _, dropped = self._items.popitem(last=False)
                weight -= 1 if self._weigh is None else self._weigh(dropped)
            return item

    @contextmanager
    def lock_key(self, key: Hashable) -> Iterator[None]:
        """Lock a key, so that only one thread makes its item."""
        with self._lock:
            key_lock, users = self._key_locks.get(key, (Lock(), 0))
            self._key_locks[key] = key_lock, users + 1
        try:
            with key_lock:
                yield
        finally:
            with self._lock:
                key_lock, users = self._key_locks.pop(key)
                if users > 1:
                    self._key_locks[key] = key_lock, users - 1
