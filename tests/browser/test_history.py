"""Going back and leaving: back returns to what was there, and work for a closed tab ends."""

import socket
import sys
import time

import psutil
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import wait_until_healthy
from tests.browser.viewer import MAX_WAIT_SECONDS
from tests.support.processes import start_process, wait_until

HEADINGS = {
    "Play": "MAX to move",
    "Compare": "minimax and alpha-beta",
    "Learn": "Only this browser remembers",
    "About": "Terms and symbols",
}
MINUTES_OF_WORK = "?game=connect:rows=9,cols=9&moves=&algorithm=minimax&depth=7"  # too large a board for the kernel
PLACE = "() => [location.pathname, ...new URLSearchParams(location.search)].join()"  # in whichever way its letters are written


def open_page(page, name):
    page.get_by_role("link", name=name).click()
    page.get_by_text(HEADINGS[name]).first.wait_for()


def history_length(page):
    return page.evaluate("history.length")


@pytest.mark.parametrize("name", [pytest.param(name, marks=() if name == "Play" else pytest.mark.slow) for name in HEADINGS])
def test_a_page_of_the_menu_is_one_entry_of_the_history(visit, name):
    page = visit("?game=nim:1,2,3&moves=&algorithm=alphabeta&depth=end&step=5")
    result_line, before = page.get_by_text("to the end · 249 nodes"), history_length(page)
    expect(result_line).to_be_visible()
    place = page.evaluate(PLACE)
    open_page(page, name)
    assert history_length(page) == before + 1
    page.go_back()
    expect(result_line).to_be_visible()
    page.wait_for_function(f"(place) => ({PLACE})() === place", arg=place)


@pytest.mark.slow
def test_every_entry_is_a_page_that_was_seen(visit):
    page = visit("?game=nim:1,2,3&moves=&algorithm=alphabeta&depth=end&step=5")
    for name in HEADINGS:
        open_page(page, name)
    for name in [*HEADINGS][-2::-1]:
        page.go_back()
        page.get_by_text(HEADINGS[name]).first.wait_for()
    page.go_back()
    expect(page.get_by_text("to the end · 249 nodes")).to_be_visible()


def seconds_used(server, watched=2):
    """Of the processor by those who search for the server, while one looks."""

    def so_far():
        return {worker.pid: sum(worker.cpu_times()[:2]) for worker in server.children(recursive=True)}

    before = so_far()
    time.sleep(watched)
    return sum(seconds - before.get(pid, 0) for pid, seconds in so_far().items())


@pytest.mark.slow
def test_work_for_a_closed_tab_ends_soon(browser):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with start_process([sys.executable, "-m", "visualizer.cli.main", "app", "--no-browser", "--port", str(port)]) as process:
        address = f"http://127.0.0.1:{port}/"
        wait_until_healthy(address, process)
        context = browser.new_context()
        page = context.new_page()
        page.goto(address + MINUTES_OF_WORK)
        page.get_by_text("nodes", exact=False).filter(has_text="Searching").first.wait_for(timeout=MAX_WAIT_SECONDS)
        server = psutil.Process(process.pid)
        wait_until(lambda: seconds_used(server) > 0.1, "somebody searches")
        context.close()
        wait_until(lambda: seconds_used(server) < 0.05, "the search has ended")
