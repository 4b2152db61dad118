"""The cost of counting: `tree.statistics()` against the search, and Ctrl-C to the end of `plyscope search`.

python benchmarks/counting.py               the tables of benchmarks/README.md
"""

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import suppress

from engine import ALGORITHMS, connect, search

INTERRUPTED = ("engine", "pvs", "mtdf", "sss", "iterative", "aspiration", "table", "alphabeta", "minimax")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--nodes", type=int, default=3_000_000)
    arguments.add_argument("--depth", type=int, default=9, help="of the complete searches")
    arguments.add_argument("--repeat", type=int, default=5)
    arguments.add_argument("--seconds", type=float, default=8, help="until Ctrl-C; 0: without")
    options = arguments.parse_args()
    print_counting(((options.depth, 50_000_000), (30, options.nodes)), options.repeat)
    if options.seconds:
        print_interrupts((options.seconds,))


def print_counting(limits: Iterable[tuple[int, int]], repeat: int) -> None:
    """Print the time of `statistics()` of every rung, for each depth and number of nodes."""
    print("| connect4 from the start, CPU time | K | nodes | search, ms | statistics(), ms | relative to the search |")
    print("|---|--:|--:|--:|--:|--:|")
    for depth, nodes in limits:
        for algorithm in (name for name, spec in ALGORITHMS.items() if spec.kernel):  # others take hours for as many nodes
            taken = [timed(algorithm, depth, nodes) for _ in range(repeat + 1)][1:]  # the first loads the compiled code
            searched, counted = (statistics.median(column) for column in list(zip(*taken, strict=True))[:2])
            print(f"| {algorithm} | {depth} | {taken[0][2]:,} | {searched * 1e3:.0f} | {counted * 1e3:.0f} | ", end="")
            print(f"x {counted / searched:.2f} |", flush=True)


def print_interrupts(moments: Iterable[float], max_nodes: int = 500_000_000) -> None:
    """Print the time from Ctrl-C, so many seconds after the start, to the end of the command, for every algorithm."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it, and so would the commands
    print("\n| Ctrl-C at K=30 | after, s | nodes | seconds to the end of the command | CPU seconds |\n|---|--:|--:|--:|--:|")
    for algorithm in INTERRUPTED:
        for moment in moments:
            nodes, wall, cpu = interrupted(algorithm, moment, max_nodes)
            print(f"| {algorithm} | {moment:g} | {nodes:,} | {wall:.2f} | {cpu:.2f} |", flush=True)


def timed(algorithm: str, depth: int, nodes: int) -> tuple[float, float, int]:
    """Return the CPU seconds of a search and of its statistics, and its nodes."""
    began = time.process_time()
    tree = search(connect(), depth=depth, algorithm=algorithm, max_nodes=nodes)
    done = time.process_time()
    tree.statistics()
    return done - began, time.process_time() - done, len(tree)


def interrupted(algorithm: str, seconds: float, max_nodes: int) -> tuple[int, float, float]:
    """Return the nodes of a search that Ctrl-C stops, and the seconds and CPU seconds until its command ends."""
    command = [sys.executable, "-m", "visualizer.cli.main", "search", "connect4", "--depth", "30", "--algorithm", algorithm]
    command += ["--max-nodes", str(max_nodes), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True) as process:
        time.sleep(seconds)
        ended, before = os.times().children_user + os.times().children_system, _cpu_seconds(process.pid)
        began = time.perf_counter()
        with suppress(ProcessLookupError):  # it has ended already
            os.killpg(process.pid, signal.SIGINT)
        out, _ = process.communicate()
        wall = time.perf_counter() - began
    cpu = os.times().children_user + os.times().children_system - ended - before
    return json.loads(out)["expanded"] if out else 0, wall, cpu  # without output: it came before or after the search itself


def _cpu_seconds(pid: int) -> float:
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
