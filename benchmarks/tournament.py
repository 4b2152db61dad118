"""Measure tournaments: the published grid, and 3,000 different games in one process and in two, in turns.

The best run counts, since other load only makes a run slower. Every run on two processes starts them, which takes about a second.

python benchmarks/tournament.py            the figures of benchmarks/README.md
"""

import argparse
import tempfile
import time
from functools import partial
from pathlib import Path

from engine.core.cpu_count import count_cores
from engine.matches.executors import play_on_cores, precompile_kernels
from engine.matches.game_store import GameStore
from engine.matches.tournament import Tournament
from engine.matches.tournament_grid import Grid

PUBLISHED = Grid("connect-m", sizes=(3, 4, 5, 6))


def seconds(grid: Grid, jobs: int, store: GameStore | None = None) -> float:
    """Return the seconds to plan and play the grid."""
    began = time.perf_counter()
    tournament = Tournament(grid, store).run(partial(play_on_cores, jobs=jobs))
    taken = time.perf_counter() - began
    assert not tournament.remaining_fixtures
    return taken


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--repeat", type=int, default=5)
    arguments.add_argument("--games", type=int, default=3000)
    options = arguments.parse_args()
    games = Grid("connect4", depths=(4,), games=options.games, openings=8)
    different = len(Tournament(games).fixtures)
    began = time.perf_counter()
    precompile_kernels(Tournament(games).fixtures)
    print(f"kernel loaded in {time.perf_counter() - began:.2f} s, {count_cores()} cores\n")

    published = min(seconds(PUBLISHED, 2) for _ in range(options.repeat))
    alone, together, stored = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.repeat):
            alone.append(seconds(games, 1))
            together.append(seconds(games, 2))
            store = GameStore(Path(folder) / f"{number}.db")
            stored.append(seconds(games, 2, store))
            store.close()
    storing = min(stored) / min(together)
    print("| tournaments in two processes, best run | measured | target |")
    print("|---|--:|--:|")
    print(f"| the published grid (sizes 3-6, depths 1-4) | {published:.1f} s | 5 s |")
    print(f"| {different} different games at depth 4 on 6×7 | {min(together):.1f} s | |")
    print(f"| speed of two processes compared with one | x {min(alone) / min(together):.2f} | at least 1.7 |")
    print(f"| time with every game saved in a store | x {storing:.2f} | |")


if __name__ == "__main__":
    main()
