"""The pool of the app: worker processes that are replaced, a fair queue, trees in shared memory."""

import gc
import os
import signal
import socket
import subprocess
import sys
import threading
import weakref
from multiprocessing.connection import Connection
from types import SimpleNamespace

import numpy as np
import psutil
import pytest

from engine import PlyscopeError, Question, connect, literal, nim, preset, search, tictactoe, watch
from engine.compiled import growable_column
from engine.matches.match import Match, search_hints
from engine.matches.players import SearchPlayer
from engine.matches.tournament import Tournament
from engine.matches.tournament_grid import Grid
from engine.solver.ablation import RUNGS
from engine.solver.solver import solve
from tests.support.processes import MAX_WAIT_SECONDS, start_process, wait_until
from visualizer import View
from visualizer.app.sections import downloads
from visualizer.app.state.jobs import TournamentJob, make_in_pool
from visualizer.app.state.large_trees import store_if_large
from visualizer.exams.files import render_exam
from visualizer.exams.sheet import Exam
from visualizer.exporters import FORMATS, export_chunks, needs_whole_tree, quick_item_limit
from visualizer.pool import pool as pools
from visualizer.pool.factory import create_pool
from visualizer.pool.fair_queue import FairQueue
from visualizer.pool.limits import MIN_SHARED_NODES, Limits
from visualizer.pool.pool import WORKER_DIED_TWICE, ProcessPool, QueuedPool, ThreadPool
from visualizer.pool.shared_memory import receive_answer, send_answer
from visualizer.pool.tasks import Job, Task
from visualizer.pool.work_types import (
    CallFunction,
    CallWithProgress,
    OverlayTrees,
    RunComparison,
    SearchWork,
    SolveByRungs,
    SolvePosition,
    WriteFile,
)
from visualizer.pool.worker_handle import WorkerDied, WorkerHandle

LONG = Question(nim([7, 7, 7]), algorithm="minimax")  # readable text: minutes


@pytest.fixture(scope="module")
def worker_pool():
    processes = ProcessPool(Limits(workers=1, memory=64 << 20))  # a tree may take a quarter: some 800,000 nodes of alpha-beta
    processes.warm_up()
    yield processes
    processes.close()


def submit_work(pool, work, visitor="somebody", key=None):
    job = Job(visitor)
    pool.submit(job, key or work, work)
    return job


def wait_until_begun(job):
    wait_until(lambda: job.is_over or job.latest_progress, "the work has begun")
    return job


def long_search():
    return CallWithProgress(search, (LONG,))


def wait_for_answer(job):
    assert job.wait(MAX_WAIT_SECONDS)
    return job.answer


# ---- answers


def test_a_tree_of_a_worker_stays_in_shared_memory_and_is_read_only(worker_pool):
    question = Question(connect(), "33", depth=6)
    looked, here = wait_for_answer(submit_work(worker_pool, SearchWork(question, 10**6), key=1)), search(question)
    for column, ours in zip(looked.tree.columns, here.columns, strict=True):
        assert np.array_equal(column, ours)
        assert not column.flags.owndata  # not copied
        with pytest.raises(ValueError, match="WRITEABLE"):
            column.flags.writeable = True
    assert looked.tree.question == question
    assert (looked.tree.root.value, looked.tree.principal_variation) == (here.root.value, here.principal_variation)
    assert looked.spared.nodes.sum() > 0


def test_columns_in_shared_files_are_sent_without_a_copy(monkeypatch):
    monkeypatch.setattr(growable_column, "MIN_SHARED_ROWS", 50_000)
    growable_column.share_large_columns()
    tree = search(connect(), depth=7)
    growable_column.share_large_columns(False)
    theirs, ours = (Connection(end.detach()) for end in socket.socketpair())
    with theirs, ours:
        send_answer(theirs, "answer", (tree, np.arange(5), b"text"))
        _, packed = ours.recv()
        received, numbers, text = receive_answer(ours, packed)
    if hasattr(os, "memfd_create"):
        assert len(packed.sizes) == 1 + len([column for column in tree.columns if len(column) == len(tree)])
        assert packed.sizes[0] == 40 + 24  # aligned
    assert (numbers.tolist(), text) == ([0, 1, 2, 3, 4], b"text")
    for column, original in zip(received.columns, tree.columns, strict=True):
        assert np.array_equal(column, original)
        assert not column.flags.writeable


