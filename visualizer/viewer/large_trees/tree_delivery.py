"""Delivery of large trees to the browser, piece by piece: the browser asks for what it shows.

A tree gets an address that cannot be guessed. The server holds a tree only as long as its cache of trees does; then the address
is gone, and the page makes the tree again. An answer never changes, so browsers may cache it forever.
"""

import hashlib
import hmac
import secrets
import zlib
from collections.abc import Callable
from functools import cache
from threading import Lock, Thread
from weakref import WeakKeyDictionary, WeakValueDictionary

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from engine.analysis.alignment import SkippedNodes
from engine.core.errors import PlyscopeError
from engine.tree.tree import SearchTree
from visualizer.viewer.delivery import CACHE_FOREVER, SECURITY_HEADERS
from visualizer.viewer.iterations.iteration_queries import answer_iteration_query, prepare_iterations
from visualizer.viewer.large_trees.tree_queries import Answer, answer_query, prepare_bounds, prepare_overview, prepare_sums

TREE_FOLDER = "plyscope-tree"  # the folder of the addresses, beside the pages
ADDRESS_CHARS = 32
MIN_COMPRESSED_BYTES = 500
DEPTH_QUERIES = ("overview", "stops")  # they need the rows by depth, and no bounds
GZIP_FORMAT = 31  # of zlib


class TreeStore:
    """The trees that browsers ask about, by address. It does not keep them alive: `on_use` tells the cache that does."""

    def __init__(self) -> None:
        self.on_use: Callable[[SearchTree], object] | None = None  # called with the tree of every query
        self._secret = secrets.token_bytes(32)
        self._trees: WeakValueDictionary[str, SearchTree] = WeakValueDictionary()
        self._spared: WeakKeyDictionary[SearchTree, SkippedNodes] = WeakKeyDictionary()
        self._lock = Lock()
        self._preparing: dict[Callable[[SearchTree], None], Lock] = {
            prepare: Lock() for prepare in (prepare_overview, prepare_bounds, prepare_sums, prepare_iterations)
        }

    def offer_tree(self, name: str, tree: SearchTree, spared: SkippedNodes | None = None) -> str:
        """Return the address of a tree that is shown as `name`. `spared` is what its cutoffs left out, if it is known."""
        address = hmac.new(self._secret, name.encode(), hashlib.sha256).hexdigest()[:ADDRESS_CHARS]
        with self._lock:
            is_new = self._trees.get(address) is not tree
            self._trees[address] = tree
            if spared is not None:
                self._spared[tree] = spared
        if is_new:  # while the page computes the bounds, so that the first picture is there sooner
            Thread(target=self._prepare, args=(tree, prepare_overview, prepare_sums), daemon=True).start()
        return address

    def find_spared(self, tree: SearchTree) -> SkippedNodes | None:
        """Return what the cutoffs of a tree left out, if it is known."""
        with self._lock:
            return self._spared.get(tree)

    def find_tree(self, address: str) -> SearchTree | None:
        """Return the tree with this address, or None if it is no longer in memory."""
        with self._lock:
            return self._trees.get(address)

    def note_use(self, tree: SearchTree) -> None:
        """Note that a browser shows a tree."""
        if self.on_use is not None:
            self.on_use(tree)

    def prepare_overview(self, tree: SearchTree) -> None:
        """Prepare a tree for views of its overview."""
        self._prepare(tree, prepare_overview)

    def prepare_rows(self, tree: SearchTree) -> None:
        """Prepare a tree for all other queries."""
        self._prepare(tree, prepare_bounds, prepare_sums)

    def prepare_iterations(self, tree: SearchTree) -> None:
        """Prepare a search in iterations."""
        self._prepare(tree, prepare_iterations)

    def _prepare(self, tree: SearchTree, *parts: Callable[[SearchTree], None]) -> None:
        """Compute parts of a tree one after another, each once, also if several threads ask at the same time."""
        for prepare in parts:
            with self._preparing[prepare]:
                prepare(tree)


@cache
def tree_store() -> TreeStore:
    """Return the store of this server."""
    return TreeStore()


async def serve_tree_query(request: Request) -> Response:
    """Answer a browser that asks about a tree: /ADDRESS/QUERY?parameters."""
    address, name = request.path_params["address"], request.path_params["query"]
    tree = tree_store().find_tree(address)
    if tree is None:
        return Response(status_code=404, headers={**SECURITY_HEADERS, "Cache-Control": "no-store"})
    tree_store().note_use(tree)
    tag = _make_tag(address, name, str(request.url.query))
    headers = {**SECURITY_HEADERS, "ETag": f'"{tag}"', "Cache-Control": CACHE_FOREVER, "Vary": "Accept-Encoding"}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    compressed = "gzip" in request.headers.get("accept-encoding", "")
    try:
        answer, is_packed = await run_in_threadpool(_make_answer, tree, name, dict(request.query_params), compressed)
    except PlyscopeError as error:
        refused = {**SECURITY_HEADERS, "Cache-Control": "no-store"}
        return Response(str(error), status_code=400, media_type="text/plain", headers=refused)
    encoding = {"Content-Encoding": "gzip"} if is_packed else {}
    return Response(answer.data, media_type=answer.media_type, headers={**headers, **encoding})


def _make_answer(tree: SearchTree, name: str, parameters: dict[str, str], compressed: bool) -> tuple[Answer, bool]:
    """Return the answer, and whether it is compressed."""
    if tree.has_iterations:
        tree_store().prepare_iterations(tree)
        answer = answer_iteration_query(tree, name, parameters)
    else:
        if name in DEPTH_QUERIES:
            tree_store().prepare_overview(tree)
        else:
            tree_store().prepare_rows(tree)
        answer = answer_query(tree, name, parameters, tree_store().find_spared(tree))
    if not compressed or len(answer.data) < MIN_COMPRESSED_BYTES:
        return answer, False
    return answer._replace(data=compress_quickly(answer.data)), True


def compress_quickly(data: bytes) -> bytes:
    """Compress by runs of equal bytes: twice as fast as gzip's level 1, and an eighth larger."""
    packer = zlib.compressobj(1, zlib.DEFLATED, GZIP_FORMAT, zlib.DEF_MEM_LEVEL, zlib.Z_RLE)
    return packer.compress(data) + packer.flush()


def _make_tag(address: str, name: str, query: str) -> str:
    return hashlib.sha256(f"{address}/{name}?{query}".encode()).hexdigest()[:ADDRESS_CHARS]
