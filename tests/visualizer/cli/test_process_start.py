"""The limit of a check counts from the command: the start of the process is found, and a late run is ended."""

import sys
import time

from engine.checker.sandbox.launcher import max_worker_seconds, run_worker
from engine.checker.sandbox.worker_protocol import CheckRequest
from tests.support.paths import ROOT
from tests.support.processes import run

SLEEP = """
import time
time.sleep(0.7)
from visualizer.cli.process_start import find_command_start
print(time.monotonic() - find_command_start().given_at)
"""


def test_the_time_before_our_imports_counts():
    printed = run([sys.executable, "-c", SLEEP], cwd=ROOT).stdout
    assert 0.7 <= float(printed) < 30


def test_a_run_ends_when_the_time_since_the_command_is_over(tmp_path):
    program = tmp_path / "endless.py"
    program.write_text("def minimax(n):\n    return minimax(n) if n else 0\n\nwhile True:\n    pass\n")
    request = CheckRequest(str(program))
    request.given_at = time.monotonic() - max_worker_seconds(request) + 0.5
    begun = time.monotonic()
    assert run_worker(request).failed.startswith("the program was stopped after ")
    assert time.monotonic() - begun < 20
