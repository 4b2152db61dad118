"""Which cases of a test run every time, and how many."""

import os

import pytest
from hypothesis import settings

ALL_EXAMPLES = os.environ.get("PLYSCOPE_EXAMPLES") == "all"  # as in CI
QUICK_SHARE = 4


def mostly_slow(cases, quick):
    """The first cases in every run, the others among the slow tests. A case that is a tuple has a value for each argument."""
    slow = [case if isinstance(case, tuple) else (case,) for case in list(cases)[quick:]]
    return [*list(cases)[:quick], *(pytest.param(*case, marks=pytest.mark.slow) for case in slow)]


def examples(most):
    """So many examples in CI; a share of them in other runs."""
    return settings(max_examples=most if ALL_EXAMPLES else max(10, most // QUICK_SHARE), deadline=None)
