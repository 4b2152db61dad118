"""Tournaments: what is played, that nothing is played or counted twice, where it runs, and what survives being killed."""

import json
import multiprocessing
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial

import pytest

from engine import PlyscopeError, search
from engine.matches.executors import WorkerDied, play_on_cluster, play_on_cores
from engine.matches.game_store import BadStore, GameStore, read_games
from engine.matches.tournament import Tournament, make_match, play_game
from engine.matches.tournament_grid import Fixture, Grid, plan_cells
from tests.support import processes
from tests.visualizer.cli.test_commands import PLYSCOPE, run_plyscope

SMALL = Grid("connect-m", sizes=(3, 4), depths=(1, 2, 3))
OPENED = Grid("connect4", depths=(2, 3), games=6, openings=4, seed=5)
PIPES = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}


def list_results(tournament):
    return [replace(cell, games=sorted(cell.games)) for cell in tournament.cells()]


# ---- what is played


def test_deterministic_games_are_played_once_and_counted_as_often_as_wanted():
    played = []
    cells = Tournament(SMALL).run(on_game=played.append).cells()
    assert len(played) == len(cells) == 2 * 9
    assert all(cell.wins1 + cell.wins2 + cell.draws == 3 and cell.has_repeated_games and len(cell.games) == 1 for cell in cells)


def test_random_openings_make_the_games_of_a_cell_different_and_those_of_two_cells_alike():
    cells = Tournament(OPENED).run().cells()
    assert all(len(cell.games) == 6 and not cell.has_repeated_games for cell in cells)
    assert len({frozenset(game.fixture.opening for game in cell.games) for cell in cells}) == 1
    assert all(
        len(game.fixture.opening) == 4 and game.moves.startswith(game.fixture.opening) for cell in cells for game in cell.games
    )
    other = Tournament(Grid("connect4", depths=(2,), games=6, openings=4, seed=6)).run().cells()[0]
    assert {game.fixture.opening for game in other.games} != {game.fixture.opening for game in cells[0].games}


def test_the_child_order_has_no_part_in_the_openings():
    opened = [
        {
            game.fixture.opening
            for game in Tournament(Grid(f"connect4:order={order}", (), (1,), games=9, openings=4)).run().cells()[0].games
        }
        for order in ("left", "centre", "6-5-4-3-2-1-0")
    ]
    assert opened[0] == opened[1] == opened[2]


def test_openings_that_come_up_twice_are_played_once():
    cell = Tournament(Grid("connect-m", sizes=(3,), depths=(2,), games=20, openings=1)).run().cells()[0]
    assert (len(cell.games), sum(game.times for game in cell.games), cell.has_repeated_games) == (3, 20, True)
    assert cell.wins1 + cell.wins2 + cell.draws == 20


def test_every_dimension_of_the_grid():
    grid = Grid(
        "connect4",
        sizes=(4, 5),
        depths=(1, 2),
        games=2,
        connect=(3, 4),
        evaluations=("lines", "threats"),
        algorithms=("minimax", "alphabeta"),
        starts=("max", "min", "random"),
    )
    planned = plan_cells(grid)
    assert len(planned) == 2 * 2 * 4 * 2 * 3 * 4
    assert {plan.game for plan in planned} == {
        f"connect:rows={n},cols={n}{'' if m == 4 else f',connect={m}'}" for n in (4, 5) for m in (3, 4)
    }
    assert {(plan.evaluation1, plan.evaluation2) for plan in planned} == {
        (a, b) for a in grid.evaluations for b in grid.evaluations
    }
    pruned, whole = (
        [
            (cell.wins1, cell.wins2, cell.draws)
            for cell in Tournament(Grid("connect-m", sizes=(4,), depths=(1, 2), algorithms=(name,))).run().cells()
        ]
        for name in ("alphabeta", "minimax")
    )
    assert pruned == whole


@pytest.mark.parametrize("game", ["tictactoe", "nim:1,2,3", "tree:[[3,12,8],[2,4,6],[14,5,2]]", "k-tables", "long-state"])
def test_every_kind_of_game_can_be_played(game):
    cell = Tournament(Grid(game, depths=(2,), games=4, openings=1, starts=("random",))).run().cells()[0]
    assert cell.wins1 + cell.wins2 + cell.draws == 4


