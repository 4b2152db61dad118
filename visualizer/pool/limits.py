"""The limits of a server, for all its visitors together."""

from dataclasses import dataclass, field
from functools import cached_property

from engine.core.memory_budget import FREE_MEMORY_DIVISOR, free_bytes

MIN_MEMORY_BYTES = 64 << 20
MAX_UPLOAD_BYTES = 5 << 20  # of one file: server.maxUploadSize of visualizer/.streamlit/config.toml


def default_workers() -> int:
    """Return one worker for each core but one, which answers the browsers; at least one."""
    from joblib import cpu_count

    return max(1, int(cpu_count()) - 1)


@dataclass(frozen=True)
class Limits:
    """The number of workers, the memory, and the limits of one search."""

    workers: int = field(default_factory=default_workers)
    memory: int = field(
        default_factory=lambda: max(MIN_MEMORY_BYTES, free_bytes() // FREE_MEMORY_DIVISOR)
    )  # bytes, of trees kept and being made
    nodes: int = 5_000_000  # of one search
    seconds: float = 60.0  # of one search, comparison or move; a tournament is many of them
    scheduler: str = ""  # of a dask cluster that works instead of processes here

    @cached_property
    def kept(self) -> int:
        """Return the bytes for trees in the cache, least recently used first to go."""
        return self.memory * 5 // 32

    @cached_property
    def compared(self) -> int:
        """Return the bytes for comparisons in the cache."""
        return self.memory // 16

    @cached_property
    def overlaid(self) -> int:
        """Return the bytes for pairs of overlaid trees in the cache."""
        return self.memory // 16

    @cached_property
    def delivered(self) -> int:
        """Return the bytes for trees in the form that browsers fetch."""
        return self.memory // 32

    @cached_property
    def files(self) -> int:
        """Return the bytes for files that browsers are about to fetch."""
        return self.memory // 16

    @cached_property
    def uploaded(self) -> int:
        """Return the bytes for visitors' own trees that are too long for links."""
        return self.memory // 16

    @cached_property
    def arriving(self) -> int:
        """Return the bytes for uploaded files that no page has read yet. There is always room for a few."""
        return max(4 * MAX_UPLOAD_BYTES, self.memory // 32)

    @cached_property
    def opened(self) -> int:
        """Return the bytes for runs of `plyscope check` that visitors have opened."""
        return self.memory // 32

    @cached_property
    def one_tree(self) -> int:
        """Return the bytes for a tree that a worker makes. It exists twice while it is handed over."""
        return max(1, self.memory // 4 // self.workers)
