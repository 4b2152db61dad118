"""A visitor of the app without a browser: it sends the messages of a browser over its websocket and reads the answers."""

import asyncio
import json
import time
from collections.abc import Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, NamedTuple
from urllib.parse import urlencode
from uuid import uuid4

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import connect

MAX_CACHED_MESSAGES = 100  # in a browser's cache, so that the server sends only their hashes
QUIET_SECONDS = 0.02  # seconds to wait for further messages of the server
MAX_WAIT_SECONDS = 60  # seconds to wait for the server
MAX_MESSAGE_BYTES = 50_000_000
TRIGGERS = "$$STREAMLIT_INTERNAL_KEY"  # how Streamlit names what a component sends


class Refused(Exception):
    """The page showed an exception, or did not arrive in time."""


class Shown(NamedTuple):
    """An element of the page, and the fragment that runs when it is used; "" for the whole page."""

    kind: str
    element: Any
    fragment: str


class Visitor:
    """One open page."""

    def __init__(self, socket: Any, port: int):
        self._socket, self._port = socket, port
        self._session, self._running = "", False
        self._fetched: set[str] = set()  # addresses of data that the browser already has
        self._kept: dict[str, ForwardMsg] = {}
        self._values: dict[str, WidgetState] = {}
        self._ticking: dict[str, float] = {}  # by fragment: the seconds after which it wants to run again
        self._page = self._hash = self._query = ""
        self._places: dict[tuple[int, ...], Shown] = {}
        self.received = 0  # bytes
        self.waited: list[float] = []  # seconds, for each reaction

    async def open(self, page: str = "", **parameters: str) -> None:
        """Go to a page, as by a link."""
        self._page, self._hash, self._query = page, "", urlencode(parameters)  # the server says which hash the page has
        self._values.clear()
        await self.run()

    async def press(self, label: str) -> None:
        """Click the button of this name."""
        shown = self.found("button", label)
        await self.run(WidgetState(id=shown.element.id, trigger_value=True), shown.fragment)

    async def toggle(self, kind: str, label: str, on: bool = True) -> None:
        """Open or close a popover, or turn a switch."""
        await self._set(self.found(kind, label), bool_value=on)

    async def type(self, label: str, text: str) -> None:
        """Fill in a field."""
        await self._set(self.found("text_input", label), string_value=text)

    async def send(self, component: str, event: str, value: Any) -> None:
        """Send an event of one of our components to the server."""
        shown = next((one for one in self.all("bidi_component") if one.element.component_name == f"plyscope_{component}"), None)
        if shown is None:
            raise Refused(f"there is no {component} on the page")
        told = json.dumps([{"event": event, "value": value}])
        self._values[shown.element.id] = WidgetState(id=shown.element.id, json_value="{}")
        await self.run(WidgetState(id=f"{TRIGGERS}_{shown.element.id}__events", json_trigger_value=told), shown.fragment)

    async def fetch_trees(self) -> None:
        """Fetch the data that components of the page refer to, unless it was fetched before."""
        for settings in self._settings():
            address = settings.get("address")
            if address and address not in self._fetched:
                await self._get(f"/plyscope/{address}")
                self._fetched.add(address)

    async def ask_tree(self, query: str, **parameters: object) -> None:
        """Ask about the large tree on the page, as its viewer does."""
        address = next((settings["whole"]["address"] for settings in self._settings() if "whole" in settings), None)
        if address is None:
            raise Refused("there is no large tree on the page")
        await self._get(f"/plyscope-tree/{address}/{query}?{urlencode(parameters)}")

    @property
    def tree_facts(self) -> dict[str, Any]:
        """The rows, depths and steps of the large tree on the page; empty if there is none."""
        return next((settings["whole"] for settings in self._settings() if "whole" in settings), {})

    def _settings(self) -> Iterator[dict[str, Any]]:
        """Return what the messages to our components say beside their data."""
        for shown in self.all("bidi_component"):
            if data := shown.element.bytes:
                yield json.loads(data[-4 - int.from_bytes(data[-4:], "little") : -4])

    async def download(self, label: str) -> None:
        """Press the button of a file, which starts the export, and fetch the file."""
        message = BackMsg()
        request = message.backend_operation_request
        request.request_id, request.session_id = uuid4().hex, self._session
        request.deferred_file.file_id = self.found("download_button", label).element.deferred_file_id
        await self._socket.send(message.SerializeToString())
        with self._timed():
            answer = await asyncio.wait_for(self._operation(), MAX_WAIT_SECONDS)
        if answer.error_msg:
            raise Refused(answer.error_msg)
        await self._get(answer.deferred_file.url)

    async def _operation(self) -> Any:
        while True:
            message = ForwardMsg.FromString(await self._socket.recv())
            if message.WhichOneof("type") == "backend_operation_response":
                return message.backend_operation_response

    async def _get(self, path: str) -> None:
        with self._timed():
            answer = await asyncio.wait_for(self._answer(path), MAX_WAIT_SECONDS)
        self.received += len(answer)
        if not answer.startswith(b"HTTP/1.1 200"):
            raise Refused(f"{path[:40]}: {answer[:12].decode(errors='replace')}")

    async def _answer(self, path: str) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n".encode())
        answer = await reader.read()
        writer.close()
        return answer

    async def _set(self, shown: Shown, **value: Any) -> None:
        self._values[shown.element.id] = WidgetState(id=shown.element.id, **value)
        await self.run(fragment=shown.fragment)

    def all(self, kind: str) -> Iterator[Shown]:
        """Return the elements of one kind on the page."""
        return (shown for shown in self._places.values() if shown.kind == kind)

    def found(self, kind: str, label: str) -> Shown:
        """Return the element with this name."""
        for shown in self.all(kind):
            if getattr(shown.element, "label", "") == label:
                return shown
        raise Refused(f"there is no {kind} {label!r} on the page")

    async def run(self, pressed: WidgetState | None = None, fragment: str = "") -> None:
        """Let the page run, and wait until it has finished."""
        await self._settle()
        with self._timed():
            await self._ask(pressed, fragment, False)
            while self._ticking:
                part, seconds = next(iter(self._ticking.items()))
                await asyncio.sleep(seconds)
                await self._ask(None, part, True)
        await self._settle()

    @contextmanager
    def _timed(self) -> Iterator[None]:
        began = time.monotonic()
        try:
            yield
        finally:
            self.waited.append(time.monotonic() - began)

    async def _ask(self, pressed: WidgetState | None, fragment: str, by_itself: bool) -> None:
        message = BackMsg()
        state = message.rerun_script
        state.page_name, state.page_script_hash, state.query_string = self._page, self._hash, self._query
        state.fragment_id = fragment
        state.is_auto_rerun = by_itself
        state.widget_states.widgets.extend([*self._values.values(), *([pressed] if pressed else [])])
        state.cached_message_hashes.extend(self._kept)
        state.context_info.url = "http://localhost/"
        await self._socket.send(message.SerializeToString())
        await asyncio.wait_for(self._finished(), MAX_WAIT_SECONDS)

    async def _finished(self) -> None:
        """Read until a run has ended and no other follows."""
        while not self._ends(await self._message()):
            pass

    async def _settle(self) -> None:
        """Read messages that the server sends on its own: a fragment may have made the whole page run again."""
        while True:
            try:
                message = await asyncio.wait_for(self._message(), MAX_WAIT_SECONDS if self._running else QUIET_SECONDS)
            except TimeoutError:
                return
            self._ends(message)

    async def _message(self) -> ForwardMsg:
        data = await self._socket.recv()
        self.received += len(data)
        message = ForwardMsg.FromString(data)
        if message.WhichOneof("type") == "ref_hash":
            return self._kept[message.ref_hash]
        if message.metadata.cacheable:
            self._kept[message.hash] = message
            while len(self._kept) > MAX_CACHED_MESSAGES:
                del self._kept[next(iter(self._kept))]
        return message

    def _ends(self, message: ForwardMsg) -> bool:
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self._running = True
            self._session = message.new_session.initialize.session_id
        if kind == "new_session" and not message.metadata.run.fragment_ids:
            self._ticking.clear()
            self._places.clear()
        elif kind == "navigation":
            self._hash = message.navigation.page_script_hash
        elif kind == "auto_rerun":
            self._ticking[message.auto_rerun.fragment_id] = message.auto_rerun.interval
        elif kind == "page_info_changed":
            self._query = message.page_info_changed.query_string
        elif kind == "delta":
            self._place(message)
        ends = kind == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN
        self._running = self._running and not ends
        return ends

    def _place(self, message: ForwardMsg) -> None:
        path, delta = tuple(message.metadata.delta_path), message.delta
        if delta.WhichOneof("type") == "new_element":
            kind = str(delta.new_element.WhichOneof("type"))
            if kind == "exception":
                raise Refused(delta.new_element.exception.message)
            self._places[path] = Shown(kind, getattr(delta.new_element, kind), delta.fragment_id)
        elif delta.WhichOneof("type") == "add_block":
            self._places = {other: shown for other, shown in self._places.items() if other[: len(path)] != path}
            if delta.add_block.HasField("popover"):
                self._places[path] = Shown("popover", delta.add_block.popover, delta.fragment_id)


@asynccontextmanager
async def visiting(port: int) -> Any:
    """Connect a visitor to the server on this port."""
    address = f"ws://127.0.0.1:{port}/_stcore/stream"
    async with connect(address, subprotocols=["streamlit"], max_size=MAX_MESSAGE_BYTES, compression=None) as socket:  # type: ignore[list-item]
        yield Visitor(socket, port)
