"""numba's cache on disk: used by the next process, and no trouble when damaged."""

import os
import sys

import pytest

from tests.support import processes
from tests.support.marks import mostly_slow

KERNEL = (
    "from engine import search, connect\nfrom engine.compiled import alphabeta_kernel as kernel\n"
    "print(search(connect(), depth=4).expanded)\ncompiled = kernel.advance\n"
)
PASS = (  # compiled in a moment; the kernel takes many seconds
    "from engine import search, connect\nfrom engine.compiled import tree_kernels as tree_passes\n"
    "print(search(connect(), depth=4, compiled=False).parent.size)\n"
    "compiled = tree_passes._fill_parents\n"
)
STATISTICS = "stats = compiled.dispatcher.stats\nprint(sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))"


@pytest.fixture(scope="module", params=[PASS, pytest.param(KERNEL, marks=pytest.mark.slow)], ids=["pass", "kernel"])
def code(request):
    return request.param


@pytest.fixture(scope="module")
def cache(code, tmp_path_factory):
    folder = tmp_path_factory.mktemp("numba-cache")
    assert run(code, folder) == "979 0 1"
    return folder


FAILING = """
import numpy as np
from engine.compiled.numba_compat import CompiledFunction

@CompiledFunction
def write_and_fail(column):
    column[0] += 1
    if column[0] > 0:
        raise ValueError("on purpose")

column = np.zeros(1, np.int64)
try:
    write_and_fail(column)
except ValueError as error:
    print(error, column[0])
"""


def test_a_function_that_fails_is_not_run_again(tmp_path):
    """It may have written already: only loading from the cache is tried twice."""
    script = tmp_path / "failing.py"
    script.write_text(FAILING)
    for _ in range(2):
        assert processes.run([sys.executable, script], env={**os.environ, "PYTHONPATH": os.getcwd()}).stdout == "on purpose 1\n"


def run(code, folder):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    done = processes.run([sys.executable, "-c", code + STATISTICS], env=environment)
    assert done.returncode == 0, done.stderr
    return " ".join(done.stdout.split())


LATER = (
    "import numba, sys\nprint('numba.np.polynomial.polynomial_core' in sys.modules)\n"
    "print(numba.njit(lambda n: len([i for i in range(n)]))(4))\n"
)


def test_the_second_process_loads_from_the_cache(code, cache):
    """And nothing that only a compiler needs: that comes when something is compiled, which lacks nothing."""
    assert run(code + LATER, cache) == "979 False 4 1 0"


@pytest.mark.parametrize(("keep", "ending"), mostly_slow([(100, "nbc"), (100, "nbi"), (0, "nbc"), (0, "nbi")], quick=1))
def test_a_damaged_cache_is_compiled_anew(code, cache, ending, keep):
    damaged = [path for path in cache.rglob(f"*.{ending}") if "advance" in path.name or "parents" in path.name]
    assert damaged
    for path in damaged:
        path.write_bytes(path.read_bytes()[:keep])
    assert run(code, cache).startswith("979 ")
    assert run(code, cache) == "979 1 0"


USER = """
import used
from engine.compiled.numba_compat import CompiledFunction

def of_both():
    return used.number() + 1

both = CompiledFunction(of_both, uses=(used,))
print(both(), sum(both.dispatcher.stats.cache_hits.values()))
"""


def test_what_is_compiled_in_from_another_module_makes_a_cache_old(tmp_path):
    """numba itself looks only at the file of the function that it caches."""
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{os.getcwd()}", "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    (tmp_path / "user.py").write_text(USER)
    printed = []
    for number in (1, 1, 20):
        text = f"import numba\n\n@numba.njit\ndef number():\n    return {number}\n"
        if not (tmp_path / "used.py").exists() or (tmp_path / "used.py").read_text() != text:
            (tmp_path / "used.py").write_text(text)
        printed += processes.run([sys.executable, tmp_path / "user.py"], env=environment).stdout.split()
    assert printed == ["2", "0", "2", "1", "21", "0"]
