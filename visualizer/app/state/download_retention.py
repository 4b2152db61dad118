"""Files that were made for a visitor and that the browser is about to fetch.

Streamlit makes such a file when it is asked for, assigns it to no session, and drops it as soon as the pages of two other
visitors have run. In a class that is before the browser has fetched it. Here the file belongs to the visitor's session until
the page runs again, or until newer files need the memory. A file that was not fetched stays for at least half a minute.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from threading import Lock
from time import monotonic
from typing import Any
from weakref import ReferenceType, ref

from starlette.types import ASGIApp, Receive, Scope, Send

from visualizer.app.streamlit_compat import ScriptRunContext, current_run, hold_media_file, is_connected
from visualizer.pool.pool import current_pool

MAX_FILE_THREADS = 64  # files waited for at the same time: each takes a thread, and the default six are soon in use
FETCH_SECONDS = 30.0  # a browser begins to fetch its file within this time


@dataclass(eq=False)
class RetainedFile:
    """A file of one run of a visitor's page. Another file of the same name replaces it."""

    page: ReferenceType[ScriptRunContext]
    name: str
    media_type: str
    size: int
    made: float
    address: str = ""  # where the browser fetches it
    fetched: bool = False

    @property
    def has_open_page(self) -> bool:
        """Return True if the page it was made for is still open. If not, Streamlit has dropped the file."""
        page = self.page()
        try:
            return page is not None and is_connected(page.session_id)
        except RuntimeError:  # there is no server
            return False

    def store_data(self, data: bytes) -> None:
        """Store the data in Streamlit as a file of the visitor's session."""
        page = self.page()
        if page is not None and self.has_open_page:
            self.address = hold_media_file(page, data, self.media_type, self.name)


class RetainedFiles:
    """The files of all visitors by session and name, the oldest first. Their total size is bounded."""

    def __init__(self, room: int):
        self._room = room  # bytes
        self._files: dict[tuple[str, str], RetainedFile] = {}
        self._lock = Lock()

    def put(self, visitor: str, file: RetainedFile) -> None:
        """Add a file before it is stored. Make room by dropping files that were fetched, or are old enough."""
        with self._lock:
            self._files.pop((visitor, file.name), None)
            self._files = {key: other for key, other in self._files.items() if other.has_open_page}
            weight = file.size + sum(other.size for other in self._files.values())
            for key, other in [*self._files.items()]:
                if weight > self._room and (other.fetched or file.made - other.made >= FETCH_SECONDS):
                    weight -= self._files.pop(key).size
                    other.store_data(b"")
            self._files[visitor, file.name] = file

    def mark_fetched(self, path: str) -> None:
        """Mark a file as fetched by the browser it was made for."""
        with self._lock:
            waiting = (file for file in self._files.values() if not file.fetched and file.address and path.endswith(file.address))
            if (file := next(waiting, None)) is not None:
                file.fetched = True


class DownloadTracker:
    """ASGI middleware: notes which files browsers have fetched."""

    def __init__(self, app: ASGIApp):
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)
        if scope["type"] == "http" and scope["method"] == "GET":
            _retained_files().mark_fetched(scope["path"])


def retain_result(make: Callable[[], bytes], name: str, media_type: str) -> Callable[[], bytes]:
    """Wrap `make`: the file that it makes belongs to this visitor's session."""
    page = current_run()

    def make_and_retain() -> bytes:
        data = make()
        if page is not None:
            file = RetainedFile(ref(page), name, media_type, len(data), monotonic())
            _retained_files().put(page.session_id, file)
            file.store_data(data)
        return data

    return make_and_retain


@cache
def _retained_files() -> RetainedFiles:
    return RetainedFiles(current_pool().limits.download_bytes)


@asynccontextmanager
async def file_thread_pool(app: Any) -> AsyncIterator[None]:
    """Give the server enough threads, so that waiting for a large file does not block a small one. An ASGI lifespan."""
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(MAX_FILE_THREADS, "files"))
    yield
