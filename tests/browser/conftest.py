"""The app in a real browser: Debian's chromium, driven by playwright. Skipped with a message where there is none.

All browser tests of a process share one server and one browser; each page that a test opens is that of another visitor.
"""

import os
import re
import shutil
import sys
import time
import urllib.request
from collections import defaultdict

import pytest
from playwright.sync_api import sync_playwright

from engine import Trace, preset, search
from tests.browser.viewer import FLAGS, MAX_WAIT_SECONDS
from tests.support.processes import start_process
from visualizer.app.pages import PAGE_ICONS, page_path
from visualizer.app.server import reserve_port
from visualizer.app.state.url_params import SAMPLE_SEARCH

REQUIRED = os.environ.get("PLYSCOPE_BROWSER") == "required"  # set in CI: a missing browser is a failure there
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")  # without windows it takes half as long
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
NOTEBOOK_SCRIPTS = "/static/(notebook|lab)/"


@pytest.fixture(scope="package")
def trace():
    """The search of EXAMPLE."""
    return Trace(search(preset("k-tables"), "3", depth=3))


@pytest.fixture(scope="package")
def sample_trace():
    """The search that Step opens with."""
    return Trace(search(SAMPLE_SEARCH))


@pytest.fixture(scope="package")
def server():
    """The address of the app."""
    port = find_free_port()
    with start_process([sys.executable, "-m", "visualizer.cli.main", "app", "--no-browser", "--port", str(port)]) as process:
        address = f"http://127.0.0.1:{port}/"
        wait_until_healthy(address, process)
        yield address


def find_free_port():
    """Not the usual one: another test may have started a server there, which answers in place of this one, and ends."""
    with reserve_port("127.0.0.1", 0) as reserved:
        return reserved.getsockname()[1]


def wait_until_healthy(address, process, path="_stcore/health"):
    until = time.monotonic() + MAX_WAIT_SECONDS / 1000
    while time.monotonic() < until:
        assert process.poll() is None, "the server has ended"
        try:
            urllib.request.urlopen(address + path, timeout=MAX_WAIT_SECONDS / 1000).close()
            return
        except OSError:
            time.sleep(0.1)
    pytest.fail("the server does not answer")


@pytest.fixture(scope="package")
def browser():
    """One chromium."""
    if not CHROMIUM:
        (pytest.fail if REQUIRED else pytest.skip)("no chromium here")
    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS, timeout=MAX_WAIT_SECONDS)
        yield chromium
        chromium.close()


class Visitors:
    """People at browsers of their own. One who has left may come again as somebody else: scripts are loaded once."""

    def __init__(self, browser):
        self.browser = browser
        self._away = defaultdict(list)

    def comes(self, **options):
        away = self._away[repr(options)]
        return away.pop() if away else self.browser.new_context(**options)

    def leaves(self, visitor, **options):
        for page in visitor.pages:
            page.evaluate("location.protocol.startsWith('http') && localStorage.clear()")
            page.close()
        visitor.clear_cookies()
        self._away[repr(options)].append(visitor)


@pytest.fixture(scope="package")
def visitors(browser):
    return Visitors(browser)


@pytest.fixture
def visit(open_page, server):
    """Opens a page of the app."""
    return lambda address="", *arguments, **options: open_page(server + address, *arguments, **options)


@pytest.fixture
def open_page(visitors):
    """Opens a URL and waits until `ready` is there; at the end, nothing may have gone wrong in it or gone out of it."""
    here, faults = [], []

    def open_page(url, ready=".ps[data-step]", **options):
        options = {"viewport": {"width": 1400, "height": 900}, "reduced_motion": "reduce", **options}
        context = visitors.comes(**options)
        here.append((context, options))
        context.set_default_timeout(MAX_WAIT_SECONDS)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(f"{error}\n{error.stack}") if is_own(error) else None)
        page.on("console", lambda message: faults.append(message.text) if is_fault(message) else None)
        page.on("request", lambda request: faults.append(request.url) if is_foreign_address(request.url) else None)
        page.goto(url)
        if ready:
            page.locator(ready).wait_for()
        return page

    yield open_page
    for context, options in here:
        visitors.leaves(context, **options)
    assert faults == []


def is_own(error):
    """Return True unless an error comes from a notebook's own scripts, which throw one while they start."""
    return not re.search(NOTEBOOK_SCRIPTS, error.stack) or "blob:" in error.stack


def is_foreign_address(url):
    return not re.match(r"(http|ws)://127\.0\.0\.1|data:|blob:|file:", url)


def is_fault(message):
    """Return True if a console message is an error of ours.

    Below an unknown address Streamlit looks for its server. Notebooks complain when their page closes before a kernel answers.
    """
    place = message.location["url"]
    unknown = re.search(r"/(\w+)/_stcore/", place)
    if message.type != "error" or re.search(NOTEBOOK_SCRIPTS, place):
        return False
    return unknown is None or unknown[1] in map(page_path, PAGE_ICONS)
