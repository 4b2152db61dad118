"""Where the games of a tournament are played: here, on all cores of this machine (joblib), or on a cluster (dask.distributed)."""

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
from engine.matches.players import SearchPlayer, played_by, read_player
from engine.matches.tournament import Played, here, play_out
from engine.matches.tournament_grid import Fixture
from engine.question import Question
from engine.searcher import obstacle_to_compiling, search_to_the_end

if TYPE_CHECKING:
    from distributed import Client

ANSWER_SECONDS = 5  # within which a scheduler answers, and has a worker
WATCH_SECONDS = 0.5
ADDRESS = r"((tcp|tls|ucx|wss?)://)?(\[[0-9a-fA-F:.]+\]|[^\s:/\[\]]+):[0-9]{1,5}"
AT_ONCE = 10_000  # games that a scheduler is given at a time


class NoCluster(PlyscopeError):
    """A cluster that is not there, or cannot play our games."""


def on_cores(fixtures: list[Fixture], jobs: int = -1) -> Generator[Played]:
    """Play on this many processes; -1: one for each core. Games come as they are finished."""
    jobs = min(cores() if jobs == -1 else jobs, len(fixtures))
    if jobs == 1:
        yield from here(fixtures)
        return
    from joblib import Parallel, delayed

    compile_once(fixtures)
    with Parallel(n_jobs=jobs, return_as="generator_unordered") as pool:
        with _interrupts_ignored():
            games = pool(delayed(_in_worker)(fixture) for fixture in fixtures)
        try:
            for played in games:  # noqa: UP028 - `yield from` would close them by itself
                yield played
        finally:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # that games which have begun are lost: so the caller wants it
                games.close()


def cores() -> int:
    """Cores that this process may use."""
    from joblib import cpu_count

    return int(cpu_count())


def compile_once(fixtures: list[Fixture]) -> None:
    """Compile the kernel here and now, so that the processes find it in numba's cache and none compiles it again."""
    pairs = {(fixture.game, player) for fixture in fixtures for player in (fixture.max_player, fixture.min_player)}
    for text, name in pairs:
        player = read_player(name)
        if not isinstance(player, SearchPlayer):
            continue
        game = played_by(player, read_game(text))
        if not obstacle_to_compiling(game):
            question = Question(game, depth=4, algorithm=player.algorithm, **dict(player.settings))
            search_to_the_end(question).root.best_child  # noqa: B018 - what reads its tree is compiled, too


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Processes started in here never hear of Ctrl-C, which reaches all processes of a terminal: the parent ends them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _in_worker(fixture: Fixture) -> Played:
    _begin()
    return play_out(fixture)


@cache
def _begin() -> None:
    """Once in every process: end when the parent has been killed, instead of waiting for it for minutes."""
    threading.Thread(target=_watch, args=(os.getppid(),), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(WATCH_SECONDS)
    os._exit(1)


def on_cluster(fixtures: list[Fixture], address: str) -> Generator[Played]:
    """Play on the workers of a dask scheduler, which must have Plyscope too. The games of a worker that dies are played again."""
    client = cluster(address)
    from distributed import as_completed

    try:
        for start in range(0, len(fixtures), AT_ONCE):
            some = fixtures[start : start + AT_ONCE]
            futures = client.map(play_out, some, key=[f"plyscope-{fixture.key}" for fixture in some])
            for _, played in as_completed(futures, loop=client.loop, with_results=True):
                yield played
    except PlyscopeError:
        raise
    except Exception as error:
        raise NoCluster(f"the cluster at {address} cannot play ({type(error).__name__}: {str(error)[:200]})") from error
    finally:
        client.close()


def cluster(address: str) -> Client:
    """A connection to a scheduler that answers and has workers."""
    if not re.fullmatch(ADDRESS, address):
        raise NoCluster(f"{address[:60]!r} is no address of a scheduler: write it like tcp://host:8786")
    try:
        from distributed import Client
    except ImportError:
        raise NoCluster("a scheduler needs the extra `cluster`: pip install plyscope[cluster]") from None
    client: Any = None
    try:
        client = Client(address, timeout=ANSWER_SECONDS, set_as_default=False)
        client.wait_for_workers(1, timeout=ANSWER_SECONDS)
    except (OSError, ValueError) as error:  # TimeoutError is an OSError
        if client is None:
            raise NoCluster(f"no scheduler answers at {address} ({str(error).splitlines()[0][:100]})") from None
        client.close()
        raise NoCluster(f"the scheduler at {address} has no workers: start some, with Plyscope installed") from None
    return client
