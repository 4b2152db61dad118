"""Large trees are delivered piece by piece: every answer says what the tree says, and nothing else is answered."""

import asyncio
import gc
import gzip
import json
import struct

import numpy as np
import pytest
from starlette.requests import Request

from engine import connect, literal, search
from engine.record.columns import BOUND_SHIFT, STATUS_BITS
from engine.tree.trace import Trace
from tests.support.games import TEXTBOOK
from visualizer.drawing.overview.cells import compute_cells, make_view
from visualizer.drawing.overview.colourings import COLOURINGS
from visualizer.viewer.delivery import SECURITY_HEADERS
from visualizer.viewer.large_trees.tree_delivery import serve_tree_query, tree_store
from visualizer.viewer.large_trees.tree_queries import MAX_ROWS, BadQuery, answer_query


@pytest.fixture(scope="module", params=["alphabeta", "iterative", "stopped"])
def tree(request):
    if request.param == "stopped":
        return search(connect(), depth=8, max_nodes=20_000)
    return search(connect(), depth=6, algorithm=request.param)


def decode(data):
    """Return the arrays and the meaning of an answer."""
    (size,) = struct.unpack_from("<I", data)
    header = json.loads(data[4 : 4 + size])
    arrays = {one["name"]: np.frombuffer(data, one["dtype"], one["length"], 4 + size + one["offset"]) for one in header["arrays"]}
    return arrays, header["meta"]


def ask(address, name, query="", **headers):
    listed = [(key.replace("_", "-").encode(), text.encode()) for key, text in headers.items()]
    scope = {"type": "http", "method": "GET", "path": "/", "headers": listed, "query_string": query.encode()}
    scope |= {"path_params": {"address": address, "query": name}, "server": ("127.0.0.1", 1), "scheme": "http"}
    return asyncio.run(serve_tree_query(Request(scope)))


@pytest.mark.parametrize("colour", COLOURINGS)
def test_a_view_of_the_overview_holds_the_cells(tree, colour):
    parameters = {"pixels": "300", "first": "7", "last": "4000", "top": "1", "depths": "4", "colour": colour}
    arrays, meta = decode(answer_query(tree, "overview", parameters).data)
    cells = compute_cells(tree, make_view(tree, 300, 7, 4000, 1, 4), COLOURINGS[colour])
    first = np.where(cells.counts > 0, arrays["offset"].reshape(4, 300) + cells.view.edges[:-1], -1)
    np.testing.assert_array_equal(first, cells.first)
    for name in ("counts", "cutoffs", "reaching"):
        np.testing.assert_array_equal(arrays[name].reshape(4, 300), getattr(cells, name))
    codes = {one.label: one.code for one in COLOURINGS[colour].list_classes(tree)}
    shares = arrays["shares"].reshape(4, 300, -1)
    for place, one in enumerate(meta["classes"]):
        counts = cells.classes[:, :, codes[one["label"]]]
        assert one["count"] == counts.sum()
        assert ((shares[:, :, place] > 0) == (counts > 0)).all()  # nothing disappears
    assert (shares.sum(axis=2)[cells.counts > 0] == 255).all()


def test_rows_come_with_their_path_and_its_children(tree):
    first = len(tree) // 2
    arrays, _ = decode(answer_query(tree, "rows", {"first": str(first), "count": "50"}).data)
    rows = arrays["row"]
    path = tree.path(first)
    assert set(range(first, first + 50)) | {child for row in path for child in tree.child_rows(row)} | {path[0]} == set(
        rows.tolist()
    )
    assert rows.tolist() == sorted(rows)
    for name in ("move", "depth", "end", "value", "alpha", "beta", "skipped"):
        np.testing.assert_array_equal(arrays[name], getattr(tree.columns, name)[rows])
    np.testing.assert_array_equal(arrays["flags"] & STATUS_BITS, tree.status[rows])
    np.testing.assert_array_equal(arrays["flags"] >> BOUND_SHIFT & 3, tree.bound[rows])


