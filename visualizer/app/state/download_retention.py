"""Files that were made for a visitor and are about to be fetched by the browser.

To Streamlit a file that is made when it is asked for is nobody's, and dropped as soon as the pages of two others have run: in a
class that is before the browser has fetched it. So it is the visitor's until the page runs again, or until younger files of all
visitors need the room; until it was fetched it stays for half a minute in any case.
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
from visualizer.pool.pool import the_pool

WAITED_FOR = 64  # that may be waited for at a time: each takes a thread, and the usual six are soon taken by those in the queue
SOON = 30.0  # seconds in which a browser begins to fetch what was made for it


@dataclass(eq=False)
class HeldFile:
    """A file of a run of a visitor's page: another one of the same name takes its place."""

    page: ReferenceType[ScriptRunContext]
    name: str
    media_type: str
    size: int
    made: float
    address: str = ""  # where the browser fetches it
    fetched: bool = False

    @property
    def is_shown(self) -> bool:
        """Whether the page is there that it was made for: if it is not, Streamlit has let go of it."""
        page = self.page()
        try:
            return page is not None and is_connected(page.session_id)
        except RuntimeError:  # there is no server
            return False

    def hold(self, data: bytes) -> None:
        """Let it be the visitor's."""
        page = self.page()
        if page is not None and self.is_shown:
            self.address = hold_media_file(page, data, self.media_type, self.name)


class HeldFiles:
    """The files of all visitors, by visitor and name, the oldest first."""

    def __init__(self, room: int):
        self._room = room  # bytes
        self._files: dict[tuple[str, str], HeldFile] = {}
        self._lock = Lock()

    def put(self, visitor: str, file: HeldFile) -> None:
        """Make room for a file, before it is held: those are let go that were fetched, or could have been."""
        with self._lock:
            self._files.pop((visitor, file.name), None)
            self._files = {key: other for key, other in self._files.items() if other.is_shown}
            weight = file.size + sum(other.size for other in self._files.values())
            for key, other in [*self._files.items()]:
                if weight > self._room and (other.fetched or file.made - other.made >= SOON):
                    weight -= self._files.pop(key).size
                    other.hold(b"")
            self._files[visitor, file.name] = file

    def was_fetched(self, path: str) -> None:
        """A browser has it now: one of those for whom it was made."""
        with self._lock:
            waiting = (file for file in self._files.values() if not file.fetched and file.address and path.endswith(file.address))
            if (file := next(waiting, None)) is not None:
                file.fetched = True


class NoteFetched:
    """Around all that browsers ask of the server: which files have they fetched?"""

    def __init__(self, app: ASGIApp):
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)
        if scope["type"] == "http" and scope["method"] == "GET":
            _files().was_fetched(scope["path"])


def held(make: Callable[[], bytes], name: str, media_type: str) -> Callable[[], bytes]:
    """The same, but the file that is made is this visitor's."""
    page = current_run()

    def made() -> bytes:
        data = make()
        if page is not None:
            file = HeldFile(ref(page), name, media_type, len(data), monotonic())
            _files().put(page.session_id, file)
            file.hold(data)
        return data

    return made


@cache
def _files() -> HeldFiles:
    return HeldFiles(the_pool().limits.files)


@asynccontextmanager
async def many_files(app: Any) -> AsyncIterator[None]:
    """Around all that the server does: whoever waits for a large file keeps nobody from getting a small one."""
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(WAITED_FOR, "files"))
    yield
