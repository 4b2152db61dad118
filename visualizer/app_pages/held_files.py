"""Files that were made for a visitor and are about to be fetched by the browser.

To Streamlit a file that is made when it is asked for is nobody's, and dropped as soon as the pages of two others have run: in a
class that is before the browser has fetched it. So it is the visitor's until the page runs again, or until younger files of all
visitors need the room.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from threading import Thread
from typing import Any, NamedTuple
from weakref import ReferenceType, ref

import streamlit as st
from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner import ScriptRunContext, add_script_run_ctx, get_script_run_ctx

from visualizer.pool.pool import the_pool
from visualizer.viewer.recent import Recent

MOST_FILES = 1_000  # that are held, however small
WAITED_FOR = 64  # that may be waited for at a time: each takes a thread, and the usual six are soon taken by those in the queue


class HeldFile(NamedTuple):
    """A file of a run of a visitor's page: another one of the same name takes its place."""

    page: ReferenceType[ScriptRunContext]
    name: str
    media_type: str

    def hold(self, data: bytes) -> None:
        """Let it be the visitor's, if that page is still shown. Streamlit asks the thread whose it is."""
        page = self.page()
        if page is None or not Runtime.exists() or not Runtime.instance().is_active_session(page.session_id):
            return
        arguments = (data, self.media_type, f"held {self.name}", self.name, True)
        holding = Thread(target=Runtime.instance().media_file_mgr.add, args=arguments)
        add_script_run_ctx(holding, page)
        holding.start()
        holding.join()

    def clear(self) -> None:
        """Let go of what is in its place."""
        self.hold(b"")


def held(make: Callable[[], bytes], name: str, media_type: str) -> Callable[[], bytes]:
    """The same, but the file that is made is this visitor's."""
    page = get_script_run_ctx()

    def made() -> bytes:
        data = make()
        if page is not None:
            kept = HeldFile(ref(page), name, media_type)
            kept.hold(data)
            _files().put((page.session_id, name), kept, len(data))
        return data

    return made


@st.cache_resource(show_spinner=False)
def _files() -> Recent[HeldFile]:
    return Recent(the_pool().limits.files, MOST_FILES, HeldFile.clear)


@asynccontextmanager
async def many_files(app: Any) -> AsyncIterator[None]:
    """Around all that the server does: whoever waits for a large file keeps nobody from getting a small one."""
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(WAITED_FOR, "files"))
    yield
