"""The steps of a search, compared with the log of a running search."""

import sys
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import connect, literal, preset, search
from engine.tree.node import Node
from engine.tree.trace import STEP_KINDS, Trace
from tests.support.games import ALL_GAMES, TEXTBOOK, literal_trees
from tests.support.reference import alphabeta_log
from visualizer.narration.sentences import sentence


def trace_events(trace):
    """The steps in the form of the reference's log."""
    for step in trace:
        if step.kind == "enter":
            yield "enter", step.node, step.alpha, step.beta
        elif step.kind == "return":
            yield "return", step.node, step.child, step.value, step.improves, step.narrows
        elif step.kind == "cutoff":
            yield "cutoff", step.node, step.value, step.skipped_moves
        else:
            yield step.kind, step.node, step.value


@given(literal_trees, st.sampled_from(["max", "min"]), st.booleans())
def test_steps_equal_the_events_of_the_search(tree, first, cut_on_equal):
    game = literal(tree, first=first)
    trace = Trace(search(game, cut_on_equal=cut_on_equal))
    assert list(trace_events(trace)) == alphabeta_log(game, game.start(), 99, cut_on_equal)
    assert len(trace) == len(alphabeta_log(game, game.start(), 99, cut_on_equal))


@pytest.mark.parametrize("name", [name for name in ALL_GAMES if name not in ("countdown", "flips", "named tree", "connect big")])
def test_steps_of_every_game(name):
    game, depth = ALL_GAMES[name]
    depth = min(depth, 3) if name != "textbook" else depth
    assert list(trace_events(Trace(search(game, depth=depth)))) == alphabeta_log(game, game.start(), depth)


def test_step_numbers_and_steps_agree():
    tree = search(preset("k-tables"), "3", depth=3)
    trace = Trace(tree)
    assert len(trace) == 3 * len(tree) - 1
    for row in range(len(tree)):
        entered, left = trace[trace.enter(row)], trace[trace.leave(row)]
        assert (entered.kind, entered.node) == ("enter", row)
        assert left.kind in ("evaluate", "cutoff", "leave")
        assert left.node == row
        assert left.value == tree[row].value
    assert trace[-1].kind == "leave"
    assert [step.number for step in trace[5:9]] == [5, 6, 7, 8]
    with pytest.raises(IndexError, match="the search has 701"):
        trace[701]


@pytest.mark.parametrize("question", [("k-tables", "3", 4), ("threats", "", 4), ("full-depth", "", 6), ("long-state", "", 4)])
def test_every_cutoff_names_the_better_choice_elsewhere(question):
    name, moves, depth = question
    tree = search(preset(name), moves, depth)
    trace = Trace(tree)
    cutoffs = [step for step in trace if step.kind == "cutoff"]
    assert len(cutoffs) == tree.cutoffs > 10
    for step in cutoffs:
        node, cause = step.node, step.cause
        assert cause.ancestor in node.path[:-1]
        assert cause.ancestor.maximizing != node.maximizing
        assert cause.child.parent == cause.ancestor
        assert cause.child < node
        assert cause.child.value == cause.bound == (node.beta if node.maximizing else node.alpha)
        assert step.value >= cause.bound if node.maximizing else step.value <= cause.bound
        assert len(step.skipped_moves) == node.skipped > 0


def test_cutoffs_can_be_jumped_to_from_any_step():
    tree = search(preset("k-tables"), "3", depth=4)
    trace = Trace(tree)
    numbers = [step.number for step in trace if step.kind == "cutoff"]
    for step in range(len(trace)):
        assert trace.next("cutoff", step) == next((number for number in numbers if number > step), None)
        assert trace.previous("cutoff", step) == next((number for number in reversed(numbers) if number < step), None)


def test_jumps_cross_block_boundaries(monkeypatch):
    monkeypatch.setattr("engine.tree.trace.MIN_BLOCK_ROWS", 2)
    monkeypatch.setattr("engine.tree.trace.MAX_BLOCK_ROWS", 8)
    test_cutoffs_can_be_jumped_to_from_any_step()


@given(st.integers(1, 233))
def test_a_stopped_search_has_the_first_steps_of_the_whole(budget):
    whole = Trace(search(preset("k-tables"), "3", depth=3))
    part = Trace(search(preset("k-tables"), "3", depth=3, max_nodes=budget))
    assert len(part) <= len(whole)
    for number in {0, len(part) // 2, max(0, len(part) - 2), len(part) - 1}:
        assert part[number][:5] == whole[number][:5]
    last = part[len(part) - 1]
    following = whole[len(part)]
    assert following.kind == "enter" or (last.kind, following.kind) == ("return", "cutoff") or following.node == last.node


def test_minimax_never_narrows_a_window():
    trace = Trace(search(literal(TEXTBOOK), algorithm="minimax"))
    assert {(step.alpha, step.beta) for step in trace} == {(float("-inf"), float("inf"))}
    assert not any(step.narrows for step in trace)


def test_steps_at_the_end_of_ten_million_nodes_are_fast():
    tree = search(connect(), depth=11, max_nodes=10_000_000)
    trace = Trace(tree)
    assert tree.root.bound == "open"  # the bounds are computed once, for all nodes
    tracemalloc.start()
    calls = {}
    for place in (1000, len(trace) // 2, len(trace) - 1000):
        trace[place]
        calls[place] = calls_of(lambda place=place: [trace[number] for number in range(place, place + 200)])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert max(calls.values()) < 2 * min(calls.values())
    assert peak < 200_000


def calls_of(work):
    """Return the number of Python lines and C calls of some work: like its time, but the same on every machine."""
    count = 0

    def tick(frame, event, argument):
        nonlocal count
        count += 1

    sys.setprofile(tick)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def test_before_the_first_step_every_first_step_is_next():
    for tree in (search(literal(TEXTBOOK)), search(literal(TEXTBOOK), algorithm="mtdf")):
        trace = Trace(tree)
        for kind in STEP_KINDS:
            first = next((step.number for step in trace if step.kind == kind), None)
            assert [trace.next(kind, before) for before in (-1, -7)] == [first, first]


def test_a_return_step_has_the_value_before_it():
    trace = Trace(search(literal(TEXTBOOK), algorithm="pvs"))
    for step in trace:
        if step.kind == "return":
            earlier = [row for row in step.node.children if row < step.child]
            assert step.before == (trace[trace.leave(earlier[-1]) + 1].best if earlier else None)


@pytest.mark.parametrize("algorithm", ["alphabeta", "pvs", "mtdf"])
def test_a_sentence_reads_each_child_of_a_wide_node_a_few_times(algorithm, monkeypatch):
    """Irrelevant children are not turned into nodes: 3,000 of them took 30 to 90 ms."""
    tree = search(literal([*range(1000, 0, -1), *range(1000)]), algorithm=algorithm, max_nodes=4000)
    trace, made = Trace(tree), []
    step = next(number for number in range(len(trace) - 1, 0, -1) if trace[number].kind == "return")
    sentence(trace[step])
    from_row = Node.from_row
    monkeypatch.setattr(Node, "from_row", classmethod(lambda cls, *place: made.append(place) or from_row(*place)))
    sentence(trace[step])
    assert len(made) < 100
