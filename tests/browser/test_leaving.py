"""Visitors who close their browser while the server works for them."""

import socket
import sys
import time

import psutil
import pytest

from tests.browser.conftest import wait_until_healthy
from tests.browser.viewer import MAX_WAIT_SECONDS
from tests.support.processes import start_process, wait_until

MINUTES_OF_WORK = "?game=connect:rows=9,cols=9&moves=&algorithm=minimax&depth=7"  # too large a board for the kernel


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
