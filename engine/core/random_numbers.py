"""Random numbers that depend only on a seed and the number of an iteration, so that any playout can be replayed alone.

The generator is splitmix64 (Steele, Lea and Flood 2014). All numbers are whole, modulo 2^64:

    mix(w)                w ← (w xor w >> 30) · BF58476D1CE4E5B9;  w ← (w xor w >> 27) · 94D049BB133111EB;  w xor w >> 31
    state at the start    mix(mix(seed) + iteration · 9E3779B97F4A7C15)
    next word             state ← state + 9E3779B97F4A7C15;  mix(state)
    draw below n          ((word >> 32) · n) >> 32

`engine/compiled/mcts_kernel.py` draws the same numbers.
"""

import math
from collections.abc import Sequence
from itertools import accumulate

WORD_MASK = 2**64 - 1
GAMMA = 0x9E3779B97F4A7C15
FIRST_MULTIPLIER, SECOND_MULTIPLIER = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def mix_word(word: int) -> int:
    """Return a number of 64 bits, each of which depends on all bits of the word."""
    word = (word ^ word >> 30) * FIRST_MULTIPLIER & WORD_MASK
    word = (word ^ word >> 27) * SECOND_MULTIPLIER & WORD_MASK
    return word ^ word >> 31


def starting_state(seed: int, iteration: int) -> int:
    """Return the state with which the numbers of an iteration start."""
    return mix_word(mix_word(seed & WORD_MASK) + iteration * GAMMA & WORD_MASK)


class RandomNumbers:
    """The random numbers that follow a state.

    >>> numbers = RandomNumbers(starting_state(seed=7, iteration=1))
    >>> [numbers.draw(7) for _ in range(5)]
    [5, 6, 3, 3, 1]
    """

    def __init__(self, state: int):
        self.state = state

    def next_word(self) -> int:
        """Return the next 64 bits."""
        self.state = self.state + GAMMA & WORD_MASK
        return mix_word(self.state)

    def draw_weighted(self, weights: Sequence[float]) -> int:
        """Return the index of one of these weights, each with a probability in proportion to it.

        A word stands for a number from 0 to the sum of the weights, by its upper 53 bits. The first index is taken at which the
        weights so far exceed it.
        """
        left = (self.next_word() >> 11) / 2**53 * math.fsum(weights)
        sums = accumulate(weights)
        return next((index for index, total in enumerate(sums) if left < total), len(weights) - 1)

    def draw(self, count: int) -> int:
        """Return a whole number from 0 to `count` - 1, each with the same probability (`count` is far below 2^32)."""
        return (self.next_word() >> 32) * count >> 32
