"""Executors of a tournament's games: all cores of this machine (joblib) or a cluster (dask.distributed)."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
import warnings
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from engine.core.errors import PlyscopeError
from engine.games.registry import read_game
from engine.matches.players import SearchPlayer, game_for_player, read_player
from engine.matches.tournament import PlayedGame, play_game, play_sequentially
from engine.matches.tournament_grid import Fixture
from engine.question import Question
from engine.searcher import search_uninterrupted, why_game_not_compiled

if TYPE_CHECKING:
    from distributed import Client

SCHEDULER_TIMEOUT_SECONDS = 5  # within which a scheduler answers, and has a worker
PARENT_POLL_SECONDS = 0.5
ADDRESS_PATTERN = r"((tcp|tls|ucx|wss?)://)?(\[[0-9a-fA-F:.]+\]|[^\s:/\[\]]+):[0-9]{1,5}"
MAX_SUBMITTED_GAMES = 10_000  # games that a scheduler is given at a time


class NoCluster(PlyscopeError):
    """A cluster that cannot be reached, or cannot play our games."""


def play_on_cores(fixtures: list[Fixture], jobs: int = -1) -> Generator[PlayedGame]:
    """Play the games in this many processes; -1: one per core. Yield games as they are finished."""
    jobs = min(count_cores() if jobs == -1 else jobs, len(fixtures))
    if jobs == 1:
        yield from play_sequentially(fixtures)
        return
    from joblib import Parallel, delayed

    precompile_kernels(fixtures)
    with Parallel(n_jobs=jobs, return_as="generator_unordered") as pool:
        with _ignore_interrupts():
            games = pool(delayed(_play_in_worker)(fixture) for fixture in fixtures)
        try:
            for played in games:  # noqa: UP028 - `yield from` would close them by itself
                yield played
        finally:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # that games which have begun are lost: so the caller wants it
                games.close()


def count_cores() -> int:
    """Return the number of cores that this process may use."""
    from joblib import cpu_count

    return int(cpu_count())


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
            search_uninterrupted(question).root.best_child  # noqa: B018 - what reads its tree is compiled, too


@contextmanager
def _ignore_interrupts() -> Iterator[None]:
    """Start processes that ignore Ctrl-C, which reaches all processes of a terminal. The parent ends them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _play_in_worker(fixture: Fixture) -> PlayedGame:
    _start_parent_watch()
    return play_game(fixture)


@cache
def _start_parent_watch() -> None:
    """Start the thread that ends this worker when its parent was killed. Does so once per process."""
    threading.Thread(target=_exit_with_parent, args=(os.getppid(),), daemon=True).start()


def _exit_with_parent(parent: int) -> None:
    """Exit this process as soon as its parent is gone."""
    while os.getppid() == parent:
        time.sleep(PARENT_POLL_SECONDS)
    os._exit(1)


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
        raise NoCluster(f"{address[:60]!r} is no address of a scheduler: write it like tcp://host:8786")
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
