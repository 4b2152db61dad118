"""The first command of a new user: plain `plyscope`, with nothing set up, asks for nothing and opens the app."""

import os
import re
import socket
import subprocess
import sys
import urllib.request

import pytest

from tests.support.processes import MAX_WAIT_SECONDS, open_terminal, press_ctrl_c, run, wait_until

PLYSCOPE = [sys.executable, "-m", "visualizer.cli.main"]


@pytest.fixture
def new_user(tmp_path):
    """The environment of somebody who has never started anything, and the file where their browser notes what it opens."""
    home, opened, browser = tmp_path / "home", tmp_path / "opened", tmp_path / "browser"
    home.mkdir()
    browser.write_text(f'#!/bin/sh\necho "$1" >> {opened}\n')
    browser.chmod(0o755)
    environment = {
        name: text for name, text in os.environ.items() if not name.startswith(("STREAMLIT", "XDG", "DISPLAY", "WAYLAND"))
    }
    return {**environment, "HOME": str(home), "BROWSER": str(browser), "PYTHONPATH": os.pathsep.join(sys.path)}, opened


@pytest.mark.parametrize("on_terminal", [True, False])
def test_plain_plyscope_asks_nothing_and_serves(new_user, on_terminal):
    environment, opened = new_user
    options = {} if on_terminal else {"stdin": subprocess.DEVNULL}
    with open_terminal(PLYSCOPE, env=environment, **options) as terminal:
        output = terminal.wait_for("Ctrl-C.")
        found = re.fullmatch(
            r"(?:Getting ready.*\s+)?Plyscope runs at (http://127\.0\.0\.1:\d+/\?token=[\w-]+) - stop it with Ctrl-C\.", output
        )
        assert found, output
        with urllib.request.urlopen(found[1], timeout=MAX_WAIT_SECONDS) as page:  # at once: it is said when it is true
            assert b"<title>" in page.read()
        wait_until(opened.exists, "a browser is asked for")
        wait_until(lambda: opened.read_text().split() == [found[1]], "it opens the page")
        assert terminal.process.poll() is None
        press_ctrl_c(terminal.process)
        assert terminal.wait_for("Stopped.").split() == ["Stopped."]
        assert terminal.end() == 0


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
        result = run(command)
    assert (result.returncode, result.stdout) == (2, "")
    assert words.format(taken=taken) in result.stderr
    assert result.stderr.count("\n") == 1