def test_a_large_user_tree_comes_back_as_the_same_object(worker_pool):
    game = store_if_large(literal([[{"name": f"leaf {row}", "value": row}, 10**6] for row in range(1000)]))
    tree = wait_for_answer(submit_work(worker_pool, CallWithProgress(search, (Question(game),)), key="large"))
    assert tree.game is game
    assert tree.expanded == search(game).expanded


def test_workers_return_moves_comparisons_and_errors(worker_pool):
    match = Match(preset("k-tables"), min_player=SearchPlayer(3, prefer_faster_win=True)).play(3)
    assert wait_for_answer(submit_work(worker_pool, CallWithProgress(match.choose), key=2)).move == match.choose().move
    job = submit_work(worker_pool, RunComparison(Question(preset("k-tables"), "3"), {"depths": "2-3", "repeat": 1}), key=3)
    assert [row.expanded for row in wait_for_answer(job).rows] == [row.expanded for row in job.items] == [57, 44, 400, 234]
    with pytest.raises(PlyscopeError, match="0 is not a node limit"):
        submit_work(worker_pool, CallWithProgress(search, (Question(connect()),), {"max_nodes": 0}), key=4).wait(MAX_WAIT_SECONDS)


def test_workers_make_exam_sheets_and_solutions(worker_pool, monkeypatch):
    """If the server made them itself, all visitors would wait."""
    monkeypatch.setattr("visualizer.app.state.jobs.current_pool", lambda: worker_pool)
    exam = Exam(trees=1), ".html", True
    assert make_in_pool("exam", CallFunction(render_exam, exam), "wait")() == render_exam(*exam)
    question = Question(connect(), "444444353535")
    (solution,) = wait_for_answer(submit_work(worker_pool, SolvePosition(question)))
    assert solution.words == solve(question.game, question.position).words
    assert [step.rung.name for step in wait_for_answer(submit_work(worker_pool, SolveByRungs(question, 1000)))] == [
        rung.name for rung in RUNGS
    ]


@pytest.mark.parametrize("extension", sorted(FORMATS.keys() - {".png", ".pdf", ".gif", ".webp"}))
def test_workers_make_large_files_of_trees(worker_pool, monkeypatch, extension):
    """A GraphML of 100,000 nodes keeps Python busy for twenty seconds."""
    monkeypatch.setattr("visualizer.app.state.jobs.current_pool", lambda: worker_pool)
    tree, view = search(preset("k-tables"), "3", depth=4), View() if needs_whole_tree(extension) else View(max_depth=3)
    here = b"".join(export_chunks(tree, extension, view, True))
    submitted_keys = []
    monkeypatch.setattr(
        worker_pool,
        "submit",
        lambda job, key, work: (submitted_keys.append(key), ProcessPool.submit(worker_pool, job, key, work)),
    )
    assert downloads._file_maker(tree, extension, view, True, quick_item_limit(extension, True) + 1)() == here
    assert len(submitted_keys) == 1
    assert downloads._file_maker(tree, extension, view, True, quick_item_limit(extension, True))() == here
    assert len(submitted_keys) == 1


def test_workers_make_animations(worker_pool):
    tree, style = search(tictactoe(), "40263"), {"steps": (0, 3), "size": (320, 240)}
    file = wait_for_answer(
        submit_work(worker_pool, WriteFile(tree, ".gif", View(), style=tuple(style.items())), key=("file", id(tree)))
    )
    assert file == b"".join(export_chunks(tree, ".gif", View(), **style))


