"""Large trees are delivered piece by piece: every answer says what the tree says, and nothing else is answered."""

import asyncio
import gc
import gzip
import json
import struct
from itertools import pairwise

import numpy as np
import pytest
from starlette.requests import Request

from engine import Question, connect, literal, search
from engine.analysis.node_estimate import NodeEstimate
from engine.record.columns import BOUND_SHIFT, STATUS_BITS, STATUS_NAMES, TURN_NAMES
from engine.tree.trace import Trace
from tests.support.games import TEXTBOOK
from visualizer.app.state.background_search import answer_cache
from visualizer.drawing.overview.cells import compute_cells, make_view
from visualizer.drawing.overview.colourings import COLOURINGS
from visualizer.pool.work_types import SearchOutcome
from visualizer.viewer.breakdown_data import build_breakdown
from visualizer.viewer.delivery import SECURITY_HEADERS
from visualizer.viewer.large_trees.tree_blocks import MAX_BLOCK_ROWS
from visualizer.viewer.large_trees.tree_delivery import serve_tree_query, tree_store
from visualizer.viewer.large_trees.tree_queries import BadQuery, answer_query


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
    for name in ("counts", "cutoffs"):
        np.testing.assert_array_equal(arrays[name].reshape(4, 300), getattr(cells, name))
    codes = {one.label: one.code for one in COLOURINGS[colour].list_classes(tree)}
    for place, one in enumerate(meta["classes"]):
        assert one["count"] == cells.classes[:, :, codes[one["label"]]].sum()
        shown = arrays["shares"].reshape(4, 300, -1)[:, :, place] > 0
        for level, pixel in start_pixels(arrays, place, 7, 3993 / 300):
            shown[level, pixel] = True
        assert shown[cells.classes[:, :, codes[one["label"]]] > 0].all()  # nothing disappears


def start_pixels(arrays, place, first, rows_per_pixel):
    """Return where the wide bars of a class start, as depth and pixel of the view."""
    for level, (start, stop) in enumerate(pairwise(arrays["barStart"])):
        for row, code in zip(arrays["barRow"][start:stop], arrays["barClass"][start:stop], strict=True):
            if code == place and row >= first:
                yield level, int((int(row) - first) / rows_per_pixel)


