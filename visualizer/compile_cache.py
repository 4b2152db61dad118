"""Fills numba's cache on disk: `python -m visualizer.compile_cache` compiles all there is, in the order in which it is usually
needed; with names of PARTS behind it, only those."""

import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from engine.compiled.compile_policy import SETTING, can_save
from engine.core.file_lock import IsLocked, locked
from visualizer.background_compiler import LOCK, cache_folder

NICENESS = 10


def fill(names: Iterable[str]) -> None:
    """Compile these parts, as far as they are not on disk."""
    os.environ[SETTING] = "first"
    for name in names:
        PARTS[name]()
        if not can_save():
            return


def fill_all() -> None:
    """Compile everything at low priority, unless another process does the same, or there is no place to keep it."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    if (folder := cache_folder()) is not None:
        with suppress(IsLocked), locked(folder / LOCK):
            fill(PARTS)


# ---- all that is compiled ----------------------------------------------------------------------------------------------


def search_for_page() -> None:
    """Run what the first page runs."""
    from engine import estimate, search
    from engine.analysis.alignment import FULL, Alignment
    from visualizer.app.state.url_params import USUAL
    from visualizer.viewer.payload import payload

    estimate(USUAL)
    tree = search(USUAL)
    payload(tree, None, Alignment(search(USUAL.replace(algorithm=FULL)), tree).spared)


def write_files(extensions: Iterable[str], question: Any = None) -> None:
    """Write a small tree in these formats, to nowhere."""
    from engine import search
    from visualizer.app.state.url_params import USUAL
    from visualizer.exporters import exporter

    tree = search(question or USUAL)
    for extension in extensions:
        b"".join(exporter(f"tree{extension}").chunks(tree))


def _write_all_files() -> None:
    """Run layouts and writers on a compiled tree and on one by the readable text."""
    from engine import Question, nim

    write_files(EXTENSIONS, Question(nim([3, 4, 2]), depth=4))
    write_files(EXTENSIONS)


def _compare() -> None:
    """Run the passes over the rows of trees."""
    from engine import compare, connect, nim, search

    compare(connect(), None, "1-3", repeat=1)
    tree = search(connect(), depth=5)
    assert len(tree.bound) == len(tree.parent) == len(tree.states().max_discs)  # noqa: S101 - each compiles a pass
    assert len(search(nim([3, 4, 5]), depth=5, compiled=False).bound)  # noqa: S101


def _climb() -> None:
    """Run the kernel of the algorithms above alpha-beta, with a table and without, and count what they do."""
    from engine import connect, search
    from engine.compiled.tree_kernels import count_rows

    for algorithm in ("pvs", "table", "iterative", "mtdf"):
        tree = search(connect(), depth=6, algorithm=algorithm)
        tree.statistics()
        count_rows(tree.columns, tree.height)


def _solve() -> None:
    """Run the solver, and the kernel for values that are no whole numbers."""
    from engine import connect, preset, search, solve

    solve(connect(rows=2, cols=2, connect=2), table_mb=1)
    tree = search(preset("long-state"), depth=5)
    assert len(tree.bound) == len(tree.states().max_discs)  # noqa: S101


EXTENSIONS = (".svg", ".dot", ".json", ".html", ".txt", ".csv", ".graphml", ".tex")
PARTS: dict[str, Callable[[], None]] = {
    "page": search_for_page,
    "files": _write_all_files,
    "comparisons": _compare,
    "ladder": _climb,
    "solver": _solve,
}


if __name__ == "__main__":
    fill(sys.argv[1:]) if sys.argv[1:] else fill_all()
