"""Uploaded files: only those that a page has asked for are accepted, all keep to their limits, and none outlives its tab."""

import asyncio

import pytest
from starlette.responses import Response

from engine.core.errors import PlyscopeError
from visualizer.app.state import uploads
from visualizer.app.state.opened_runs import ROW_BYTES, OpenRunBudget
from visualizer.app.state.uploads import (
    MAX_PENDING_UPLOADS,
    MAX_SESSION_BYTES,
    UNREAD_SECONDS,
    UploadGuard,
    UploadRefused,
    UploadStore,
)
from visualizer.app.streamlit_compat import UploadedFileRec
from visualizer.pool.limits import MAX_UPLOAD_BYTES

MAX_BYTES = 4 * MAX_UPLOAD_BYTES


class Tabs:
    """Browser tabs that send files. All of them show an uploader unless a test takes it away."""

    def __init__(self, monkeypatch):
        self.store = UploadStore("/_stcore/upload_file", MAX_BYTES)
        self.connected, self.with_uploader, self.now = set("abcdef"), set("abcdef"), 0.0
        monkeypatch.setattr(uploads, "is_connected", self.connected.__contains__)
        monkeypatch.setattr(uploads, "shows_uploader", self.with_uploader.__contains__)
        monkeypatch.setattr(uploads, "upload_store", lambda: self.store)
        monkeypatch.setattr(uploads, "monotonic", lambda: self.now)

    def ask(self, tab, files=1):
        return [url.file_id for url in self.store.get_upload_urls(tab, ["run.json"] * files)]

    def send(self, tab, size=MAX_UPLOAD_BYTES, file=None):
        """The id of a file that was accepted."""
        file = file or self.ask(tab)[0]
        self.store.begin_upload(tab, file, size)
        self.store.add_file(tab, UploadedFileRec(file, "run.json", "application/json", b"x" * size))
        self.store.end_upload(tab, file)
        return file

    def stored(self):
        return {(tab, file) for tab, files in self.store.file_storage.items() for file in files}


@pytest.fixture
def open_tabs(monkeypatch):
    return Tabs(monkeypatch)


def test_a_file_that_a_page_asked_for_is_stored_once(open_tabs):
    file = open_tabs.send("a", 10)
    assert open_tabs.stored() == {("a", file)}
    with pytest.raises(UploadRefused, match="None of your pages asked for this file"):
        open_tabs.send("a", 10, file)


def test_a_tab_without_an_uploader_gets_no_address_and_cannot_use_an_old_one(open_tabs):
    (file,) = open_tabs.ask("a")
    open_tabs.with_uploader.remove("a")
    assert open_tabs.ask("a") == []
    with pytest.raises(UploadRefused, match="None of your pages asked for this file"):
        open_tabs.send("a", 10, file)


def test_an_upload_to_an_unknown_address_or_that_of_another_tab_is_refused(open_tabs):
    (file,) = open_tabs.ask("b")
    for tab, name in (("a", "made-up"), ("a", file)):
        with pytest.raises(UploadRefused, match="None of your pages asked for this file"):
            open_tabs.send(tab, 10, name)
    open_tabs.store.add_file("a", UploadedFileRec("made-up", "x", "x", b"x"))  # past the check
    assert open_tabs.stored() == set()


def test_a_tab_has_few_addresses_at_a_time(open_tabs):
    assert len(open_tabs.ask("a", 1000)) == MAX_PENDING_UPLOADS
    first = open_tabs.ask("a")[0]
    open_tabs.ask("a", 1000)
    with pytest.raises(UploadRefused):
        open_tabs.send("a", 10, first)


def test_the_files_of_one_tab_keep_to_a_limit_and_the_oldest_go_first(open_tabs):
    sent = [open_tabs.send("a") for _ in range(20)]
    assert open_tabs.stored() == {("a", file) for file in sent[-MAX_SESSION_BYTES // MAX_UPLOAD_BYTES :]}


def test_the_files_of_all_tabs_keep_to_a_limit(open_tabs):
    for tab in "abcd":
        open_tabs.send(tab)
    with pytest.raises(UploadRefused, match="Too many files"):
        open_tabs.send("e")
    assert len(open_tabs.stored()) == 4
    open_tabs.now = UNREAD_SECONDS  # no page has read them
    last = open_tabs.send("e")
    assert ("e", last) in open_tabs.stored()
    assert len(open_tabs.stored()) == 4


def test_files_in_transit_count(open_tabs):
    for tab in "abcd":
        open_tabs.store.begin_upload(tab, open_tabs.ask(tab)[0], MAX_UPLOAD_BYTES)
    with pytest.raises(UploadRefused, match="Too many files"):
        open_tabs.send("e")


def test_a_file_that_arrives_after_its_tab_was_closed_is_dropped(open_tabs):
    (file,) = open_tabs.ask("a")
    open_tabs.store.begin_upload("a", file, 3)
    open_tabs.connected.remove("a")
    open_tabs.store.remove_session_files("a")
    open_tabs.store.add_file("a", UploadedFileRec(file, "x", "x", b"xxx"))
    open_tabs.store.end_upload("a", file)
    assert open_tabs.stored() == set()
    assert open_tabs.store.get_stats() == {}


# ---- over HTTP


def put_file(path, headers=(), receive=None):
    """The status of the answer to a file, and whether the server below was asked."""
    requested_paths, answers = [], []

    async def server(scope, receive, send):
        requested_paths.append(scope["path"])
        await Response(status_code=204)(scope, receive, send)

    async def send(message):
        answers.append(message)

    scope = {"type": "http", "method": "PUT", "path": path, "headers": [*headers]}
    asyncio.run(UploadGuard(server)(scope, receive, send))
    return answers[0]["status"], bool(requested_paths)


def test_an_unrequested_file_is_refused_before_it_is_read(open_tabs):
    assert put_file("/_stcore/upload_file/a/made-up") == (403, False)
    assert put_file("/below/_stcore/upload_file/a/made-up") == (403, False)
    (file,) = open_tabs.ask("a")
    too_long = [(b"content-length", str(MAX_UPLOAD_BYTES + 1).encode())]
    assert put_file(f"/_stcore/upload_file/a/{file}", too_long) == (413, False)
    assert put_file(f"/_stcore/upload_file/a/{file}") == (204, True)
    assert not open_tabs.store._arriving


def test_the_files_of_a_tab_are_freed_when_its_connection_ends(open_tabs):
    open_tabs.send("a", 10)
    kept = open_tabs.send("b", 10)

    async def connection(scope, receive, send):
        open_tabs.connected.remove("a")

    asyncio.run(UploadGuard(connection)({"type": "websocket", "path": "/_stcore/stream"}, None, None))
    assert open_tabs.stored() == {("b", kept)}


# ---- runs that are open


class Tree:
    def __len__(self):
        return 10


def test_opened_runs_keep_to_a_limit_and_count_until_they_are_closed():
    runs = OpenRunBudget(25 * ROW_BYTES)
    first, second, third = (Tree() for _ in range(3))
    runs.add(first, 0)
    runs.add(second, 0)
    with pytest.raises(PlyscopeError, match="try again later"):
        runs.add(third, 0)
    del first
    runs.add(third, 0)
