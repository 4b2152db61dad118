"""Files made for visitors: each stays until its browser has fetched it, and all together stay within a limit."""

import asyncio
from threading import Event
from types import SimpleNamespace

import pytest
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage

from tests.support.processes import MAX_WAIT_SECONDS
from visualizer.app import streamlit_compat
from visualizer.app.state import download_retention
from visualizer.app.state.download_retention import (
    FETCH_SECONDS,
    MAX_FILE_THREADS,
    DownloadTracker,
    RetainedFiles,
    file_thread_pool,
    retain_result,
)

ROOM = 100  # bytes


class Page:
    """What Streamlit knows of a run of a visitor's page."""

    def __init__(self, visitor):
        self.session_id = visitor


class Server:
    """The files of a server, and who is connected."""

    def __init__(self):
        self.media_file_mgr = MediaFileManager(MemoryMediaFileStorage("/media"))
        self.here = {"a", "b", "c"}
        self.page = None
        self.now = 0.0

    def make_for(self, page, data, name="tree.json"):
        """What a button on that page does."""
        self.page = page
        make = retain_result(lambda: data, name, "text/plain")
        self.page = None
        assert make() == data

    def is_active_session(self, visitor):
        return visitor in self.here

    def files(self):
        """What is left after the pages of others have run."""
        for _ in range(2):
            self.media_file_mgr.remove_orphaned_files()
        return {file.content for file in self.media_file_mgr._storage._files_by_id.values()} - {b""}


@pytest.fixture
def fake_server(monkeypatch):
    serving, files = Server(), RetainedFiles(ROOM)
    monkeypatch.setattr(streamlit_compat, "Runtime", SimpleNamespace(instance=lambda: serving))
    monkeypatch.setattr(download_retention, "_retained_files", lambda: files)
    monkeypatch.setattr(download_retention, "current_run", lambda: serving.page)
    monkeypatch.setattr(download_retention, "monotonic", lambda: serving.now)
    return serving


def test_a_file_stays_while_the_pages_of_others_run_and_its_visitor_looks_at_it(fake_server):
    page = Page("a")
    fake_server.make_for(page, b"first")
    assert fake_server.files() == {b"first"}
    fake_server.make_for(page, b"second")  # the same button again
    assert fake_server.files() == {b"second"}
    fake_server.make_for(page, b"other", "tree.dot")
    assert fake_server.files() == {b"second", b"other"}


def test_files_of_all_visitors_stay_within_the_limit_and_the_oldest_go_first(fake_server):
    pages = [Page(visitor) for visitor in "abc"]
    files = [visitor.encode() * 40 for visitor in "abc"]
    for page, data in zip(pages, files, strict=True):
        fake_server.make_for(page, data)
        fake_server.now += FETCH_SECONDS
    assert fake_server.files() == set(files[1:])


def test_a_new_file_stays_while_many_others_are_made(fake_server):
    pages = [Page(visitor) for visitor in "abc"]
    files = [visitor.encode() * 90 for visitor in "abc"]
    for page, data in zip(pages, files, strict=True):
        fake_server.make_for(page, data)
        fake_server.now += FETCH_SECONDS / 3
    assert fake_server.files() == set(files)


def test_a_file_that_was_fetched_makes_room_at_once(fake_server):
    pages = [Page(visitor) for visitor in "abc"]
    same, other = b"s" * 60, b"o" * 60
    for page in pages[:2]:
        fake_server.make_for(page, same)
    asyncio.run(fetch_file("/below/media/nothing.json"))
    asyncio.run(fetch_file("/below" + address_of(fake_server, "a")))  # of the two who have the same file one
    fake_server.make_for(pages[2], other)
    assert fake_server.files() == {same, other}
    assert [bool(address_of(fake_server, visitor, same)) for visitor in "abc"] == [False, True, False]


async def fetch_file(path):
    async def app(scope, receive, send):
        return

    await DownloadTracker(app)({"type": "http", "method": "GET", "path": path}, None, None)


def address_of(server, visitor, data=None):
    """Where a visitor's file is, if it is this one."""
    found = server.media_file_mgr._files_by_session_and_coord[visitor]["held tree.json"]
    stored = server.media_file_mgr._storage
    return stored.get_url(found) if data is None or stored._files_by_id[found].content == data else ""


def test_a_closed_page_holds_no_files(fake_server):
    there, page = Page("b"), Page("a")
    fake_server.make_for(there, b"b" * 40)
    fake_server.make_for(page, b"a" * 50)
    fake_server.media_file_mgr.clear_session_refs("a")  # as Streamlit does before the next run
    del page
    fake_server.now += FETCH_SECONDS
    fake_server.make_for(there, b"c" * 40, "tree.dot")
    assert fake_server.files() == {b"b" * 40, b"c" * 40}
    fake_server.here.clear()
    fake_server.make_for(Page("c"), b"c")
    assert fake_server.media_file_mgr._files_by_session_and_coord.keys() == {"b"}


def test_waiting_for_a_large_file_does_not_block_a_small_one():
    """Streamlit makes each file in one of the threads of the loop, of which there are usually six on two cores."""
    leave = Event()

    async def many_large_ones_and_a_small_one():
        async with file_thread_pool(None):
            large = [asyncio.create_task(asyncio.to_thread(leave.wait, MAX_WAIT_SECONDS)) for _ in range(MAX_FILE_THREADS - 1)]
            try:
                await asyncio.wait_for(asyncio.to_thread(bytes), MAX_WAIT_SECONDS)
            finally:
                leave.set()
            return await asyncio.gather(*large)

    assert all(asyncio.run(many_large_ones_and_a_small_one()))
