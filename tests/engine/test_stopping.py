"""Searches that are stopped: by the caller, by Ctrl-C, by a full table; and the memory they take."""

import math
import os
import resource
import sys

import numpy as np
import pytest

from engine import ALGORITHMS, PlyscopeError, Trace, connect, literal, search, tictactoe
from engine.compiled import growable_column
from engine.compiled.growable_column import GrowableColumn
from engine.core.memory_budget import MIN_BUDGET_BYTES, UNKNOWN_FREE_BYTES, free_bytes, memory_budget, set_process_limit
from engine.searcher import search_unrecorded
from tests.engine.algorithms.test_laws import check_consistent, same_table
from tests.support.games import Countdown
from tests.support.marks import mostly_slow
from tests.support.processes import run
from tests.support.reference import minimax_value
from visualizer.narration.sentences import sentence


@pytest.mark.parametrize("compiled", [True, False])
def test_on_progress_sees_growing_counts_and_can_cancel(compiled):
    seen = []

    def watch(nodes):
        seen.append(nodes)
        return len(seen) < 3

    tree = search(connect(), depth=12, on_progress=watch, compiled=compiled)
    assert seen == sorted(seen)
    assert len(seen) == 3
    assert (tree.complete, tree.stopped) == (False, "cancelled")
    assert tree.expanded >= seen[-1]
    if not compiled:
        check_consistent(tree)


@pytest.mark.parametrize("game", [connect(), tictactoe()])
def test_on_progress_gets_the_final_count(game):
    seen = []
    tree = search(game, depth=3, on_progress=seen.append)
    assert tree.complete
    assert seen[-1] == tree.expanded


@pytest.mark.parametrize("compiled", [True, False])
def test_an_unrecorded_search_reports_progress_and_can_be_cancelled(compiled):
    seen = []

    def watch(nodes):
        seen.append(nodes)
        return len(seen) < 3

    result = search_unrecorded(connect(), depth=14, on_progress=watch, compiled=compiled)
    assert len(seen) == 3
    assert seen == sorted(seen)
    assert result.stopped == "cancelled"
    assert math.isnan(result.value)
    assert result.expanded >= seen[-1]
    assert search_unrecorded(connect(), depth=6, max_nodes=500, compiled=compiled)[::3] == (500, "node limit")
    assert search_unrecorded(connect(), depth=3, compiled=compiled).stopped == ""


def test_an_error_in_on_progress_is_not_swallowed():
    def broken(nodes):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        search(connect(), depth=8, on_progress=broken)


@pytest.mark.parametrize("compiled", [True, False])
def test_ctrl_c_in_the_middle_of_a_slice_returns_the_tree_so_far(compiled, ctrl_c):
    """The search stops at the end of that slice; how many seconds that takes is measured by benchmarks/bench.py."""
    wanted = 3_000_000 if compiled else 5_000
    asked_after = []

    def interrupt(nodes):
        if ctrl_c.pressed.is_set():
            asked_after.append(nodes)
        if nodes >= wanted:
            ctrl_c.press_or_wait()

    tree = search(connect(), depth=14, on_progress=interrupt, compiled=compiled)
    assert (tree.complete, tree.stopped) == (False, "interrupted")
    assert tree.expanded >= wanted
    assert len(asked_after) <= 1
    assert tree.root.status == "open"
    last = tree[len(tree) - 1]
    assert last.path[0] == 0
    assert [tree[row].status for row in tree.path(0)] == ["open"]
    if not compiled:
        check_consistent(tree)


@pytest.mark.parametrize("after", range(0, 4000, 371))
def test_an_interrupt_between_any_two_lines_leaves_a_consistent_tree(after):
    """An interrupt in any line of the readable algorithm leaves columns of one length."""
    lines = 0

    def tracer(frame, event, argument):
        nonlocal lines
        if "engine" in frame.f_code.co_filename and frame.f_code.co_name in ("enter", "leave", "alphabeta", "report"):
            lines += 1
            if lines == after + 40:
                sys.settrace(None)
                raise KeyboardInterrupt
        return tracer

    sys.settrace(tracer)
    try:
        tree = search(Countdown(), depth=6)
    finally:
        sys.settrace(None)
    assert tree.complete == (lines < after + 40)
    check_consistent(tree)


