"""Answers of workers. Small values are sent as bytes, arrays and files in shared memory, so that no tree is copied.

The memory has no name. The system frees it when no process maps it any more, even after kill -9. Only answers of our own
workers are read.
"""

import mmap
import os
import pickle
import tempfile
from multiprocessing.connection import Connection
from multiprocessing.reduction import recv_handle, send_handle
from typing import Any, NamedTuple

ALIGNMENT_BYTES = 64  # each array begins at a multiple of this


class PackedAnswer(NamedTuple):
    """An answer without its arrays, and where they are."""

    small: bytes
    places: list[tuple[int, int]]  # first byte of each array, and one past its last
    size: int


def send_answer(link: Connection, kind: str, answer: Any) -> None:
    """Send an answer to the server, after a message of type `kind`."""
    arrays: list[pickle.PickleBuffer] = []
    answer = pickle.PickleBuffer(answer) if isinstance(answer, bytes) else answer
    small = pickle.dumps(answer, protocol=5, buffer_callback=arrays.append)
    places, size = [], 0
    for array in arrays:
        length = array.raw().nbytes
        places.append((size, size + length))
        size += -(-length // ALIGNMENT_BYTES) * ALIGNMENT_BYTES
    if size == 0:
        link.send((kind, PackedAnswer(small, places, size)))
        return
    memory = _open_anonymous_memory()
    try:
        os.ftruncate(memory, size)
        with mmap.mmap(memory, size) as mapped:
            for array, (start, stop) in zip(arrays, places, strict=True):
                mapped[start:stop] = array.raw()
        link.send((kind, PackedAnswer(small, places, size)))
        send_handle(link, memory, 0)
    finally:
        os.close(memory)


def receive_answer(link: Connection, packed: PackedAnswer) -> Any:
    """Return the announced answer. Its arrays stay in the shared memory."""
    mapped = memoryview(b"")
    if packed.size:
        memory = recv_handle(link)
        try:
            mapped = memoryview(mmap.mmap(memory, packed.size, access=mmap.ACCESS_READ))
        finally:
            os.close(memory)
    answer = pickle.loads(packed.small, buffers=[mapped[start:stop] for start, stop in packed.places])  # noqa: S301 - our own worker
    return bytes(answer) if isinstance(answer, memoryview) else answer


def _open_anonymous_memory() -> int:
    """Open a file without a name, in memory if possible."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("plyscope", os.MFD_CLOEXEC)
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())
