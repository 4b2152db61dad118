"""The server against hostile clients: host names, headers, closed paths, forged files and messages."""

import asyncio
import base64
import hashlib
import http.client
import re
import sys
from contextlib import nullcontext
from types import SimpleNamespace

import psutil
import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from benchmarks.visitor import TRIGGERS, visiting
from tests.support.processes import MAX_WAIT_SECONDS, start_process, wait_until
from visualizer.app.request_guard import INLINE_SCRIPT, Access, BadAccess, is_other_local_page
from visualizer.app.server import is_answering, reserve_free_port, reserve_port

FILE = b"x" * 4_900_000
BODY = b'--x\r\nContent-Disposition: form-data; name="f"; filename="run.json"\r\n\r\n' + FILE + b"\r\n--x--\r\n"


@pytest.fixture(scope="module")
def app_server():
    """A port, and the process that listens on it."""
    with reserve_port("127.0.0.1", 0) as reserved:
        port = reserved.getsockname()[1]
    command = [sys.executable, "-m", "visualizer.cli.main", "app", "--no-browser", "--workers", "1", "--memory", "1GB"]
    options = ["--port", str(port), "--allowed-host", "class.example.org", "--allow-embedding", "https://course.example.org"]
    with start_process([*command, *options]) as process:
        wait_until(lambda: is_answering(f"http://127.0.0.1:{port}"), "the server answers")
        yield SimpleNamespace(port=port, process=psutil.Process(process.pid))


def send_request(server, path="/", method="GET", body=None, **headers):
    """The status, the headers and the body of an answer."""
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=MAX_WAIT_SECONDS)
    try:
        line.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = line.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        line.close()


def test_servers_that_start_together_get_different_ports():
    with reserve_free_port("127.0.0.1") as first, reserve_free_port("127.0.0.1") as second:
        assert first.getsockname() != second.getsockname()


# ---- names

OWN = ["127.0.0.1", "localhost", "LOCALHOST:8501", "[::1]:8501", "192.168.1.7:80", "class.example.org", "Class.Example.Org.:443"]
FOREIGN = [
    "evil.example.com", "evil.example.com:8501", "class.example.org.evil.com", "xclass.example.org", "localhost.evil.com",
    "1.2.3.4.evil.com", "a b", "a/b", "[", "user@localhost", "127.0.0.1,evil.com",
]  # fmt: skip


@pytest.mark.parametrize("host", OWN)
def test_a_server_answers_to_addresses_and_its_own_names(host, app_server):
    assert send_request(app_server, Host=host)[0] == 200


@pytest.mark.parametrize("host", FOREIGN)
def test_other_names_are_refused(host, app_server):
    for path in ("/", "/_stcore/health", "/_stcore/host-config", "/plyscope/x", "/static/js/x.js"):
        status, headers, body = send_request(app_server, path, Host=host)
        assert (status, headers["X-Content-Type-Options"]) == (421, "nosniff")
        assert b"--allowed-host" in body


@pytest.mark.parametrize(("host", "opens"), [(OWN[1], True), (OWN[5], True), (FOREIGN[0], False)])
def test_a_websocket_opens_to_the_same_names(host, opens, app_server):
    async def open_it():
        address = f"ws://{host}/_stcore/stream"
        async with connect(address, host="127.0.0.1", port=app_server.port, origin=f"http://{host}", subprotocols=["streamlit"]):
            return True

    with nullcontext() if opens else pytest.raises(InvalidStatus, match="403"):
        assert asyncio.run(open_it())


@pytest.mark.parametrize(
    ("origin", "host", "is_other"),
    [
        ("http://127.0.0.1:8501", "127.0.0.1:8501", False),
        ("http://LocalHost:8501", "localhost:8501", False),
        ("http://[::1]:8501", "[::1]:8501", False),
        ("http://localhost", "localhost", False),
        ("https://localhost", "localhost:443", False),
        ("http://127.0.0.1:9999", "127.0.0.1:8501", True),  # its pages have our cookie
        ("http://127.0.0.1", "127.0.0.1:8501", True),
        ("http://localhost:8501", "127.0.0.1:8501", True),
        ("http://evil.example.com:8501", "127.0.0.1:8501", True),
        ("null", "127.0.0.1:8501", True),
        ("https://class.example.org:8443", "class.example.org", False),  # behind a proxy
    ],
)
def test_pages_of_another_local_server_are_told_apart(origin, host, is_other):
    assert is_other_local_page(origin, host) == is_other


