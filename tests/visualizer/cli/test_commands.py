"""The command line, as a person runs it."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from engine import connect, search
from tests.support import processes
from tests.support.marks import mostly_slow
from tests.support.paths import ROOT, TESTS
from visualizer.cli.output.search_output import NOT_COUNTED_NOTE, search_summary, show_search

PLYSCOPE = [sys.executable, "-m", "visualizer.cli.main"]


def run_plyscope(*arguments, input=None, **options):
    if options or arguments[:1] == ("tournament",):  # another environment, or processes of its own
        return processes.run([*PLYSCOPE, *arguments], input=input, **options)
    return processes.run_command(*arguments, input=input)


def test_search_prints_the_published_number():
    result = run_plyscope("search", "k-tables", "--moves", "3", "--depth", "3", "--algorithm", "alphabeta")
    assert result.returncode == 0
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["expanded", "234"] in [line[:2] for line in lines]
    assert "Principal variation" in result.stdout
    assert result.stderr == ""


def test_search_as_json():
    process = run_plyscope("search", "k-tables", "--moves", "3", "--json")
    result = json.loads(process.stdout)
    assert process.stderr == ""
    assert list(result) == [
        "game",
        "position",
        "algorithm",
        "evaluation",
        "depth",
        "value",
        "best_move",
        "principal_variation",
        "expanded",
        "leaves",
        "terminals",
        "cutoffs",
        "skipped",
        "per_depth",
        "seconds",
        "complete",
        "stopped",
    ]
    assert (result["expanded"], result["value"], result["best_move"], result["depth"]) == (234, -3, 3, 3)
    assert [row["expanded"] for row in result["per_depth"]] == [1, 7, 37, 189]
    assert list(result["per_depth"][0]) == ["depth", "expanded", "leaves", "cutoffs", "skipped"]


@pytest.mark.parametrize(
    ("arguments", "expanded"),
    [
        (["tree:[[3,12,8],[2,4,6],[14,5,2]]"], 11),
        (["tree:[[3,12,8],[2,4,6],[14,5,2]]", "--algorithm", "minimax"], 13),
        (["connect:rows=4,cols=5,connect=4,rule=first", "--depth", "2", "--algorithm", "minimax"], 31),
        (["nim:2,1", "--algorithm", "minimax"], 12),
        (["tictactoe", "--moves", "40", "--depth", "1"], 8),
        (["k-tables", "--moves", "3", "--max-nodes", "100"], 100),
        (["long-state", "--moves", "1010012133334346464663", "--depth", "3", "--first", "max"], 115),
        (["threats", "--depth", "2", "--as-published"], 57),
    ],
)
def test_games_on_the_command_line(arguments, expanded):
    assert json.loads(run_plyscope("search", *arguments, "--json").stdout)["expanded"] == expanded


def test_strict_cuts_less():
    usual, strict = (
        json.loads(run_plyscope("search", "k-tables", "--moves", "3", "--json", *more).stdout) for more in ([], ["--strict"])
    )
    assert usual["value"] == strict["value"]
    assert usual["expanded"] <= strict["expanded"]


def test_a_complete_search_says_that_nothing_stopped_it():
    result = run_plyscope("search", "k-tables", "--depth", "2", "--json")
    assert (result.returncode, json.loads(result.stdout)["stopped"]) == (0, None)


def test_a_reached_node_limit_is_a_warning_and_exits_3(tmp_path):
    target = tmp_path / "tree.csv"
    process = run_plyscope("search", "connect4", "--depth", "8", "--max-nodes", "1000", "--json", "-o", str(target))
    assert process.returncode == 3
    result = json.loads(process.stdout)
    assert (result["complete"], result["stopped"]) == (False, "node limit")
    assert process.stderr.startswith("plyscope: stopped (node limit) after 1,000 nodes")
    assert len(target.read_text().splitlines()) == 1001


def test_a_reached_memory_limit_is_a_warning():
    result = run_plyscope("search", "connect4", "--depth", "12", "--max-memory", "1MB", "--max-nodes", "1000000000", "--json")
    assert result.returncode == 3
    assert json.loads(result.stdout)["stopped"] == "memory limit"
    assert (json.loads(result.stdout)["complete"], json.loads(result.stdout)["expanded"]) == (False, (1 << 20) // 20)
    assert result.stderr.startswith("plyscope: stopped (memory limit) after 52,428 nodes")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["search", "connect4", "--max-memory", "lots"], "'lots' is not an amount of memory: write, for example, 500MB or 2GB"),
        (["search", "connect4", "--max-memory", "0GB"], "is not an amount of memory"),
        (["search", "ktables"], "did you mean 'k-tables'"),
        (["search", "k-tables", "--moves", "9"], "there is no column 9"),
        (["search", "k-tables", "--depth", "x"], "'x' is not a valid integer"),
        (["search", "k-tables", "--depth", "-1"], "choose 0-500 plies"),
        (["search", "k-tables", "--evaluation", "chain"], "did you mean 'chains'"),
        (["search", "tree:[[1,2],[]]"], "empty list"),
        (["search", "tree:[[1,2"], "is not closed: add ]"),
        (["search", "tree:" + "[" * 5000], "the tree is too large"),
        (["search", "tree:[1,\x1b[31m]"], "is not a node"),
        (["search"], "Missing argument 'GAME'"),
        (["search", "nim"], "nim:3,4,5"),
        (["serach"], "did you mean 'search'"),
        (["reproduce", "ktables"], "did you mean"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(arguments, words):
    result = run_plyscope(*arguments)
    assert result.returncode == 2
    assert result.stdout == ""
    assert words in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("plyscope: ")
    assert "\x1b" not in result.stderr


def test_ctrl_c_prints_the_partial_result_and_exits_130():
    command = [*PLYSCOPE, "search", "nim:5,5,5,5", "--depth", "20", "--max-nodes", "20000000", "--json"]
    with processes.open_terminal(command, stdout=subprocess.PIPE) as terminal:
        terminal.wait_for("searching")
        terminal.press("\x03")
        terminal.wait_for("stopped (interrupted) after ")
        out, _ = terminal.process.communicate(timeout=processes.MAX_WAIT_SECONDS)
        assert terminal.process.returncode == 130
    result = json.loads(out)
    assert (result["complete"], result["stopped"]) == (False, "interrupted")


def test_after_ctrl_c_slow_counts_are_left_out_with_a_note(capsys):
    tree = search(connect(), depth=8, algorithm="pvs", max_nodes=5_000)
    counted = search_summary(tree)
    tree.stopped = "interrupted"
    quick = search_summary(tree)
    assert counted["distinct"] > counted["researches"] > 0
    assert (quick["distinct"], quick["researches"], quick["notes"]) == (None, None, [NOT_COUNTED_NOTE])
    show_search(tree)
    output = capsys.readouterr().out
    assert output.count("not counted") == 2
    assert NOT_COUNTED_NOTE in " ".join(output.split())


@pytest.mark.slow
@pytest.mark.parametrize("moment", [0.1, 0.5, 2.0])
def test_ctrl_c_while_the_kernel_is_compiled_or_loaded(moment, tmp_path):
    """The computer compiles, thinks for a moment and then waits for a move that never comes: only Ctrl-C ends it.

    Moments are seconds of its own, which are the same however busy the machine is.
    """
    command = [*PLYSCOPE, "play", "connect4", "--depth", "2", "--you", "min", "--starts", "max"]
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with processes.start_process(command, env=environment, **pipes) as process:
        processes.wait_until(lambda: processes.processor_seconds(process) > moment or any(tmp_path.rglob("*.nbc")), "it compiles")
        processes.press_ctrl_c(process)
        process.wait(processes.MAX_WAIT_SECONDS)
        assert process.returncode in processes.INTERRUPTED


CALLBACK = """
import weakref

