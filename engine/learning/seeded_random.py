"""Random numbers that are the same everywhere. Of the methods of `Random`, only `getrandbits` gives the same in every Python."""

from collections.abc import Sequence
from hashlib import sha256
from random import Random
from typing import TypeVar

T = TypeVar("T")


class SeededRandom:
    """A source of random whole numbers, seeded by a text."""

    def __init__(self, text: str):
        self._bits = Random(int.from_bytes(sha256(text.encode()).digest()[:8], "big")).getrandbits  # noqa: S311 - no secret

    def draw_below(self, limit: int) -> int:
        """Draw a number from 0 to `limit` - 1."""
        width = (limit - 1).bit_length()
        while (number := self._bits(width) if width else 0) >= limit:
            pass
        return number

    def choose_one(self, items: Sequence[T]) -> T:
        """Draw one of these items."""
        return items[self.draw_below(len(items))]

    def draw_chance(self, percent: int) -> bool:
        """Return True with this probability in percent."""
        return self.draw_below(100) < percent