def test_a_stored_game_replays_and_each_of_its_moves_opens_as_its_search():
    fixture = Tournament(OPENED).fixtures[0]
    played = play_game(fixture)
    for plies in range(len(fixture.opening), len(played.moves)):
        choice = make_match(fixture, played.moves[:plies]).choose()
        assert str(choice.move) == str(search(choice.question).root.best_move) == played.moves[plies]


@pytest.mark.parametrize(
    ("grid", "words"),
    [
        (Grid("connect-m", depths=(0,)), "give 1 to 500 plies"),
        (Grid("connect-m", depths=()), "at least one"),
        (Grid("connect-m", sizes=(99,)), "choose 3-10"),
        (Grid("connect4", sizes=tuple(range(4, 33)), depths=tuple(range(1, 101))), "games to play: the maximum is 100,000"),
        (Grid("connect4", games=10**12, openings=3), "the maximum is 100,000"),
        (Grid("connect4", games=0), "at least 1"),
        (Grid("nim:1,2", sizes=(3,)), "only one board"),
        (Grid("connect-m:size=3", openings=9), "choose fewer"),
        (Grid("connect4", openings=-1), "0 to 1,000"),
        (Grid("connect4", starts=("me",)), "Known: max, min, random"),
        (Grid("connect4", evaluations=("line",)), "did you mean 'lines'"),
        (Grid("k-tables", sizes=(5,)), "6 rows x 7 columns"),
        (Grid("tree:[[1,2],[3,4]]", depths=(1,)), "ends above the leaves of this tree"),
    ],
)
def test_a_grid_that_cannot_be_played_is_refused_before_anything_is(grid, words):
    with pytest.raises(PlyscopeError) as error:
        plan_cells(grid)
    assert words in str(error.value)


# ---- where it is played


@pytest.mark.parametrize("grid", [SMALL, OPENED], ids=["deterministic", "opened"])
def test_two_processes_play_the_same_games_as_one(grid):
    assert list_results(Tournament(grid).run(partial(play_on_cores, jobs=2))) == list_results(Tournament(grid).run())


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.filterwarnings("error")
def test_a_tournament_stops_when_told_and_goes_on_later(jobs):
    tournament = Tournament(SMALL)
    tournament.run(partial(play_on_cores, jobs=jobs), lambda played: len(tournament.played) < 5)
    assert len(tournament.played) == 5
    assert len(tournament.cells()) == 5
    assert list_results(tournament.run()) == list_results(Tournament(SMALL).run())


def test_an_error_in_a_worker_reaches_the_caller():
    bad = [fixture._replace(opening="99") for fixture in Tournament(SMALL).fixtures]
    with pytest.raises(PlyscopeError, match="99"), closing(play_on_cores(bad, 2)) as games:
        list(games)
    assert not multiprocessing.active_children()


def test_the_death_of_a_worker_is_an_error():
    with closing(play_on_cores(Tournament(OPENED).fixtures, 2)) as games:
        next(games)
        multiprocessing.active_children()[0].kill()
        with pytest.raises(WorkerDied, match="a worker process died"):
            list(games)


def test_a_closed_tournament_leaves_no_worker():
    endless = Tournament(Grid("connect4", depths=(30,), games=9, openings=2)).fixtures
    quick = Tournament(SMALL).fixtures[0]
    with closing(play_on_cores([quick, *endless], 2)) as games:
        assert next(games).fixture == quick
        assert len(multiprocessing.active_children()) == 2
    assert not multiprocessing.active_children()


def test_a_script_needs_no_main_guard(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "from engine.matches.executors import play_on_cores\n"
        "from engine.matches.tournament import Tournament\n"
        "from engine.matches.tournament_grid import Grid\n"
        "grid = Grid('connect-m', sizes=(3,), depths=(1, 2))\n"
        "print(len(Tournament(grid).run(lambda fixtures: play_on_cores(fixtures, 2)).played))\n"
    )
    result = processes.run([sys.executable, str(script)], env={**os.environ, "PYTHONPATH": os.getcwd()})
    assert (result.stdout, result.stderr) == ("4\n", "")


