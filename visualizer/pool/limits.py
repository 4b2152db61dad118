"""What a server may use, for all its visitors together."""

from dataclasses import dataclass, field
from functools import cached_property

from engine.core.memory_budget import SHARE, free_bytes

MEMORY_LEAST = 64 << 20
MAX_UPLOAD_BYTES = 5 << 20  # of one file: server.maxUploadSize of visualizer/.streamlit/config.toml


def usual_workers() -> int:
    """One for each core but one, which answers the browsers; at least one."""
    from joblib import cpu_count

    return max(1, int(cpu_count()) - 1)


@dataclass(frozen=True)
class Limits:
    """Processes, memory, and what one search may take."""

    workers: int = field(default_factory=usual_workers)
    memory: int = field(default_factory=lambda: max(MEMORY_LEAST, free_bytes() // SHARE))  # bytes, of trees kept and being made
    nodes: int = 5_000_000  # of one search
    seconds: float = 60.0  # of one search, comparison or move; a tournament is many of them
    scheduler: str = ""  # of a dask cluster that works instead of processes here

    @cached_property
    def kept(self) -> int:
        """Bytes of the trees that are kept, least recently used first to go."""
        return self.memory * 5 // 32

    @cached_property
    def compared(self) -> int:
        """Bytes of the comparisons that are kept."""
        return self.memory // 16

    @cached_property
    def overlaid(self) -> int:
        """Bytes of the trees that are kept as they lie over each other."""
        return self.memory // 16

    @cached_property
    def delivered(self) -> int:
        """Bytes of the trees as browsers fetch them."""
        return self.memory // 32

    @cached_property
    def files(self) -> int:
        """Bytes of the files that browsers are about to fetch."""
        return self.memory // 16

    @cached_property
    def uploaded(self) -> int:
        """Bytes of the visitors' own trees that are too long for links."""
        return self.memory // 16

    @cached_property
    def arriving(self) -> int:
        """Bytes of the uploaded files that no page has read yet; there is room for a few in any case."""
        return max(4 * MAX_UPLOAD_BYTES, self.memory // 32)

    @cached_property
    def opened(self) -> int:
        """Bytes of the runs of `plyscope check` that visitors have opened."""
        return self.memory // 32

    @cached_property
    def one_tree(self) -> int:
        """Bytes of a tree that a worker makes: it is there twice while it is handed over."""
        return max(1, self.memory // 4 // self.workers)
