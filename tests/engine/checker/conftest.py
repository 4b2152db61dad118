"""Fixtures of all tests of the checker."""

import sys
import tempfile

import pytest

from tests.support.paths import TESTS


@pytest.fixture(autouse=True)
def forget_program_modules():
    """Forget the modules of programs that a test has loaded into this process, and the stand-ins for missing packages."""
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if name.partition(".")[0] in {"engine", "visualizer", "tests"}:
            continue
        module = sys.modules[name]
        is_stand_in = type(module).__module__.startswith("engine.checker")
        if is_stand_in or is_program_file(getattr(module, "__file__", None)):
            del sys.modules[name]


def is_program_file(path):
    """Return True for a file of a program: in a temporary folder, or among the programs of the tests."""
    homes = (tempfile.gettempdir(), str(TESTS / "students"), str(TESTS / "projects"))
    return isinstance(path, str) and path.startswith(homes) and "site-packages" not in path
