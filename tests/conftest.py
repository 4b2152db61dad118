"""Settings for the whole suite, and what all tests may use."""

import os
import sys

import pytest
from hypothesis import HealthCheck, settings

from tests.support.guards import Guards
from tests.support.marks import ALL_EXAMPLES, QUICK_SHARE, mark_manual_tests
from tests.support.processes import MAX_WAIT_SECONDS, CtrlC, enable_ctrl_c, start_process

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
collect_ignore_glob = ["students/*", "projects/*"]  # programs to be looked at, some of which never end


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
def pytest_collection_modifyitems(items):
    """Before pytest selects tests by their marks."""
    mark_manual_tests(items)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session):
    """Compile once what all workers and all that they start then load from numba's cache."""
    if session.config.getoption("numprocesses", None):
        root = session.config.rootpath
        kernels, passes = (*COMPILE, "page", "ladder", "solver"), (*COMPILE, "files", "comparisons")
        with start_process(kernels, cwd=root) as one, start_process(passes, cwd=root) as other:
            assert [one.wait(MAX_WAIT_SECONDS), other.wait(MAX_WAIT_SECONDS)] == [0, 0]


@pytest.fixture(autouse=True)
def main_module_restored():
    """Put `__main__` back. An AppTest leaves a page there, and processes that are spawned later would run the page."""
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main


@pytest.fixture(scope="session", autouse=True)
def component_scan_cached():
    """Streamlit looks for components in all installed packages at every run of an AppTest: nine tenths of its time."""
    if "streamlit" in sys.modules:
        from visualizer.app.streamlit_compat import cache_component_scan

        cache_component_scan()


@pytest.fixture
def ctrl_c():
    """Ctrl-C in this very process, wherever the suite runs."""
    with enable_ctrl_c():
        pressed = CtrlC()
        yield pressed
        pressed.end()