def test_workers_make_files_of_user_trees_and_watched_programs(worker_pool):
    def minimax(node, maximizing):
        if not isinstance(node, list):
            return node
        return (max if maximizing else min)(minimax(child, not maximizing) for child in node)

    with watch(minimax) as seen:
        minimax([[3, 12], [2, 4]], True)
    own = search(Question(store_if_large(literal([[{"name": f"leaf {row}", "value": row}, 7] for row in range(50)]))))
    for tree in (own, seen.tree):
        file = wait_for_answer(submit_work(worker_pool, WriteFile(tree, ".graphml", View(), True), key=("file", id(tree))))
        assert file == b"".join(export_chunks(tree, ".graphml", View(), True))


def test_an_empty_file_comes_back_empty(worker_pool):
    assert wait_for_answer(submit_work(worker_pool, CallFunction(bytes), key="empty")) == b""


def test_a_tournament_is_played_in_parts(worker_pool, monkeypatch):
    monkeypatch.setattr("visualizer.app.state.jobs.current_pool", lambda: worker_pool)
    grid = Grid("connect-m", sizes=(3,), depths=(1, 2))
    job = TournamentJob(Tournament(grid))
    assert job.wait(MAX_WAIT_SECONDS)
    assert job.tournament.cells() == Tournament(grid).run().cells()


@pytest.mark.parametrize("at_once", [False, True])
def test_an_answer_is_freed_with_the_last_job_that_needs_it(worker_pool, at_once):
    """Trees and files are large, and reference cycles are collected only once a minute."""
    gc.collect()
    gc.disable()
    try:
        job, work = Job("somebody"), SearchWork(Question(connect(), depth=3), 1000)
        (worker_pool.answer_soon if at_once else worker_pool.submit)(job, work, work)
        tree = weakref.ref(wait_for_answer(job).tree)
        assert tree() is not None
        del job
        wait_until(lambda: tree() is None, "the tree is freed")
    finally:
        gc.enable()


# ---- stopping


def test_a_cancelled_job_frees_its_worker_and_a_shared_one_goes_on(worker_pool):
    first, second = (submit_work(worker_pool, long_search(), visitor, key="the same") for visitor in "ab")
    wait_until_begun(first)
    assert first.tasks == second.tasks
    first.cancel()
    assert first.is_over
    assert not second.is_over
    second.cancel()
    assert wait_for_answer(second).stopped == "cancelled"
    assert wait_for_answer(submit_work(worker_pool, SearchWork(Question(connect(), depth=2), 1000), key=5)).tree.expanded > 1


def test_a_file_for_a_visitor_who_left_is_empty_without_an_error(worker_pool, monkeypatch):
    monkeypatch.setattr("visualizer.app.state.jobs.current_pool", lambda: worker_pool)
    monkeypatch.setattr("visualizer.app.state.jobs.current_session", lambda: ("gone", lambda: False))
    assert make_in_pool("gone", long_search(), "wait")() == b""


def test_closing_the_tab_frees_the_worker(worker_pool):
    there = SimpleNamespace(is_here=True)
    job = Job("gone", lambda: there.is_here)
    worker_pool.submit(job, "closed", long_search())
    wait_until_begun(job)
    there.is_here = False
    assert job.wait(MAX_WAIT_SECONDS)
    assert job.was_abandoned


def test_a_large_file_that_no_visitor_waits_for_is_abandoned(worker_pool):
    job = wait_until_begun(
        submit_work(worker_pool, WriteFile(search(preset("k-tables"), "3", depth=6), ".graphml", View()), key="file")
    )
    before = worker_pool.members[0].pid
    job.cancel()
    assert wait_for_answer(job) == b""
    assert worker_pool.members[0].pid == before  # it stopped by itself and was not killed


def test_work_that_takes_too_long_is_stopped_with_its_result_so_far(worker_pool, monkeypatch):
    monkeypatch.setattr(worker_pool, "limits", Limits(workers=1, seconds=0.3))
    job = submit_work(worker_pool, long_search(), key="slow")
    assert wait_for_answer(job).expanded > 1
    assert job.timed_out
    assert not job.was_abandoned