def test_a_page_of_another_local_server_opens_no_websocket(app_server):
    async def open_it(port):
        address, origin = f"ws://127.0.0.1:{app_server.port}/_stcore/stream", f"http://127.0.0.1:{port}"
        async with connect(address, origin=origin, subprotocols=["streamlit"]):
            return True

    assert asyncio.run(open_it(app_server.port))
    with pytest.raises(InvalidStatus, match="403"):
        asyncio.run(open_it(app_server.port + 1))


def test_only_a_public_server_answers_to_the_name_of_its_machine(monkeypatch):
    monkeypatch.setattr("socket.gethostname", lambda: "Lab7")
    monkeypatch.setattr("socket.getfqdn", lambda: "lab7.example.org")
    names = ("lab7", "lab7.local:8501", "lab7.example.org")
    for address in ("0.0.0.0", "::", "192.0.2.7"):
        assert all(map(Access(address).is_allowed, names))
        assert not Access(address).is_allowed("evil.example.com")
    for address in ("127.0.0.1", "::1", "localhost", "127.0.0.9"):
        assert not any(map(Access(address).is_allowed, names))


def test_a_star_stands_for_names_below_or_for_all():
    below = Access(allowed_hosts=("*.example.org",))
    assert below.is_allowed("a.b.example.org")
    assert not below.is_allowed("example.org")
    assert not below.is_allowed("aexample.org")
    assert Access(allowed_hosts=("*",)).is_allowed("anything.example.com")


@pytest.mark.parametrize(
    "wrong", [{"allowed_hosts": ("http://x",)}, {"allowed_hosts": ("",)}, {"embedded_in": ("x; script-src *",)}]
)
def test_an_invalid_name_or_site_is_refused(wrong):
    with pytest.raises(BadAccess, match=r"is not (a site|the name of a host): write it like"):
        Access(**wrong)


# ---- headers and closed addresses


@pytest.mark.parametrize("path", ["/", "/play", "/_stcore/health", "/media/nothing", "/static/nothing.js", "/plyscope/nothing"])
def test_every_answer_has_the_headers(path, app_server):
    _, headers, _ = send_request(app_server, path)
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] in ("same-origin", "no-referrer")
    assert len(headers.get_all("Content-Security-Policy")) == 1


def test_the_policy_names_what_pages_need_and_no_more(app_server):
    policy = send_request(app_server, Host="localhost:1")[1]["Content-Security-Policy"]
    rules = dict(rule.partition(" ")[::2] for rule in policy.split("; "))
    assert re.fullmatch(r"'self' blob:( 'sha256-[\w+/=]{44}')+", rules["script-src"])  # no 'unsafe-inline', no 'unsafe-eval'
    assert rules["connect-src"] == "'self' ws://localhost:1 wss://localhost:1"
    assert rules["frame-ancestors"] == "'self' https://course.example.org"
    assert rules["object-src"] == rules["base-uri"] == "'none'"


def test_usage_counts_and_runs_without_a_browser_are_not_served(app_server):
    closed = ("metrics", "metrics/", "script-health-check", "agent", "agent/interact", "agent/mcp/", "agent/openapi.json")
    for path in closed:
        assert [send_request(app_server, f"{above}/_stcore/{path}")[0] for above in ("", "/below")] == [404, 404]


@pytest.mark.parametrize("path", ["/", "/learn", "/below/your_search"])
def test_a_page_names_the_address_of_its_server(path, app_server):
    status, headers, body = send_request(app_server, path)
    assert (status, headers["Cache-Control"]) == (200, "no-cache")
    assert b"BACKEND_BASE_URL" in body
    assert b"service-desc" not in body
    digests = [base64.b64encode(hashlib.sha256(script).digest()).decode() for script in INLINE_SCRIPT.findall(body)]
    assert len(digests) == 2
    assert all(f"'sha256-{digest}'" in headers["Content-Security-Policy"] for digest in digests)


# ---- files


async def upload_addresses(visitor, count=1):
    """Where the server lets a tab send files to."""
    message = BackMsg()
    message.file_urls_request.file_names.extend(["run.json"] * count)
    await visitor._socket.send(message.SerializeToString())
    while True:
        answer = ForwardMsg.FromString(await asyncio.wait_for(visitor._socket.recv(), MAX_WAIT_SECONDS))
        if answer.WhichOneof("type") == "file_urls_response":
            return [urls.upload_url for urls in answer.file_urls_response.file_urls]


