"""Searches that run beside a page, so that it can show how far they are and stop them."""

from collections import OrderedDict
from threading import Event, Lock, Thread
from typing import Any

from engine import SearchTree, search

KEPT, KEPT_NODES = 20, 20_000_000  # trees, and nodes in all of them: about 400 MB


class SearchJob:
    """One search in a thread of its own. `nodes` is how far it is; `wait` raises what went wrong in it."""

    def __init__(self, question: dict[str, Any], max_nodes: int):
        self.nodes = 0
        self.tree: SearchTree | None = None
        self._error: Exception | None = None
        self._cancelled, self._done = Event(), Event()
        Thread(target=self._run, args=(question, max_nodes), daemon=True).start()

    def _run(self, question: dict[str, Any], max_nodes: int) -> None:
        try:
            self.tree = search(**question, max_nodes=max_nodes, on_progress=self._progress)
        except Exception as error:
            self._error = error
        finally:
            self._done.set()

    def _progress(self, nodes: int) -> bool:
        self.nodes = nodes
        return not self._cancelled.is_set()

    def wait(self, seconds: float) -> bool:
        """Whether it is done within this time."""
        done = self._done.wait(seconds)
        if self._error is not None:
            raise self._error
        return done

    def cancel(self) -> None:
        """Stop within some hundredths of a second."""
        self._cancelled.set()


class Shelf:
    """The trees looked at last, shared by all visitors: they are read-only."""

    def __init__(self) -> None:
        self._trees: OrderedDict[Any, SearchTree] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Any) -> SearchTree | None:
        with self._lock:
            tree = self._trees.get(key)
            if tree is not None:
                self._trees.move_to_end(key)
            return tree

    def put(self, key: Any, tree: SearchTree) -> None:
        with self._lock:
            self._trees[key] = tree
            while len(self._trees) > 1 and (len(self._trees) > KEPT or self._nodes() > KEPT_NODES):
                self._trees.popitem(last=False)

    def _nodes(self) -> int:
        return sum(len(tree) for tree in self._trees.values())
