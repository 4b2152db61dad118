"""How fast tournaments are: the published grid, and 1,000 different games on one process and on two, taking turns.

The best of the runs counts: whatever else the machine does only makes a run slower, and two processes slower than one.

python benchmarks/tournament.py            the figures of benchmarks/README.md
"""

import argparse
import tempfile
import time
from functools import partial
from pathlib import Path

from engine.matches.executors import count_cores, play_on_cores, precompile_kernels
from engine.matches.game_store import GameStore
from engine.matches.tournament import Tournament
from engine.matches.tournament_grid import Grid

PUBLISHED = Grid("connect-m", sizes=(3, 4, 5, 6))


def seconds(grid: Grid, jobs: int, store: GameStore | None = None) -> float:
    """Seconds to plan and play the grid."""
    began = time.perf_counter()
    tournament = Tournament(grid, store).run(partial(play_on_cores, jobs=jobs))
    taken = time.perf_counter() - began
    assert not tournament.remaining_fixtures
    return taken


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--repeat", type=int, default=5)
    arguments.add_argument("--games", type=int, default=1000)
    options = arguments.parse_args()
    games = Grid("connect4", depths=(4,), games=options.games, openings=8)
    different = len(Tournament(games).fixtures)
    began = time.perf_counter()
    precompile_kernels(Tournament(games).fixtures)
    print(f"kernel loaded in {time.perf_counter() - began:.2f} s, {count_cores()} cores\n")

    first = seconds(PUBLISHED, 2)  # starts the processes
    published = min(seconds(PUBLISHED, 2) for _ in range(options.repeat))
    alone, together, kept = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.repeat):
            alone.append(seconds(games, 1))
            together.append(seconds(games, 2))
            store = GameStore(Path(folder) / f"{number}.db")
            kept.append(seconds(games, 2, store))
            store.close()
    storing = min(kept) / min(together)
    print("| tournaments on two processes, best of the runs | measured | wanted |")
    print("|---|--:|--:|")
    print(f"| the published grid (sizes 3-6, depths 1-4), with starting the processes | {first:.1f} s | 5 s |")
    print(f"| the same with the processes running | {published:.1f} s | |")
    print(f"| {different} different games at depth 4 on 6×7 | {min(together):.1f} s | |")
    print(f"| one process against two | x {min(alone) / min(together):.2f} | at least 1.7 |")
    print(f"| keeping every game in a store | x {storing:.2f} | |")


if __name__ == "__main__":
    main()
