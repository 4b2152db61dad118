"""One module from many: every component runs with the modules that it imports, and nothing else."""

import json

import pytest

from tests.support.processes import run
from tests.visualizer.viewer.test_viewer_logic import NODE, needs_node
from visualizer.viewer import module_joiner
from visualizer.viewer.bundle import HOST, bundle_component
from visualizer.viewer.module_joiner import ASSETS, UnjoinableModule, join_modules

COMPONENTS = sorted(path.name for path in (ASSETS / "components").iterdir())
HOSTS = sorted(path.name for path in (ASSETS / "hosts").iterdir())
MAX_ENTRY_LINES = 60


@pytest.fixture
def written(monkeypatch):
    """Make modules of these texts."""

    def write(**texts):
        monkeypatch.setattr(module_joiner, "_read_modules", lambda: texts)
        monkeypatch.setattr(module_joiner, "_wrap_module", module_joiner._wrap_module.__wrapped__)
        return lambda *entries: join_modules.__wrapped__(*entries, main="export default joined;")

    return write


@needs_node
def test_every_component_exports_from_the_joined_module_what_it_exports_alone(tmp_path):
    joined = tmp_path / "joined.mjs"
    joined.write_text(join_modules(HOST, *COMPONENTS, main="export default joined;"))
    paths = {path.stem: path.as_uri() for path in ASSETS.rglob("*.js")}
    script = f"""
      const {{ default: joined }} = await import({json.dumps(joined.as_uri())});
      const differing = [];
      for (const [name, path] of Object.entries({json.dumps(paths)})) {{
        if (!joined[name]) continue;
        const alone = Object.keys(await import(path)).sort().join();
        if (alone !== Object.keys(joined[name]).sort().join()) differing.push(name);
      }}
      const silent = {json.dumps(COMPONENTS)}.filter((name) => !joined[name].show && !joined[name].showPayload);
      console.log(JSON.stringify([differing, silent]));
    """
    result = run([NODE, "--input-type=module", "-e", script], encoding="utf-8")
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout) == [[], []]


def test_a_module_is_joined_once_after_those_that_it_imports(written):
    join = written(
        a="export const one = 1;\n",
        b='import { one } from "./a.js";\nexport function two() {\n  return one + 1;\n}\n',
        c='import { one } from "./a.js";\nimport { two } from "../x/b.js";\nexport class Three {}\nexport { one, two };\n',
    )
    text = join("c", "a")
    assert [text.count(f"joined.{name} = ") for name in "abc"] == [1, 1, 1]
    assert text.index("joined.a = ") < text.index("joined.b = ") < text.index("joined.c = ")
    assert "return { Three, one, two };" in text


@pytest.mark.parametrize(
    "line", ['import all from "./a.js";', 'import * as a from "./a.js";', "export default 1;", 'export * from "./a.js";']
)
def test_other_imports_and_exports_are_refused(written, line):
    with pytest.raises(UnjoinableModule, match="cannot be joined"):
        written(a="\n", b=f"{line}\n")("b")


def test_modules_that_import_each_other_are_refused(written):
    join = written(a='import { b } from "./b.js";\n', b='import { a } from "./a.js";\n')
    with pytest.raises(UnjoinableModule, match="a, b, a"):
        join("a")


def test_module_names_are_unique():
    names = [path.stem for path in ASSETS.rglob("*.js")]
    assert len(names) == len({*names})


@pytest.mark.parametrize("name", HOSTS)
def test_the_entry_of_a_host_is_short(name):
    assert len((ASSETS / "hosts" / name / f"{name}.js").read_text().splitlines()) <= MAX_ENTRY_LINES


def test_nothing_but_hosts_knows_where_the_viewer_runs():
    """Modules of the viewer ask their host; only hosts, and components of the page, use the address and Streamlit."""
    entries = ("tree_viewer", "minimax_overlay", "search_overlay")
    for name in {module for entry in entries for module in module_joiner._list_imports(entry)}:
        path = next(ASSETS.rglob(f"{name}.js"))
        assert path.relative_to(ASSETS).parts[0] != "hosts"
        for word in ("location", "history.", "sessionStorage", "setTriggerValue", "data-testid", "/static/js/"):
            assert word not in path.read_text(), f"{name} uses {word}"


def test_a_component_without_a_server_is_one_text():
    text = bundle_component("tree_viewer")
    assert text.endswith("export default joined.streamlit.createMount(joined.tree_viewer);\n")
    assert "joined.board_picker" not in text
