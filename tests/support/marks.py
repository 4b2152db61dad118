"""Marks that choose which cases of a test run every time."""

import os

import pytest
from hypothesis import settings

ALL_EXAMPLES = os.environ.get("PLYSCOPE_EXAMPLES") == "all"  # as in CI
QUICK_SHARE = 4
MANUAL_TESTS = (  # the longest of the slow tests, by parts of their names; of students' programs one for each mistake runs in CI
    *("no_edge_runs", "killed_run", "damaged_cache", "repaired_program", "never_loses", "tictactoe_is_a_draw", "small_board"),
    *("a_mutant_is_found", "nobody_loses", "forbidden_actions_of_a_test", "loaded[0.1]", "loaded[2.0]", "test_projects"),
    *("_2.py", "_3.py", "_4.py", "_5.py", "_6.py", "has_a_tournament_that_runs[othello]"),
)


def mostly_slow(cases, quick):
    """Run the first cases every time and the others as slow tests. A tuple has one value per argument."""
    slow = [case if isinstance(case, tuple) else (case,) for case in list(cases)[quick:]]
    return [*list(cases)[:quick], *(pytest.param(*case, marks=pytest.mark.slow) for case in slow)]


def mark_manual_tests(items):
    """Mark the slow tests that take too long even for CI."""
    for item in items:
        if item.get_closest_marker("slow") and any(name in item.nodeid.lower() for name in MANUAL_TESTS):
            item.add_marker("manual")


def examples(most):
    """Return this number of examples in CI, and a share of it elsewhere."""
    return settings(max_examples=most if ALL_EXAMPLES else max(10, most // QUICK_SHARE), deadline=None)
