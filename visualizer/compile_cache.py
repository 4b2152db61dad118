"""Fill numba's cache on disk: `python -m visualizer.compile_cache` compiles everything, in the usual order of use. With names
of PARTS as arguments, it compiles only those.
"""

import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from engine.compiled.compile_policy import COMPILE_VARIABLE, can_save
from engine.core.file_lock import IsLocked, hold_file_lock
from visualizer.background_compiler import LOCK_NAME, cache_folder

NICENESS = 10


def compile_parts(names: Iterable[str]) -> None:
    """Compile these parts, unless they are on disk."""
    os.environ[COMPILE_VARIABLE] = "first"
    for name in names:
        PARTS[name]()
        if not can_save():
            return


def compile_all() -> None:
    """Compile everything at low priority, unless another process does the same, or there is no place for the cache."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    if (folder := cache_folder()) is not None:
        with suppress(IsLocked), hold_file_lock(folder / LOCK_NAME):
            compile_parts(PARTS)


# ---- all that is compiled ----------------------------------------------------------------------------------------------


def run_first_page() -> None:
    """Run everything that the first page runs."""
    from engine import estimate, search
    from engine.analysis.alignment import FULL_ALGORITHM, Alignment
    from visualizer.app.state.url_params import DEFAULT_SEARCH
    from visualizer.viewer.payload import build_payload

    estimate(DEFAULT_SEARCH)
    tree = search(DEFAULT_SEARCH)
    build_payload(tree, None, Alignment(search(DEFAULT_SEARCH.replace(algorithm=FULL_ALGORITHM)), tree).spared)


def write_files(extensions: Iterable[str], question: Any = None) -> None:
    """Write a small tree in these formats, and discard it."""
    from engine import search
    from visualizer.app.state.url_params import DEFAULT_SEARCH
    from visualizer.exporters import find_exporter

    tree = search(question or DEFAULT_SEARCH)
    for extension in extensions:
        b"".join(find_exporter(f"tree{extension}").chunks(tree))


def _write_all_files() -> None:
    """Run layouts and writers on a compiled tree and on one of the readable algorithm."""
    from engine import Question, nim

    write_files(EXTENSIONS, Question(nim([3, 4, 2]), depth=4))
    write_files(EXTENSIONS)


def _run_comparison() -> None:
    """Run the passes over the rows of trees."""
    from engine import compare, connect, nim, search

    compare(connect(), None, "1-3", repeat=1)
    tree = search(connect(), depth=5)
    assert len(tree.bound) == len(tree.parent) == len(tree.states().max_discs)  # noqa: S101 - each compiles a pass
    assert len(search(nim([3, 4, 5]), depth=5, compiled=False).bound)  # noqa: S101


def _run_ladder() -> None:
    """Run the kernel of the algorithms above alpha-beta, with a table and without, and count their rows. Run the overview."""
    from engine import connect, search
    from engine.compiled.tree_kernels import count_rows
    from visualizer.drawing.overview.cells import make_view
    from visualizer.drawing.overview.colourings import COLOURINGS
    from visualizer.viewer.large_trees.overview_cells import encode_overview

    for colouring in COLOURINGS.values():
        tree = search(connect(), depth=6)
        encode_overview(tree, make_view(tree, 10), colouring)
    for algorithm in ("pvs", "table", "iterative", "mtdf"):
        tree = search(connect(), depth=6, algorithm=algorithm)
        tree.statistics()
        count_rows(tree.columns, tree.height)


def _run_iterations() -> None:
    """Run the kernel of Monte-Carlo tree search."""
    from engine import connect, search

    search(connect(), algorithm="mcts", iterations=10)


def _run_solver() -> None:
    """Run the solver, and the kernel for values that are not whole numbers."""
    from engine import connect, preset, search, solve

    solve(connect(rows=2, cols=2, connect=2), table_mb=1)
    tree = search(preset("long-state"), depth=5)
    assert len(tree.bound) == len(tree.states().max_discs)  # noqa: S101


EXTENSIONS = (".svg", ".dot", ".json", ".html", ".txt", ".csv", ".graphml", ".tex")
PARTS: dict[str, Callable[[], None]] = {
    "page": run_first_page,
    "files": _write_all_files,
    "comparisons": _run_comparison,
    "ladder": _run_ladder,
    "solver": _run_solver,
    "iterations": _run_iterations,
}


if __name__ == "__main__":
    compile_parts(sys.argv[1:]) if sys.argv[1:] else compile_all()
