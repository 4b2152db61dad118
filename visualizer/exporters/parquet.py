"""The tree file: Parquet, the whole tree with its question. `plyscope export` and `engine.tree.parquet_file.load` read it."""

import io
from collections.abc import Iterator

from engine.tree.tree import SearchTree
from visualizer.drawing.view import BadView, View

EXTENSION = ".parquet"
DESCRIPTION = "tree file, all columns; can be loaded again"
MEDIA_TYPE = "application/vnd.apache.parquet"
WHOLE_TREES = True  # no views of them


def chunks(tree: SearchTree, view: View | None = None) -> Iterator[bytes]:
    """Return the file, a piece for about every million nodes."""
    if view is not None and not view.is_whole:
        raise BadView("a .parquet file holds the whole tree: leave out the view, or export the part as .csv")
    return _write_row_groups(tree)


def _write_row_groups(tree: SearchTree) -> Iterator[bytes]:
    from engine.tree.parquet_file import write_groups

    sink = _ChunkSink()
    for _ in write_groups(tree, sink):
        yield sink.take()
    yield sink.take()


class _ChunkSink(io.RawIOBase):
    """A file that is only written forward, and emptied after each piece."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._position = 0

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def write(self, piece) -> int:  # type: ignore[no-untyped-def]
        self._pieces.append(bytes(piece))
        self._position += len(self._pieces[-1])
        return len(self._pieces[-1])

    def take(self) -> bytes:
        taken = b"".join(self._pieces)
        self._pieces.clear()
        return taken
