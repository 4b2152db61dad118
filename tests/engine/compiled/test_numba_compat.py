"""numba's cache on disk: shared by processes, recovering from damage. And the private parts of numba that it needs."""

import ast
import os
import re
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from engine.compiled import numba_compat
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
def compiled_code(request):
    return request.param


@pytest.fixture(scope="module")
def filled_cache(compiled_code, tmp_path_factory):
    folder = tmp_path_factory.mktemp("numba-cache")
    assert run_with_cache(compiled_code, folder) == "979 0 1"
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
    """It may have changed its arguments already. Only loading from the cache is tried twice."""
    script = tmp_path / "failing.py"
    script.write_text(FAILING)
    for _ in range(2):
        assert processes.run([sys.executable, script], env={**os.environ, "PYTHONPATH": os.getcwd()}).stdout == "on purpose 1\n"


def run_with_cache(code, folder):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    result = processes.run([sys.executable, "-c", code + STATISTICS], env=environment)
    assert result.returncode == 0, result.stderr
    return " ".join(result.stdout.split())


LATER = (
    "import numba, sys\nprint('numba.np.polynomial.polynomial_core' in sys.modules)\n"
    "print(numba.njit(lambda n: len([i for i in range(n)]))(4))\n"
)


def test_the_second_process_loads_from_the_cache(compiled_code, filled_cache):
    """It does not load the compiler's modules; compiling later still works."""
    assert run_with_cache(compiled_code + LATER, filled_cache) == "979 False 4 1 0"


@pytest.mark.parametrize(("keep", "ending"), mostly_slow([(100, "nbc"), (100, "nbi"), (0, "nbc"), (0, "nbi")], quick=1))
def test_a_damaged_cache_is_compiled_again(compiled_code, filled_cache, ending, keep):
    damaged = [path for path in filled_cache.rglob(f"*.{ending}") if "advance" in path.name or "parents" in path.name]
    assert damaged
    for path in damaged:
        path.write_bytes(path.read_bytes()[:keep])
    assert run_with_cache(compiled_code, filled_cache).startswith("979 ")
    assert run_with_cache(compiled_code, filled_cache) == "979 1 0"


USER = """
import used
from engine.compiled.numba_compat import CompiledFunction

def of_both():
    return used.number() + 1

both = CompiledFunction(of_both, uses=(used,))
print(both(), sum(both.dispatcher.stats.cache_hits.values()))
"""


def test_a_change_in_a_used_module_invalidates_the_cache(tmp_path):
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


COMPAT_FILE = Path(numba_compat.__file__)
ADVICE = (
    "Look at engine/compiled/numba_compat.py, the only module with private parts of numba. Mend it for this version, run "
    "tests/engine/compiled and `python benchmarks/bench.py` (the signature and the speed must not change), then raise the "
    "cap of numba in pyproject.toml."
)
PRIVATE_IMPORTS = {
    "numba.core.cgutils": ["raw_memcpy"],
    "numba.core.compiler_lock": ["global_compiler_lock"],
    "numba.core.runtime.nrt": ["rtsys"],
    "numba.config": ["SLP_VECTORIZE", "DISABLE_JIT"],
    "llvmlite.ir": ["IntType", "FunctionType", "VoidType", "Constant"],
}
PRIVATE_ATTRIBUTES = {
    "dispatcher": ["_compile_for_args", "_cache"],
    "cache": ["load_overload", "save_overload", "flush", "_load_overload", "_cache_file"],
    "file": ["_cache_path", "_index_path", "_source_stamp", "save", "_load_index", "_data_name", "_save_data", "_save_index"],
}


def imported_object(name):
    """Return a module, or an attribute of one."""
    try:
        return import_module(name)
    except ImportError:
        module, _, attribute = name.rpartition(".")
        return getattr(import_module(module), attribute)


def test_numba_is_a_tested_version():
    import numba

    project = tomllib.loads((COMPAT_FILE.parents[2] / "pyproject.toml").read_text())["project"]
    (required,) = (found for text in project["dependencies"] if (found := Requirement(text)).name == "numba")
    assert "<" in str(required.specifier), "numba needs a cap in pyproject.toml: numba_compat.py uses private parts of it"
    assert numba.__version__ in required.specifier, f"numba {numba.__version__} was not tested ({required}). {ADVICE}"


def test_numba_has_the_private_parts_that_we_use():
    dispatcher = numba_compat.CompiledFunction(numba_compat._file_stamp).dispatcher
    objects = {"dispatcher": dispatcher, "cache": dispatcher._cache, "file": dispatcher._cache._cache_file}
    missing = [
        f"{name}.{part}" for name, parts in PRIVATE_ATTRIBUTES.items() for part in parts if not hasattr(objects[name], part)
    ]
    for module, parts in PRIVATE_IMPORTS.items():
        missing += [f"{module}.{part}" for part in parts if not hasattr(imported_object(module), part)]
    assert not missing, f"numba has no {', '.join(missing)} any more. {ADVICE}"


def test_the_list_of_private_attributes_is_complete():
    """Every private attribute of another object that the module uses is listed above."""
    accessed = {
        node.attr
        for node in ast.walk(ast.parse(COMPAT_FILE.read_text()))
        if isinstance(node, ast.Attribute) and re.match(r"_[^_]", node.attr) and ast.unparse(node.value) != "self"
    }
    assert accessed
    assert accessed <= {name for names in PRIVATE_ATTRIBUTES.values() for name in names}


def test_a_change_in_numba_compat_invalidates_every_cache():
    """Its machine instructions are compiled into the kernels."""
    function = numba_compat.CompiledFunction(numba_compat._file_stamp)
    assert numba_compat._file_stamp(numba_compat) in function.cache_file._source_stamp
