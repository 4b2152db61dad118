"""The limits of a server, for all its visitors together."""

from dataclasses import dataclass, field
from functools import cached_property

from engine.core.cpu_count import count_cores
from engine.core.memory_budget import FREE_MEMORY_DIVISOR, count_affordable_nodes, free_bytes

MIN_MEMORY_BYTES = 64 << 20
MIN_SHARED_NODES = 5_000_000  # of one search, however many visitors share the memory: some seconds of a worker's time
MAX_UPLOAD_BYTES = 5 << 20  # of one file, as server.maxUploadSize in visualizer/.streamlit/config.toml


def default_workers() -> int:
    """Return the number of cores minus one, at least one. The server itself needs the other core."""
    return max(1, count_cores() - 1)


@dataclass(frozen=True)
class Limits:
    """The number of workers, the memory, and the limits of one search."""

    workers: int = field(default_factory=default_workers)
    memory: int = field(
        default_factory=lambda: max(MIN_MEMORY_BYTES, free_bytes() // FREE_MEMORY_DIVISOR)
    )  # bytes, of cached trees and trees being made
    nodes: int = 0  # of one search; 0: as many as fit into `max_tree_bytes`, shared between the visitors
    seconds: float = 60.0  # of one search, comparison or move; a tournament consists of many moves
    scheduler: str = ""  # address of a dask scheduler that replaces the local worker processes

    nodes_follow_memory: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "nodes_follow_memory", self.nodes == 0)
        if self.nodes == 0:
            object.__setattr__(self, "nodes", count_affordable_nodes(self.max_tree_bytes))

    def share_nodes(self, visitors: int) -> int:
        """Return the node limit of one search while this many visitors are here. A limit that was given holds for all of them.

        >>> limits = Limits(workers=1, memory=8_000_000_000)
        >>> [limits.share_nodes(visitors) for visitors in (1, 2, 100)]
        [100000000, 50000000, 5000000]
        """
        if not self.nodes_follow_memory:
            return self.nodes
        return max(min(self.nodes, MIN_SHARED_NODES), self.nodes // max(1, visitors))

    @cached_property
    def tree_cache_bytes(self) -> int:
        """Return the bytes for trees in the LRU cache."""
        return self.memory * 5 // 32

    @cached_property
    def comparison_cache_bytes(self) -> int:
        """Return the bytes for comparisons in the cache."""
        return self.memory // 16

    @cached_property
    def overlay_cache_bytes(self) -> int:
        """Return the bytes for pairs of overlaid trees in the cache."""
        return self.memory // 16

    @cached_property
    def payload_cache_bytes(self) -> int:
        """Return the bytes for trees in the form that browsers load."""
        return self.memory // 32

    @cached_property
    def download_bytes(self) -> int:
        """Return the bytes for files that wait to be downloaded."""
        return self.memory // 16

    @cached_property
    def large_tree_bytes(self) -> int:
        """Return the bytes for visitors' own trees that are too long for links."""
        return self.memory // 16

    @cached_property
    def upload_bytes(self) -> int:
        """Return the bytes for uploaded files that no page has read yet. At least four files fit."""
        return max(4 * MAX_UPLOAD_BYTES, self.memory // 32)

    @cached_property
    def opened_run_bytes(self) -> int:
        """Return the bytes for runs of `plyscope check` that visitors have opened."""
        return self.memory // 32

    @cached_property
    def max_tree_bytes(self) -> int:
        """Return the bytes for a tree that a worker makes. It exists twice while it is sent to the server."""
        return max(1, self.memory // 4 // self.workers)
