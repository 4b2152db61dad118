"""Delivery of trees and scripts to the browser.

Each file is made once for all visitors, and each browser fetches it once. Messages of a server
(visualizer/app/server.py) contain only its address. The address is the hash of the content: browsers may cache it forever,
and an address cannot be guessed. Without a server (on your own page, in a test) the data is in the messages.
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

from visualizer.pool.pool import current_pool
from visualizer.pool.weighted_lru import WeightedLRU

URL_FOLDER = "plyscope"  # the folder of the addresses, beside the pages
MAX_CACHED_BYTES = 6 << 20  # compressed; a dropped tree is made again when a browser asks for it
MAX_CACHED_NAMES = 2_000
CACHE_FOREVER = "private, max-age=31536000, immutable"
SECURITY_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Referrer-Policy": "no-referrer",
}


class DeliveredFile(NamedTuple):
    """A file to deliver, compressed once for all."""

    address: str
    packed: bytes
    media_type: str

    @property
    def data(self) -> bytes:
        """Return the content, decompressed."""
        return gzip.decompress(self.packed)


class DeliveryStore:
    """The scripts, and the trees that were used last."""

    def __init__(self) -> None:
        self.has_server = False  # whether a server delivers files
        self._scripts_by_address: dict[str, DeliveredFile] = {}
        self._trees_by_address: WeightedLRU[DeliveredFile] = WeightedLRU(
            min(MAX_CACHED_BYTES, current_pool().limits.payload_cache_bytes), weigh=lambda file: len(file.packed)
        )
        self._addresses_by_name: WeightedLRU[str] = WeightedLRU(MAX_CACHED_NAMES)

    def get_tree(self, name: str, make: Callable[[], bytes]) -> DeliveredFile:
        """Return the tree that is shown as `name`. `make` is called once, also if several visitors ask at the same time."""
        with self._addresses_by_name.lock_key(name):
            known = self._trees_by_address.get(self._addresses_by_name.get(name) or "")
            if known is not None:
                return known
            parcel = compress_file(make(), "application/octet-stream")
            self._addresses_by_name.put(name, parcel.address)
            return self._trees_by_address.put(parcel.address, parcel)

    def store_script(self, text: str) -> DeliveredFile:
        """Store a script for good and return its file."""
        parcel = compress_file(text.encode(), "text/javascript")
        return self._scripts_by_address.setdefault(parcel.address, parcel)

    def find_file(self, address: str) -> DeliveredFile | None:
        """Return the file with this address, or None if it is no longer stored."""
        return self._scripts_by_address.get(address) or self._trees_by_address.get(address)


def compress_file(data: bytes, media_type: str) -> DeliveredFile:
    """Compress data. Its address is its hash."""
    return DeliveredFile(hashlib.sha256(data).hexdigest()[:32], gzip.compress(data, compresslevel=1, mtime=0), media_type)


@cache
def delivery_store() -> DeliveryStore:
    """Return the store of this server."""
    return DeliveryStore()


def build_message(key: str, settings: dict[str, Any], make: Callable[[], bytes]) -> bytes:
    """Return the bytes that a component gets: the data, the settings as JSON, and the length of the settings.

    `make` makes the data for all who show `key`. A server puts only the address into the settings, unless the browser
    could not fetch it and has asked for the data: see `make_resend_handler`.
    """
    if delivery_store().has_server and not st.session_state.pop(_resend_key(key), False):
        data, settings = b"", {**settings, "address": delivery_store().get_tree(key, make).address}
    else:
        data = delivery_store().get_tree(key, make).data
    text = json.dumps(settings).encode()
    return data + text + struct.pack("<I", len(text))


def make_resend_handler(key: str) -> Callable[[], None]:
    """Return the callback for a browser that could not fetch the data of `key`."""

    def request_resend() -> None:
        st.session_state[_resend_key(key)] = True

    return request_resend


def _resend_key(key: str) -> str:
    return f"whole {key}"


async def serve_file(request: Request) -> Response:
    """Answer a browser that asks for an address."""
    parcel = delivery_store().find_file(request.path_params["address"])
    if parcel is None:
        return Response(status_code=404, headers={**SECURITY_HEADERS, "Cache-Control": "no-store"})
    headers = {**SECURITY_HEADERS, "ETag": f'"{parcel.address}"', "Cache-Control": CACHE_FOREVER, "Vary": "Accept-Encoding"}
    if parcel.address in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(parcel.data, media_type=parcel.media_type, headers=headers)
    return Response(parcel.packed, media_type=parcel.media_type, headers={**headers, "Content-Encoding": "gzip"})
