"""A visitor of the app without a browser: the messages that a browser would send over its websocket, and what comes back."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple
from urllib.parse import urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import connect

KEPT = 100  # messages that a browser keeps, so that the server only names them
PATIENCE = 60  # seconds that anyone waits for the server
LONGEST = 50_000_000  # bytes of a message
TRIGGERS = "$$STREAMLIT_INTERNAL_KEY"  # how Streamlit names what a component sends


class Refused(Exception):
    """The page showed an exception, or none came in time."""


class Shown(NamedTuple):
    """An element of the page, and the part of the page that runs when it is used; "" for all of it."""

    kind: str
    element: Any
    fragment: str


class Visitor:
    """One open page."""

    def __init__(self, socket: Any):
        self._socket = socket
        self._kept: dict[str, ForwardMsg] = {}
        self._values: dict[str, WidgetState] = {}
        self._ticking: dict[str, float] = {}  # by fragment: the seconds after which it wants to run again
        self._page = self._query = ""
        self._places: dict[tuple[int, ...], Shown] = {}
        self.received = 0  # bytes

    async def open(self, page: str = "", **parameters: str) -> None:
        """Go to a page, as by a link."""
        self._page, self._query = page, urlencode(parameters)
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
        """What a component of ours tells the server."""
        shown = next(one for one in self.all("bidi_component") if one.element.component_name == f"plyscope_{component}")
        told = json.dumps([{"event": event, "value": value}])
        await self.run(WidgetState(id=f"{TRIGGERS}_{shown.element.id}__events", json_trigger_value=told), shown.fragment)

    async def _set(self, shown: Shown, **value: Any) -> None:
        self._values[shown.element.id] = WidgetState(id=shown.element.id, **value)
        await self.run(fragment=shown.fragment)

    def all(self, kind: str) -> Iterator[Shown]:
        """The elements of one kind that the page shows."""
        return (shown for shown in self._places.values() if shown.kind == kind)

    def found(self, kind: str, label: str) -> Shown:
        """The element with this name."""
        for shown in self.all(kind):
            if getattr(shown.element, "label", "") == label:
                return shown
        raise Refused(f"there is no {kind} {label!r} on the page")

    async def run(self, pressed: WidgetState | None = None, fragment: str = "") -> None:
        """Let the page run, and wait until nothing on it is under way."""
        await self._ask(pressed, fragment, False)
        while self._ticking:
            part, seconds = next(iter(self._ticking.items()))
            await asyncio.sleep(seconds)
            await self._ask(None, part, True)

    async def _ask(self, pressed: WidgetState | None, fragment: str, by_itself: bool) -> None:
        message = BackMsg()
        state = message.rerun_script
        state.page_name, state.query_string, state.fragment_id = self._page, self._query, fragment
        state.is_auto_rerun = by_itself
        state.widget_states.widgets.extend([*self._values.values(), *([pressed] if pressed else [])])
        state.cached_message_hashes.extend(self._kept)
        state.context_info.url = "http://localhost/"
        await self._socket.send(message.SerializeToString())
        await asyncio.wait_for(self._finished(), PATIENCE)

    async def _finished(self) -> None:
        """Read until a run has ended that is not followed by another."""
        while True:
            data = await self._socket.recv()
            self.received += len(data)
            message = ForwardMsg.FromString(data)
            if message.WhichOneof("type") == "ref_hash":
                message = self._kept[message.ref_hash]
            elif message.metadata.cacheable:
                self._kept[message.hash] = message
                while len(self._kept) > KEPT:
                    del self._kept[next(iter(self._kept))]
            if self._ends(message):
                return

    def _ends(self, message: ForwardMsg) -> bool:
        kind = message.WhichOneof("type")
        if kind == "new_session" and not message.metadata.run.fragment_ids:
            self._ticking.clear()
            self._places.clear()
        elif kind == "auto_rerun":
            self._ticking[message.auto_rerun.fragment_id] = message.auto_rerun.interval
        elif kind == "page_info_changed":
            self._query = message.page_info_changed.query_string
        elif kind == "delta":
            self._place(message)
        return kind == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN

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
    """A visitor of the server on this port."""
    address = f"ws://127.0.0.1:{port}/_stcore/stream"
    async with connect(address, subprotocols=["streamlit"], max_size=LONGEST, compression=None) as socket:  # type: ignore[list-item]
        yield Visitor(socket)
