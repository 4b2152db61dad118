"""Two servers behind the proxy that "Running it for a class" describes. Skipped where there is no nginx."""

import re
import shutil
import socket
import sys
import urllib.request
from contextlib import ExitStack

import pytest

from tests.support.paths import ROOT
from tests.support.processes import MAX_WAIT_SECONDS, start_process, wait_until
from visualizer.app.server import is_answering

PAGE = ROOT / "visualizer" / "pool" / "README.md"
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
NAME = "class.example.org"  # what visitors type; the page gives it to the servers
AROUND = """
daemon off; pid {folder}/pid; error_log {folder}/error.log; worker_processes 1;
events {{ }}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    {inside}
}}
"""


def free_ports(count):
    with ExitStack() as probes:
        sockets = [probes.enter_context(socket.socket()) for _ in range(count)]
        for probe in sockets:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in sockets]


def proxy_settings(folder, port, servers):
    """The page's own, but for the ports; each answer says who gave it."""
    (text,) = re.findall(r"```nginx\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert f"--allowed-host {NAME}" in PAGE.read_text()
    for old, new in (("8501", servers[0]), ("8502", servers[1]), ("listen 80", f"listen 127.0.0.1:{port}")):
        assert old in text
        text = text.replace(old, str(new))
    return AROUND.format(folder=folder, inside=text.replace("add_header", "add_header X-Server $upstream_addr; add_header", 1))


def ask_server(port, cookie=""):
    """Who answers a visitor, and the cookie that they got."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}/_stcore/health", headers={"Cookie": cookie})
    with urllib.request.urlopen(request, timeout=MAX_WAIT_SECONDS) as answer:
        (given,) = re.findall(r"plyscope_server=\w+", " ".join(answer.headers.get_all("Set-Cookie")))
        return answer.headers["X-Server"], given


def opens_websocket(port, cookie, host="127.0.0.1"):
    lines = (
        "GET /_stcore/stream HTTP/1.1", f"Host: {host}:{port}", "Upgrade: websocket", "Connection: Upgrade",
        f"Cookie: {cookie}", f"Origin: http://{host}:{port}", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    )  # fmt: skip
    with socket.create_connection(("127.0.0.1", port), MAX_WAIT_SECONDS) as line:
        line.sendall("\r\n".join([*lines, "", ""]).encode())
        return line.recv(64).startswith(b"HTTP/1.1 101")


@pytest.mark.slow
@pytest.mark.skipif(NGINX is None, reason="no nginx here")
def test_a_visitor_stays_with_one_server_and_moves_to_the_other_when_it_ends(tmp_path):
    port, *servers = free_ports(3)
    settings = tmp_path / "nginx.conf"
    settings.write_text(proxy_settings(tmp_path, port, servers))
    with ExitStack() as running:
        command = [sys.executable, "-m", "visualizer.cli.main", "app", "--no-browser", "--workers", "1"]
        command += ["--allowed-host", NAME, "--port"]
        processes = {f"127.0.0.1:{one}": running.enter_context(start_process([*command, str(one)])) for one in servers}
        running.enter_context(start_process([NGINX, "-e", str(tmp_path / "log"), "-p", str(tmp_path), "-c", str(settings)]))
        for one in (*servers, port):
            wait_until(lambda one=one: is_answering(f"http://127.0.0.1:{one}"), "everybody answers")
        visitors = [ask_server(port) for _ in range(12)]
        assert {server for server, _ in visitors} == set(processes)
        for server, cookie in visitors:
            assert {ask_server(port, cookie) for _ in range(5)} == {(server, cookie)}
        server, cookie = visitors[0]
        assert opens_websocket(port, cookie)
        assert opens_websocket(port, cookie, NAME)
        assert not opens_websocket(port, cookie, "other.example.org")
        processes[server].kill()
        wait_until(lambda: ask_server(port, cookie)[0].split(", ")[-1] != server, "the other server takes over")
        assert opens_websocket(port, cookie)
