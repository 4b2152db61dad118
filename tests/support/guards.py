"""What no test may do, wherever the suite runs: search for minutes, take gigabytes, leave processes behind.

A test that searches too many nodes fails (children/sitecustomize.py). Memory and processes are looked at when all tests are
done: then the run fails, and says which test or process it was.
"""

import os
import resource
import sys
import time
import uuid
from pathlib import Path

import psutil
import pytest

from tests.support.children import sitecustomize

MOST_BYTES = 1_500_000_000  # of a process that runs tests, and of any that it waits for
SETTLING = 60  # seconds: a process that was told to go may take as long on a busy machine
RUN = "PLYSCOPE_TEST_RUN"  # in the environment of every process that belongs to a run, its number


class Guards:
    """A plugin of pytest. With xdist, the workers tell their peak of memory to the process that has started them."""

    def __init__(self, most_bytes=MOST_BYTES, settling=SETTLING):
        self.most_bytes, self.settling = most_bytes, settling
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
        for complaint in [*self.too_large(), *left_behind(self.settling)]:
            session.config.get_terminal_writer().line(f"\n{complaint}", red=True)
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def too_large(self):
        """The tests after which a process had become too large, or grew further."""
        for peak, test in self.peaks:
            if peak > self.most_bytes:
                yield f"{test}: its process has grown to {peak:,} bytes, and {self.most_bytes:,} are allowed"


def is_worker(config):
    return hasattr(config, "workerinput")


def guard_children():
    """Put sitecustomize on the path of all processes that are started from now on."""
    folder = str(Path(sitecustomize.__file__).parent)
    paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    os.environ["PYTHONPATH"] = os.pathsep.join([folder, *(path for path in paths if path not in ("", folder))])


def peak_bytes():
    """The largest that this process, or one that it has waited for, has ever been."""
    unit = 1 if sys.platform == "darwin" else 1024
    return unit * max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def left_behind(settling):
    """Kills the processes that the run has left, and says which they were."""
    until = time.monotonic() + settling
    while processes_of_the_run() and time.monotonic() < until:
        time.sleep(0.1)
    for process in processes_of_the_run():
        try:
            words = " ".join(process.cmdline())
            process.kill()
        except psutil.NoSuchProcess:
            continue
        yield f"a test has left a process behind, which was killed now: {words[:500]}"


def processes_of_the_run():
    return [process for process in psutil.process_iter() if process.pid != os.getpid() and belongs(process)]


def belongs(process):
    try:
        return process.environ().get(RUN) == os.environ[RUN] and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False
