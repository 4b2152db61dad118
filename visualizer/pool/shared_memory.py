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

from engine.compiled.growable_column import find_shared_file

ALIGNMENT_BYTES = 64  # each array begins at a multiple of this
MAX_WRITE_BYTES = 1 << 30  # systems write less than 2 GiB at once


class Place(NamedTuple):
    """Where an array is: in which of the files of an answer, its first byte there, and one past its last."""

    file: int
    start: int
    stop: int


class PackedAnswer(NamedTuple):
    """An answer without its arrays, and where they are."""

    small: bytes
    places: list[Place]
    sizes: list[int]  # of each file; the first one is for arrays that were copied, and may be empty


def send_answer(link: Connection, kind: str, answer: Any) -> None:
    """Send an answer to the server, after a message of type `kind`. The columns of a large tree are shared files already."""
    arrays: list[pickle.PickleBuffer] = []
    answer = pickle.PickleBuffer(answer) if isinstance(answer, bytes) else answer
    small = pickle.dumps(answer, protocol=5, buffer_callback=arrays.append)
    memory = _open_anonymous_memory()
    try:
        files, places, end = [memory], [], 0
        for array in arrays:
            raw = array.raw()
            shared = find_shared_file(memoryview(array).obj)
            if shared is None:
                places.append(Place(0, end, end + raw.nbytes))
                _write_at(memory, end, raw)
                end += -(-raw.nbytes // ALIGNMENT_BYTES) * ALIGNMENT_BYTES
            else:
                places.append(Place(len(files), shared[1], shared[1] + raw.nbytes))
                files.append(shared[0])
        os.ftruncate(memory, end)
        packed = PackedAnswer(small, places, [os.fstat(file).st_size for file in files])
        link.send((kind, packed))
        for file, size in zip(files, packed.sizes, strict=True):
            if size:
                send_handle(link, file, 0)
    finally:
        os.close(memory)


def _write_at(file: int, start: int, content: memoryview) -> None:
    """Write to a file. This takes two thirds of the time of copying into a mapping, whose pages fault one by one."""
    while len(content):
        written = os.pwrite(file, content[:MAX_WRITE_BYTES], start)
        start, content = start + written, content[written:]


def receive_answer(link: Connection, packed: PackedAnswer) -> Any:
    """Return the announced answer. Its arrays stay in the shared memory."""
    mapped = [_receive_file(link, size) if size else memoryview(b"") for size in packed.sizes]
    arrays = [mapped[place.file][place.start : place.stop] for place in packed.places]
    answer = pickle.loads(packed.small, buffers=arrays)  # noqa: S301 - our own worker
    return bytes(answer) if isinstance(answer, memoryview) else answer


def _receive_file(link: Connection, size: int) -> memoryview:
    memory = recv_handle(link)
    try:
        return memoryview(mmap.mmap(memory, size, access=mmap.ACCESS_READ))
    finally:
        os.close(memory)


def _open_anonymous_memory() -> int:
    """Open a file without a name, in memory if possible."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("plyscope", os.MFD_CLOEXEC)
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())
