"""The steps of a search in iterations: four phases, numbered by prefix sums, with contents that replay the search."""

import math

import numpy as np
import pytest

from engine import connect, literal, nim, search, tictactoe
from engine.algorithms import ITERATIVE_ALGORITHMS
from engine.core.errors import PlyscopeError, UnknownName
from engine.games.registry import read_game
from engine.tree import iteration_timeline
from engine.tree.iteration_timeline import BACKUP, EXPAND, PHASES, SELECT, SIMULATE, IterationTimeline
from engine.tree.trace import DONE, FUTURE, ON_PATH, Trace

GAMES = {"connect": connect(rows=3, cols=3, connect=3), "tictactoe": tictactoe(), "tree": literal([[3, 12, 8], [2, 4], 5])}
PIG, WITH_CHANCE = read_game("pig:target=6,die=3"), ("mcts", "puct")
every_search = pytest.mark.parametrize(
    "tree",
    [
        pytest.param(search(game, algorithm=algorithm, iterations=70, seed=5), id=f"{algorithm} {name}")
        for algorithm in ITERATIVE_ALGORITHMS
        for name, game in GAMES.items()
    ]
    + [
        pytest.param(search(PIG, algorithm=algorithm, iterations=70, seed=5), id=f"{algorithm} pig")
        for algorithm in ("mcts", "puct")
    ],
)


@every_search
def test_the_steps_replay_the_search(tree):
    """Walk through all steps with counts of our own: each step must find them, and change them as it says."""
    visits, total = np.zeros(len(tree), int), np.zeros(len(tree))
    timeline, number = tree.timeline, 0
    for iteration in range(1, tree.iterations + 1):
        path, kinds = tree.path(int(tree.log.leaf[iteration - 1])), []
        backed_up = []
        while number < len(timeline) and timeline[number].iteration == iteration:
            step = timeline[number]
            assert step.number == number
            kinds.append(step.kind)
            if step.kind == SELECT:
                assert (step.node, step.child) == (path[len(kinds) - 1], path[len(kinds)])
                assert [candidate.visits for candidate in step.candidates] == [visits[c.node] for c in step.candidates]
            if step.kind == SELECT and step.node.turn != "chance":
                open_ones = [candidate for candidate in step.candidates if not candidate.proven]
                best = max(open_ones, key=lambda candidate: candidate.sum)
                assert best.node == step.child
            if step.kind == EXPAND and step.child is not None:
                assert (step.child.born, step.untried >= 1) == (iteration, True)
            if step.kind == SIMULATE:
                assert len(timeline.playout(iteration)) == step.playout + 1
                assert tree.game.is_over(timeline.playout(iteration)[-1])
            if step.kind == BACKUP:
                assert step.before.visits == visits[step.node]
                visits[step.node] += 1
                total[step.node] += step.outcome
                backed_up.append(int(step.node))
                share = total[step.node] / (2 * visits[step.node])
                into_max = step.node.turn != "max" if step.node == 0 else step.node.parent.turn != "min"
                assert step.after.visits == visits[step.node]
                assert step.after.mean == pytest.approx(share if into_max else 1 - share)
            number += 1
        assert backed_up == path[::-1]
        assert kinds == sorted(kinds, key=PHASES.index)
        assert kinds.count(SIMULATE) == 1
    assert number == len(timeline)
    assert np.array_equal(visits, tree.visits)


@every_search
def test_steps_are_found_by_kind_and_by_iteration(tree):
    timeline = tree.timeline
    kinds = [step.kind for step in timeline]
    for step in range(-1, len(timeline), 3):
        for kind in PHASES:
            expected = next((number for number in range(step + 1, len(kinds)) if kinds[number] == kind), None)
            assert timeline.next(kind, step) == expected
    for iteration in range(1, tree.iterations + 1):
        for phase in PHASES:
            first = timeline[timeline.find(iteration, phase)]
            assert first.iteration == iteration
            assert (first.kind == phase) == timeline.has_phase(iteration, phase)


@every_search
def test_rows_enter_when_they_are_added_and_change_on_the_path(tree):
    timeline = tree.timeline
    for row in range(0, len(tree), 5):
        enter = timeline.enter(row)
        if row:
            assert timeline[enter].iteration == tree.born[row]
            assert timeline.state_at(row, enter - 1) == FUTURE
        if tree.visits[row]:
            leave = timeline[timeline.leave(row)]
            assert (leave.kind, leave.node, leave.after.visits) == (BACKUP, row, tree.visits[row])
            assert timeline.state_at(row, leave.number) == ON_PATH
    assert {timeline.state_at(0, step) for step in range(len(timeline))} == {ON_PATH}
    aside = [row for row in tree.child_rows(0) if row not in tree.path(int(tree.log.leaf[-1]))]
    assert all(timeline.state_at(row, len(timeline) - 1) == DONE for row in aside)


def test_the_search_changes_its_mind_where_another_move_leads():
    tree = search(connect(), algorithm="mcts", iterations=600, seed=2)
    changes = [1, *tree.timeline.mind_changes]
    moves = [tree.at(iteration).visits for iteration in changes]
    for before, iteration in zip(moves, changes[1:], strict=False):
        assert tree.at(iteration).best_move != tree.at(iteration - 1).best_move
        assert len(before) == len(tree)
    steady = set(range(2, 601)) - set(changes)
    assert all(tree.at(iteration).best_move == tree.at(iteration - 1).best_move for iteration in sorted(steady)[::40])
    assert tree.move[tree.timeline.best_moves[-1]] == tree.root.best_move


@pytest.mark.parametrize("c", [0.0, 1.4, 1000.0])
@pytest.mark.parametrize("game", [connect(rows=3, cols=3, connect=3), literal([1, [2, 3], [0, [5]]]), nim([0]), nim([1])])
def test_best_move_and_histories_follow_from_the_log(game, c, monkeypatch):
    monkeypatch.setattr(iteration_timeline, "BLOCK_COUNTS", 40)  # some blocks need no comparison
    tree = search(game, algorithm="mcts", iterations=300, seed=4, c=c)
    passed = {row: [] for row in range(len(tree))}
    for iteration, leaf in enumerate(tree.log.leaf.tolist(), start=1):
        for row in tree.path(leaf):
            passed[row].append(iteration)
        children = tree.child_rows(0)
        best = max(children, key=lambda row: len(passed[row])) if children else -1
        assert tree.timeline.best_moves[iteration - 1] == (best if children and passed[best] else -1)
    assert all(tree.replay.history(row).iterations.tolist() == numbers for row, numbers in passed.items())


def test_each_search_has_the_steps_of_its_kind():
    iterations, calls = search(tictactoe(), algorithm="mcts", iterations=5), search(tictactoe(), depth=1)
    assert isinstance(iterations.timeline, IterationTimeline)
    assert isinstance(calls.timeline, Trace)
    with pytest.raises(PlyscopeError, match="runs in iterations, not in calls"):
        Trace(iterations)
    with pytest.raises(UnknownName):
        iterations.timeline.next("cutoff", 0)
    with pytest.raises(PlyscopeError, match="choose 1 to 5"):
        iterations.timeline.find(6)
    with pytest.raises(IndexError):
        _ = iterations.timeline[len(iterations.timeline)]
    assert math.isnan(iterations.timeline.count_at(iterations[1], 0).mean)
