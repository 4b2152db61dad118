"""Which cases of a test run every time."""

import pytest


def mostly_slow(cases, quick):
    """The first cases in every run, the others among the slow tests."""
    return [case if number < quick else pytest.param(case, marks=pytest.mark.slow) for number, case in enumerate(cases)]