SMALL = {
    "the probes of a chain": (literal([[20, 66, -3, -47]]), None),
    "uneven": (literal([[3, [7, 1, 9], 8], [[2, 6], 4], 5, [[6, 5], [7, [4, 8]]]]), None),
    "min first": (literal([[[5, 2], [9, 9]], [4, [1, 7], 3]], "min"), None),
    "countdown": (Countdown(), 3),
    "connect": (connect(rows=3, cols=3, connect=3), 3),
}


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("name", SMALL)
def test_every_claim_of_a_search_stopped_anywhere_is_true(name, algorithm):
    game, depth = SMALL[name]
    whole = search(game, depth=depth, algorithm=algorithm)
    for max_nodes in range(1, len(whole)):
        part = search(game, depth=depth, algorithm=algorithm, max_nodes=max_nodes)
        assert (part.stopped, len(part)) == ("node limit", max_nodes)
        check_consistent(part)
        assert [each_pass.result for each_pass in part.passes] == [
            each_pass.result if whole.end[each_pass.first] <= max_nodes else None
            for each_pass in whole.passes
            if each_pass.first < max_nodes
        ]
        for node in part[:]:
            check_claims(node, whole[int(node)])
        assert all(sentence(step) for step in Trace(part)[-6:])
        if part.compiled:
            same_table(part, search(game, depth=depth, algorithm=algorithm, max_nodes=max_nodes, compiled=False))


def check_claims(node, in_whole):
    """The value so far, the bound and the best move of a row are true; `in_whole` is the same row of the whole search."""
    tree, rows = node.tree, len(node.tree)
    K = tree.passes[tree.pass_number(node)].K
    true = minimax_value(tree.game, node.state, 99 if K is None else K - node.depth)
    assert (node.status == "open") == (in_whole.end > rows)
    if node.bound in ("exact", "lower"):
        assert true >= node.value
    if node.bound in ("exact", "upper"):
        assert true <= node.value
    if node.status == "open":
        back = [child.value for child in in_whole.children if child.end <= rows and child.again is None]
        nothing = -math.inf if node.maximizing else math.inf
        assert node.value == (max if node.maximizing else min)([nothing, *back])
    elif not node.is_leaf:
        assert node.value == in_whole.value
    if (best := node.best_child) is not None and node.depth > 0:
        of_best = minimax_value(tree.game, best.state, 99 if K is None else K - best.depth)
        assert of_best >= node.value if node.maximizing else of_best <= node.value


def test_a_search_stopped_between_two_passes_keeps_the_last_one():
    for compiled in (True, False):
        tree = search(connect(), depth=4, algorithm="iterative", max_nodes=181, compiled=compiled)
        assert [each_pass.result for each_pass in tree.passes] == [70.0, -30.0, 200.0]
        assert (tree.root.status, tree.root.value, tree.root.best_move) == ("exhausted", 200.0, 3)
        assert (tree.complete, tree.stopped) == (False, "node limit")
        words = sentence(Trace(tree)[-1])
        assert "The search stopped here" in words
        assert "done" not in words


def test_a_probe_with_a_pending_research_gives_no_value():
    tree = search(literal([[20, 66, -3, -47]]), algorithm="pvs", max_nodes=7)
    assert (tree[1].value, tree[1].best_move, tree[6].value) == (-3.0, 2, -47.0)
    last = Trace(tree)[-1]
    assert (last.kind, last.best, last.beta, last.improves) == ("return", -3.0, -3.0, False)
    assert "so the move is searched again" in sentence(last)


def test_memory_grows_with_the_tree_not_with_the_limit():
    code = (
        "import re; from engine import search, connect\n"
        "def peak(): return int(re.search(r'VmHWM:\\s+(\\d+) kB', open('/proc/self/status').read())[1])\n"
        "search(connect(), depth=3)\n"
        "before = peak()\n"
        "tree = search(connect(), depth=7, max_nodes=2_000_000_000)\n"
        "print(peak() - before, len(tree))"
    )
    limit = 6 << 30  # of address space, in which reserved memory counts, too

    def limited():
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    result = run([sys.executable, "-c", code], preexec_fn=limited)
    kilobytes, nodes = map(int, result.stdout.split())
    assert nodes < 100_000
    assert kilobytes < 40_000


@pytest.mark.parametrize("in_use", [False, True])
def test_growable_columns_keep_their_rows_when_resized(in_use):
    column = GrowableColumn("int32", 1000)
    column.array()[:] = range(1000)
    holding = column.array() if in_use else None  # forces the copy that other systems need
    column.resize(5_000_000)
    assert column.array()[:1000].tolist() == list(range(1000))
    column.array()[-1] = 7
    larger = column.array() if in_use else None
    column.resize(7_000_000)
    assert column.array()[[0, 999, 4_999_999]].tolist() == [0, 999, 7]
    assert larger is None or larger[-1] == 7
    column.resize(1_000_000)
    assert column.array()[999] == 999
    column.resize(10)
    assert column.array().tolist() == list(range(10))
    assert holding is None or holding[999] == 999


def test_only_large_columns_of_trees_are_shared(monkeypatch):
    monkeypatch.setattr(growable_column, "MIN_SHARED_ROWS", 500_000)
    growable_column.share_large_columns()
    try:
        column, table = GrowableColumn("int32", 1000, can_be_shared=True), GrowableColumn("int32", 1_000_000)
        column.array()[:] = range(1000)
        assert growable_column.find_shared_file(column.array()) is None
        column.resize(1_000_000)
        shared = growable_column.find_shared_file(column.array()[5:])
        assert (shared is not None) == hasattr(os, "memfd_create")
        assert growable_column.find_shared_file(table.array()) is None
    finally:
        growable_column.share_large_columns(False)
    if shared is None:
        return
    column.resize(2_000_000)
    file, start = shared
    assert np.frombuffer(os.pread(file, 12, start), np.int32).tolist() == [5, 6, 7]
    del column
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(file)


