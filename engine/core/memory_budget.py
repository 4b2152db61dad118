"""How much memory a search may take: what it is given, else what its process was given, at most half of what is free."""

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from engine.core.errors import BadLimit
from engine.core.parsing import is_whole

SHARE = 2  # a search takes one part in so many of what is free: the rest is for looking at its tree, and for others
UNKNOWN = 2 << 30  # bytes taken to be free where the system does not say
LEAST = 16 << 20  # bytes that are always granted: a system that says it has none left is not to be believed
CGROUPS = Path("/sys/fs/cgroup")


class _Process:
    """What searches of this process keep to, each by itself."""

    most: int | None = None  # bytes; None: no more is known than what is free


def keep_to(most: int | None) -> None:
    """Let every search of this process that is given no memory of its own take so many bytes at most: a server's workers share
    what the server may use."""
    check_budget(most)
    _Process.most = most


def budget(max_memory: int | None) -> int:
    """Bytes that a tree may take."""
    if max_memory is not None:
        return max_memory
    free = max(LEAST, free_bytes() // SHARE)
    return free if _Process.most is None else min(free, _Process.most)


def check_budget(max_memory: object) -> None:
    if max_memory is not None and (not is_whole(max_memory) or int(max_memory) < 1):  # type: ignore[call-overload]
        raise BadLimit(f"a limit of {max_memory!r} bytes of memory: a whole number from 1 is needed")


def free_bytes() -> int:
    """Memory that this process can still get without pushing others out: of the machine, of its container, of its own limit."""
    known = list(_limits())
    return max(0, min(known)) if known else UNKNOWN


def _limits() -> Iterator[int]:
    if sys.platform == "win32":
        yield from _free_on_windows()
        return
    available = _number_in(Path("/proc/meminfo"), "MemAvailable:")
    if available is not None:
        yield available << 10
    else:
        with contextlib.suppress(ValueError, OSError):
            yield os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    yield from _left_in_groups()
    yield from _left_of_own_limit()


def _left_in_groups() -> Iterator[int]:
    """Of each control group around this process (containers are such), what it has not used; file caches can be dropped."""
    for group in _groups():
        for limit, used, droppable in (
            ("memory.max", "memory.current", "inactive_file"),
            ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
        ):
            most, now = _whole(group / limit), _whole(group / used)
            if most is not None and now is not None:
                yield most - now + (_number_in(group / "memory.stat", droppable) or 0)


def _groups() -> Iterator[Path]:
    for line in _text(Path("/proc/self/cgroup")).splitlines():
        _, kinds, path = [*line.split(":", 2), "", ""][:3]
        if kinds in ("", "memory"):
            top = CGROUPS / kinds
            inside = top / path.lstrip("/")
            yield from (folder for folder in (inside, *inside.parents) if folder.is_relative_to(top))


def _left_of_own_limit() -> Iterator[int]:
    """What `ulimit -v` leaves."""
    import resource

    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    if most != resource.RLIM_INFINITY:
        pages = _text(Path("/proc/self/statm")).split()
        yield most - (int(pages[0]) * resource.getpagesize() if pages else 0)


def _free_on_windows() -> Iterator[int]:
    import ctypes

    class Status(ctypes.Structure):
        _fields_ = [("size", ctypes.c_ulong), ("load", ctypes.c_ulong)] + [(f"n{i}", ctypes.c_ulonglong) for i in range(7)]

    status = Status(size=ctypes.sizeof(Status))
    if ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)):  # type: ignore[attr-defined,unused-ignore]
        yield int(status.n1)


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except (OSError, UnicodeDecodeError):
        return ""


def _whole(path: Path) -> int | None:
    text = _text(path).strip()
    return int(text) if text.isdigit() else None  # "max": no limit


def _number_in(path: Path, name: str) -> int | None:
    """The number behind a name, in a file with one on each line."""
    for line in _text(path).splitlines():
        words = line.split()
        if len(words) > 1 and words[0] == name and words[1].isdigit():
            return int(words[1])
    return None
