"""Measure the engine: medians of interleaved runs, as ratios of things measured in the same run.

python benchmarks/bench.py              the tables of benchmarks/README.md
python benchmarks/bench.py --signature  total nodes of a fixed set of searches; it changes only if the search changes
"""

import argparse
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable

import networkx

from engine import SearchTree, connect, preset, search
from engine.searcher import search_unrecorded

SIGNATURE = [
    (connect(), "", 9, "alphabeta"),
    (connect(), "", 6, "minimax"),
    (connect(evaluation="none"), "334", 9, "alphabeta"),
    (connect(rule="count", evaluation="segments:linear", order="centre"), "", 8, "alphabeta"),
    (preset("full-depth"), "", 13, "alphabeta"),
    (preset("connect-m", size=6), "", 7, "alphabeta"),
    (preset("long-state"), "1010012133334346464663", 9, "alphabeta"),
    (preset("threats"), "", 7, "alphabeta"),
    (preset("k-tables"), "3", 7, "alphabeta"),
]
FIRST_CALL = "import time; from engine import search, connect; search(connect(), depth={depth}); print(time.process_time())"
SMALL, LARGE = 4, 8  # K of a search that runs readable while nothing is compiled, and of one that waits for the compiler


def signature() -> int:
    return sum(search(game, moves, depth, algorithm).expanded for game, moves, depth, algorithm in SIGNATURE)


def medians(repeat: int, *runs: Callable[[], float]) -> list[float]:
    """Return the median seconds of each. The runs take turns."""
    seconds: list[list[float]] = [[] for _ in runs]
    for _ in range(repeat):
        for taken, run in zip(seconds, runs, strict=True):
            taken.append(run())
    return [statistics.median(taken) for taken in seconds]


def into_networkx(tree: SearchTree) -> float:
    """Return the seconds to build the same tree as a networkx graph, with all column values."""
    began = time.perf_counter()
    graph = networkx.DiGraph()
    columns = (tree.depth, tree.move, tree.alpha, tree.beta, tree.value, tree.pruned)
    for row, (depth, move, alpha, beta, value, pruned) in enumerate(zip(*(c.tolist() for c in columns), strict=True)):
        graph.add_node(row, depth=depth, move=move, alpha=alpha, beta=beta, value=value, pruned=pruned)
    graph.add_edges_from(zip(tree.parent[1:].tolist(), range(1, len(tree)), strict=True))
    return time.perf_counter() - began


def first_call(cache: str, depth: int) -> float:
    """Return the CPU time of a new process that searches once, with imports."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    command = [sys.executable, "-c", FIRST_CALL.format(depth=depth)]
    return float(subprocess.run(command, capture_output=True, text=True, env=environment, check=True).stdout)


def start_up(command: str) -> float:
    """Return the CPU time of a complete run of the command line."""
    before = os.times()
    subprocess.run([sys.executable, "-m", "visualizer.cli.main", command], capture_output=True, check=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def stop_latency(nodes: int) -> float:
    """Return the seconds from Ctrl-C, pressed at this many nodes of a search, to the returned tree."""
    sent: list[float] = []

    def send() -> None:
        time.sleep(random.uniform(0.001, 0.02))
        sent[0] = time.perf_counter()
        os.kill(os.getpid(), signal.SIGINT)

    def interrupt(expanded: int) -> None:
        if expanded >= nodes and not sent:
            sent.append(0.0)
            threading.Thread(target=send).start()

    tree = search(connect(), depth=14, on_progress=interrupt)
    seconds = time.perf_counter() - sent[0]
    assert tree.stopped == "interrupted"
    assert tree.expanded >= nodes
    return seconds


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--signature", action="store_true", help="print only the signature")
    arguments.add_argument("--repeat", type=int, default=7)
    options = arguments.parse_args()
    if options.signature:
        print(f"Bench: {signature()}")
        return

    game = connect()
    print(f"Bench: {signature()}\n")
    print("| connect4 from the start | nodes | recorded, M nodes/s | not recorded, M nodes/s | recording | bytes per node |")
    print("|---|--:|--:|--:|--:|--:|")
    for algorithm, depth in (("alphabeta", 8), ("alphabeta", 10), ("alphabeta", 11), ("minimax", 8)):
        tree = search(game, depth=depth, algorithm=algorithm)
        nodes, stored = tree.expanded, sum(column.nbytes for column in tree.columns) / len(tree)
        del tree
        recorded, alone = medians(
            options.repeat,
            lambda depth=depth, algorithm=algorithm: search(game, depth=depth, algorithm=algorithm).seconds,
            lambda depth=depth, algorithm=algorithm: search_unrecorded(game, depth=depth, algorithm=algorithm).seconds,
        )
        speeds = f"{nodes / recorded / 1e6:.0f} | {nodes / alone / 1e6:.0f}"
        print(f"| {algorithm}, K={depth} | {nodes:,} | {speeds} | x {recorded / alone:.2f} | {stored:.0f} |")

    tree = search(game, depth=7)
    fast, readable, graph = medians(
        3,
        lambda: search(game, depth=7).seconds,
        lambda: search(game, depth=7, compiled=False).seconds,
        lambda: into_networkx(tree),
    )
    print(f"\n| the same {tree.expanded:,}-node tree (alphabeta, K=7) | time relative to the compiled search |")
    print("|---|--:|")
    print(f"| readable search, recorded | x {readable / fast:,.0f} |")
    print(f"| building it in networkx, without searching | x {graph / fast:,.0f} |")

    latencies = [stop_latency(20_000_000) for _ in range(5)]
    print("\n| from Ctrl-C at 20 million nodes to the returned tree | milliseconds |")
    print("|---|--:|")
    print(f"| median of {len(latencies)}, worst | {statistics.median(latencies) * 1e3:.0f}, {max(latencies) * 1e3:.0f} |")

    with tempfile.TemporaryDirectory() as cache:
        small = statistics.median(first_call(cache, SMALL) for _ in range(3))
        large, warm = first_call(cache, LARGE), statistics.median(first_call(cache, LARGE) for _ in range(3))
    print("\n| first search of a new process, with imports | CPU seconds |")
    print("|---|--:|")
    print(f"| nothing compiled yet, K={SMALL}: runs the readable search | {small:.2f} |")
    print(f"| nothing compiled yet, K={LARGE}: compiles the kernel | {large:.1f} |")
    print(f"| K={LARGE}, already compiled (numba's cache on disk) | {warm:.2f} |")
    for command in ("--help", "list"):
        print(f"| plyscope {command} | {statistics.median(start_up(command) for _ in range(5)):.2f} |")


if __name__ == "__main__":
    main()