# ---- the memory that a tree may take


@pytest.mark.parametrize(("compiled", "row_bytes"), [(True, 20), (False, 42)])
def test_a_memory_limit_stops_like_a_node_limit(compiled, row_bytes):
    rows = 3_000
    tree = search(connect(), depth=8, compiled=compiled, max_memory=rows * row_bytes)
    same = search(connect(), depth=8, compiled=compiled, max_nodes=rows)
    assert (tree.complete, tree.stopped, tree.expanded) == (False, "memory limit", rows)
    for column, other in zip(tree.columns, same.columns, strict=True):
        assert column.tolist() == other.tolist()
    assert sentence(Trace(tree)[-1]).endswith("it reached its memory limit.")
    assert search(connect(), depth=8, compiled=compiled, max_nodes=rows, max_memory=10**9).stopped == "node limit"


@pytest.mark.parametrize("compiled", mostly_slow([True, False], quick=1))
def test_a_search_takes_at_most_half_of_the_free_memory(compiled, monkeypatch):
    monkeypatch.setattr("engine.core.memory_budget.free_bytes", lambda: 40_000_000)
    if not compiled:
        monkeypatch.setattr("engine.core.memory_budget.MIN_BUDGET_BYTES", 0)
        monkeypatch.setattr("engine.core.memory_budget.free_bytes", lambda: 8_000_000)
    tree = search(connect(), depth=20, compiled=compiled, max_nodes=1_000_000_000)
    assert (tree.stopped, tree.expanded) == ("memory limit", 1_000_000 if compiled else 8_000_000 // 2 // 42)


def test_every_search_keeps_the_memory_limit_of_its_process(monkeypatch):
    monkeypatch.setattr("engine.core.memory_budget._ProcessLimit.max_bytes", None)
    set_process_limit(4_000_000)
    tree = search(connect(), depth=12)
    assert (tree.stopped, tree.expanded) == ("memory limit", 200_000)
    assert search(connect(), depth=9, max_memory=100_000_000).complete  # a limit of its own replaces it
    monkeypatch.setattr("engine.core.memory_budget.free_bytes", lambda: 0)
    assert memory_budget(None) == 4_000_000
    with pytest.raises(PlyscopeError, match="0 is not a memory limit in bytes"):
        set_process_limit(0)


def test_an_address_space_limit_stops_a_search_without_a_crash():
    """`ulimit -v`: a search that may have a billion nodes gives the tree that fits."""
    code = (
        "import resource; from engine import search, connect; from engine.compiled.alphabeta_driver import load_kernel\n"
        "load_kernel('none')\n"
        "used = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()\n"
        "resource.setrlimit(resource.RLIMIT_AS, (used + (200 << 20),) * 2)\n"
        "tree = search(connect(), depth=30, max_nodes=1_000_000_000)\n"
        "print(tree.stopped, tree.expanded, tree.root.status, sep=',')"
    )
    stopped, nodes, root = run([sys.executable, "-c", code]).stdout.strip().split(",")
    assert (stopped, root) == ("memory limit", "open")
    assert 3_000_000 < int(nodes) <= 100 * 2**20 // 20


def test_the_memory_limit_of_a_container_counts(tmp_path, monkeypatch):
    monkeypatch.setattr("engine.core.memory_budget.CGROUPS", tmp_path)
    monkeypatch.setattr("engine.core.memory_budget._enclosing_cgroups", lambda: iter([tmp_path / "inner", tmp_path]))
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "memory.max").write_text("max\n")
    (tmp_path / "memory.max").write_text("50000000\n")
    (tmp_path / "memory.current").write_text("20000000\n")
    (tmp_path / "memory.stat").write_text("anon 1\ninactive_file 4000000\n")
    assert free_bytes() == 34_000_000
    (tmp_path / "memory.current").write_text("90000000\n")
    assert free_bytes() == 0
    assert memory_budget(None) == MIN_BUDGET_BYTES


def test_unknown_free_memory_has_a_default(monkeypatch):
    monkeypatch.setattr("engine.core.memory_budget._available_amounts", lambda: iter([]))
    assert memory_budget(None) == UNKNOWN_FREE_BYTES // 2
    assert memory_budget(77) == 77


@pytest.mark.parametrize("amount", [0, -1, 1.5, True, "2GB"])
def test_a_memory_limit_is_a_whole_number_of_bytes(amount):
    with pytest.raises(ValueError, match="is not a memory limit in bytes: choose a whole number from 1"):
        search(tictactoe(), depth=1, max_memory=amount)