def test_sigterm_ends_the_workers_and_leaves_no_semaphore(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "from engine.matches.executors import play_on_cores\n"
        "from engine.matches.tournament import Tournament\n"
        "from engine.matches.tournament_grid import Grid\n"
        "quick = Tournament(Grid('connect-m', sizes=(3,), depths=(1,))).fixtures\n"
        "endless = Tournament(Grid('connect4', depths=(30,), games=9, openings=2)).fixtures\n"
        "for played in play_on_cores([*quick, *endless], 2):\n"
        "    print('played', flush=True)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.getcwd()}
    with processes.start_process([sys.executable, str(script)], env=environment, **PIPES) as process:
        assert process.stdout.readline() == "played\n"
        process.send_signal(signal.SIGTERM)
        assert process.stderr.read() == ""  # no worker is left that could write to it, and the tracker of semaphores is silent
        assert process.wait() == 128 + signal.SIGTERM


@pytest.mark.slow
def test_processes_load_the_compiled_kernel_instead_of_compiling_it(tmp_path):
    """With an empty cache the parent compiles, once; numba leaves one index per function, and none is written twice."""
    code = (
        "from engine.matches.tournament_grid import Grid; from engine.matches.tournament import Tournament\n"
        "from engine.matches.executors import play_on_cores, precompile_kernels\n"
        "from pathlib import Path; import sys\n"
        "grid = Grid('connect4', depths=(2,), games=8, openings=3)\n"
        "if __name__ == '__main__':\n"
        "    precompile_kernels(Tournament(grid).fixtures)\n"
        "    def files(): return sorted((str(f), f.stat().st_mtime_ns) for f in Path(sys.argv[1]).rglob('*.nb?'))\n"
        "    before = files(); Tournament(grid).run(lambda fixtures: play_on_cores(fixtures, 2))\n"
        "    print(bool(before), files() == before)\n"
    )
    script = tmp_path / "script.py"
    script.write_text(code)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": os.getcwd()}
    result = processes.run([sys.executable, str(script), str(tmp_path / "cache")], env=environment)
    assert result.stdout == "True True\n", result.stderr


@pytest.fixture(scope="module")
def local_cluster():
    distributed = pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs="CRITICAL"
    ) as cluster:
        yield cluster


@pytest.mark.slow
def test_a_cluster_plays_the_same_games_and_survives_the_death_of_a_worker(local_cluster):
    grid = Grid("connect4", depths=(4,), games=150, openings=5, seed=2)
    tournament = Tournament(grid)
    worker = local_cluster.workers[0].process.pid
    killed = []

    def kill_one(played):
        if len(tournament.played) == 20:
            os.kill(worker, signal.SIGKILL)
            killed.append(worker)

    tournament.run(partial(play_on_cluster, address=local_cluster.scheduler_address), kill_one)
    assert killed
    assert tournament.remaining_fixtures == []
    assert list_results(tournament) == list_results(Tournament(grid).run(partial(play_on_cores, jobs=2)))


@pytest.mark.slow
def test_the_cluster_on_the_command_line(local_cluster, tmp_path):
    store = tmp_path / "games.db"
    arguments = ("connect-m", "--sizes", "3", "--depths", "1-2", "--json")
    result = run_plyscope("tournament", *arguments, "--scheduler", local_cluster.scheduler_address, "--store", str(store))
    assert json.loads(result.stdout) == json.loads(run_plyscope("tournament", *arguments).stdout)
    assert result.stderr == ""
    assert len(read_games(store)) == 4


