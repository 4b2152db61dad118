"""Uploaded files, from the browser to the page that asked for them.

Streamlit keeps whatever any tab sends until the tab is closed, and sometimes longer. Here a file is accepted only if its tab
shows an uploader and has asked for an address to send it to. All files together keep to a limit. A file is freed as soon as its
page has read it, or its tab is closed.
"""

import asyncio
import re
from collections.abc import Sequence
from contextlib import suppress
from threading import RLock
from time import monotonic
from typing import Any, NamedTuple

import streamlit as st
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from visualizer.app.streamlit_compat import (
    MemoryUploadedFileManager,
    UploadedFile,
    UploadedFileRec,
    UploadFileUrlInfo,
    current_run,
    is_connected,
    shows_uploader,
    upload_store,
)
from visualizer.pool.limits import MAX_UPLOAD_BYTES
from visualizer.pool.pool import current_pool

UPLOAD_PATH_PATTERN = re.compile(r"/_stcore/upload_file/([^/]+)/([^/]+)$")
MAX_SESSION_BYTES = 2 * MAX_UPLOAD_BYTES  # of one tab
MAX_PENDING_UPLOADS = 8  # unused addresses per tab
MAX_UPLOAD_SECONDS = 300.0  # for one file: 5 MB over a slow connection
UNREAD_SECONDS = 30.0  # after this time an unread file may be dropped

FileKey = tuple[str, str]  # the ids of the session and of the file


class StoredUpload(NamedTuple):
    """The size of a file that has arrived, and the time when it came."""

    size: int
    since: float


class UploadRefused(Exception):
    """A file that is not accepted: the HTTP status and a message."""

    def __init__(self, status: int, sentence: str):
        super().__init__(sentence)
        self.status = status


class UploadStore(MemoryUploadedFileManager):
    """The uploaded files of all tabs. Safe to call from any thread."""

    def __init__(self, upload_endpoint: str, max_bytes: int | None = None):
        super().__init__(upload_endpoint)
        self._max_bytes = current_pool().limits.upload_bytes if max_bytes is None else max_bytes
        self._pending: dict[FileKey, None] = {}  # addresses that were given out, the oldest first
        self._arriving: dict[FileKey, int] = {}  # bytes reserved for files in transit
        self._stored: dict[FileKey, StoredUpload] = {}  # the oldest first
        self._guard = RLock()

    def get_upload_urls(self, session_id: str, file_names: Sequence[str]) -> list[UploadFileUrlInfo]:
        """Give out addresses, if the tab shows an uploader."""
        if not shows_uploader(session_id):
            return []
        urls = super().get_upload_urls(session_id, file_names[:MAX_PENDING_UPLOADS])
        with self._guard:
            self._pending.update(dict.fromkeys((session_id, url.file_id) for url in urls))
            for key in [key for key in self._pending if key[0] == session_id][:-MAX_PENDING_UPLOADS]:
                del self._pending[key]
        return urls

    def begin_upload(self, session_id: str, file_id: str, size: int) -> None:
        """Reserve `size` bytes for a file that arrives now. Raise UploadRefused if it may not. `end_upload` has to follow."""
        with self._guard:
            key = (session_id, file_id)
            if key not in self._pending or not shows_uploader(session_id):
                raise UploadRefused(403, "None of your pages asked for this file.")
            if size > MAX_UPLOAD_BYTES:
                raise UploadRefused(413, f"Files have at most {MAX_UPLOAD_BYTES >> 20} MB.")
            self.free_closed_sessions()
            own = [other for other in self._stored if other[0] == session_id]
            if not self._make_room(size, MAX_SESSION_BYTES, own, session_id):
                raise UploadRefused(429, "Your other files have not arrived yet: try again in a moment.")
            unread = [other for other, upload in self._stored.items() if monotonic() - upload.since >= UNREAD_SECONDS]
            if not self._make_room(size, self._max_bytes, unread):
                raise UploadRefused(503, "Too many files arrive at the same time: try again in a moment.")
            del self._pending[key]
            self._arriving[key] = size

    def end_upload(self, session_id: str, file_id: str) -> None:
        """Free the reservation of a file that has arrived, or will not."""
        with self._guard:
            self._arriving.pop((session_id, file_id), None)
        self.free_closed_sessions()

    def add_file(self, session_id: str, file: UploadedFileRec) -> None:
        """Store a file for which room was reserved; drop any other."""
        with self._guard:
            if (session_id, file.file_id) in self._arriving:
                super().add_file(session_id, file)
                self._stored[session_id, file.file_id] = StoredUpload(len(file.data), monotonic())

    def remove_file(self, session_id: str, file_id: str) -> None:
        with self._guard:
            super().remove_file(session_id, file_id)
            self._stored.pop((session_id, file_id), None)

    def remove_session_files(self, session_id: str) -> None:
        with self._guard:
            super().remove_session_files(session_id)
            for known in (self._pending, self._stored):
                for key in [key for key in known if key[0] == session_id]:
                    del known[key]

    def free_closed_sessions(self) -> None:
        """Free the files of tabs that are closed."""
        with self._guard:
            for session_id in {session_id for session_id, _ in (*self._pending, *self._stored)}:
                if not is_connected(session_id):
                    self.remove_session_files(session_id)

    def _make_room(self, size: int, max_bytes: int, removable: list[FileKey], session_id: str | None = None) -> bool:
        """Remove files in turn until `size` bytes more fit into `max_bytes`. Return False if they never do.

        If `session_id` is given, only its files count.
        """
        while not (fits := self._used_bytes(session_id) + size <= max_bytes) and removable:
            self.remove_file(*removable.pop(0))
        return fits

    def _used_bytes(self, session_id: str | None) -> int:
        sizes = [*((key, upload.size) for key, upload in self._stored.items()), *self._arriving.items()]
        return sum(size for key, size in sizes if session_id in (None, key[0]))


