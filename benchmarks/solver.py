"""How fast the solver is, against a C++ program of the same design (solver.cpp) on the same positions, in turns in one run.

python benchmarks/solver.py        the table of benchmarks/README.md; needs g++
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from engine import connect
from engine.solver.solver import Solver, slots_per_megabytes

HERE = Path(__file__).parent
SOLVED = HERE.parent / "tests" / "golden" / "solved.json"
TABLE_MB = 40
TIMED = "import time; began = time.perf_counter(); {call}; print(time.perf_counter() - began)"


def ours(solver: Solver, positions: list[str]) -> tuple[int, float]:
    """Return the visited positions and CPU seconds. The table is cleared before each position, which is not timed."""
    nodes, seconds = 0, 0.0
    for moves in positions:
        state = solver.board.state(moves)
        solver.forget()
        began = time.process_time()
        nodes += solver.solve(state, columns=False).nodes
        seconds += time.process_time() - began
    return nodes, seconds


def call_alone(solver: Solver, emptied: bool, calls: int = 60) -> float:
    """Return the median seconds of a call from Python for a position that wins at once, so that nothing is searched.

    `emptied`: clear the table before each call, so that the CPU caches are cold.
    """
    state, took = solver.board.state("001122"), []
    for _ in range(calls):
        if emptied:
            solver.forget()
        began = time.process_time()
        solver.solve(state, columns=False)
        took.append(time.process_time() - began)
    return statistics.median(took)


def theirs(program: Path, positions: list[str]) -> tuple[int, float]:
    done = subprocess.run(
        [program, str(slots_per_megabytes(TABLE_MB))],
        input="\n".join(positions) + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    rows = [line.split() for line in done.stdout.splitlines()]
    return sum(int(row[1]) for row in rows), sum(float(row[2]) for row in rows)


def first_call(call: str) -> float:
    """Return the median seconds of a first call in a new process, with imports, if everything is compiled."""
    program = TIMED.format(call=call)
    runs = (subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True) for _ in range(5))
    return statistics.median(float(done.stdout) for done in runs)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--repeat", type=int, default=7)
    options = arguments.parse_args()
    solved = json.loads(SOLVED.read_text())
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "solver"
        subprocess.run(["g++", "-std=c++20", "-O3", "-march=native", "-o", program, HERE / "solver.cpp"], check=True)
        solver = Solver(connect(), slots_per_megabytes(TABLE_MB))
        warm, cold = call_alone(solver, False), call_alone(solver, True)
        print(f"| connect4, {TABLE_MB} MB table | positions | visited | M per second | time (C++ = 1) | without calls |")
        print("|---|--:|--:|--:|--:|--:|")
        for least, most in ((22, 38), (16, 20), (12, 14)):
            positions = [row["moves"] for row in solved if least <= len(row["moves"]) <= most]
            ratios, searching, speeds, entered = [], [], [], 0
            for _ in range(options.repeat):
                (entered, seconds), (same, seconds_theirs) = ours(solver, positions), theirs(program, positions)
                assert entered == same, "not the same search"
                ratios.append(seconds / seconds_theirs)
                searching.append((seconds - cold * len(positions)) / seconds_theirs)
                speeds.append(entered / seconds / 1e6)
            speed = f"{statistics.median(speeds):.1f} | x {statistics.median(ratios):.2f}"
            print(
                f"| {least} to {most} discs | {len(positions)} | {entered:,} | {speed} | x {statistics.median(searching):.2f} |"
            )
        print(f"\nA call from Python: {1e6 * warm:.0f} µs, right after the table was emptied {1e6 * cold:.0f} µs.")
    of_numba = first_call("import numba")
    of_solve = first_call(f"from engine import connect, solve; solve(connect(), '{solved[0]['moves']}', table_mb={TABLE_MB})")
    of_search = first_call("from engine import connect, search; search(connect(), depth=1)")
    print(f"\nFirst call of a new process, already compiled: solve {of_solve:.2f} s, search {of_search:.2f} s", end="")
    print(f", of which importing numba takes {of_numba:.2f} s.")


if __name__ == "__main__":
    main()