@pytest.mark.slow
@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("tcp://127.0.0.1:9", "no scheduler answers at tcp://127.0.0.1:9"),
        ("nonsense", "is not the address"),
        ("http://x:1", "is not the address"),
    ],
)
def test_a_scheduler_that_cannot_be_reached_is_one_sentence(address, words):
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    result = run_plyscope("tournament", "connect-m", "--scheduler", address)
    assert (result.returncode, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert words in result.stderr


# ---- the store


def test_a_store_keeps_every_game_and_nothing_is_played_or_counted_twice(tmp_path):
    path = tmp_path / "games.db"
    store = GameStore(path)
    half = Tournament(OPENED, store)
    half.run(on_game=lambda played: len(half.played) < 7)
    store.close()
    store = GameStore(path, resume=True)
    again = []
    whole = Tournament(OPENED, store)
    assert len(whole.played) == 7
    whole.run(on_game=again.append)
    for played in again:
        store.add(played)  # as another process that plays the same would
    store.close()
    assert len(again) == len(whole.fixtures) - 7
    assert len(read_games(path)) == len(whole.fixtures)
    assert list_results(whole) == list_results(Tournament(OPENED).run())
    assert [file.name for file in tmp_path.iterdir()] == ["games.db"]


def test_a_game_is_known_only_by_all_that_determines_it(tmp_path):
    store = GameStore(tmp_path / "games.db")
    Tournament(OPENED, store).run()
    for change in ({"seed": 6}, {"openings": 5}, {"prefer_faster_win": True}, {"algorithms": ("minimax",)}, {"starts": ("min",)}):
        other = Tournament(Grid(**{**OPENED.__dict__, **change}), store)
        assert other.played == {}, change
    assert len(Tournament(Grid(**{**OPENED.__dict__, "depths": (3, 4)}), store).played) == 6


LIES = {  # SQL that changes a store, and what is said of it
    "a number for a text": ("UPDATE games SET moves = CAST(7 AS BLOB)", "wrong type"),
    "no text at all": ("UPDATE games SET winner = CAST(x'ff' AS TEXT)", "is damaged"),
    "a text for seconds": ("UPDATE games SET seconds = 'long'", "wrong type"),
    "endless seconds": ("UPDATE games SET seconds = 9e999", "impossible"),
    "no such side": ("UPDATE games SET winner = 'both'", "impossible"),
    "another key": ("UPDATE games SET key = key || ' '", "a game has the key of another"),
    "another winner": ("UPDATE games SET winner = CASE winner WHEN 'max' THEN 'min' ELSE 'max' END", "do not end as"),
    "an unfinished game": ("UPDATE games SET moves = substr(moves, 1, 3)", "do not end as"),
    "moves that are none": ("UPDATE games SET moves = '99'", "is damaged"),
    "a view": ("ALTER TABLE games RENAME TO g; CREATE VIEW games AS SELECT * FROM g", "it needs exactly one table"),
    "a trigger": ("CREATE TRIGGER t AFTER INSERT ON games BEGIN DELETE FROM games; END", "it needs exactly one table"),
    "another column": ("ALTER TABLE games RENAME COLUMN moves TO played", "is damaged"),
}


@pytest.fixture(scope="module")
def good_store(tmp_path_factory):
    path = tmp_path_factory.mktemp("store") / "games.db"
    store = GameStore(path)
    Tournament(SMALL, store).run()
    store.close()
    return path


@pytest.mark.parametrize("lie", LIES)
def test_a_store_that_lies_is_refused_and_stays_as_it_is(lie, good_store, tmp_path):
    path = tmp_path / "games.db"
    shutil.copy(good_store, path)
    change, words = LIES[lie]
    with closing(sqlite3.connect(path)) as database:
        database.executescript(change)
        rows = database.execute("SELECT count(*) FROM games").fetchone()
    result = processes.run_command(
        "tournament", "connect-m", "--sizes", "3,4", "--depths", "1-3", "--store", str(path), "--resume"
    )
    assert (result.returncode, result.stdout, len(result.stderr.splitlines())) == (2, "", 1), result.stderr
    assert words in result.stderr
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT count(*) FROM games").fetchone() == rows


def test_a_game_that_its_players_would_not_have_played_is_found(tmp_path):
    """Legal moves with the right winner, but not those of the searches that the file names."""
    path = tmp_path / "games.db"
    store = GameStore(path)
    other = play_game(Fixture("connect4", "search:depth=1", "search:depth=1", "max", "3"))
    store.add(other._replace(fixture=other.fixture._replace(max_player="search:depth=4", min_player="search:depth=4")))
    with pytest.raises(BadStore, match="would not play move"):
        list(map(GameStore.games, [store] * 40))  # each time another move is looked at
    store.close()


@pytest.mark.parametrize("kind", ["text", "another database", "damaged", "games without resume", "folder missing", "folder"])
def test_a_file_that_is_no_store_is_refused(kind, tmp_path):
    path = tmp_path / "games.db"
    words, resume = "is not a store of games", ["--resume"]
    if kind == "text":
        path.write_text("not a database, but a text that somebody needs\n" * 50)
    elif kind == "another database":
        with sqlite3.connect(path) as other:
            other.execute("CREATE TABLE birds (name)")
        other.close()
        words = "the database of another program"
    elif kind == "folder missing":
        path, words = tmp_path / "nowhere" / "games.db", "there is no folder"
    elif kind == "folder":
        path.mkdir()
        words = "it is a folder"
    else:
        store = GameStore(path)
        Tournament(SMALL, store).run()
        store.close()
        if kind == "damaged":
            path.write_bytes(path.read_bytes()[:100] + b"\xff" * (path.stat().st_size - 100))
        else:
            words, resume = "already holds 18 games: add --resume", []
    before = path.read_bytes() if path.is_file() else None
    result = processes.run_command("tournament", "connect-m", "--sizes", "3,4", "--depths", "1-3", "--store", str(path), *resume)
    assert (result.returncode, result.stdout, result.stderr.count("\n")) == (2, "", 1), result.stderr
    assert words in result.stderr
    assert before is None or path.read_bytes() == before


def test_a_store_that_cannot_be_written_is_refused_before_anything_is_played(tmp_path, monkeypatch):
    path = tmp_path / "games.db"
    GameStore(path).close()
    real = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda file, **options: real(f"file:{file}?mode=ro", uri=True, **options))
    with pytest.raises(PlyscopeError, match="attempt to write a readonly database"):
        GameStore(path, resume=True)


