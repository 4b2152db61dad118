"""What may happen to a machine while Plyscope runs. More in test_pool, test_atomic_files, test_numba_compat, test_stopping."""

import ast
import os
import signal
import sys

import psutil
import pytest

from engine import preset, search
from tests.engine.compiled.test_numba_compat import PASS, STATISTICS
from tests.support import processes
from tests.support.processes import MAX_WAIT_SECONDS, start_process, wait_until
from tests.test_architecture import ENGINE, VISUALIZER, name_of
from visualizer import export
from visualizer.drawing.graphviz_pictures import DrawingFailed

NOWHERE = "from numba.core import caching\ncaching.CacheImpl._locator_classes = []\n"  # not writable


def test_no_module_uses_the_time_of_day():
    """A clock that jumps stops nothing and makes nothing wait: all waiting goes by a clock that only counts. Only the age of
    files that were left behind is a matter of days."""
    asked = {
        name_of(path)
        for path in [*ENGINE, *VISUALIZER]
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and ast.unparse(node) in ("time.time", "datetime.now", "datetime.utcnow", "date.today")
    }
    assert asked <= {"engine/core/atomic_files.py"}


def test_a_picture_whose_process_is_killed_is_refused_with_a_sentence(tmp_path, monkeypatch):
    killer = tmp_path / "killer.py"
    killer.write_text("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n")
    monkeypatch.setattr("visualizer.drawing.graphviz_pictures.PROCESS_SCRIPT", killer, raising=True)
    with pytest.raises(DrawingFailed, match="could not draw"):
        export(search(preset("k-tables"), "3", depth=1), tmp_path / "tree.png")
    assert not (tmp_path / "tree.png").exists()


@pytest.mark.slow
def test_without_a_writable_folder_everything_is_compiled_again():
    """Home and installation are read-only, as in many containers."""
    result = processes.run([sys.executable, "-B", "-c", NOWHERE + PASS], env={**os.environ, "HOME": "/dev/null"})
    assert (result.returncode, result.stdout) == (0, "979\n"), result.stderr


@pytest.mark.slow
def test_two_processes_that_compile_at_once_leave_one_good_cache(tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", PASS + STATISTICS]
    with start_process(command, env=environment) as first, start_process(command, env=environment) as second:
        assert [first.wait(MAX_WAIT_SECONDS), second.wait(MAX_WAIT_SECONDS)] == [0, 0]
    assert processes.run(command, env=environment).stdout.split() == ["979", "1", "0"]


@pytest.mark.slow
def test_a_server_that_is_killed_leaves_no_process_behind(tmp_path):
    said = tmp_path / "said"
    command = [sys.executable, "-m", "visualizer.cli.main", "app", "--no-browser", "--workers", "2"]
    with said.open("w") as file, start_process(command, stdout=file, stderr=file) as server:
        wait_until(lambda: "Ctrl-C" in said.read_text(), "the server runs")
        workers = psutil.Process(server.pid).children()
        assert len(workers) >= 2
        os.kill(server.pid, signal.SIGKILL)
        assert not psutil.wait_procs(workers, MAX_WAIT_SECONDS)[1]
