"""The first command of a new user: plain `plyscope`, with nothing set up, asks for nothing and opens the app."""

import contextlib
import os
import pty
import re
import select
import signal
import socket
import subprocess
import sys
import time
import urllib.request

import pytest

PLYSCOPE = [sys.executable, "-m", "visualizer.cli"]
PATIENCE = 120  # seconds, on a busy machine


@pytest.fixture
def new_user(tmp_path):
    """The environment of somebody who has never started anything, and the file where their browser notes what it opens."""
    home, opened, browser = tmp_path / "home", tmp_path / "opened", tmp_path / "browser"
    home.mkdir()
    browser.write_text(f'#!/bin/sh\necho "$1" >> {opened}\n')
    browser.chmod(0o755)
    kept = {name: text for name, text in os.environ.items() if not name.startswith(("STREAMLIT", "XDG", "DISPLAY", "WAYLAND"))}
    return {**kept, "HOME": str(home), "BROWSER": str(browser), "PYTHONPATH": os.pathsep.join(sys.path)}, opened


@contextlib.contextmanager
def started(environment, on_terminal):
    """Plain `plyscope`, and what it has said up to "Ctrl-C" (or the end)."""
    ours, theirs = pty.openpty()
    stdin = theirs if on_terminal else subprocess.DEVNULL
    process = subprocess.Popen(PLYSCOPE, stdin=stdin, stdout=theirs, stderr=theirs, env=environment, start_new_session=True)
    os.close(theirs)
    try:
        yield process, said_by(ours)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(10)
        os.close(ours)


def said_by(terminal):
    said, until = "", time.monotonic() + PATIENCE
    while "Ctrl-C" not in said and "mail" not in said and time.monotonic() < until:
        if select.select([terminal], [], [], 1)[0]:
            try:
                said += os.read(terminal, 4096).decode()
            except OSError:  # the other end is closed
                break
    return said


@pytest.mark.parametrize("on_terminal", [True, False])
def test_plain_plyscope_asks_nothing_and_serves(new_user, on_terminal):
    environment, opened = new_user
    with started(environment, on_terminal) as (process, said):
        found = re.fullmatch(r"Plyscope runs at (http://127\.0\.0\.1:\d+) - stop it with Ctrl-C\.\s*", said)
        assert found, said
        with urllib.request.urlopen(found[1], timeout=10) as page:  # at once: it is said when it is true
            assert b"<title>" in page.read()
        until = time.monotonic() + PATIENCE
        while not opened.exists() and time.monotonic() < until:
            time.sleep(0.1)
        assert opened.read_text().split() == [found[1]]
        assert process.poll() is None


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--port", "{taken}"], "cannot listen on port {taken} of 127.0.0.1 (address already in use)"),
        (["--host", "no.such.host.invalid"], "there is no address 'no.such.host.invalid' to listen on"),
        (["--host", "192.0.2.1"], "cannot listen on 192.0.2.1 (cannot assign requested address)"),
        (["--port", "70000"], "70000 is not in the range"),
    ],
)
def test_an_address_that_cannot_be_used_is_one_sentence(arguments, words):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        command = [*PLYSCOPE, "app", "--no-browser", *(argument.format(taken=taken) for argument in arguments)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert words.format(taken=taken) in done.stderr
    assert done.stderr.count("\n") == 1
