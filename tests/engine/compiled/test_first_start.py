"""The very first start, when nothing is compiled: small inputs are interpreted, and another process compiles."""

import errno
import os
import resource
import sys
import threading
import time
from contextlib import nullcontext, suppress
from copy import deepcopy
from pathlib import Path

import numpy as np
import psutil
import pytest
from streamlit.testing.v1 import AppTest

from engine import Question, compare, connect, nim, preset, search
from engine.analysis.statistics import count_cutoffs_by_rank, count_node_types
from engine.compiled import (
    alphabeta_driver,
    alphabeta_kernel,
    compile_policy,
    connect_replay,
    ladder_driver,
    ladder_kernel,
    tree_kernels,
)
from engine.compiled.numba_compat import CompiledFunction, CompiledRowFunction
from engine.core.file_lock import IsLocked, hold_file_lock
from engine.core.interrupts import defer_interrupts, is_finishing_work, run_interruptibly
from tests.support.processes import (
    MAX_WAIT_SECONDS,
    enable_ctrl_c,
    open_terminal,
    press_ctrl_c,
    press_ctrl_c_in_this_process,
    run,
    wait_until,
)
from visualizer import background_compiler, compile_cache
from visualizer.app.state.background_search import COMPILING_NOTE
from visualizer.cli.exit_codes import EXIT_INTERRUPTED
from visualizer.drawing import tidy_layout, view_kernels
from visualizer.exporters import line_writer
from visualizer.pool import work_types

PLYSCOPE = [sys.executable, "-m", "visualizer.cli.main"]
SMALL = [*PLYSCOPE, "search", "k-tables", "--moves", "3", "--depth", "3"]
COLUMNS = ("depth", "alpha", "beta", "value", "pruned", "parent", "move", "bound")
MAX_CTRL_C_SECONDS = 3  # 0.1 on an idle machine; compiling takes 5 and more
FORMATS = (".svg", ".dot", ".json", ".html", ".txt", ".csv", ".graphml", ".tex")


@pytest.fixture
def nothing_compiled(monkeypatch):
    """Pretend that no kernel is compiled. They are, so that waiting for one takes no time."""
    monkeypatch.delenv(compile_policy.COMPILE_VARIABLE)
    monkeypatch.setattr(CompiledFunction, "is_ready", lambda self, *arguments: False)
    monkeypatch.setattr(compile_policy._ProcessState, "is_behind", False)
    for module in (alphabeta_driver, ladder_driver):
        monkeypatch.setattr(module, "READY_KERNELS", set())
    for each in (alphabeta_kernel.advance, ladder_kernel.advance):
        monkeypatch.setattr(each, "_rows_left", CompiledFunction.MAX_INTERPRETED_ROWS)


@pytest.fixture
def first_start(tmp_path):
    """The environment of a first start."""
    (tmp_path / "home").mkdir()
    ours = {name: text for name, text in os.environ.items() if name != compile_policy.COMPILE_VARIABLE}
    return {
        **ours,
        "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
        "HOME": str(tmp_path / "home"),
        "PYTHONPATH": os.pathsep.join(sys.path),
    }


# ---- before anything is compiled


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta", "pvs", "table", "mtdf"])
@pytest.mark.parametrize("game", [preset("k-tables"), connect()], ids=["k-tables", "connect4"])
def test_a_small_search_runs_the_readable_algorithm_with_the_same_result(nothing_compiled, game, algorithm):
    question = Question(game, "3", 3, algorithm)
    tree, forced = search(question), search(question, compiled=True)
    assert (tree.compiled, forced.compiled) == (False, True)
    assert compile_policy.has_interpreted()
    for name in COLUMNS:
        assert np.array_equal(getattr(tree, name), getattr(forced, name)), name


def test_a_large_search_waits_for_the_kernel(nothing_compiled):
    tree = search(connect(), depth=9)
    assert tree.compiled
    assert tree.expanded > CompiledFunction.MAX_INTERPRETED_ROWS
    assert tree.complete