def bad_moment():
    thing = type("Thing", (), {})()
    reference = weakref.ref(thing, drop)
    del thing

def drop(reference):
    raise KeyboardInterrupt
"""
IMPORT = """
def bad_moment():
    import swallows
"""
UNHEARD = """
import signal
pressed = signal.pthread_kill

def unheard(thread, number):
    signal.pthread_kill = pressed

signal.pthread_kill = unheard
"""
SWALLOWS = """
import _thread, time
try:
    _thread.interrupt_main()
    time.sleep(0.1)
except BaseException:
    pass
"""
PLAY = """
from visualizer.cli import main as command

def wait_for_a_move(*arguments, **options):
    bad_moment()
    input()

command.plyscope.main = wait_for_a_move
command.main([])
"""


@pytest.mark.parametrize("moment", [CALLBACK, IMPORT, CALLBACK + UNHEARD], ids=["callback", "import", "unheard"])
def test_ctrl_c_at_a_bad_moment_is_not_lost(moment, tmp_path):
    """Where Python drops every exception, where a library's import makes another error of it, and just before input is read."""
    (tmp_path / "swallows.py").write_text(SWALLOWS)
    command = [sys.executable, "-c", f"import sys; sys.path.append({str(tmp_path)!r})\n{moment}{PLAY}"]
    with processes.start_process(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        process.wait(processes.MAX_WAIT_SECONDS)
        assert process.returncode == 130
        assert process.stderr.read() == "plyscope: interrupted\n"


@pytest.mark.parametrize("encoding", mostly_slow(["ascii", "latin-1", "cp1252", "cp437"], quick=0))
def test_old_code_pages_get_ascii_characters(encoding):
    searched, compared = ["search", "k-tables", "--moves", "3"], ["compare", "k-tables", "--moves", "3", "--depths", "1-3"]
    commands = (searched, compared, ["reproduce", "long-state"], ["list"])
    code = f"from visualizer.cli.main import main\nfor arguments in {commands}: main(arguments); print('END')"
    result = processes.run([sys.executable, "-c", code], env={**os.environ, "PYTHONIOENCODING": encoding}, text=False)
    assert result.returncode == 0, result.stderr
    *written, rest = result.stdout.decode(encoding).split("END")
    assert len(written) == len(commands)
    assert all(text.strip() for text in written)
    assert rest.strip() == ""


def test_a_full_disk_is_one_sentence():
    with open("/dev/full", "w") as full:
        result = run_plyscope("list", stdout=full)
    assert result.returncode == 1
    assert result.stderr == "plyscope: cannot write the output: No space left on device\n"


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_searches_run_without_a_folder_for_the_cache(compiled, tmp_path):
    root = ROOT
    for package in ("engine", "visualizer"):
        shutil.copytree(root / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    for folder in (tmp_path / "engine", tmp_path / "engine" / "games", tmp_path / "visualizer"):
        (folder / "__pycache__").write_text("not a folder")
    environment = {**os.environ, "HOME": "/proc/nowhere", "PYTHONPATH": str(tmp_path), "XDG_CACHE_HOME": "/proc/nowhere"}
    environment.pop("NUMBA_CACHE_DIR", None)
    code = f"import engine; t = engine.search(engine.connect(), depth=3, compiled={compiled})\n"
    code += "print(engine.__file__, t.expanded, t.parent[1])"  # `parent` is compiled in any case
    result = processes.run([sys.executable, "-c", code], env=environment, cwd=tmp_path)
    assert result.stdout.split()[1:] == [str(search(connect(), depth=3).expanded), "0"], result.stderr
    assert str(tmp_path) in result.stdout


def test_search_writes_several_files_and_a_saved_tree_exports_again(tmp_path):
    names = ["tree.dot", "tree.txt", "tree.svg", "tree.parquet", "tree.json"]
    outputs = [part for name in names for part in ("-o", str(tmp_path / name))]
    result = run_plyscope("search", "k-tables", "--moves", "3", "--json", *outputs)
    assert json.loads(result.stdout)["expanded"] == 234
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names)
    again = run_plyscope("export", str(tmp_path / "tree.parquet"), "-o", str(tmp_path / "again.svg"))
    assert again.returncode == 0
    assert (tmp_path / "again.svg").read_bytes() == (tmp_path / "tree.svg").read_bytes()


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
def test_the_values_style_is_the_dump_of_the_original_program(algorithm, tmp_path):
    target = tmp_path / "values.txt"
    run_plyscope(
        "search", "k-tables", "--moves", "3", "-k", "2", "--algorithm", algorithm, "--text-style", "values", "-o", str(target)
    )
    golden = TESTS / "golden" / "trees" / f"chains_pos3_K2_{algorithm}.txt"
    assert target.read_bytes() == golden.read_bytes()


def test_views_on_the_command_line(tmp_path):
    whole, part = tmp_path / "whole.csv", tmp_path / "part.csv"
    run_plyscope("search", "k-tables", "--moves", "3", "-o", str(whole))
    run_plyscope("search", "k-tables", "--moves", "3", "--to-depth", "1", "--no-stubs", "-o", str(part))
    assert (whole.read_text().count("\n"), part.read_text().count("\n")) == (235, 9)


@pytest.mark.parametrize(
    ("output", "words"),
    [("nowhere/tree.dot", "there is no folder"), ("tree.xyz", "known formats are .dot, .txt"), ("tree", "known formats are")],
)
def test_a_target_that_cannot_be_written_is_refused_before_searching(output, words, tmp_path):
    result = run_plyscope("search", "connect4", "--depth", "30", "-o", str(tmp_path / output))
    assert (result.returncode, result.stdout) == (2, "")
    assert words in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_bad_export_requests(tmp_path):
    assert "There is nothing to write: name a file, for example -o tree.svg" in run_plyscope("export", "tree.parquet").stderr
    missing = run_plyscope("export", str(tmp_path / "no.parquet"), "-o", str(tmp_path / "x.svg"))
    assert missing.returncode == 2
    assert missing.stderr.count("\n") == 1
    style = run_plyscope("search", "k-tables", "--text-style", "valeus", "-o", str(tmp_path / "x.txt"))
    assert "did you mean 'values'" in style.stderr


def test_list_names_everything():
    listed = run_plyscope("list").stdout
    for word in ("k-tables", "long-state", "connect4", "nim:3,4,5", "segments:linear", "alphabeta"):
        assert word in listed


def test_reproduce_as_json():
    result = run_plyscope("reproduce", "k-tables", "--json")
    rows = json.loads(result.stdout)
    assert result.returncode == 0
    assert set(rows[0]) == {"preset", "figure", "published", "measured", "equal"}
    assert all(row["equal"] for row in rows)


def test_reproduce_on_the_terminal_explains_the_misprint():
    output = " ".join(run_plyscope("reproduce", "k-tables").stdout.split())
    assert "its program plays column 4. This is a misprint" in output
    assert "38 of 38 published figures reproduced" in output


COMPARE_ROW = ["depth", "algorithm", "expanded", "leaves", "terminals", "cutoffs", "skipped", "value", "best_move"]
COMPARE_ROW += ["seconds", "seconds_recorded", "seconds_written"]


def test_compare_as_json():
    process = run_plyscope("compare", "k-tables", "--moves", "3", "--depths", "3,5", "--repeat", "1", "--json")
    assert (process.returncode, process.stderr) == (0, "")
    result = json.loads(process.stdout)
    assert result["agree"] is True
    for row in result["rows"]:
        assert list(row)[: len(COMPARE_ROW)] == COMPARE_ROW
        assert row["seconds"] > 0
        assert 0 < row["seconds_recorded"] < row["seconds_written"]
    assert [(row["depth"], row["algorithm"], row["expanded"], row["value"], row["best_move"]) for row in result["rows"]] == [
        (3, "minimax", 400, -3, 3),
        (3, "alphabeta", 234, -3, 3),
        (5, "minimax", 19608, 0, 2),
        (5, "alphabeta", 4290, 0, 2),
    ]
    assert [level["saved"] for level in result["levels"]] == [400 - 234, 19608 - 4290]
    assert " skipped." in result["levels"][0]["cutoffs"][0]["sentence"]


def test_compare_on_the_terminal():
    result = run_plyscope("compare", "tictactoe", "--moves", "40", "--depths", "1-3")
    assert (result.returncode, result.stderr) == (0, "")
    for words in (
        "Tic-tac-toe",
        "How good alpha-beta was",
        "median of 3 runs",
        "every visited node",
        "The most valuable cutoff at K=3",
    ):
        assert words.lower() in result.stdout.lower()
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_compare_lists_what_is_too_large():
    result = run_plyscope("compare", "connect4", "--depths", "2,6", "--repeat", "1", "--max-nodes", "50000")
    assert result.returncode == 0
    assert "K=6, minimax: not run, 1" in result.stdout


def test_numbers_are_never_cut():
    result = run_plyscope("compare", "connect4", "--depths", "7-9", "--repeat", "1", "--max-nodes", "10000000")
    assert "…" not in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80
    for words in ("6,634,027", "950,080"):
        assert words in result.stdout


def test_compare_writes_every_format(tmp_path):
    from visualizer.report import FORMATS

    outputs = [part for extension in FORMATS for part in ("-o", str(tmp_path / f"report{extension}"))]
    result = run_plyscope("compare", "k-tables", "--moves", "3", "--depths", "1-3", "--repeat", "1", *outputs)
    assert (result.returncode, result.stderr) == (0, "")
    assert {path.suffix for path in tmp_path.iterdir()} == set(FORMATS)
    assert all(path.stat().st_size > 300 for path in tmp_path.iterdir())
    assert result.stdout.count("wrote ") == len(FORMATS)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--depths", "6-1"], "backwards: write 1-6"),
        (["--depths", "3,2"], "do not ascend"),
        (["--depths", "x"], "is not a list of depths"),
        (["--depths", "1-501"], "choose 0-500 plies"),
        (["--repeat", "0"], "0 repeats"),
        (["--repeat", "few"], "'few' is not a valid integer"),
        (["--algorithms", "minimax,negamax"], "there is no algorithm 'negamax'"),
        (["--algorithms", "minimax,mcts"], "use `plyscope evaluate GAME --player mcts --player alphabeta`"),
        (["--algorithms", ""], "no algorithm is named"),
        (["--moves", "9"], "there is no column 9"),
        (["--max-nodes", "0"], "0 is not a node limit"),
        (["--evaluation", "chain"], "did you mean 'chains'"),
        (["--first", "me"], "'me' is not one of"),
        (["-o", "report.docx"], "known formats are .csv"),
        (["-o", "nowhere/report.md"], "there is no folder 'nowhere'"),
        (["-o", "good.md", "-o", "bad.xyz"], "known formats are"),
    ],
)
def test_bad_comparisons_are_refused_before_any_search(arguments, words, tmp_path):
    result = processes.run_command("compare", "connect4", "--depths", "9-30", *arguments, cwd=tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    assert words in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("plyscope: ")
    assert list(tmp_path.iterdir()) == []


def test_as_published_needs_a_preset_in_compare_too():
    result = run_plyscope("compare", "tictactoe", "--as-published")
    assert result.returncode == 2
    assert "needs a preset" in result.stderr


def test_ctrl_c_keeps_the_rows_of_a_comparison(tmp_path):
    report = tmp_path / "report.md"
    command = [*PLYSCOPE, "compare", "tictactoe", "--depths", "1-3,9", "--algorithms", "minimax", "--repeat", "10", "--json"]
    with processes.open_terminal([*command, "-o", str(report)], stdout=subprocess.PIPE) as terminal:
        terminal.wait_for("K=9 minimax")
        terminal.press("\x03")
        terminal.wait_for("plyscope: interrupted: kept the 3 finished rows\r\n")
        out, _ = terminal.process.communicate(timeout=processes.MAX_WAIT_SECONDS)
        assert terminal.process.returncode == 130
    result = json.loads(out)
    assert (result["complete"], result["stopped"]) == (False, "interrupted")
    assert [row["depth"] for row in result["rows"]] == [1, 2, 3]
    assert "The comparison was stopped (interrupted)" in report.read_text()
