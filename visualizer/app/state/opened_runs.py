"""Runs of `plyscope check` and traces that visitors have opened. Their total memory is bounded."""

import hashlib
from functools import cache
from threading import Lock
from typing import NamedTuple
from weakref import WeakKeyDictionary

from engine.checker.run_file import OpenedRun, read_run_file
from engine.core.errors import PlyscopeError
from engine.tree.search_trace import parse_trace
from engine.tree.trace_builder import build_trace_tree
from engine.tree.tree import SearchTree
from visualizer.pool.pool import current_pool

ROW_BYTES = 320  # of a recorded call and its data, measured


class OpenedFile(NamedTuple):
    """A file that a visitor has opened: its name, and its content or the reason why it was refused."""

    name: str
    key: str = ""  # a hash of the content
    run: OpenedRun | None = None
    refused: str = ""


class OpenRunBudget:
    """The memory of all runs that are open in some tab. A run counts until its last tab is closed."""

    def __init__(self, max_bytes: int):
        self._max_bytes = max_bytes
        self._weights: WeakKeyDictionary[SearchTree, int] = WeakKeyDictionary()
        self._lock = Lock()

    def add(self, tree: SearchTree, file_bytes: int) -> None:
        """Count the tree of a run. Raise PlyscopeError if the memory for all runs is used up."""
        weight = file_bytes + ROW_BYTES * len(tree)
        with self._lock:
            others = sum(self._weights.values())
            if others and others + weight > self._max_bytes:
                most = f"{self._max_bytes / 1e6:,.0f} MB"
                raise PlyscopeError(f"other users' files fill the {most} that this server has for them: try again later")
            self._weights[tree] = weight


def open_run(data: bytes, name: str) -> OpenedFile:
    """Read a file of `plyscope check -o run.json`."""
    try:
        run = read_run_file(data)
        _open_run_budget().add(run.tree, len(data))
        return OpenedFile(name, hashlib.sha256(data).hexdigest()[:16], run)
    except PlyscopeError as error:
        return OpenedFile(name, refused=str(error))


def open_trace(data: bytes) -> SearchTree:
    """Return the tree of a search trace. Raise PlyscopeError if it is damaged or too large."""
    tree = build_trace_tree(parse_trace(data))
    _open_run_budget().add(tree, len(data))
    return tree


@cache
def _open_run_budget() -> OpenRunBudget:
    return OpenRunBudget(current_pool().limits.opened_run_bytes)
