"""Compiles what many tests use, so that the workers of a run load it from numba's cache instead of each compiling it.

`python -m tests.warm_up kernels` and `python -m tests.warm_up passes` do half of it each, side by side.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from engine import compare, connect, nim, preset, search, solve


def kernels():
    """One for each kind of number, and what reads their columns."""
    from engine.compiled.driver import load_kernel

    for evaluation in ("spread", "none"):
        load_kernel(evaluation)
    for game in (connect(), preset("long-state")):
        tree = search(game, depth=5)
        assert len(tree.bound) == len(tree.parent) == len(tree.states().max_discs)
    for rung in ("pvs", "table", "iterative", "mtdf"):
        assert search(connect(), depth=5, algorithm=rung).compiled
    compare(connect(), None, "1-3", repeat=1)
    solve(connect(rows=2, cols=2, connect=2), table_mb=1)


def passes():
    """Layouts and writers, by a tree of the readable text."""
    from visualizer import export

    tree = search(nim([3, 4, 2]), depth=4)
    assert len(search(nim([3, 4, 5]), depth=5, compiled=False).bound)
    with TemporaryDirectory() as folder:
        for extension in (".dot", ".svg", ".html", ".txt", ".json", ".csv", ".graphml", ".tex"):
            export(tree, Path(folder) / f"tree{extension}")


if __name__ == "__main__":
    {"kernels": kernels, "passes": passes}[sys.argv[1]]()
