"""What comparing costs: ratios of things measured in the same run, interleaved, medians.

python benchmarks/compare.py     the figures of benchmarks/README.md
"""

import argparse
import statistics
import time
from collections.abc import Callable

from engine import SearchTree, compare, connect, search
from engine.algorithms import ALGORITHMS
from engine.analysis.alignment import Alignment
from engine.analysis.minimal_tree import best_first_size, minimal_tree_size, uniform_branching
from engine.searcher import search_unrecorded

GAME = connect()
DEPTHS = range(1, 9)


def seconds(run: Callable[[], object]) -> float:
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


def searches(recorded: bool) -> None:
    """Search with both algorithms to every depth, and do nothing else."""
    for depth in DEPTHS:
        for algorithm in ALGORITHMS:
            (search if recorded else search_unrecorded)(GAME, depth=depth, algorithm=algorithm)


def align(minimax: SearchTree, alphabeta: SearchTree) -> None:
    """Rank the savings of all cutoffs."""
    alignment = Alignment(minimax, alphabeta)
    assert alignment.saved.sum() == alignment.only_minimax
    assert alignment.visited.sum() == alignment.both
    alignment.largest_savings(10)


def minimal(minimax: SearchTree) -> None:
    best_first_size(minimax)
    minimal_tree_size(minimax)
    uniform_branching(minimax)


def medians(repeat: int, *runs: Callable[[], object]) -> list[float]:
    """Return the median seconds of each. The runs take turns; the first is not counted."""
    taken: list[list[float]] = [[] for _ in runs]
    for turn in range(repeat + 1):
        for times, run in zip(taken, runs, strict=True):
            measured = seconds(run)
            if turn:
                times.append(measured)
    return [statistics.median(times) for times in taken]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--repeat", type=int, default=7)
    repeat = arguments.parse_args().repeat

    both, recorded, alone = medians(
        repeat, lambda: compare(GAME, None, DEPTHS, repeat=1), lambda: searches(True), lambda: searches(False)
    )
    trees = [search(GAME, depth=DEPTHS[-1], algorithm=algorithm) for algorithm in ALGORITHMS]
    nodes = sum(search(GAME, depth=depth, algorithm="minimax").expanded for depth in DEPTHS)
    aligned, least = medians(repeat, lambda: align(*trees), lambda: minimal(trees[0]))
    millions = len(trees[0]) / 1e6

    print(f"| connect4, K = {DEPTHS[0]} to {DEPTHS[-1]}, both algorithms, {nodes:,} nodes of minimax | measured | target |")
    print("|---|--:|--:|")
    print(f"| compare, relative to the same searches with recording | x {both / recorded:.2f} | 3 |")
    print(f"| compare (it runs both), relative to the same searches without recording | x {both / alone:.2f} | |")
    print(f"| alignment and ranked savings, per million nodes of minimax | {aligned / millions * 1e3:.1f} ms | 100 ms |")
    print(f"| minimal trees, per million nodes of minimax | {least / millions * 1e3:.1f} ms | |")


if __name__ == "__main__":
    main()
