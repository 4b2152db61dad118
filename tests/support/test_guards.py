"""What no test may do: all of it is done here by a small suite, whose run must fail and say why."""

import os
import re
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.support.children.sitecustomize import MAX_NODES_PER_TEST
from tests.support.guards import MAX_PROCESS_BYTES
from tests.support.paths import TESTS
from tests.support.processes import run, start_process, wait_until

CONFTEST = """
from tests.support.guards import Guards

def pytest_configure(config):
    config.pluginmanager.register(Guards(max_bytes=600_000_000, settle_seconds=2))
"""
SUITE = """
import subprocess, sys
from engine import Question, connect, search
from engine.record.recorder import ProgressReporter
from engine.searcher import search_unrecorded
from tests.support.processes import run

def test_nothing_forbidden():
    assert search(connect(), depth=5).complete

def test_one_search():
    search_unrecorded(Question(connect(), depth=30))

def test_several_searches():
    for _ in range(2):
        search_unrecorded(Question(connect(), depth=30), max_nodes=12_000_000)

def test_a_readable_search():
    ProgressReporter(None).report(20_000_001)

def test_a_search_in_another_process():
    done = run([sys.executable, "-m", "visualizer.cli.main", "search", "connect4", "--depth", "30", "--json"])
    assert not done.stderr

def test_memory():
    assert b"x" * 600_000_000

def test_a_process():
    subprocess.Popen(["sleep", "1234"], start_new_session=True)
"""
COMPLAINTS = [
    "FAILED .*test_one_search.*TooManyNodes",
    "FAILED .*test_several_searches.*TooManyNodes",
    "FAILED .*test_a_readable_search.*TooManyNodes",
    "FAILED .*test_a_search_in_another_process",
    "TooManyNodes: a test searches more than 20,000,000 nodes",
    r"test_memory: its process has grown to [67]\d\d,\d{3},\d{3} bytes, and 600,000,000 are allowed",
    "a test left a process behind, which was killed now: sleep 1234",
    "4 failed, 3 passed",
]


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 0])
def test_forbidden_actions_of_a_test_fail_the_run(processes, tmp_path):
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_forbidden.py").write_text(SUITE)
    environment = {**os.environ, "PYTHONPATH": str(TESTS.parent), "COLUMNS": "200"}
    result = run([sys.executable, "-m", "pytest", "-n", str(processes), str(tmp_path)], cwd=tmp_path, env=environment)
    assert result.returncode == 1, result.stdout
    for words in COMPLAINTS:
        assert re.search(words, result.stdout), (words, result.stdout)
    assert "test_nothing_forbidden:" not in result.stdout


@pytest.mark.slow
@pytest.mark.parametrize(("body", "code"), [("pass", 0), ("subprocess.Popen(['sleep', '1234'])", 1)])
def test_a_process_left_behind_fails_a_run_in_which_all_tests_pass(body, code, tmp_path):
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_one.py").write_text(f"import subprocess\ndef test_it():\n    {body}\n")
    environment = {**os.environ, "PYTHONPATH": str(TESTS.parent)}
    result = run([sys.executable, "-m", "pytest", "-n", "0", "-c", os.devnull, str(tmp_path)], cwd=tmp_path, env=environment)
    assert result.returncode == code, result.stdout
    assert "1 passed" in result.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells children of their parent's death")
def test_processes_of_tests_end_when_the_tests_are_killed():
    code = "from tests.support.processes import start_process\nwith start_process(['sleep', '1234']) as child:\n"
    code += "    print(child.pid, flush=True)\n    input()"
    with start_process([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as tests:
        child = psutil.Process(int(tests.stdout.readline()))
        assert child.is_running()
        tests.kill()
        wait_until(lambda: not child.is_running() or child.status() == psutil.STATUS_ZOMBIE, "the child has gone too")


def test_the_limits():
    assert (MAX_NODES_PER_TEST, MAX_PROCESS_BYTES) == (20_000_000, 1_500_000_000)


LEFT_TO_ONE_PLACE = {
    r"\bSIGINT\b|subprocess\.(run|Popen|check_\w+)\(": "tests/support/processes.py does it: Ctrl-C works there, and all is ended",
    r"perf_counter|process_time": "how long something takes belongs to benchmarks/",
    r"timeout=\d|\.wait\([1-9]": "a limit is MAX_WAIT_SECONDS, which is enough for a busy machine",
}


@pytest.mark.parametrize("words", LEFT_TO_ONE_PLACE)
def test_tests_leave_processes_and_clocks_to_one_module(words):
    exempt = {TESTS / "support" / "processes.py", Path(__file__)}
    found = [
        f"{path.relative_to(TESTS)}: {line.strip()}"
        for path in TESTS.rglob("*.py")
        if path not in exempt
        for line in path.read_text().splitlines()
        if re.search(words, line)
    ]
    assert found == [], LEFT_TO_ONE_PLACE[words]
