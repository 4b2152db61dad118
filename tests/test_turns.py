"""A page after the other: who waits gives way, and nobody waits long."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from time import monotonic

import pytest

from tests.processes import PATIENCE, wait_until
from visualizer.pool import turns as module
from visualizer.pool.pool import Threads
from visualizer.pool.tasks import Job
from visualizer.pool.turns import TURNS, Turns


@pytest.fixture
def others():
    with ThreadPoolExecutor(2) as threads:
        yield threads


def test_pages_run_one_after_the_other(others, monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", PATIENCE)
    turns, running, most = Turns(), [], []

    def page(number):
        with turns.my_turn(), turns.my_turn():
            running.append(number)
            most.append(len(running))
            running.remove(number)

    assert all(done.result(PATIENCE) is None for done in [others.submit(page, number) for number in range(50)])
    assert set(most) == {1}
    assert not turns.taken


def test_nobody_waits_long_for_a_turn_and_who_had_none_has_none_to_give_back(others):
    turns, leave = Turns(), Event()

    def stays():
        with turns.my_turn():
            leave.wait(PATIENCE)

    staying = others.submit(stays)
    wait_until(lambda: turns.taken, "the first page runs")
    began = monotonic()
    with turns.my_turn():
        assert monotonic() - began >= module.PATIENCE
    assert turns.taken
    leave.set()
    staying.result(PATIENCE)
    assert not turns.taken


def test_a_page_that_waits_for_work_lets_others_run(others):
    done, waiting = Event(), Job("somebody")
    Threads().submit(waiting, "long", lambda listener: done.wait(PATIENCE))

    def page():
        with TURNS.my_turn():
            waiting.wait(PATIENCE)

    first = others.submit(page)
    wait_until(lambda: not TURNS.taken, "the first page waits")
    with TURNS.my_turn():
        assert TURNS.taken
        assert not first.done()
        done.set()
        first.result(PATIENCE)  # it goes on without a turn
        assert TURNS.taken  # and leaves that of others alone
    assert not TURNS.taken


def test_who_only_asks_whether_work_is_done_keeps_the_turn():
    job = Job("somebody")
    Threads().submit(job, "short", lambda listener: 1)
    wait_until(lambda: job.over, "the work is done")
    with TURNS.my_turn():
        job.wait(PATIENCE)
        job.wait(0)
        assert TURNS.taken


def test_a_page_that_fails_gives_its_turn_back():
    with pytest.raises(ValueError, match="wrong"), TURNS.my_turn():
        raise ValueError("wrong")
    assert not TURNS.taken
