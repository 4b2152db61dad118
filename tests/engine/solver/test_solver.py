"""The solver's results, compared with brute force, with known scores and with each other."""

import json
import random
from functools import cache

import pytest

from engine import connect, solve
from engine.core.errors import BadLimit, PlyscopeError
from engine.games.connect.rules import State
from engine.solver import solver as solving
from engine.solver.ablation import RUNGS, solve_by_rung, solve_by_rungs
from engine.solver.scores import DiscCount, moves_to_end
from engine.solver.solver import Solver, order_from_centre, slots_per_megabytes
from tests.support.marks import mostly_slow
from tests.support.paths import TESTS
from visualizer.cli.command_line import plyscope

SOLVED = json.loads((TESTS / "golden" / "solved.json").read_text())
SMALL = 10_007  # slots


@cache
def solver_of(slots=SMALL, **board):
    return Solver(connect(**board), slots)


def brute_force(game):
    """Return scores by definition, without windows or move ordering, with a cache."""
    cells = game.rows * game.cols

    @cache
    def score(state):
        best = -cells
        if game.is_over(state):
            discs = (state.max_discs | state.min_discs).bit_count()
            return -((cells + 2 - discs) // 2) if game.won_by(state) else 0
        for column in game.moves(state):
            best = max(best, -score(game.play(state, column)))
        return best

    return score


def unfinished_positions(game, discs, number, seed=0):
    """Return random unfinished positions with this many discs."""
    chance = random.Random(seed)
    while number:
        state = game.start()
        for _ in range(discs):
            if game.is_over(state):
                break
            state = game.play(state, chance.choice(game.moves(state)))
        else:
            if not game.is_over(state):
                number -= 1
                yield state


def reachable_positions(game):
    """Return all reachable positions, by their discs."""
    level = {game.start()}
    while level:
        yield from level
        level = {game.play(state, column) for state in level for column in game.moves(state)}


BOARDS = [
    *({"rows": 4, "cols": 4, "discs": 6}, {"rows": 4, "cols": 5, "discs": 11}, {"rows": 5, "cols": 4, "discs": 10}),
    *({"rows": 5, "cols": 5, "discs": 16}, {"rows": 4, "cols": 4, "connect": 3, "discs": 6}),
    *({"rows": 5, "cols": 5, "connect": 5, "discs": 16}, {"rows": 2, "cols": 3, "connect": 2, "discs": 1}),
    *({"rows": 1, "cols": 32, "connect": 8, "discs": 25}, {"rows": 31, "cols": 2, "connect": 12, "discs": 54}),
    {"rows": 7, "cols": 8, "discs": 47},
]


@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_scores_equal_brute_force(board):
    discs = board["discs"]
    game = connect(**{name: number for name, number in board.items() if name != "discs"})
    score, solver = brute_force(game), Solver(game, SMALL)
    for state in unfinished_positions(game, discs, 5):
        solution = solver.solve(state)
        assert solution.score == score(state)
        assert solution.columns == {column: -score(game.play(state, column)) for column in sorted(game.moves(state))}


@pytest.mark.slow
def test_every_position_of_a_small_board_has_its_score():
    game = connect(rows=4, cols=4)
    score, solver, states = brute_force(game), solver_of(rows=4, cols=4), list(reachable_positions(game))
    assert len(states) == 161_029
    for state in states:
        assert solver.solve(state, columns=False).score == score(state)


@pytest.mark.parametrize("least", mostly_slow([22, 16, 12], quick=1))
def test_known_scores(least):
    """All columns of about 200 positions that an independent program has solved."""
    game, solver = connect(), solver_of(slots_per_megabytes(8))
    most = {22: 42, 16: 21, 12: 15}[least]
    known = [row for row in SOLVED if least <= len(row["moves"]) <= most]
    assert known
    for row in known:
        solution = solver.solve(game.state(row["moves"]))
        assert (solution.score, {str(column): score for column, score in solution.columns.items()}) == (
            row["score"],
            row["columns"],
        )
        assert solution.best_moves == [int(column) for column, score in row["columns"].items() if score == row["score"]]


def mirror_position(game, state):
    def flip(bits):
        columns = [bits >> column * game.height & (1 << game.height) - 1 for column in range(game.cols)]
        return sum(column << place * game.height for place, column in enumerate(reversed(columns)))

    return State(flip(state.max_discs), flip(state.min_discs), state.max_to_move)


def test_scores_are_consistent():
    """The mirror image scores the same, a position minus the best of its children, a weak score is the sign of a strong one; and
    each move of best play brings the end one ply nearer, which is what the words count."""
    game, solver = connect(), solver_of(slots_per_megabytes(8))
    for state in unfinished_positions(game, 22, 12):
        solution = solver.solve(state)
        assert solver.solve(mirror_position(game, state), columns=False).score == solution.score == max(solution.columns.values())
        sign = (solution.score > 0) - (solution.score < 0)
        weak = solver.solve(state, weak=True)
        assert (weak.score, weak.columns) == (sign, {c: (s > 0) - (s < 0) for c, s in solution.columns.items()})
        for column, score in solution.columns.items():
            after = game.play(state, column)
            assert -solver.solve(after, columns=False).score == score
        plies = 0
        while not game.is_over(state):
            best = solver.solve(state).best_moves[0]
            state, plies = game.play(state, best), plies + 1
        if solution.score:
            assert moves_to_end(solution.score, solution.disc_count) == (plies + 1) // 2
            assert bool(plies % 2) == (solution.score > 0)
        else:
            assert not game.won_by(state)


@pytest.mark.parametrize("slots", [7, 101, slots_per_megabytes(1)])
def test_the_size_of_the_table_changes_nothing_but_the_work(slots):
    game, small, large = connect(), Solver(connect(), slots), solver_of(slots_per_megabytes(8))
    for state in unfinished_positions(game, 28, 20):
        assert small.solve(state).columns == large.solve(state).columns


# ---- stopping


def test_a_stopped_solver_returns_bounds_and_slices_change_nothing(monkeypatch):
    state = connect().state(next(row["moves"] for row in SOLVED if len(row["moves"]) == 22))
    solver = solver_of(slots_per_megabytes(1))
    solver.forget()
    whole = solver.solve(state, columns=False)
    assert whole.complete
    assert whole.nodes > 50
    for limit in (1, 2, 3, *range(10, whole.nodes, whole.nodes // 13), whole.nodes - 1):
        solver.forget()
        part = solver.solve(state, columns=False, limit_nodes=limit)
        assert (part.complete, part.stopped, part.nodes) == (False, "node limit", limit)
        assert part.lower <= whole.score <= part.upper
        assert part.score is None
        assert part.best_moves == []
    solver.forget()
    assert solver.solve(state, columns=False, limit_nodes=whole.nodes).score == whole.score
    monkeypatch.setattr(solving._SolverProgress, "adapt_slice", lambda work, before, seconds: setattr(work, "slice_nodes", 1))
    solver.forget()
    again = solver.solve(state, columns=False)
    assert (again.score, again.nodes) == (whole.score, whole.nodes)


def test_cancelling_and_ctrl_c_return_the_results_so_far(ctrl_c):
    seen = []

    def watch(nodes):
        seen.append(nodes)
        return len(seen) < 3

    cancelled = solve(connect(), "3", on_progress=watch, table_mb=1)
    assert (cancelled.stopped, cancelled.score, cancelled.columns) == ("cancelled", None, {})
    assert seen == sorted(seen)
    assert cancelled.nodes == seen[-1]

    def interrupt(nodes):
        ctrl_c.press_or_wait()

    assert solve(connect(), "3", on_progress=interrupt, table_mb=1).stopped == "interrupted"


def test_finished_games_and_wins_at_once():
    game = connect()
    lost = solve(game, "0011223", table_mb=1)
    assert (lost.score, lost.words, lost.columns, lost.complete) == (-18, "has lost: the game is over", {}, True)
    wins = solve(game, "6052613434660252264243", table_mb=1, weak=True)
    assert (wins.score, wins.words, wins.columns[3], wins.columns[0]) == (1, "wins", 1, -1)
    assert solve(game, "001122", table_mb=1, columns=False).words == "wins with its 4th disc, in 1 move"
    assert solve(connect(rows=1, cols=2, connect=2), "01", table_mb=1).words == "has drawn: the game is over"


@pytest.mark.parametrize(
    ("words", "solve_input"),
    [
        ("only Connect boards with the rule `first`", lambda: solve(connect(rule="count"))),
        ("need 72 bits", lambda: solve(connect(rows=8, cols=8))),
        ("0 is not a node limit", lambda: solve(connect(), limit_nodes=0)),
        ("a table cannot have 0 MB", lambda: solve(connect(), table_mb=0)),
    ],
)
def test_unsolvable_input_is_refused(words, solve_input):
    with pytest.raises(PlyscopeError, match=words):
        solve_input()


def test_a_table_larger_than_memory_is_refused(monkeypatch):
    monkeypatch.setattr("engine.core.memory_budget.free_bytes", lambda: 0)
    with pytest.raises(BadLimit, match="a table of 4096 MB"):
        solve(connect(), table_mb=4096)
    assert solve(connect(), "001122", columns=False, limit_nodes=1).score == 18
    assert DiscCount(42, 3, 3).max_score == 18


# ---- rungs


def solve_readably(game, ideas, order, state):
    """Score and calls of negamax, written after the definition of the rungs; what it shares with the solver is the order."""
    cells, calls, upper, lower = game.rows * game.cols, 0, {}, {}

    def wins(state, column):
        return bool(game.won_by(game.play(state, column)))

    def legal(state):
        return [column for column in order if column in game.moves(state)]

    def threats(state, column):
        after = game.play(state, column)
        own, other = (after.max_discs, after.min_discs) if state.max_to_move else (after.min_discs, after.max_discs)
        return sum(game.has_line(own | bit) for bit in game.cell_bits if not (own | other) & bit)

    def after_safe(state):
        for column in legal(state):
            after = game.play(state, column)
            if game.is_over(after) or not any(wins(after, reply) for reply in legal(after)):
                yield column

    def negamax(state, alpha, beta):
        nonlocal calls
        calls += 1
        discs = (state.max_discs | state.min_discs).bit_count()
        columns = legal(state)
        if ideas.safe:
            columns = list(after_safe(state))
            if not columns:
                return -((cells - discs) // 2)
            if discs >= cells - 2:
                return 0
        elif not columns:
            return 0
        elif any(wins(state, column) for column in columns):
            return (cells + 1 - discs) // 2
        if ideas.pruning:
            if ideas.safe:
                alpha = max(alpha, -((cells - 2 - discs) // 2), lower.get(state, -cells))
                if alpha >= beta:
                    return alpha
            beta = min(beta, upper.get(state, (cells - 1 - discs) // 2))
            if alpha >= beta:
                return beta
        if ideas.threats:
            columns.sort(key=lambda column: -threats(state, column))
        for column in columns:
            window = (-beta, -alpha) if ideas.pruning else (-cells, cells)
            score = -negamax(game.play(state, column), *window)
            if score >= beta:
                if ideas.lower:
                    lower[state] = score
                    upper.pop(state, None)
                return score
            alpha = max(alpha, score)
        if ideas.table:
            upper[state] = alpha
            lower.pop(state, None)
        return alpha

    discs = (state.max_discs | state.min_discs).bit_count()
    low, high = -((cells - discs) // 2), (cells + 1 - discs) // 2
    if ideas.safe and any(wins(state, column) for column in legal(state)):
        return high, 0
    if not ideas.halving:
        return negamax(state, *((-(cells // 2), cells // 2) if ideas.pruning else (-cells, cells))), calls
    while low < high:
        middle = (low + high) // 2
        if middle <= 0 and int(low / 2) < middle:
            middle = int(low / 2)
        elif middle >= 0 and high // 2 > middle:
            middle = high // 2
        value = negamax(state, middle, middle + 1)
        low, high = (low, value) if value <= middle else (value, high)
    return low, calls


@pytest.mark.parametrize("rung", RUNGS, ids=lambda rung: rung.name)
def test_a_rung_counts_the_calls_of_its_definition(rung):
    game = connect()
    order = order_from_centre(7) if rung.from_centre else list(range(7))
    for row in [row for row in SOLVED if len(row["moves"]) >= 34][:50:7]:
        state = game.state(row["moves"])
        solution = solve_by_rung(rung, game, state)
        assert (solution.score, solution.nodes) == solve_readably(game, rung.ideas, order, state)
        assert solution.score == row["score"]


def test_every_rung_finds_the_score_and_together_they_save_most_work(capsys):
    row = next(row for row in SOLVED if len(row["moves"]) == 30 and row["score"] == 0)
    steps = list(solve_by_rungs(connect(), row["moves"]))
    assert {step.score for step in steps} == {0}
    assert steps[-1].nodes == solve(connect(), row["moves"], columns=False).nodes < steps[1].nodes < steps[0].nodes
    plyscope.main(["solve", "--rungs", "connect4", "--moves", row["moves"], "--json"], standalone_mode=False)
    output = json.loads(capsys.readouterr().out)["rungs"]
    assert [rung["nodes"] for rung in output] == [step.nodes for step in steps]
    plyscope.main(["solve", "--rungs", "connect4", "--moves", "3", "--max-nodes", "1000"], standalone_mode=False)
    assert "more than 1,000" in capsys.readouterr().out


# ---- the command line


def test_the_command_prints_one_json_value(capsys):
    row = next(row for row in SOLVED if len(row["moves"]) == 26)
    plyscope.main(["solve", "connect4", "--moves", row["moves"], "--columns", "--table-mb", "1", "--json"], standalone_mode=False)
    output = json.loads(capsys.readouterr().out)
    assert {name: output[name] for name in ("position", "score", "columns", "complete")} == {
        "position": row["moves"],
        "score": row["score"],
        "columns": row["columns"],
        "complete": True,
    }
    assert output["words"] == solve(connect(), row["moves"], table_mb=1).words
    assert output["nodes"] > 0
    with pytest.raises(SystemExit, match="3"):
        plyscope.main(
            ["solve", "connect4", "--moves", "3", "--table-mb", "1", "--max-nodes", "50", "--json"], standalone_mode=False
        )
    captured = capsys.readouterr()
    stopped = json.loads(captured.out)
    assert (stopped["complete"], stopped["stopped"]) == (False, "node limit")
    assert "stopped (node limit) after 50 positions" in captured.err


def test_the_command_prints_readable_text(capsys):
    plyscope.main(
        ["solve", "connect4", "--moves", "1460263026002213432204", "--columns", "--table-mb", "1"], standalone_mode=False
    )
    output = capsys.readouterr().out
    assert "MAX is to move and wins with its 20th disc, in 9 moves (score +2)." in output
    assert [line.split() for line in output.splitlines() if "best" in line] == [["6", "+2", "wins", "in", "9,", "best"]]
