"""Answers of workers: what is small as bytes, arrays and files in memory that both processes map, so that no tree is copied.

That memory has no name: the system frees it when nobody maps it any more, also after a kill -9. Only our own workers are read.
"""

import mmap
import os
import pickle
import tempfile
from multiprocessing.connection import Connection
from multiprocessing.reduction import recv_handle, send_handle
from typing import Any, NamedTuple

ALIGNED = 64  # bytes: where each array begins


class Packed(NamedTuple):
    """An answer, its arrays apart."""

    small: bytes
    places: list[tuple[int, int]]  # first byte of each array, and one past its last
    size: int


def send_answer(link: Connection, kind: str, answer: Any) -> None:
    """Hand an answer over; `kind` is told before it."""
    arrays: list[pickle.PickleBuffer] = []
    answer = pickle.PickleBuffer(answer) if isinstance(answer, bytes) else answer
    small = pickle.dumps(answer, protocol=5, buffer_callback=arrays.append)
    places, size = [], 0
    for array in arrays:
        length = array.raw().nbytes
        places.append((size, size + length))
        size += -(-length // ALIGNED) * ALIGNED
    if size == 0:
        link.send((kind, Packed(small, places, size)))
        return
    memory = _nameless()
    try:
        os.ftruncate(memory, size)
        with mmap.mmap(memory, size) as mapped:
            for array, (start, stop) in zip(arrays, places, strict=True):
                mapped[start:stop] = array.raw()
        link.send((kind, Packed(small, places, size)))
        send_handle(link, memory, 0)
    finally:
        os.close(memory)


def received(link: Connection, packed: Packed) -> Any:
    """The answer that was announced: its arrays are where the worker has put them."""
    mapped = memoryview(b"")
    if packed.size:
        memory = recv_handle(link)
        try:
            mapped = memoryview(mmap.mmap(memory, packed.size, access=mmap.ACCESS_READ))
        finally:
            os.close(memory)
    answer = pickle.loads(packed.small, buffers=[mapped[start:stop] for start, stop in packed.places])  # noqa: S301 - our own worker
    return bytes(answer) if isinstance(answer, memoryview) else answer


def _nameless() -> int:
    """A file that is in no folder, where possible in memory alone."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("plyscope", os.MFD_CLOEXEC)
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())