def test_two_tournaments_share_a_store(tmp_path):
    """Both see what was there, and neither counts a game of the other twice."""
    path = tmp_path / "games.db"
    one, two = GameStore(path), GameStore(path)
    Tournament(SMALL, one).run()
    Tournament(SMALL, two).run()
    late = Tournament(SMALL)
    late.run(on_game=two.add)
    one.close()
    two.close()
    assert len(read_games(path)) == len(late.fixtures)


def test_a_full_disk_is_one_sentence_and_keeps_the_games_before(tmp_path, monkeypatch):
    path = tmp_path / "games.db"
    store = GameStore(path)
    store._connection.execute("PRAGMA max_page_count = 6")
    with pytest.raises(OSError, match="the earlier games are saved"):
        Tournament(Grid("connect4", depths=(1, 2), games=50, openings=6), store).run()
    store.close()
    assert 0 < len(read_games(path)) < 200


LONG_RUN = ("tournament", "connect4", "--depths", "5", "--games", "400", "--openings", "6", "--jobs", "2")


@contextmanager
def long_run_with_games(path):
    """A real run in a process of its own, with some games in the store."""
    pipes = dict.fromkeys(("stdout", "stderr"), subprocess.PIPE)
    with processes.start_process([*PLYSCOPE, *LONG_RUN, "--store", str(path)], text=True, **pipes) as process:
        processes.wait_until(lambda: path.exists() and count_stored_games(path), "a game is in the store")
        yield process


def count_stored_games(path):
    database = sqlite3.connect(path)
    try:
        return database.execute("SELECT count(*) FROM games").fetchone()[0]
    except sqlite3.OperationalError:  # not made yet
        return 0
    finally:
        database.close()


@pytest.mark.slow
def test_a_killed_run_goes_on_where_it_stopped(tmp_path):
    path = tmp_path / "games.db"
    with long_run_with_games(path) as process:
        process.kill()
        process.communicate(timeout=processes.MAX_WAIT_SECONDS)
        processes.wait_until(lambda: not group_lives(process), "its processes have noticed, and are gone")
    stored = count_stored_games(path)
    assert 0 < stored < 380
    result = run_plyscope(*LONG_RUN, "--store", str(path), "--resume", "--json")
    assert result.stderr.startswith(f"{stored} of ")
    cell = json.loads(result.stdout)["cells"][0]
    assert cell["wins1"] + cell["wins2"] + cell["draws"] == 400
    assert count_stored_games(path) == cell["played"]
    assert json.loads(run_plyscope(*LONG_RUN, "--json").stdout)["cells"] == [cell]


def group_lives(process):
    try:
        os.killpg(process.pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(tmp_path):
    path = tmp_path / "games.db"
    with long_run_with_games(path) as process:
        processes.press_ctrl_c(process)
        _, errors = process.communicate(timeout=processes.MAX_WAIT_SECONDS)
        assert process.returncode == 130
    assert errors.count("\n") == 1
    assert errors.startswith("plyscope: interrupted after ")
    assert errors.endswith(f"--store {path} --resume\n")
    assert 0 < count_stored_games(path) < 380