# ---- workers that die


@pytest.mark.slow
def test_a_dead_worker_is_replaced_and_its_job_retried(worker_pool):
    job = wait_until_begun(submit_work(worker_pool, long_search(), key="killed"))
    first = worker_pool.members[0].pid
    os.kill(first, signal.SIGKILL)
    wait_until(
        lambda: worker_pool.members[0].pid != first and psutil.pid_exists(worker_pool.members[0].pid), "there is another worker"
    )
    assert not job.is_over
    os.kill(worker_pool.members[0].pid, signal.SIGKILL)
    with pytest.raises(PlyscopeError, match=WORKER_DIED_TWICE[:40]):
        job.wait(MAX_WAIT_SECONDS)
    assert wait_for_answer(submit_work(worker_pool, SearchWork(Question(connect(), depth=2), 1000), key=6)).tree.complete


@pytest.mark.slow
def test_a_file_and_a_tournament_survive_the_death_of_their_worker(worker_pool, monkeypatch):
    monkeypatch.setattr("visualizer.app.state.jobs.current_pool", lambda: worker_pool)
    tree = search(preset("k-tables"), "3", depth=6)
    file = wait_until_begun(submit_work(worker_pool, WriteFile(tree, ".graphml", View()), key="killed file"))
    os.kill(worker_pool.members[0].pid, signal.SIGKILL)
    assert wait_for_answer(file) == b"".join(export_chunks(tree, ".graphml", View()))
    grid = Grid("connect-m", sizes=(3, 4), depths=(1, 2, 3, 4))
    games = TournamentJob(Tournament(grid))
    wait_until(lambda: games.items, "the first game is over")
    assert not games.is_over
    os.kill(worker_pool.members[0].pid, signal.SIGKILL)
    assert games.wait(MAX_WAIT_SECONDS)
    assert games.tournament.cells() == Tournament(grid).run().cells()


def test_a_worker_that_does_not_get_ready_counts_as_dead(monkeypatch):
    """A job does not wait for ever: another worker is started."""
    monkeypatch.setattr("visualizer.pool.worker_handle.START_SECONDS", 0.0)
    worker = WorkerHandle(64 << 20)
    try:
        with pytest.raises(WorkerDied):
            worker.warm_up()
        wait_until(lambda: psutil.Process(worker.pid).status() == psutil.STATUS_ZOMBIE, "it was ended")
        with pytest.raises(WorkerDied):
            worker.ask(make_task("somebody"))
    finally:
        worker.end()


SERVER = """
import sys, time
from tests.visualizer.pool.test_pool import *
pool = ProcessPool(Limits(workers=1))
pool.warm_up()
wait_until_begun(submit_work(pool, long_search(), key=1))
print(pool.members[0].pid, flush=True)
time.sleep(300)
"""


