"""The memory budget of a search: its own limit, or else the limit of its process and at most half of the free memory."""

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from engine.core.errors import BadLimit
from engine.core.parsing import is_whole

FREE_MEMORY_DIVISOR = 2  # a search may take half: the rest is for viewing its tree, and for other programs
UNKNOWN_FREE_BYTES = 2 << 30  # assumed if the system does not tell
MIN_BUDGET_BYTES = 16 << 20  # always granted, even if the system reports no free memory
NODE_BYTES = 20  # of a tree of alpha-beta; other trees take 12 to 24
MIN_AFFORDABLE_NODES = 1_000_000
CGROUPS = Path("/sys/fs/cgroup")


class _ProcessLimit:
    """The limit for every search of this process."""

    max_bytes: int | None = None  # None: only the free memory limits a search


def set_process_limit(max_bytes: int | None) -> None:
    """Limit every search of this process that has no memory limit of its own. A server's workers share its
    memory limit.
    """
    check_budget(max_bytes)
    _ProcessLimit.max_bytes = max_bytes


def memory_budget(max_memory: int | None) -> int:
    """Return the number of bytes that a tree may take."""
    if max_memory is not None:
        return max_memory
    free = max(MIN_BUDGET_BYTES, free_bytes() // FREE_MEMORY_DIVISOR)
    return free if _ProcessLimit.max_bytes is None else min(free, _ProcessLimit.max_bytes)


def count_affordable_nodes(memory: int) -> int:
    """Return the number of nodes that this many bytes hold, at least a million.

    >>> count_affordable_nodes(1_000_000_000)
    50000000
    """
    return max(MIN_AFFORDABLE_NODES, memory // NODE_BYTES)


def check_budget(max_memory: object) -> None:
    if max_memory is not None and (not is_whole(max_memory) or int(max_memory) < 1):  # type: ignore[call-overload]
        raise BadLimit(f"{max_memory!r} is not a memory limit in bytes: choose a whole number from 1")


def free_bytes() -> int:
    """Return the memory that this process can still get: from the machine, its container and its own limit."""
    known = list(_available_amounts())
    return max(0, min(known)) if known else UNKNOWN_FREE_BYTES


def _available_amounts() -> Iterator[int]:
    if sys.platform == "win32":
        yield from _free_on_windows()
        return
    available = _read_field(Path("/proc/meminfo"), "MemAvailable:")
    if available is not None:
        yield available << 10
    else:
        with contextlib.suppress(ValueError, OSError):
            yield os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    yield from _free_in_cgroups()
    yield from _free_below_rlimit()


def _free_in_cgroups() -> Iterator[int]:
    """Yield the unused memory of each control group around this process, such as a container. File caches count as free."""
    for group in _enclosing_cgroups():
        for limit, used, droppable in (
            ("memory.max", "memory.current", "inactive_file"),
            ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
        ):
            most, now = _read_number(group / limit), _read_number(group / used)
            if most is not None and now is not None:
                yield most - now + (_read_field(group / "memory.stat", droppable) or 0)


def _enclosing_cgroups() -> Iterator[Path]:
    for line in _read_text(Path("/proc/self/cgroup")).splitlines():
        _, kinds, path = [*line.split(":", 2), "", ""][:3]
        if kinds in ("", "memory"):
            top = CGROUPS / kinds
            inside = top / path.lstrip("/")
            yield from (folder for folder in (inside, *inside.parents) if folder.is_relative_to(top))


def _free_below_rlimit() -> Iterator[int]:
    """Yield the memory that `ulimit -v` leaves."""
    import resource

    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    if most != resource.RLIM_INFINITY:
        pages = _read_text(Path("/proc/self/statm")).split()
        yield most - (int(pages[0]) * resource.getpagesize() if pages else 0)


def _free_on_windows() -> Iterator[int]:
    import ctypes

    class Status(ctypes.Structure):
        _fields_ = [("size", ctypes.c_ulong), ("load", ctypes.c_ulong)] + [(f"n{i}", ctypes.c_ulonglong) for i in range(7)]

    status = Status(size=ctypes.sizeof(Status))
    if ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)):  # type: ignore[attr-defined,unused-ignore]
        yield int(status.n1)


def _read_text(path: Path) -> str:
    try:
        return path.read_text()
    except (OSError, UnicodeDecodeError):
        return ""


def _read_number(path: Path) -> int | None:
    text = _read_text(path).strip()
    return int(text) if text.isdigit() else None  # "max": no limit


def _read_field(path: Path, name: str) -> int | None:
    """Return the number after a name, in a file with one name and number per line."""
    for line in _read_text(path).splitlines():
        words = line.split()
        if len(words) > 1 and words[0] == name and words[1].isdigit():
            return int(words[1])
    return None
