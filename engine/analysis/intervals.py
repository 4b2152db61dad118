"""Confidence intervals of measured shares."""

import math

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
