"""Executors of a tournament's games: worker processes on this machine, or a cluster (dask.distributed)."""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import sys
import threading
from collections.abc import Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing.context import SpawnContext, SpawnProcess
from types import ModuleType
from typing import TYPE_CHECKING, Any

from engine.core.cpu_count import count_cores
from engine.core.errors import PlyscopeError
from engine.games.registry import read_game
from engine.matches.players import SearchPlayer, game_for_player, read_player
from engine.matches.tournament import PlayedGame, play_game, play_sequentially
from engine.matches.tournament_grid import Fixture
from engine.question import Question
from engine.searcher import search_uninterrupted, why_game_not_compiled

if TYPE_CHECKING:
    from distributed import Client

SCHEDULER_TIMEOUT_SECONDS = 5  # for a scheduler to answer and to have a worker
ADDRESS_PATTERN = r"((tcp|tls|ucx|wss?)://)?(\[[0-9a-fA-F:.]+\]|[^\s:/\[\]]+):[0-9]{1,5}"
MAX_SUBMITTED_GAMES = 10_000  # at a time, to a scheduler
GAMES_PER_WORKER = 4  # submitted at a time: enough to keep a worker busy
MAX_WINDOWS_WORKERS = 61  # that an executor can wait for on Windows


class NoCluster(PlyscopeError):
    """A cluster that cannot be reached, or cannot play our games."""


class WorkerDied(PlyscopeError):
    """A worker process that ended in the middle of a game."""


def play_on_cores(fixtures: list[Fixture], jobs: int = -1) -> Generator[PlayedGame]:
    """Play the games in this many worker processes; -1: one per core. Yield games as they are finished.

    Closing the generator kills the workers. So does SIGTERM, which exits with code 143.
    """
    jobs = min(count_cores() if jobs == -1 else jobs, len(fixtures))
    if jobs == 1:
        yield from play_sequentially(fixtures)
        return
    if sys.platform == "win32":
        jobs = min(jobs, MAX_WINDOWS_WORKERS)
    precompile_kernels(fixtures)
    context = _WorkerContext()
    with _exit_at_sigterm():
        pool = ProcessPoolExecutor(jobs, context, _exit_with_parent)
        try:
            yield from _play_in_pool(pool, fixtures, jobs)
            pool.shutdown()
        except BrokenProcessPool:
            raise WorkerDied("a worker process died, perhaps for lack of memory: play in fewer processes") from None
        finally:
            for worker in context.workers:
                worker.kill()
            pool.shutdown(cancel_futures=True)


def _play_in_pool(pool: ProcessPoolExecutor, fixtures: list[Fixture], jobs: int) -> Iterator[PlayedGame]:
    """Yield games as they are finished. Only a few are submitted at a time."""
    waiting = iter(fixtures)
    futures = {pool.submit(play_game, fixture) for fixture in islice(waiting, GAMES_PER_WORKER * jobs)}
    while futures:
        done, futures = wait(futures, return_when=FIRST_COMPLETED)
        futures |= {pool.submit(play_game, fixture) for fixture in islice(waiting, len(done))}
        for future in done:
            yield future.result()


class _WorkerContext(SpawnContext):
    """The context that starts the workers. It remembers them, since an executor cannot kill its workers before Python 3.14."""

    def __init__(self) -> None:
        super().__init__()
        self.workers: list[_WorkerProcess] = []

    def Process(self, *args: Any, **named: Any) -> _WorkerProcess:  # type: ignore[override]
        worker = _WorkerProcess(*args, **named)
        self.workers.append(worker)
        return worker


class _WorkerProcess(SpawnProcess):
    """A worker process. It ignores Ctrl-C, which a terminal sends to all processes: the parent ends it."""

    def start(self) -> None:
        with _ignore_interrupts(), _hide_main_module():
            super().start()


@contextmanager
def _ignore_interrupts() -> Iterator[None]:
    """Start processes that ignore Ctrl-C."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _exit_at_sigterm() -> Iterator[None]:
    """Exit as usual at SIGTERM, which by default ends a process at once: then its workers and their semaphores would be left."""
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
        yield
        return

    def exit_process(number: int, frame: Any) -> None:
        raise SystemExit(128 + number)

    signal.signal(signal.SIGTERM, exit_process)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


@contextmanager
def _hide_main_module() -> Iterator[None]:
    """Start processes that do not import the caller's script: it may have no `if __name__ == "__main__"`."""
    before = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = before


def _exit_with_parent() -> None:
    """Start the thread that ends this worker when its parent was killed."""

    def wait_for_parent() -> None:
        multiprocessing.parent_process().join()  # type: ignore[union-attr] # a worker has one
        os._exit(1)

    threading.Thread(target=wait_for_parent, daemon=True).start()


def precompile_kernels(fixtures: list[Fixture]) -> None:
    """Compile the kernel in this process, so that the workers find it in numba's cache and do not compile it again."""
    pairs = {(fixture.game, player) for fixture in fixtures for player in (fixture.max_player, fixture.min_player)}
    for text, name in pairs:
        player = read_player(name)
        if not isinstance(player, SearchPlayer):
            continue
        game = game_for_player(player, read_game(text))
        if not why_game_not_compiled(game):
            question = Question(game, depth=4, algorithm=player.algorithm, **dict(player.settings))
            search_uninterrupted(question).root.best_child  # noqa: B018 - compiles the functions that read a tree, too


def play_on_cluster(fixtures: list[Fixture], address: str) -> Generator[PlayedGame]:
    """Play the games on the workers of a dask scheduler. They must have Plyscope too. The games of a worker that dies are
    played again.
    """
    client = connect_to_cluster(address)
    from distributed import as_completed

    try:
        for start in range(0, len(fixtures), MAX_SUBMITTED_GAMES):
            some = fixtures[start : start + MAX_SUBMITTED_GAMES]
            futures = client.map(play_game, some, key=[f"plyscope-{fixture.key}" for fixture in some])
            for _, played in as_completed(futures, loop=client.loop, with_results=True):
                yield played
    except PlyscopeError:
        raise
    except Exception as error:
        raise NoCluster(f"the cluster at {address} cannot play ({type(error).__name__}: {str(error)[:200]})") from error
    finally:
        client.close()


def connect_to_cluster(address: str) -> Client:
    """Connect to a scheduler. Raise NoCluster unless it answers and has workers."""
    if not re.fullmatch(ADDRESS_PATTERN, address):
        raise NoCluster(f"{address[:60]!r} is not the address of a scheduler: write it like tcp://host:8786")
    try:
        from distributed import Client
    except ImportError:
        raise NoCluster("a scheduler needs the extra `cluster`: pip install plyscope[cluster]") from None
    client: Any = None
    try:
        client = Client(address, timeout=SCHEDULER_TIMEOUT_SECONDS, set_as_default=False)
        client.wait_for_workers(1, timeout=SCHEDULER_TIMEOUT_SECONDS)
    except (OSError, ValueError) as error:  # TimeoutError is an OSError
        if client is None:
            raise NoCluster(f"no scheduler answers at {address} ({str(error).splitlines()[0][:100]})") from None
        client.close()
        raise NoCluster(f"the scheduler at {address} has no workers: start some, with Plyscope installed") from None
    return client
