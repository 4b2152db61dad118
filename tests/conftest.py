"""Settings for the whole suite, and what all tests may use."""

import os
import sys
from functools import cache

import pytest
from hypothesis import HealthCheck, settings

from tests.support.guards import Guards
from tests.support.marks import ALL_EXAMPLES, QUICK_SHARE
from tests.support.processes import PATIENCE, CtrlC, ctrl_c_works, started

settings.register_profile(
    "plyscope",
    deadline=None,
    max_examples=60 if ALL_EXAMPLES else 60 // QUICK_SHARE,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
    derandomize=True,
)
settings.load_profile("plyscope")

COMPILE = [sys.executable, "-m", "visualizer.compile_cache"]
collect_ignore_glob = ["students/*"]  # programs to be looked at, some of which never end


def keep_bytecode():
    """Without it each of the hundreds of processes that tests start would translate all modules again.

    It lies where numba's cache does, also on a machine that tells Python to leave none.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False


keep_bytecode()
os.environ["PLYSCOPE_COMPILE"] = "first"  # so that no test depends on the cache that it finds, or leaves a compiler behind


def pytest_configure(config):
    config.pluginmanager.register(Guards())


def pytest_xdist_auto_num_workers(config):
    """More workers than cores: tests with a browser or a process wait about half of their time."""
    return 2 * (os.cpu_count() or 1)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session):
    """Compile once what all workers and all that they start then load from numba's cache."""
    if session.config.getoption("numprocesses", None):
        root = session.config.rootpath
        kernels, passes = (*COMPILE, "page", "ladder", "solver"), (*COMPILE, "files", "comparisons")
        with started(kernels, cwd=root) as one, started(passes, cwd=root) as other:
            assert [one.wait(PATIENCE), other.wait(PATIENCE)] == [0, 0]


@pytest.fixture(scope="session", autouse=True)
def packages_looked_through_once():
    """Streamlit looks for components in all installed packages at every run of an AppTest: nine tenths of its time."""
    if "streamlit" in sys.modules:
        from streamlit.components.v2 import manifest_scanner

        manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


@pytest.fixture
def ctrl_c():
    """Ctrl-C in this very process, wherever the suite runs."""
    with ctrl_c_works():
        pressed = CtrlC()
        yield pressed
        pressed.end()
