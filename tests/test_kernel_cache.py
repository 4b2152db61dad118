"""numba's cache on disk: used by the next process, and no trouble when damaged."""

import os
import sys

import pytest

from tests import processes

CODE = (
    "from engine import search, connect, kernel\n"
    "tree = search(connect(), depth=4)\n"
    "tree.parent\n"
    "stats = kernel.advance.dispatcher.stats\n"
    "print(tree.expanded, sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))"
)


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    folder = tmp_path_factory.mktemp("numba-cache")
    assert run(folder) == "979 0 1"
    return folder


def run(folder):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    done = processes.run([sys.executable, "-c", CODE], env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_second_process_loads_from_the_cache(cache):
    assert run(cache) == "979 1 0"


@pytest.mark.parametrize("ending", ["nbc", "nbi"])
@pytest.mark.parametrize("keep", [0, 100])
def test_a_damaged_cache_is_compiled_anew(cache, ending, keep):
    damaged = [path for path in cache.rglob(f"*.{ending}") if "advance" in path.name or "parents" in path.name]
    assert damaged
    for path in damaged:
        path.write_bytes(path.read_bytes()[:keep])
    assert run(cache).startswith("979 ")
    assert run(cache) == "979 1 0"