def test_wide_bars_are_those_of_wide_nodes_and_the_others_are_merged(tree):
    first, last, pixels = 100, 2500, 200
    arrays, _ = decode(answer_query(tree, "overview", {"pixels": str(pixels), "first": str(first), "last": str(last)}).data)
    shares = arrays["shares"].reshape(tree.height + 1, pixels, -1).sum(axis=2)
    for level, (start, stop) in enumerate(pairwise(arrays["barStart"])):
        rows = np.flatnonzero(tree.depth == level)
        ends = tree.end[rows].astype(int)
        seen = (rows < last) & (ends > first)
        wide = (ends - rows) * pixels >= 2 * (last - first)
        np.testing.assert_array_equal(arrays["barRow"][start:stop], rows[seen & wide])
        np.testing.assert_array_equal(arrays["barEnd"][start:stop], ends[seen & wide])
        np.testing.assert_array_equal(arrays["barSkipped"][start:stop], tree.columns.skipped[rows[seen & wide]])
        narrow = rows[seen & ~wide & (rows >= first)]
        starts = np.bincount((narrow - first) * pixels // (last - first), minlength=pixels)
        assert (shares[level][starts > 0] == 255).all()
        assert set(np.unique(shares[level])) <= {0, 255}


def test_a_block_has_its_paths_and_every_node_all_its_children_or_none(tree):
    row = len(tree) // 2
    arrays, meta = decode(answer_query(tree, "block", {"row": str(row), "before": "10", "after": "50"}).data)
    size = 1 + arrays["hidden"].astype(int)
    rows = np.cumsum(size) - size  # each row after all nodes before it
    assert int(size.sum()) == len(tree)
    assert set(range(row - 10, row + 51)) | set(tree.path(row)) | set(tree.roots) <= set(rows.tolist())
    for name in ("move", "depth", "value", "alpha", "beta"):
        np.testing.assert_array_equal(arrays[name], getattr(tree.columns, name)[rows])
    np.testing.assert_array_equal(arrays["flags"] & STATUS_BITS, tree.status[rows])
    np.testing.assert_array_equal(arrays["flags"] >> BOUND_SHIFT & 3, tree.bound[rows])
    for one, hidden in zip(rows.tolist(), arrays["hidden"].tolist(), strict=True):
        assert {child in rows for child in tree.child_rows(one)} <= {not hidden}
    assert "words" not in meta


def test_sums_over_hidden_subtrees_and_ranges_are_those_of_the_rows(tree):
    arrays, _ = decode(answer_query(tree, "block", {"row": "0", "after": "7"}).data)
    size = 1 + arrays["hidden"].astype(int)
    first = (np.cumsum(size) - size)[arrays["hidden"] > 0]
    for place, row in enumerate(first):
        subtree = slice(row, tree.end[row])
        assert arrays["hiddenCutoffs"][place] == tree.pruned[subtree].sum()
        assert arrays["hiddenSkipped"][place] == tree.columns.skipped[subtree].sum()
    for start, stop in ((0, len(tree)), (0, 1), (63, 64), (64, 128), (100, 1000)):
        counted = json.loads(answer_query(tree, "count", {"first": str(start), "last": str(stop)}).data)
        skipped = int(tree.columns.skipped[start:stop].sum())
        steps = Trace(tree).enter(start), (Trace(tree).enter(stop) if stop < len(tree) else len(Trace(tree))) - 1
        assert (counted.pop("from"), counted.pop("to")) == steps
        assert counted == {"nodes": stop - start, "cutoffs": int(tree.pruned[start:stop].sum()), "skipped": skipped}


def test_steps_are_those_of_the_trace(tree):
    trace = Trace(tree)
    for step in (0, 1, 100, len(trace) - 1, 10**9):
        found = json.loads(answer_query(tree, "step", {"step": str(step)}).data)
        expected = trace[min(step, len(trace) - 1)]
        assert (found["step"], found["kind"], found["row"]) == (expected.number, expected.kind, int(expected.node))
    for direction in ("next", "previous"):
        found = json.loads(answer_query(tree, "step", {"step": "500", "kind": "cutoff", "direction": direction}).data)
        assert found["step"] == getattr(trace, direction)("cutoff", 500)
    nowhere = {"step": str(len(trace) - 1), "kind": "cutoff", "direction": "next"}
    assert json.loads(answer_query(tree, "step", nowhere).data) is None


def test_breakpoints_of_the_whole_search_are_found(tree):
    trace = Trace(tree)
    for kind, at in (("depth", 4), ("value", int(tree.value[-1])), ("node", 7), ("depth", 99), ("value", 0.5)):
        stops = sorted(_steps_of(trace, kind, at))
        found = json.loads(answer_query(tree, "stops", {"kind": kind, "at": str(at)}).data)
        assert found == {"count": len(stops), "first": stops[0] if stops else None}
        later = json.loads(answer_query(tree, "stops", {"kind": kind, "at": str(at), "step": "500"}).data)
        assert later == next((step for step in stops if step > 500), None)


def _steps_of(trace, kind, at):
    tree = trace.tree
    if kind == "node":
        return {trace.enter(at), trace.leave(at)}
    if kind == "depth":
        return {trace.enter(row) for row in np.flatnonzero(tree.depth == at)}
    left = (tree.value == at) & (tree.status != STATUS_NAMES.index("open"))
    return {trace.leave(row) for row in np.flatnonzero(left)}


def test_facts_are_those_of_the_tree(tree):
    facts = json.loads(answer_query(tree, "facts", {}).data)
    assert (facts["rows"], facts["depths"], facts["steps"]) == (len(tree), tree.height + 1, len(Trace(tree)))
    for depth, turns in enumerate(facts["turns"]):
        assert turns == [TURN_NAMES[turn] for turn in np.unique(tree.turn[tree.depth == depth])]


def test_the_value_of_a_leaf_is_explained(tree):
    leaf = int(np.flatnonzero(tree.status == STATUS_NAMES.index("horizon"))[0])
    assert json.loads(answer_query(tree, "why", {"row": str(leaf)}).data) == json.loads(json.dumps(build_breakdown(tree, leaf)))


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
        ("block", {}, "step is missing"),
        ("block", {"row": "99"}, "no node 99"),
        ("block", {"row": "0", "before": str(MAX_BLOCK_ROWS)}, "one answer"),
        ("block", {"row": "0", "before": "4000", "after": "5000"}, "one answer"),
        ("count", {"first": "3", "last": "3"}, "not a range"),
        ("count", {"first": "3", "last": "99"}, "not a range"),
        ("why", {"row": "0"}, "not a leaf"),
        ("step", {"step": "x"}, "step is 'x'"),
        ("step", {"step": "1", "direction": "up"}, "not a direction"),
        ("step", {"step": "1", "direction": "next", "kind": "x"}, "not a kind"),
        ("step", {"step": "1", "direction": "previous", "kind": "enter"}, "not a kind"),
        ("stops", {"kind": "colour", "at": "1"}, "not a kind of breakpoint"),
        ("stops", {"kind": "value", "at": "inf"}, "at is 'inf'"),
        ("stops", {"kind": "value"}, "at is ''"),
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


def test_a_tree_that_a_browser_shows_stays_in_the_cache(monkeypatch):
    """Other searches push out what nobody looks at."""
    cache = answer_cache()
    monkeypatch.setattr(cache, "_max_items", 3)
    questions = [Question(literal([leaf, 1]), depth=1) for leaf in range(6)]
    outcomes = [SearchOutcome(NodeEstimate(3), search(question)) for question in questions]
    address = tree_store().offer_tree("shown", outcomes[0].tree)
    for question, outcome in zip(questions, outcomes, strict=True):
        cache.put(question, outcome)
        assert ask(address, "facts").status_code == 200
    assert [cache.get(question) is not None for question in questions] == [True, False, False, False, True, True]


def test_bad_queries_are_errors_of_ours():
    with pytest.raises(BadQuery):
        answer_query(search(literal(TEXTBOOK)), "block", {})