def send_file(server, path):
    token = re.search(r"_streamlit_xsrf=([^;]+)", send_request(server, "/_stcore/health")[1]["Set-Cookie"])[1]
    headers = {"Content_Type": "multipart/form-data; boundary=x", "X_Xsrftoken": token, "Cookie": f"_streamlit_xsrf={token}"}
    try:
        return send_request(server, path, "PUT", BODY, **headers)[0]
    except (BrokenPipeError, ConnectionResetError):  # refused before the end was read
        return 403


async def send_files(server, page, count, own=False):
    """How each file was answered that one tab sends."""
    async with visiting(server.port) as visitor:
        await visitor.open(page)
        found = []
        for number in range(count):
            path = [f"/_stcore/upload_file/{visitor._session}/{number}"] if own else await upload_addresses(visitor)
            found.append(await asyncio.to_thread(send_file, server, path[0]) if path else None)
        return found


def test_a_page_without_an_uploader_takes_no_files(app_server):
    assert asyncio.run(send_files(app_server, "about", 2)) == [None, None]
    assert asyncio.run(send_files(app_server, "about", 2, own=True)) == [403, 403]
    assert asyncio.run(send_files(app_server, "your_search", 2, own=True)) == [403, 403]


def test_many_files_do_not_fill_the_server(app_server):
    """What files take, they take every time. Code that the server loads meanwhile takes memory once."""
    asyncio.run(send_files(app_server, "your_search", 3))
    assert min(measure_growth(app_server) for _ in range(2)) < 60_000_000


def measure_growth(server):
    before = server.process.memory_info().rss
    assert asyncio.run(send_files(server, "your_search", 40)) == [204] * 40  # 196 MB
    return server.process.memory_info().rss - before


# ---- values that no widget of ours sends


def forged_values():
    """A value of every type that a message may have, and odd ones of each."""
    yield {"trigger_value": True}
    yield {"bool_value": True}
    yield from ({"double_value": value} for value in (1.5, -1e300, float("nan"), float("inf")))
    yield from ({"int_value": value} for value in (-1, 10**6, -(2**63), 2**63 - 1))
    yield from ({"string_value": value} for value in ("", "x", "\0", "9" * 30, "[" * 3000))
    yield from ({"double_array_value": {"data": data}} for data in ([], [1.0, float("nan")]))
    yield from ({"int_array_value": {"data": data}} for data in ([], [-1, 10**9]))
    yield from ({"string_array_value": {"data": data}} for data in ([], ["x", ""]))
    yield from ({"json_value": value} for value in ("", "{", "null", "[5]", '{"events":5}'))
    yield from ({"json_trigger_value": value} for value in ("", "{", "null", "[5]", '[{"event":[],"value":{}}]'))
    yield {"string_trigger_value": {"data": "x"}}
    yield {"chat_input_value": {"data": "x"}}
    yield {"bytes_value": b"\xff"}
    yield {"arrow_value": {}}
    yield {"file_uploader_state_value": {"uploaded_file_info": [{"file_id": "gone", "name": "x"}]}}
    yield {}


async def forge_values(port, page):
    """What a page says to each forged value, sent for all of its widgets at once."""
    async with visiting(port) as visitor:
        await visitor.open(page)
        for popover in [popover for popover in visitor.all("popover") if popover.element.id]:
            await visitor.toggle("popover", popover.element.label)
        widget_ids = [one.element.id for one in visitor._places.values() if getattr(one.element, "id", "")]
        widgets = [*widget_ids, *(f"{TRIGGERS}_{widget}__events" for widget in widget_ids), "", "x"]
        alerts = []
        for value in forged_values():
            visitor._values = {widget: WidgetState(id=widget, **value) for widget in widgets}
            await visitor.run()  # refuses a page with an exception
            alerts += [alert.element.body for alert in visitor.all("alert")]
        visitor._values = {}
        await visitor.run()
        return len(widget_ids), alerts


@pytest.mark.parametrize("page", ["", "learn", "compare", "play", "tournament", "your_search"])
def test_a_forged_value_is_ignored_with_a_sentence(page, app_server):
    widgets, alerts = asyncio.run(forge_values(app_server.port, page))
    assert widgets
    assert any("does not fit its field" in sentence for sentence in alerts)
    assert not any("could not be shown" in sentence for sentence in alerts)


def test_an_uncaught_exception_is_shown_as_a_sentence():
    script = "from visualizer.app.state.notices import say_page_failed\nassert say_page_failed(ValueError('secret'))"
    app = AppTest.from_string(script, default_timeout=MAX_WAIT_SECONDS).run()
    assert [error.value for error in app.error] == ["This page could not be shown. Reload it, or open it again from the menu."]
    assert not app.exception
