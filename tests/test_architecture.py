"""Imports point one way."""

import ast
import sys
from pathlib import Path

import pytest

from tests.processes import run

ROOT = Path(__file__).parent.parent
ENGINE = sorted((ROOT / "engine").rglob("*.py"))
VISUALIZER = sorted((ROOT / "visualizer").rglob("*.py"))

NOT_IN_ENGINE = {"visualizer", "streamlit", "graphviz", "pygraphviz", "networkx", "pandas", "rich", "click"}
COMPILED = {"engine/kernel.py", "engine/passes.py", "engine/jit.py"}
WITH_STREAMLIT = ("visualizer/app.py", "visualizer/serve.py", "visualizer/app_pages/", "visualizer/viewer/")


def imports(path):
    """Top-level packages that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.split(".")[0]


def name_of(path):
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", ENGINE, ids=name_of)
def test_the_engine_knows_nothing_of_pictures(path):
    assert not NOT_IN_ENGINE & set(imports(path))


@pytest.mark.parametrize("path", ENGINE, ids=name_of)
def test_numba_stays_in_the_compiled_modules(path):
    assert "numba" not in set(imports(path)) or name_of(path) in COMPILED


@pytest.mark.parametrize("path", VISUALIZER, ids=name_of)
def test_streamlit_stays_in_the_app(path):
    assert "streamlit" not in set(imports(path)) or name_of(path).startswith(WITH_STREAMLIT)


@pytest.mark.parametrize("path", [*ENGINE, *VISUALIZER], ids=name_of)
def test_nothing_is_evaluated_or_unpickled(path):
    called = {
        node.func.id
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not called & {"eval", "exec"}
    assert not {"pickle", "marshal", "shelve"} & set(imports(path))


def test_a_search_loads_what_a_search_needs():
    code = (
        "import engine, sys; before = [m for m in sys.modules if m.startswith('engine.')]; "
        "engine.search(engine.nim([2, 1])); print(before, sorted(m for m in sys.modules if m.startswith('engine.')))"
    )
    shown = run([sys.executable, "-c", code]).stdout
    assert shown.startswith("[] ")
    for other in ("comparison", "tournament", "match", "players", "reproduce", "estimation", "statistics", "grid"):
        assert f"'engine.{other}'" not in shown


def test_names_of_modules_and_of_what_the_package_exports_do_not_clash():
    import engine

    modules = {path.stem for path in (ROOT / "engine").glob("*.py")}
    assert not modules & set(engine.__all__)


@pytest.mark.parametrize("command", ["import engine", "import visualizer", "import visualizer.cli"])
def test_nothing_heavy_is_imported_before_it_is_needed(command):
    heavy = ("numba", "streamlit", "networkx", "pyarrow", "pandas")
    code = f"{command}; import sys; print([name for name in {heavy} if name in sys.modules])"
    assert run([sys.executable, "-c", code]).stdout == "[]\n"
