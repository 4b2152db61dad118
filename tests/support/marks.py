"""Marks that choose which cases of a test run every time."""

import os

import pytest
from hypothesis import settings

ALL_EXAMPLES = os.environ.get("PLYSCOPE_EXAMPLES") == "all"  # as in CI
QUICK_SHARE = 4


def mostly_slow(cases, quick):
    """Run the first cases every time and the others as slow tests. A tuple has one value per argument."""
    slow = [case if isinstance(case, tuple) else (case,) for case in list(cases)[quick:]]
    return [*list(cases)[:quick], *(pytest.param(*case, marks=pytest.mark.slow) for case in slow)]


def examples(most):
    """Return this number of examples in CI, and a share of it elsewhere."""
    return settings(max_examples=most if ALL_EXAMPLES else max(10, most // QUICK_SHARE), deadline=None)