@pytest.mark.slow
def test_workers_end_with_a_server_that_was_killed():
    with start_process([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True) as server:
        worker = psutil.Process(int(server.stdout.readline()))
        server.kill()
        assert worker.wait(MAX_WAIT_SECONDS) in (0, None)


# ---- the order of the queue


def make_task(visitor, queue=None):
    task = Task(None, 60.0)
    Job(visitor).join_task(task)
    if queue is not None:
        queue.put(task)
    return task


def test_a_second_job_waits_for_the_first_of_others():
    queue = FairQueue()
    a1, a2, b1, c1 = (make_task(visitor, queue) for visitor in "aabc")
    assert queue.take() is a1
    assert [queue.queue_position(task.jobs[0]) for task in (a1, a2, b1, c1)] == [0, 3, 1, 2]
    assert [queue.take() for _ in range(3)] == [b1, c1, a2]


def test_a_visitor_who_used_little_goes_before_one_who_used_much():
    queue = FairQueue()
    much, little = make_task("much", queue), make_task("little", queue)
    for task, seconds in ((much, 5.0), (little, 0.5)):
        assert queue.take() is task
        task.began -= seconds
        queue.give_back(task)
    again = {visitor: make_task(visitor, queue) for visitor in ("much", "little", "new")}
    assert [queue.take() for _ in again] == [again["new"], again["little"], again["much"]]


def test_work_that_no_visitor_waits_for_is_not_started():
    queue = FairQueue()
    left, kept = make_task("a", queue), make_task("b", queue)
    left.jobs[0].cancel()
    assert queue.take() is kept
    assert left.done.is_set()
    assert not left.admit(Job("c"))  # a later equal request starts new work


def test_a_visitor_who_leaves_is_removed_from_the_queue_order():
    queue = FairQueue()
    tasks = [weakref.ref(make_task(visitor, queue)) for visitor in "ab"]
    jobs = [task().jobs[0] for task in tasks]
    assert [queue.queue_position(job) for job in jobs] == [1, 2]
    jobs.pop().cancel()
    assert queue.take() is tasks[0]()
    assert tasks[1]() is None
    queue = FairQueue()
    job = Job("c")
    task = Task(None, 60.0)
    job.join_task(task)
    queue.put(task)
    assert queue.queue_position(job) == 1
    left = weakref.ref(task)
    queue.close()
    del task, job
    assert left() is None


def test_a_visitor_who_leaves_during_a_task_is_not_counted_as_running_for_ever():
    queue = FairQueue()
    task = make_task("a", queue)
    assert queue.take() is task
    task.jobs[0].cancel()
    queue.give_back(task)
    again, other = make_task("a", queue), make_task("b", queue)
    other.arrived += 1
    queue._used.clear()
    assert queue.take() is again


def test_a_closed_queue_makes_no_job_wait():
    queue, jobs = FairQueue(), [Job("a"), Job("b")]
    for job in jobs:
        task = Task(None, 60.0)
        job.join_task(task)
        queue.put(task)
        queue.close()  # the second comes too late
    assert all(job.wait(0) and job.stopped for job in jobs)


def test_a_visitor_who_joins_at_the_moment_the_last_one_leaves_is_not_dropped():
    pool, taken, comes = QueuedPool(Limits(workers=1, memory=64 << 20)), [], Job("comes")
    coming = threading.Thread(target=pool.submit, args=(comes, "same", None))

    def goes():
        if not coming.ident:
            coming.start()
            coming.join(0.1)
        return False

    pool.submit(Job("goes", goes), "same", None)
    worker = threading.Thread(target=lambda: taken.append(pool._queue.take()), daemon=True)
    worker.start()
    worker.join(MAX_WAIT_SECONDS)
    pool.close()
    assert taken == comes.tasks
    assert not comes.stopped


def test_a_visitor_who_joins_while_others_leave_gets_an_answer(monkeypatch):
    """Visitors ask the same and leave at once, all the time; those who stay have an answer, and not one that was stopped."""
    monkeypatch.setattr(QueuedPool, "_answer", lambda pool, number, task: task.should_continue and "answer")
    pool = QueuedPool(Limits(workers=2, memory=64 << 20))
    workers = [threading.Thread(target=pool._work_forever, args=(number,), daemon=True) for number in range(2)]
    wrong = []

    def ask(who):
        for number in range(100):
            job = Job(who)
            pool.submit(job, number % 2, None)
            if number % 3:
                job.cancel()
            elif not job.wait(MAX_WAIT_SECONDS) or (job.stopped, job.answer) != (False, "answer"):
                wrong.append((who, number, job.stopped, job.answer))

    visitors = [threading.Thread(target=ask, args=(who,)) for who in range(8)]
    for thread in [*workers, *visitors]:
        thread.start()
    for thread in visitors:
        thread.join(MAX_WAIT_SECONDS)
    pool.close()
    assert wrong == []


def test_small_work_is_done_at_once_while_workers_are_busy(monkeypatch):
    threads = ThreadPool(Limits(workers=1))
    monkeypatch.setattr(threads, "_start", lambda task: None)  # it never runs a task
    search(preset("k-tables"), "3", depth=3)  # load the compiled code
    job = Job()
    threads.answer_soon(job, "small", CallWithProgress(search, (Question(preset("k-tables"), "3", depth=3),)))
    assert job.answer.expanded == 234
    large = Job()
    threads.answer_soon(large, "large", long_search())
    assert not large.is_over


def test_all_work_keeps_to_the_memory_of_the_server(worker_pool):
    """Comparisons, trees over each other, moves and hints too, not only the searches of the page Step."""
    deep, most = Question(connect(), depth=11), 100_000_000
    options = {"depths": "11", "algorithms": ["alphabeta"], "max_nodes": most, "repeat": 1}
    compared = wait_for_answer(submit_work(worker_pool, RunComparison(deep, options), key="compared"))
    assert "stopped (memory limit)" in compared.rows[0].note
    match = Match(connect(), SearchPlayer(11))
    for work, words in (
        (OverlayTrees(deep, deep.replace(algorithm="pvs"), most), "does not have enough memory for both trees"),
        (CallWithProgress(match.choose, (), {"max_nodes": most}), "needs more memory than it may use"),
    ):
        with pytest.raises(PlyscopeError, match=words):
            wait_for_answer(submit_work(worker_pool, work, key=words))
    known = wait_for_answer(
        submit_work(worker_pool, CallWithProgress(search_hints, (match, 12), {"max_nodes": most}), key="hints")
    )
    assert any(hint.value is None for hint in known)


def test_a_server_keeps_within_its_memory():
    limits = Limits(workers=4, memory=1 << 30)
    cached = (
        limits.tree_cache_bytes
        + limits.comparison_cache_bytes
        + limits.overlay_cache_bytes
        + limits.payload_cache_bytes
        + limits.download_bytes
        + limits.large_tree_bytes
    )
    cached += limits.upload_bytes + limits.opened_run_bytes
    assert cached + 2 * limits.workers * limits.max_tree_bytes <= limits.memory
    assert Limits(workers=2, memory=4 << 30).nodes == (4 << 30) // 4 // 2 // 20  # a tree takes 20 bytes a node
    assert Limits(nodes=5000).nodes == 5000


def test_visitors_share_the_nodes_of_the_largest_search():
    limits = Limits(workers=1, memory=8 << 30)
    assert limits.share_nodes(1) == limits.nodes > 100_000_000
    assert limits.share_nodes(4) == limits.nodes // 4
    assert limits.share_nodes(1000) == MIN_SHARED_NODES
    assert Limits(workers=1, memory=64 << 20).share_nodes(1000) < MIN_SHARED_NODES  # no more than fit
    assert Limits(nodes=6_000_000).share_nodes(1000) == 6_000_000  # a limit that was given is not shared


def test_a_pool_finds_its_own_limits():
    assert Limits(workers=1).memory <= max(64 << 20, psutil.virtual_memory().total)
    assert pools.current_pool().limits.workers >= 1


# ---- a cluster


@pytest.mark.slow
def test_a_cluster_answers_as_the_processes_do():
    distributed = pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as local:
        pool = create_pool(Limits(scheduler=local.scheduler_address))
        try:
            pool.warm_up()
            question = Question(connect(), "33", depth=6)
            looked = wait_for_answer(submit_work(pool, SearchWork(question, 10**6), key=1))
            assert (looked.tree.expanded, looked.tree.root.value) == (search(question).expanded, search(question).root.value)
            job = submit_work(pool, RunComparison(Question(preset("k-tables"), "3"), {"depths": "2", "repeat": 1}), key=2)
            assert [row.expanded for row in wait_for_answer(job).rows] == [57, 44]
            wait_until(lambda: len(job.items) == 2, "the rows have arrived")
            long = wait_until_begun(submit_work(pool, long_search(), key=3))
            long.cancel()
            assert wait_for_answer(long).stopped == "cancelled"
        finally:
            pool.close()
