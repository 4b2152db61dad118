"""Chance that is the same everywhere: of all that `Random` offers, only its bits are the same in every Python."""

from collections.abc import Sequence
from hashlib import sha256
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Lots:
    """Draws whole numbers, by a text."""

    def __init__(self, text: str):
        self._bits = Random(int.from_bytes(sha256(text.encode()).digest()[:8], "big")).getrandbits  # noqa: S311 - no secret

    def below(self, limit: int) -> int:
        """A number from 0 that is smaller."""
        width = (limit - 1).bit_length()
        while (number := self._bits(width) if width else 0) >= limit:
            pass
        return number

    def one_of(self, things: Sequence[T]) -> T:
        return things[self.below(len(things))]

    def chance(self, percent: int) -> bool:
        return self.below(100) < percent
