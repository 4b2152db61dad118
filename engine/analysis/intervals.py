"""Confidence intervals of measured shares and means."""

import math
from collections.abc import Sequence
from statistics import fmean, stdev

NORMAL_QUANTILE = 1.959963984540054  # of a 95 % interval


def wilson_interval(successes: float, trials: int) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson 1927), rounded to four digits.

    >>> wilson_interval(5, 50), wilson_interval(0, 0)
    ((0.0435, 0.2136), (0.0, 1.0))
    """
    if not trials:
        return 0.0, 1.0
    n, z, p = trials, NORMAL_QUANTILE, successes / trials
    middle, spread = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    low, high = ((middle + sign * spread) / (1 + z * z / n) for sign in (-1, 1))
    return max(0.0, round(low, 4)), min(1.0, round(high, 4))


def mean_interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % interval of a mean, rounded to four digits. It needs about 30 values or more.

    >>> mean_interval([0.2, 0.3] * 20)
    (0.2343, 0.2657)
    """
    middle, spread = fmean(values), NORMAL_QUANTILE * stdev(values) / math.sqrt(len(values))
    return round(middle - spread, 4), round(middle + spread, 4)