class UploadGuard:
    """ASGI middleware: checks a file before its first byte is read, and frees the files of a tab when it is closed."""

    def __init__(self, app: ASGIApp):
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = UPLOAD_PATH_PATTERN.search(scope["path"]) if scope["type"] == "http" and scope["method"] == "PUT" else None
        if address is not None:
            await self._receive_file(address[1], address[2], scope, receive, send)
            return
        try:
            await self._app(scope, receive, send)
        finally:
            if scope["type"] == "websocket":
                upload_store().free_closed_sessions()

    async def _receive_file(self, session_id: str, file_id: str, scope: Scope, receive: Receive, send: Send) -> None:
        store = upload_store()
        try:
            store.begin_upload(session_id, file_id, _announced_size(scope))
        except UploadRefused as refused:
            await PlainTextResponse(str(refused), refused.status)(scope, receive, send)
            return
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(MAX_UPLOAD_SECONDS):
                    await self._app(scope, receive, send)
        finally:
            store.end_upload(session_id, file_id)


def _announced_size(scope: Scope) -> int:
    """Return the bytes that a request says it has, or the most there may be if it does not say."""
    length = dict(scope["headers"]).get(b"content-length", b"")
    return int(length) if length.isdigit() and len(length) < 20 else MAX_UPLOAD_BYTES


def take_upload(key: str) -> tuple[bytes, str] | None:
    """Return the content and the name of the file in the uploader `key`, and free it; None if there is no file.

    Then the page has to show the uploader with another key: the widget holds the file, too.
    """
    upload: Any = st.session_state.get(key)
    run = current_run()
    if not isinstance(upload, UploadedFile) or run is None:  # a forged message may name a missing file
        return None
    upload_store().remove_file(run.session_id, upload.file_id)
    return upload.getvalue(), upload.name


def take_uploads(key: str) -> list[tuple[bytes, str]]:
    """Return content and name of all files in the uploader `key`, and free them. See `take_upload`."""
    uploads: Any = st.session_state.get(key)
    run = current_run()
    if not isinstance(uploads, list) or run is None:
        return []
    found = [(upload.getvalue(), upload.name) for upload in uploads if isinstance(upload, UploadedFile)]
    for upload in uploads:
        if isinstance(upload, UploadedFile):
            upload_store().remove_file(run.session_id, upload.file_id)
    return found