def test_steps_are_those_of_the_trace(tree):
    trace = Trace(tree)
    for step in (0, 1, 100, len(trace) - 1, 10**9):
        found = json.loads(answer_query(tree, "step", {"step": str(step)}).data)
        expected = trace[min(step, len(trace) - 1)]
        assert (found["step"], found["kind"], found["row"]) == (expected.number, expected.kind, int(expected.node))
        assert found["path"] == tree.path(found["row"])
    for direction in ("next", "previous"):
        found = json.loads(answer_query(tree, "step", {"step": "500", "kind": "cutoff", "direction": direction}).data)
        assert found["step"] == getattr(trace, direction)("cutoff", 500)
    nowhere = {"step": str(len(trace) - 1), "kind": "cutoff", "direction": "next"}
    assert json.loads(answer_query(tree, "step", nowhere).data) is None


def test_facts_are_those_of_the_tree(tree):
    facts = json.loads(answer_query(tree, "facts", {}).data)
    assert (facts["rows"], facts["depths"], facts["steps"]) == (len(tree), tree.height + 1, len(Trace(tree)))
    assert facts["perDepth"] == tree.per_depth


@pytest.mark.parametrize(
    ("name", "parameters", "words"),
    [
        ("overview", {}, "pixels is missing"),
        ("overview", {"pixels": "-1"}, "pixels is '-1'"),
        ("overview", {"pixels": "9" * 50}, "pixels is"),
        ("overview", {"pixels": "100000"}, "not a number of pixels"),
        ("overview", {"pixels": "9", "first": "10", "last": "3"}, "rows 10 to 3"),
        ("overview", {"pixels": "9", "top": "99"}, "pixels|depths"),
        ("overview", {"pixels": "9", "colour": "<script>"}, "no colouring"),
        ("rows", {"first": "99"}, "11 rows"),
        ("rows", {"first": "0", "count": str(MAX_ROWS + 1)}, "one answer"),
        ("rows", {"first": "0", "count": "0"}, "one answer"),
        ("step", {"step": "x"}, "step is 'x'"),
        ("step", {"step": "1", "direction": "up"}, "not a direction"),
        ("step", {"step": "1", "direction": "next", "kind": "x"}, "not a kind"),
        ("step", {"step": "1", "direction": "previous", "kind": "enter"}, "not a kind"),
        ("../etc", {}, "no query"),
    ],
)
def test_impossible_queries_are_refused_in_one_sentence(name, parameters, words):
    with pytest.raises(Exception, match=words) as refused:
        answer_query(search(literal(TEXTBOOK)), name, parameters)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300


def test_answers_are_compressed_cached_and_bound_to_the_address(tree):
    address = tree_store().offer_tree("a search", tree)
    assert len(address) == 32
    assert tree_store().offer_tree("a search", tree) == address != tree_store().offer_tree("another", tree)
    sent = ask(address, "overview", "pixels=500", accept_encoding="gzip, br")
    assert (sent.status_code, sent.headers["content-encoding"]) == (200, "gzip")
    assert gzip.decompress(sent.body) == ask(address, "overview", "pixels=500").body
    assert "immutable" in sent.headers["cache-control"]
    assert SECURITY_HEADERS.items() <= {name.title(): text for name, text in sent.headers.items()}.items()
    again = ask(address, "overview", "pixels=500", if_none_match=sent.headers["etag"])
    assert (again.status_code, again.body) == (304, b"")
    assert ask(address, "overview", "pixels=501").headers["etag"] != sent.headers["etag"]
    refused = ask(address, "overview", "pixels=0")
    assert (refused.status_code, refused.headers["cache-control"]) == (400, "no-store")
    assert refused.media_type == "text/plain"


def test_an_address_is_gone_with_its_tree():
    tree = search(literal(TEXTBOOK))
    address = tree_store().offer_tree("for a moment", tree)
    assert answer_query(tree_store().find_tree(address), "overview", {"pixels": "9"})
    gc.disable()  # its memory is free at once, not when a collection happens to run
    try:
        del tree
        assert tree_store().find_tree(address) is None
    finally:
        gc.enable()
    assert ask(address, "facts").status_code == ask("0" * 32, "facts").status_code == 404


def test_bad_queries_are_errors_of_ours():
    with pytest.raises(BadQuery):
        answer_query(search(literal(TEXTBOOK)), "rows", {})