def test_many_small_searches_use_up_the_allowance(nothing_compiled):
    """Interpreting does not go on for ever."""
    kinds = [search(connect(), depth=5).compiled for _ in range(1 + CompiledFunction.MAX_INTERPRETED_ROWS // 1000)]
    assert kinds == sorted(kinds)
    assert set(kinds) == {False, True}


@pytest.mark.parametrize("limit", [1, 100, CompiledFunction.MAX_INTERPRETED_ROWS])
def test_a_node_limit_stops_the_same_search(nothing_compiled, limit):
    tree, forced = search(connect(), depth=9, max_nodes=limit), search(connect(), depth=9, max_nodes=limit, compiled=True)
    assert (tree.compiled, tree.stopped, tree.expanded) == (False, forced.stopped, forced.expanded)
    assert np.array_equal(tree.value, forced.value)


def test_a_cancelled_search_does_not_wait_for_the_compiler(nothing_compiled):
    tree = search(connect(), depth=9, on_progress=lambda nodes: False)
    assert (tree.compiled, tree.stopped) == (False, "cancelled")


def test_a_kernel_that_is_ready_is_used(nothing_compiled, monkeypatch):
    monkeypatch.setattr(CompiledFunction, "is_ready", lambda self, *arguments: True)
    assert search(connect(), depth=2).compiled
    assert not compile_policy.has_interpreted()


def test_the_environment_variable_compiles_first(nothing_compiled, monkeypatch):
    monkeypatch.setenv(compile_policy.COMPILE_VARIABLE, "first")
    assert search(connect(), depth=2).compiled


def test_a_comparison_times_only_compiled_code(nothing_compiled, monkeypatch):
    """Searches and writers are compiled, even for small depths."""
    allowed = set()

    def write(tree):
        allowed.add(CompiledRowFunction(write).row_allowance)

    comparison = compare(connect(), None, "1-4", ("minimax", "alphabeta", "pvs"), repeat=1, write=write, keep_nodes=10**6)
    assert comparison.compiled
    assert {tree.compiled for tree in comparison.trees.values()} == {True}
    assert allowed == {0}
    assert not compile_policy.has_interpreted()
    assert CompiledRowFunction(write).row_allowance == CompiledRowFunction.MAX_INTERPRETED_ROWS  # when it is over


def test_a_worker_that_warms_up_compiles_nothing(nothing_compiled, monkeypatch):
    monkeypatch.setattr(work_types, "compare", lambda *asked, **options: pytest.fail("a comparison would compile"))
    work_types.warm_up()
    assert compile_policy.has_interpreted()


def test_a_worker_that_warms_up_with_a_partial_cache_compiles_nothing(nothing_compiled, monkeypatch):
    """The kernel may be on disk without the functions that compare trees, if the background process was killed."""
    ran = []

    def interpret(each, *arguments):
        assert each.row_allowance > 0, f"{each.function.__name__} would be compiled"
        ran.append(each)
        return each._interpret(*arguments)

    monkeypatch.setattr(CompiledFunction, "is_ready", lambda self, *arguments: True)
    monkeypatch.setattr(CompiledRowFunction, "__call__", interpret)
    work_types.warm_up()
    assert ran


def test_the_first_page_and_its_files_compile_nothing(first_start):
    work = f"from visualizer.compile_cache import *; run_first_page(); write_files({FORMATS}); print('done')"
    result = run([sys.executable, "-c", work], env=first_start)
    assert (result.stdout, result.stderr) == ("done\n", "")
    assert not [*Path(first_start["NUMBA_CACHE_DIR"]).rglob("*.nbc")]


def names_of_passes():
    """Return the names of all compiled functions over rows."""
    modules = (tree_kernels, connect_replay, view_kernels, tidy_layout, line_writer)
    return {
        each.function.__name__ for module in modules for each in vars(module).values() if isinstance(each, CompiledRowFunction)
    }


def test_every_compiled_function_gives_the_same_result_interpreted(monkeypatch):
    """Arrays of numbers, integer overflow, bits up to the 64th: Python gives the same results as compiled code."""
    ran = set()

    def run_both(each, *arguments):
        others = deepcopy(arguments)
        interpreted = each._interpret(*others)
        compiled = each.dispatcher(*arguments)
        ran.add(each.function.__name__)
        if each.function.__name__ == "_write_items":  # the rest of the buffer is undefined
            assert interpreted == compiled
            assert np.array_equal(others[-2][: compiled[1]], arguments[-2][: compiled[1]])
        else:
            assert is_same_result(interpreted, compiled), each.function.__name__
            assert is_same_result(others, arguments), each.function.__name__
        return compiled

    monkeypatch.setattr(CompiledRowFunction, "__call__", run_both)
    for question in (
        Question(preset("k-tables"), "3", 3),
        Question(nim([3, 4, 2]), depth=4),
        Question(preset("long-state"), depth=3),
    ):
        compile_cache.write_files(FORMATS, question)
        tree = search(question)
        assert len(tree.parent) == len(tree)
        assert count_cutoffs_by_rank(tree)
        assert count_node_types(tree)
    compile_cache.run_first_page()
    boards = connect(rows=7, cols=8)  # to the last bit
    for question in (Question(boards, "77777776666665", 4), Question(boards, "0", 3, "pvs")):
        assert len(search(question).states().max_discs)
    compare(connect(), None, "1-4", repeat=1)
    assert len(search(connect(), depth=6).bound)
    columns = search(preset("k-tables"), "3", 3).columns
    assert tree_kernels.count_doubled_links(columns.depth, columns.flags)
    tree = search(connect(), depth=6, algorithm="pvs")
    assert tree.statistics().researches
    assert tree_kernels.count_rows(tree.columns, tree.height)
    assert ran == names_of_passes() | {"fill_bounds", "mark_repeats", "walk_paths"}


def is_same_result(left, right):
    if isinstance(left, tuple):
        return len(left) == len(right) and all(map(is_same_result, left, right))
    if isinstance(left, np.ndarray):
        return left.dtype == right.dtype and np.array_equal(left, right, equal_nan=left.dtype.kind == "f")
    return left == right


# ---- the cache


SAVING = """
import errno, numpy as np
from engine.compiled import compile_policy
from engine.compiled.numba_compat import CompiledFunction

def add(column):
    return column.sum()

compiled = CompiledFunction(add)
{fault}
print(compiled(np.arange(4)), compile_policy.can_save())
"""
FULL_DISK = """
def fail(*entry):
    raise OSError(errno.ENOSPC, "No space left on device")
compiled.cache_file.{part} = fail
"""


@pytest.mark.parametrize("part", ["_save_data", "_save_index"])
def test_a_full_disk_compiles_without_a_cache(tmp_path, first_start, part):
    """The index never names missing data."""
    script = tmp_path / "script.py"
    script.write_text(SAVING.format(fault=FULL_DISK.format(part=part)))
    result = run([sys.executable, script], env=first_start)
    assert (result.stdout, result.stderr) == ("6 False\n", "")
    assert not [*Path(first_start["NUMBA_CACHE_DIR"]).rglob("*.nbi")]
    script.write_text(SAVING.format(fault=""))
    assert run([sys.executable, script], env=first_start).stdout == "6 True\n"


@pytest.mark.slow
def test_a_search_on_a_full_disk_prints_no_warning(first_start):
    """Large files cannot be written, including those of the cache."""

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (5_000, 5_000))

    environment = {
        **first_start,
        compile_policy.COMPILE_VARIABLE: "first",
        "PYTHONDONTWRITEBYTECODE": "1",
    }  # otherwise Python leaves truncated files
    result = run([*PLYSCOPE, "search", "connect4", "--depth", "8"], env=environment, preexec_fn=limit)
    assert result.returncode == 0, result.stderr
    assert "(compiled)" in result.stdout
    assert result.stderr == f"plyscope: {compile_policy.CACHED_NOTICE}\n"


@pytest.mark.parametrize(("presses", "gone_through"), [(0, 3), (1, 3), (2, 1), (3, 1)])
def test_a_second_ctrl_c_does_not_wait_for_the_compiler(presses, gone_through):
    """The first Ctrl-C is raised when the compiler is done."""
    steps = []

    def compile_and_press():
        with defer_interrupts():
            for step in range(3):
                if step < presses:
                    press_ctrl_c_in_this_process()
                steps.append(step)

    with enable_ctrl_c(), pytest.raises(KeyboardInterrupt) if presses else nullcontext():
        compile_and_press()
    assert len(steps) == gone_through


def test_ctrl_c_does_not_wait_for_work_in_another_thread():
    """The work goes on, and `is_finishing_work` tells until when."""
    may_end, ended = threading.Event(), threading.Event()

    def compile_something():
        press_ctrl_c_in_this_process()
        may_end.wait(MAX_WAIT_SECONDS)
        ended.set()

    with enable_ctrl_c(), pytest.raises(KeyboardInterrupt):
        run_interruptibly(compile_something)
    assert is_finishing_work()
    assert not ended.is_set()
    may_end.set()
    wait_until(lambda: not is_finishing_work(), "the work ends")
    assert ended.is_set()


def test_work_in_another_thread_returns_its_result_or_its_error():
    with enable_ctrl_c():
        assert run_interruptibly(lambda: threading.current_thread() is threading.main_thread()) is False
        with pytest.raises(ZeroDivisionError):
            run_interruptibly(lambda: 1 / 0)
    assert not is_finishing_work()


def test_a_lock_is_held_by_one_at_a_time(tmp_path):
    path = tmp_path / "lock"
    with hold_file_lock(path):
        with pytest.raises(IsLocked), hold_file_lock(path):
            pass
        with pytest.raises(IsLocked), hold_file_lock(path, 0.1):
            pass
    with hold_file_lock(path):
        assert path.exists()


def test_without_a_lock_file_nothing_is_locked(tmp_path):
    with hold_file_lock(tmp_path / "no folder" / "lock"), hold_file_lock(tmp_path / "no folder" / "lock"):
        pass


# ---- the background compiler


@pytest.fixture
def started_commands(monkeypatch, tmp_path):
    """Return the commands that `start_background_compile` would start; none of them is started."""
    found = []
    monkeypatch.setattr(background_compiler.subprocess, "Popen", lambda command, **options: found.append(command))
    monkeypatch.setattr(background_compiler, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(background_compiler._StartedProcess, "process", None)
    monkeypatch.setattr(compile_policy._ProcessState, "is_behind", True)
    return found


def test_interpreted_functions_are_compiled_in_the_background(started_commands):
    background_compiler.start_background_compile()
    assert [command[-1] for command in started_commands] == ["visualizer.compile_cache"]


def test_nothing_is_compiled_in_the_background_without_need(started_commands, monkeypatch):
    monkeypatch.setattr(compile_policy._ProcessState, "is_behind", False)
    background_compiler.start_background_compile()
    assert started_commands == []


def test_one_process_compiles_in_the_background_at_a_time(started_commands, tmp_path):
    with hold_file_lock(tmp_path / background_compiler.LOCK_NAME):
        background_compiler.start_background_compile()
    assert started_commands == []


def test_nothing_is_compiled_in_the_background_without_a_cache(started_commands, monkeypatch, tmp_path):
    monkeypatch.setattr(background_compiler.shutil, "disk_usage", lambda folder: type("Usage", (), {"free": 1000}))
    background_compiler.start_background_compile()
    monkeypatch.undo()
    monkeypatch.setattr(compile_policy._ProcessState, "is_behind", True)
    monkeypatch.setattr(background_compiler, "cache_folder", lambda: None)
    background_compiler.start_background_compile()
    assert started_commands == []


def test_a_background_process_that_cannot_start_is_ignored(started_commands, monkeypatch):
    def refuse(*command, **options):
        raise OSError(errno.EAGAIN, "no more processes")

    monkeypatch.setattr(background_compiler.subprocess, "Popen", refuse)
    background_compiler.start_background_compile()
    assert not background_compiler.is_compiling()


def test_compiling_stops_if_nothing_can_be_saved(monkeypatch):
    compiled_parts = []
    monkeypatch.setenv(compile_policy.COMPILE_VARIABLE, "first")
    monkeypatch.setattr(
        compile_cache, "PARTS", {"one": lambda: compiled_parts.append(1), "two": lambda: compiled_parts.append(2)}
    )
    monkeypatch.setattr(compile_policy._ProcessState, "can_save", False)
    compile_cache.compile_parts(compile_cache.PARTS)
    assert compiled_parts == [1]


@pytest.mark.parametrize("compiling", [True, False])
def test_a_page_that_waits_says_that_the_server_compiles(monkeypatch, compiling):
    monkeypatch.setattr("visualizer.app.state.background_search.is_compiling", lambda: compiling)

    def part():
        from visualizer.app.state.background_search import poll_job
        from visualizer.pool.tasks import Job, Task

        waiting = Job()
        waiting.join_task(Task(lambda listener: None, 1.0))
        poll_job("key", lambda: waiting, lambda job: (None, "Searching"))

    app = AppTest.from_function(part, default_timeout=MAX_WAIT_SECONDS).run()
    assert not app.exception
    assert [caption.value for caption in app.caption] == ([COMPILING_NOTE] if compiling else [])


def find_background_compilers(environment):
    """Return the background compilers that fill the cache of this environment, not those of tests that run beside this one."""
    ours, folder = [], environment["NUMBA_CACHE_DIR"]
    for process in psutil.process_iter(["cmdline"]):
        try:
            if "visualizer.compile_cache" in (process.info["cmdline"] or ()) and process.environ()["NUMBA_CACHE_DIR"] == folder:
                ours.append(process)
        except (psutil.Error, KeyError):
            continue
    return ours


@pytest.fixture
def no_compiler_left(first_start):
    yield
    for process in find_background_compilers(first_start):
        with suppress(psutil.NoSuchProcess):
            process.kill()


def has_low_priority(process):
    with suppress(psutil.NoSuchProcess):
        return process.nice() > psutil.Process().nice()


def cpu_seconds(command, environment):
    """Return the processor time of a command, and its result."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = run(command, env=environment)
    assert result.returncode == 0, result.stderr
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, result


@pytest.mark.slow
def test_the_very_first_search_is_about_as_fast_as_later_ones(first_start, no_compiler_left):
    """It compiles nothing and starts one background process with low priority. The second search finds that process, or starts
    one that finds the lock taken and ends at once.
    """
    seconds, result = cpu_seconds(SMALL, first_start)
    assert "234" in result.stdout
    assert result.stderr == ""
    (compiler,) = find_background_compilers(first_start)
    wait_until(lambda: has_low_priority(compiler), "the background process has a low priority")
    again, _ = cpu_seconds(SMALL, first_start)
    wait_until(lambda: len(find_background_compilers(first_start)) == 1, "one process compiles in the background")
    usual, _ = cpu_seconds(SMALL, {**os.environ})
    assert max(seconds, again) < 2.5 * usual + 0.5


@pytest.mark.slow
def test_ctrl_c_stops_a_command_that_compiles(first_start, no_compiler_left):
    """Compiling takes seconds, and the compiler cannot be stopped. Another process compiles for the next command."""
    with open_terminal([*PLYSCOPE, "search", "connect4", "--depth", "20"], env=first_start) as terminal:
        terminal.wait_for(compile_policy.CACHED_NOTICE)
        time.sleep(1)
        began = time.monotonic()
        press_ctrl_c(terminal.process)
        assert terminal.process.wait(MAX_WAIT_SECONDS) == EXIT_INTERRUPTED
        assert time.monotonic() - began < MAX_CTRL_C_SECONDS
    wait_until(lambda: find_background_compilers(first_start), "the kernel is compiled in the background")


@pytest.mark.slow
def test_the_very_first_page_appears_before_anything_is_compiled(first_start, no_compiler_left):
    with open_terminal([*PLYSCOPE, "app", "--no-browser"], env=first_start) as terminal:
        terminal.wait_for("Ctrl-C.")
        server = psutil.Process(terminal.process.pid)
        seconds = [
            sum(each.cpu_times()[:2])
            for each in (server, *server.children())
            if each not in find_background_compilers(first_start)
        ]
        assert sum(seconds) < 4
        wait_until(lambda: find_background_compilers(first_start), "missing functions are compiled in the background")
        press_ctrl_c(terminal.process)
        terminal.wait_for("Stopped.")


@pytest.mark.slow
def test_the_first_large_search_says_that_it_compiles(first_start, no_compiler_left):
    result = run([*PLYSCOPE, "search", "connect4", "--depth", "8"], env=first_start)
    assert result.stderr == f"plyscope: {compile_policy.CACHED_NOTICE}\n"
    assert "(compiled)" in result.stdout
