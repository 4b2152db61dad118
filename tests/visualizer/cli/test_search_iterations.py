"""`plyscope search --algorithm mcts`."""

import json

import pytest
from click.testing import CliRunner

from engine import connect, search
from engine.analysis import uct_experiments
from tests.support.processes import run_command
from visualizer.cli.command_line import plyscope


def run(*words):
    return run_command("search", *words)


def test_the_command_searches_in_iterations():
    done = run("connect4", "--algorithm", "mcts", "--iterations", "500", "--seed", "7", "--json")
    assert done.returncode == 0, done.stderr
    told, tree = json.loads(done.stdout), search(connect(), algorithm="mcts", iterations=500, seed=7)
    assert (told["iterations"], told["best_move"], told["depth"]) == (500, tree.root.best_move, None)
    assert told["options"] == {"iterations": 500, "c": 1.4, "seed": 7, "playout": "random", "scale": 100.0}
    assert told["moves"] == [
        {"move": child.move, "name": child.move_name, "visits": child.visits, "mean": child.mean} for child in tree.root.children
    ]


def test_the_table_lists_the_moves_by_visits():
    shown = run("tictactoe", "--algorithm", "puct", "--iterations", "60").stdout
    assert "60 iterations" in shown
    assert "Most visited line" in shown
    assert "mean for MAX" in shown


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--algorithm", "mcts", "--depth", "4"], "iterations"),
        (["--algorithm", "mcts", "--iterations", "0"], "whole number from 1"),
        (["--iterations", "5"], "no option of alphabeta 'iterations'"),
        (["--min-visits", "4"], "alphabeta does not run in iterations"),
    ],
)
def test_wrong_options_say_what_would_do(words, why):
    refused = run("connect4", *words)
    assert (refused.returncode, refused.stdout) == (2, "")  # before any search
    assert why in refused.stderr


@pytest.mark.parametrize("words", [(), ("--json",)])
def test_reproduce_uct_shows_rates_with_intervals(words, monkeypatch):
    rate = uct_experiments.FailureRate("traps", "level 3, UCT", 5, 50)
    monkeypatch.setattr(uct_experiments, "measure_p_games", lambda on_progress: iter([]))
    monkeypatch.setattr(uct_experiments, "measure_traps", lambda on_progress: iter([rate]))
    done = run_command("reproduce", "uct", *words)
    assert done.returncode == 0, done.stderr
    if words:
        (row,) = json.loads(done.stdout)
        assert (row["preset"], row["measured"], row["failures"], row["trials"]) == ("uct", 0.1, 5, 50)
        assert row["published"] is row["equal"] is None
        assert tuple(row["interval"]) == rate.interval
    else:
        assert "4.3% to 21.4%" in done.stdout
        assert "solved exactly" in " ".join(done.stdout.split())


def test_curves_are_written_after_a_search_and_from_its_file(tmp_path):
    first, later, saved = tmp_path / "first.csv", tmp_path / "later.csv", tmp_path / "tree.parquet"
    words = ("tictactoe", "--moves", "04", "--algorithm", "mcts", "--iterations", "80")
    done = CliRunner().invoke(plyscope, ["search", *words, "-o", str(saved), "--curves", str(first)])
    assert done.exit_code == 0, done.output
    again = CliRunner().invoke(plyscope, ["export", str(saved), "--curves", str(later)])
    assert again.exit_code == 0, again.output
    assert later.read_bytes() == first.read_bytes()
    assert first.read_text().count("\n") == 1 + 80 * 7


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--curves", "curves.csv"], "--curves needs a search in iterations, and alphabeta is none: add --algorithm mcts"),
        (["--algorithm", "mcts", "--curves", "curves.xyz"], "cannot write curves to 'curves.xyz': known formats are .csv"),
    ],
)
def test_curves_that_cannot_be_written_are_refused_before_the_search(words, why):
    refused = run("connect4", *words)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert why in refused.stderr
