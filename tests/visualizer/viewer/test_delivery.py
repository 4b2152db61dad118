"""What a reaction of the app carries, and what the browser fetches beside it."""

import asyncio
import gzip
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from types import SimpleNamespace

import pytest
from starlette.requests import Request
from streamlit.testing.v1 import AppTest

from tests.support.processes import MAX_WAIT_SECONDS
from tests.visualizer.app.test_pages import APP, settings_of, tree_viewers
from visualizer.app.state.url_params import SAMPLE_SEARCH, search_key, search_params
from visualizer.pool.weighted_lru import WeightedLRU
from visualizer.viewer import delivery
from visualizer.viewer.delivery import MAX_CACHED_BYTES, SECURITY_HEADERS, DeliveryStore, serve_file

DATA = b"a tree " * 1000


@pytest.fixture
def delivery_server(monkeypatch):
    """Deliveries of a server that hands them out."""
    ours = DeliveryStore()
    ours.has_server = True
    monkeypatch.setattr(delivery, "delivery_store", lambda: ours)
    return ours


def request_file(address, **headers):
    listed = [(name.replace("_", "-").encode(), text.encode()) for name, text in headers.items()]
    return asyncio.run(serve_file(Request({"type": "http", "headers": listed, "path_params": {"address": address}})))


def test_what_many_ask_for_at_once_is_made_once(delivery_server):
    calls, together = [], Barrier(8)

    def ask(_):
        together.wait(MAX_WAIT_SECONDS)
        return delivery_server.get_tree("one", lambda: calls.append(None) or DATA)

    with ThreadPoolExecutor(8) as visitors:
        parcels = list(visitors.map(ask, range(8)))
    assert len(calls) == 1
    assert {parcel.data for parcel in parcels} == {DATA}


def test_a_parcel_is_sent_packed_and_once_and_may_be_kept_for_good(delivery_server):
    address = delivery_server.get_tree("one", lambda: DATA).address
    sent = request_file(address, accept_encoding="gzip, br")
    assert (sent.status_code, gzip.decompress(sent.body), sent.headers["content-encoding"]) == (200, DATA, "gzip")
    assert "immutable" in sent.headers["cache-control"]
    assert SECURITY_HEADERS.items() <= {name.title(): text for name, text in sent.headers.items()}.items()
    again = request_file(address, accept_encoding="gzip", if_none_match=sent.headers["etag"])
    assert (again.status_code, again.body) == (304, b"")
    assert request_file(address).body == DATA


@pytest.mark.parametrize("address", ["", "0" * 32, "../../etc/passwd", "one"])
def test_an_address_that_names_nothing_is_not_found_and_not_kept(delivery_server, address):
    delivery_server.get_tree("one", lambda: DATA)
    assert (request_file(address).status_code, request_file(address).headers["cache-control"]) == (404, "no-store")


def test_memory_is_bounded_and_scripts_stay():
    ours, cache = DeliveryStore(), WeightedLRU(100, weigh=lambda item: item.weight)
    script = ours.store_script("export default 1;")
    for number in range(50):
        cache.put(number, SimpleNamespace(weight=30))
    assert [number for number in range(50) if cache.get(number)] == [47, 48, 49]
    larger_than_all = SimpleNamespace(weight=MAX_CACHED_BYTES)
    assert cache.put("larger", larger_than_all) is cache.get("larger") is larger_than_all
    assert cache.get(49) is None
    assert ours.find_file(script.address) is script


def test_a_reaction_names_the_tree_and_carries_it_only_if_it_cannot_be_fetched(delivery_server):
    app = AppTest.from_file(str(APP), default_timeout=MAX_WAIT_SECONDS).run()
    assert len(tree_viewers(app)[0].proto.bytes) < 300
    address = settings_of(app)["address"]
    assert len(delivery_server.find_file(address).data) > 1000
    name = f"{search_key(SAMPLE_SEARCH)} 0"
    app.session_state[f"whole viewer {name}"] = True  # as the browser asks for it
    app.run()
    assert tree_viewers(app)[0].proto.bytes.startswith(delivery_server.find_file(address).data)
    assert settings_of(app) == {"name": name, "step": None, "search": search_params(SAMPLE_SEARCH)}
    assert settings_of(app.run())["address"] == address


def test_what_is_behind_a_button_is_built_when_it_is_opened_and_stays():
    app = AppTest.from_file(str(APP), default_timeout=MAX_WAIT_SECONDS).run()
    assert (len(app.text_input), len(app.get("download_button"))) == (0, 0)
    app.session_state[f"change {search_key(SAMPLE_SEARCH)}"] = True
    app.run()
    next(field for field in app.text_input if field.label == "Depth K").set_value("5")
    app.session_state[f"change {search_key(SAMPLE_SEARCH)}"] = False
    app.run()
    assert next(field for field in app.text_input if field.label == "Depth K").value == "5"
    assert not app.get("download_button")
