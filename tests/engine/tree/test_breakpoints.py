"""Breakpoints pause at the steps that a walk over all steps finds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import literal, search
from engine.core.errors import UnknownName
from engine.tree.breakpoints import Breakpoint, count_stops, next_stop
from engine.tree.trace import STEP_KIND_BY_STATUS, Trace
from tests.support.games import TEXTBOOK, literal_trees

LEAVING = set(STEP_KIND_BY_STATUS.values())


def walk(trace, stop):
    """Return the steps at which a breakpoint pauses, by looking at every step."""
    tests = {
        "depth": lambda step: step.kind == "enter" and step.node.depth == stop.at,
        "value": lambda step: step.kind in LEAVING and step.node.value == stop.at,
        "node": lambda step: step.kind in LEAVING | {"enter"} and int(step.node) == stop.at,
    }
    return [step.number for step in trace if tests[stop.kind](step)]


@given(
    literal_trees,
    st.sampled_from(["alphabeta", "pvs", "mtdf"]),
    st.booleans(),
    st.sampled_from(["depth", "value", "node"]),
    st.data(),
)
def test_breakpoints_are_found_without_looking_at_every_step(shape, algorithm, is_stopped, kind, data):
    tree = search(literal(shape), algorithm=algorithm, max_nodes=7 if is_stopped else 10_000)
    trace = Trace(tree)
    stop = Breakpoint(kind, data.draw(st.sampled_from([0, 1, 2, len(tree) - 1, len(tree), -1, 0.5, float(tree.value[-1])])))
    expected = walk(trace, stop)
    assert count_stops(trace, stop) == len(expected)
    for step in (-1, data.draw(st.integers(0, len(trace))), len(trace)):
        assert next_stop(trace, stop, step) == next((number for number in expected if number > step), None)


def test_an_unknown_kind_is_an_error():
    with pytest.raises(UnknownName, match="kind of breakpoint"):
        count_stops(Trace(search(literal(TEXTBOOK))), Breakpoint("colour", 1))
