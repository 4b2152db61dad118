"""Trees and scripts on their way to the browser: made once for all visitors, sent to each browser once, beside the messages.

A server that hands them out (visualizer/app/server.py) only names them in its messages. Their address is the hash of what
they hold: a browser may keep them for good, and who does not have the address cannot guess it. Where nobody hands them out
(on a page of one's own, in a test) they travel in the messages.
"""

import gzip
import hashlib
import json
import struct
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import streamlit as st
from starlette.requests import Request
from starlette.responses import Response

from visualizer.pool.pool import the_pool
from visualizer.viewer.weighted_lru import Recent

FOLDER = "plyscope"  # of the addresses, beside the pages
KEPT_BYTES = 6 << 20  # packed; who has fetched a tree has it, and another who asks gets it made again
KEPT_NAMES = 2_000
FOR_GOOD = "private, max-age=31536000, immutable"
SAFE = {
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Referrer-Policy": "no-referrer",
}


class Parcel(NamedTuple):
    """What is handed out: packed once, whoever asks."""

    address: str
    packed: bytes
    media_type: str

    @property
    def data(self) -> bytes:
        return gzip.decompress(self.packed)


class Deliveries:
    """The scripts, and the trees that were asked for last."""

    def __init__(self) -> None:
        self.handed_out = False  # whether a server does
        self._scripts: dict[str, Parcel] = {}
        self._trees: Recent[Parcel] = Recent(min(KEPT_BYTES, the_pool().limits.delivered))
        self._addresses: Recent[str] = Recent(KEPT_NAMES)

    def tree(self, name: str, make: Callable[[], bytes]) -> Parcel:
        """The tree that is shown as `name`; `make` is called once, also if several ask at the same time."""
        with self._addresses.alone(name):
            known = self._trees.get(self._addresses.get(name) or "")
            if known is not None:
                return known
            parcel = packed(make(), "application/octet-stream")
            self._addresses.put(name, parcel.address, 1)
            return self._trees.put(parcel.address, parcel, len(parcel.packed))

    def script(self, text: str) -> Parcel:
        """A script, which is kept for good."""
        parcel = packed(text.encode(), "text/javascript")
        return self._scripts.setdefault(parcel.address, parcel)

    def at(self, address: str) -> Parcel | None:
        """The parcel with this address, if it is still here."""
        return self._scripts.get(address) or self._trees.get(address)


def packed(data: bytes, media_type: str) -> Parcel:
    return Parcel(hashlib.sha256(data).hexdigest()[:32], gzip.compress(data, compresslevel=1, mtime=0), media_type)


@cache
def deliveries() -> Deliveries:
    """Those of this server."""
    return Deliveries()


def message(key: str, settings: dict[str, Any], make: Callable[[], bytes]) -> bytes:
    """What a component gets: the bytes that `make` makes for all who show `key`, or their address in the settings; then the
    settings and their length. A browser that could not fetch the bytes has asked for them: see `send_whole`."""
    if deliveries().handed_out and not st.session_state.pop(_wish(key), False):
        data, settings = b"", {**settings, "address": deliveries().tree(key, make).address}
    else:
        data = deliveries().tree(key, make).data
    text = json.dumps(settings).encode()
    return data + text + struct.pack("<I", len(text))


def send_whole(key: str) -> Callable[[], None]:
    """What is called when a browser could not fetch what `key` names."""

    def asked() -> None:
        st.session_state[_wish(key)] = True

    return asked


def _wish(key: str) -> str:
    return f"whole {key}"


async def hand_out(request: Request) -> Response:
    """The answer to a browser that asks for an address."""
    parcel = deliveries().at(request.path_params["address"])
    if parcel is None:
        return Response(status_code=404, headers={**SAFE, "Cache-Control": "no-store"})
    headers = {**SAFE, "ETag": f'"{parcel.address}"', "Cache-Control": FOR_GOOD, "Vary": "Accept-Encoding"}
    if parcel.address in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(parcel.data, media_type=parcel.media_type, headers=headers)
    return Response(parcel.packed, media_type=parcel.media_type, headers={**headers, "Content-Encoding": "gzip"})
