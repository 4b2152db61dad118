"""A search to the end finds the solver's score, and a small one can be stepped through."""

import json
import shlex
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import connect, search, solve
from engine.searcher import list_suitable_algorithms
from engine.solver.steppable_search import find_steppable_searches
from tests.engine.solver.test_solver import SOLVED, brute_force, solver_of, unfinished_positions
from tests.support.marks import examples
from visualizer.cli.command_line import plyscope

SMALL = [(4, 4, 4), (3, 4, 3), (2, 5, 2), (5, 3, 3), (1, 6, 2), (7, 1, 3)]


def score_of(tree):
    """Return the score from the side to move, as the solver does."""
    return tree.root.value if tree.game.maximizing(tree.search.root) else -tree.root.value


@examples(40)
@given(st.sampled_from(SMALL), st.integers(5, 9), st.integers(0, 10**6), st.sampled_from(list_suitable_algorithms(connect())))
def test_a_search_to_the_end_finds_the_solvers_score(board, empty, seed, algorithm):
    """Compiled and readable, every rung finds the score of brute force and of the solver."""
    rows, cols, line = board
    game = connect(rows, cols, line, evaluation="score", order="centre")
    state = random_position(game, max(0, rows * cols - empty), Random(seed))
    known = brute_force(game)(state)
    assert solver_of(rows=rows, cols=cols, connect=line).solve(state, columns=False).score == known
    for compiled in (True, False):
        assert score_of(search(game, state, algorithm=algorithm, compiled=compiled)) == known


def random_position(game, discs, chance):
    """Return a random unfinished position with this many discs, or fewer if a few tries fail."""
    for fewer in range(discs, 0, -1):
        for _ in range(20):
            state = game.start()
            for _ in range(fewer):
                state = state if game.is_over(state) else game.play(state, chance.choice(game.moves(state)))
            if not game.is_over(state):
                return state
    return game.start()


def test_the_evaluation_follows_its_definition():
    """A win counts (cells + 1 - discs before it) // 2; nothing else counts; under the other rule lines are counted."""
    game = connect(evaluation="score")
    assert game.evaluate(game.state("0011223")) == (42 + 1 - 6) // 2
    assert game.evaluate(game.state("00112263", first="min")) == 0
    assert game.evaluate(game.state("0011223", first="min")) == -18
    assert connect(rows=1, cols=2, connect=2, evaluation="score").evaluate(game.state("")) == 0
    counted = connect(rows=2, cols=2, connect=2, rule="count", evaluation="score")
    state = counted.state("0101")
    assert counted.evaluate(state) == connect(rows=2, cols=2, connect=2, rule="count", evaluation="none").evaluate(state)


def test_steppable_searches_are_listed_with_their_nodes(capsys):
    row = next(row for row in SOLVED if len(row["moves"]) == 30)
    found = find_steppable_searches(connect(evaluation="lines"), row["moves"])
    assert [one.question.algorithm for one in found] == ["alphabeta", "table"]
    for one in found:
        tree = search(one.question)
        assert (tree.expanded, score_of(tree), tree.terminals) == (one.nodes, row["score"], tree.leaves)
    most = max(one.nodes for one in found)
    assert [one.nodes for one in find_steppable_searches(connect(), row["moves"], max_nodes=most - 1)] == [
        one.nodes for one in found[1:]
    ]
    plyscope.main(["solve", "--rungs", "connect4", "--moves", row["moves"]], standalone_mode=False)
    typed = [line.strip() for line in capsys.readouterr().out.splitlines() if line.strip().startswith("plyscope search")]
    assert len(typed) == 2
    for line, one in zip(typed, found, strict=True):
        plyscope.main([*shlex.split(line, comments=True)[1:], "--json"], standalone_mode=False)
        output = json.loads(capsys.readouterr().out)
        assert (output["expanded"], output["value"]) == (one.nodes, search(one.question).root.value)


@pytest.mark.parametrize(
    ("game", "moves"),
    [
        (connect(), "0011223"),
        (connect(rule="count"), ""),
        (connect(rows=8, cols=8), ""),
    ],
)
def test_no_search_is_offered_if_there_is_nothing_to_solve(game, moves):
    assert find_steppable_searches(game, moves, max_nodes=1000) == []


def test_positions_too_large_are_not_offered():
    assert find_steppable_searches(connect(), "3", max_nodes=1000) == []


def test_the_json_of_a_solution_has_its_columns(capsys):
    row = next(row for row in SOLVED if len(row["moves"]) == 26)
    for weak in (False, True):
        arguments = ["solve", "connect4", "--moves", row["moves"], "--table-mb", "1", "--json", *["--weak"] * weak]
        plyscope.main(arguments, standalone_mode=False)
        output = json.loads(capsys.readouterr().out)
        solution = solve(connect(), row["moves"], table_mb=1, weak=weak)
        assert output["columns"] == {str(column): score for column, score in solution.columns.items()}
        assert (output["best_moves"], output["complete"]) == (solution.best_moves, True)
    own = solve(connect(), row["moves"], table_mb=1, columns=False).nodes
    with pytest.raises(SystemExit, match="3"):
        plyscope.main([*arguments[:-1], "--max-nodes", str(own + 1)], standalone_mode=False)
    output = json.loads(capsys.readouterr().out)
    assert (output["complete"], output["score"]) == (False, row["score"])
    assert output["columns"].items() <= row["columns"].items()
    assert len(output["columns"]) < len(row["columns"])


def test_a_state_is_solved_like_a_move_string():
    game = connect(rows=4, cols=4)
    for state in unfinished_positions(game, 8, 3):
        for one in find_steppable_searches(game, state):
            assert score_of(search(one.question)) == solver_of(rows=4, cols=4).solve(state, columns=False).score
