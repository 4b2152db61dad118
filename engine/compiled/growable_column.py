"""Arrays that grow without being copied.

A fast search spends most of its time on fresh memory. The operating system enlarges an anonymous mapping by moving page
tables instead of bytes, and huge pages are filled faster than small ones. Growing to 100 MB takes 12 ms with huge pages and
23 ms without. Growing to 1 GB takes 0.19 s; with copying it takes 0.73 to 1.28 s. The system uses huge pages
for aligned mappings, and it aligns a mapping whose size is a multiple of their size.

A worker of a server calls `share_large_columns`. Then the columns of its large trees are files without a name in memory, and the
server maps them instead of copying a gigabyte.
"""

import mmap
import os
from typing import Any
from weakref import WeakKeyDictionary, finalize

import numpy as np

PRIVATE_MAPPING = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_ANONYMOUS") else {}
HUGE_PAGE_BYTES = 1 << 21
LARGE_COLUMN_BYTES = HUGE_PAGE_BYTES >> 2  # larger columns get huge pages
MIN_SHARED_ROWS = 1 << 23  # a shared column takes a file descriptor of the server; smaller ones are copied

_sharing = {"is_on": False}
_shared_files: WeakKeyDictionary[mmap.mmap, int] = WeakKeyDictionary()


def share_large_columns(is_on: bool = True) -> None:
    """Let this process make the large columns of its trees so that another process can map them, where the system can."""
    _sharing["is_on"] = is_on and hasattr(os, "memfd_create")


def find_shared_file(array: Any) -> tuple[int, int] | None:
    """Return the file that holds an array, and the array's first byte there; None if another process cannot map it."""
    memory = array
    while isinstance(memory, np.ndarray | memoryview):
        memory = memory.base if isinstance(memory, np.ndarray) else memory.obj
    if not isinstance(memory, mmap.mmap) or memory not in _shared_files:
        return None
    return _shared_files[memory], array.ctypes.data - np.frombuffer(memory, np.uint8).ctypes.data


def allocate_in_small_pages(count: int, dtype: Any) -> np.ndarray:
    """Return an array whose memory the system provides in small pages; that of numpy's large arrays is in huge pages.

    A virtual machine may return free huge pages to its host. Then the index of 50 million rows takes 0.9 s in huge pages and
    0.3 s in small ones; otherwise 0.2 s and 0.3 s.
    """
    dtype = np.dtype(dtype)
    return np.frombuffer(mmap.mmap(-1, max(1, count * dtype.itemsize), **PRIVATE_MAPPING), dtype, count=count)


class GrowableColumn:
    """Growable memory for one column. The columns of trees `can_be_shared`; a table with random access needs huge pages."""

    def __init__(self, dtype: Any, rows: int, can_be_shared: bool = False):
        self.dtype = np.dtype(dtype)
        self.rows = rows
        self._can_be_shared = can_be_shared
        self._memory = self._map_memory(rows)

    def _byte_size(self, rows: int) -> int:
        return max(1, rows * self.dtype.itemsize)

    def _map_memory(self, rows: int) -> mmap.mmap:
        size = self._byte_size(rows)
        if self._should_share(rows):
            return _map_shared_file(_round_up_to_pages(size))
        if size < LARGE_COLUMN_BYTES:
            return mmap.mmap(-1, size, **PRIVATE_MAPPING)
        memory = mmap.mmap(-1, _round_up_to_pages(size), **PRIVATE_MAPPING)
        _advise_huge_pages(memory)
        return memory

    def _should_share(self, rows: int) -> bool:
        return self._can_be_shared and _sharing["is_on"] and rows >= MIN_SHARED_ROWS

    def array(self) -> np.ndarray:
        """Return the current memory. Release every array before the next `resize`, or it has to copy."""
        return np.frombuffer(self._memory, self.dtype, count=self.rows)

    def resize(self, rows: int) -> None:
        """Resize, keeping the first rows; the rest is undefined. Small columns are copied and use no huge pages."""
        size = self._byte_size(rows)
        if not (
            size >= LARGE_COLUMN_BYTES
            and len(self._memory) >= LARGE_COLUMN_BYTES
            and (self._memory in _shared_files or not self._should_share(rows))
            and self._try_resizing(_round_up_to_pages(size) if rows > self.rows else size)
        ):
            common = min(rows, self.rows)
            new = self._map_memory(rows)
            np.frombuffer(new, self.dtype, count=common)[:] = self.array()[:common]
            self._memory = new
        self.rows = rows

    def _try_resizing(self, size: int) -> bool:
        """Try to resize the mapping. Return False if arrays are in use, or the system cannot move mappings."""
        try:
            self._memory.resize(size)
        except (BufferError, SystemError, OSError, ValueError):
            return False
        _advise_huge_pages(self._memory)
        return True


def _map_shared_file(size: int) -> mmap.mmap:
    file = os.memfd_create("plyscope", os.MFD_CLOEXEC)
    try:
        os.ftruncate(file, size)
        memory = mmap.mmap(file, size)
    except BaseException:
        os.close(file)
        raise
    _shared_files[memory] = file
    finalize(memory, os.close, file)
    return memory


def _round_up_to_pages(size: int) -> int:
    return -(-size // HUGE_PAGE_BYTES) * HUGE_PAGE_BYTES


def _advise_huge_pages(memory: mmap.mmap) -> None:
    if hasattr(mmap, "MADV_HUGEPAGE"):
        try:
            memory.madvise(mmap.MADV_HUGEPAGE)
        except OSError:  # a kernel without huge pages: small pages work, too
            return
