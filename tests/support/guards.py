"""Guards of the test suite: no test may search for minutes, take gigabytes or leave processes behind.

A test that searches too many nodes fails (children/sitecustomize.py). Memory and processes are checked after all tests. If a
check fails, the run fails and names the test or the process.
"""

import os
import re
import resource
import sys
import time
import uuid
from pathlib import Path

import psutil
import pytest

from tests.support.children import sitecustomize

MAX_PROCESS_BYTES = 1_500_000_000  # of a process that runs tests, and of its children
SETTLE_SECONDS = 60  # for a process to end on a busy machine
RUN = "PLYSCOPE_TEST_RUN"  # environment variable with the number of the run, in all its processes


class Guards:
    """A pytest plugin. With xdist, workers report their peak memory to the main process."""

    def __init__(self, max_bytes=MAX_PROCESS_BYTES, settle_seconds=SETTLE_SECONDS):
        self.max_bytes, self.settle_seconds = max_bytes, settle_seconds
        self.peaks = [(0, "no test")]

    def pytest_configure(self, config):
        if not is_worker(config):
            os.environ[RUN] = uuid.uuid4().hex
        sitecustomize.install()
        guard_children()

    def pytest_runtest_setup(self, item):
        sitecustomize.account = sitecustomize.Account(adds_up=True)

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_teardown(self, item):
        peak = peak_bytes()
        if peak > self.peaks[-1][0]:
            self.peaks.append((peak, item.nodeid))

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node):
        self.peaks += map(tuple, getattr(node, "workeroutput", {}).get("peaks", []))

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session):
        if is_worker(session.config):
            session.config.workeroutput["peaks"] = self.peaks
            return
        for complaint in [*self.too_large(), *kill_leftover_processes(self.settle_seconds)]:
            session.config.get_terminal_writer().line(f"\n{complaint}", red=True)
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def too_large(self):
        """Yield a complaint for each test after which a process had grown too large."""
        for peak, test in self.peaks:
            if peak > self.max_bytes:
                yield f"{test}: its process has grown to {peak:,} bytes, and {self.max_bytes:,} are allowed"


def is_worker(config):
    return hasattr(config, "workerinput")


def guard_children():
    """Put sitecustomize on the path of all processes that start from now on."""
    folder = str(Path(sitecustomize.__file__).parent)
    paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    os.environ["PYTHONPATH"] = os.pathsep.join([folder, *(path for path in paths if path not in ("", folder))])


def peak_bytes():
    """Return the peak memory of this process or one of its finished children.

    On Linux ru_maxrss of a process counts the memory of its parent, too, until it has started its own program.
    """
    unit = 1 if sys.platform == "darwin" else 1024
    children = unit * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    if sys.platform != "linux":
        return max(children, unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    (kilobytes,) = re.findall(r"^VmHWM:\s*(\d+) kB", Path("/proc/self/status").read_text(), re.MULTILINE)
    return max(children, 1024 * int(kilobytes))


def kill_leftover_processes(settle_seconds):
    """Kill the processes that the run left behind, and yield a complaint for each."""
    until = time.monotonic() + settle_seconds
    while find_run_processes() and time.monotonic() < until:
        time.sleep(0.1)
    for process in find_run_processes():
        try:
            words = " ".join(process.cmdline())
            process.kill()
        except psutil.NoSuchProcess:
            continue
        yield f"a test left a process behind, which was killed now: {words[:500]}"


def find_run_processes():
    return [process for process in psutil.process_iter() if process.pid != os.getpid() and belongs_to_run(process)]


def belongs_to_run(process):
    try:
        return process.environ().get(RUN) == os.environ[RUN] and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False
