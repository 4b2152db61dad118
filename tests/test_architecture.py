"""Imports point one way. `python -m tests.test_architecture` draws the picture of the README anew."""

import ast
import inspect
import re
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from engine.games import capabilities
from engine.games.registry import GAME_TYPES
from engine.games.registry import MODULES as MODULES_OF_GAMES
from tests.support.processes import run

ROOT = Path(__file__).parent.parent
ENGINE = sorted((ROOT / "engine").rglob("*.py"))
VISUALIZER = sorted((ROOT / "visualizer").rglob("*.py"))

NOT_IN_ENGINE = {"visualizer", "streamlit", "graphviz", "pygraphviz", "networkx", "pandas", "rich", "click"}
COMPILED = "engine/compiled/"
FROM_OUR_OWN_PROCESSES = (
    "visualizer/pool/shared_memory.py"  # reads what a process that it has started itself has packed, nothing else
)
WITH_STREAMLIT = ("visualizer/app/", "visualizer/viewer/")


FILES_AND_WIDGETS = (  # what shows the viewer without Streamlit; `export` uses it
    *("payload", "board_data", "breakdown_data", "component_files", "module_joiner", "notebook_widget", "positions"),
    *("viewer_params", "viewport", "interactive.page_file", "interactive.tree_page"),
)

# from the ground up: what stands in a line may import from its own line and from those above it in this list
LAYERS = [
    ("engine.core",),
    ("engine.games",),
    ("engine.record",),
    ("engine.algorithms",),
    ("engine.question",),
    ("engine.compiled",),
    ("engine.tree",),
    ("engine.searcher",),
    ("engine.solver",),
    ("engine.tree.verify", "engine.tree.parquet_file"),
    ("engine.checker",),
    ("engine.matches",),
    ("engine.analysis",),
    ("engine.learning",),
    ("engine",),
    ("visualizer.background_compiler",),
    ("visualizer.narration",),
    ("visualizer.drawing",),
    ("visualizer.exporters",),
    tuple(f"visualizer.viewer.{module}" for module in FILES_AND_WIDGETS),
    ("visualizer.api", "visualizer.samples"),
    ("visualizer",),
    ("visualizer.report", "visualizer.notebook"),
    ("visualizer.exams", "visualizer.grading"),
    ("visualizer.pool",),
    ("visualizer.viewer",),
    ("visualizer.app",),
    ("visualizer.app.server", "visualizer.app.main", "visualizer.app.asgi", "visualizer.compile_cache"),
    ("visualizer.cli", "visualizer.plyscope_module"),
]


def layer_of(module):
    """The number of its line: its own, or that of its folder."""
    exactly = [number for number, names in enumerate(LAYERS) if module in names]
    folders = (
        (len(name), number)
        for number, names in enumerate(LAYERS)
        for name in names
        if "." in name and module.startswith(name + ".")
    )
    return exactly[0] if exactly else max(folders)[1]


@cache
def parse_module(path):
    return ast.parse(path.read_text())


def imported_packages(path):
    """Top-level packages that a file imports, anywhere in it."""
    for node in ast.walk(parse_module(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.split(".")[0]


def iterate_modules():
    """All modules of ours by name."""
    for path in [*ENGINE, *VISUALIZER]:
        parts = path.relative_to(ROOT).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


MODULES = dict(iterate_modules())


def imported_modules(path):
    """Our own modules that a file imports anywhere in it, but for what only a type checker reads."""
    tree = parse_module(path)
    unread = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in unread:
            continue
        if isinstance(node, ast.ImportFrom) and node.module in MODULES:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in MODULES else node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in MODULES)


@cache
def import_graph():
    """For each module of ours those that it imports."""
    return {module: sorted(set(imported_modules(path)) - {module}) for module, path in MODULES.items()}


def name_of(path):
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", ENGINE, ids=name_of)
def test_the_engine_knows_nothing_of_pictures(path):
    assert not NOT_IN_ENGINE & set(imported_packages(path))


@pytest.mark.parametrize("path", ENGINE, ids=name_of)
def test_numba_stays_in_the_compiled_modules(path):
    assert "numba" not in set(imported_packages(path)) or name_of(path).startswith(COMPILED)


@pytest.mark.parametrize("path", VISUALIZER, ids=name_of)
def test_streamlit_stays_in_the_app(path):
    assert "streamlit" not in set(imported_packages(path)) or name_of(path).startswith(WITH_STREAMLIT)


def imported_names(path):
    """Return the full names that a file imports: "numba.extending.overload"."""
    for node in ast.walk(parse_module(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def private_imports(path):
    """What a file imports from inside Streamlit; its public modules are `streamlit` and `streamlit.starlette`."""
    return (name for name in imported_names(path) if re.match(r"streamlit\.(?!starlette)", name))


NUMBA_COMPAT = "engine/compiled/numba_compat.py"
DOCUMENTED_NUMBA = {"numba.njit", "numba.types", "numba.extending.overload", "numba.extending.register_jitable"}
NUMBA_PRIVATE_ATTRIBUTES = {"_cache", "_cache_file", "_cache_path", "_index_path", "_compile_for_args", "SLP_VECTORIZE"}


def numba_internals(path):
    """Return the names of numba and llvmlite in a file that their documentation does not offer."""
    names = {name for name in imported_names(path) if name.split(".")[0] in ("numba", "llvmlite")} - DOCUMENTED_NUMBA
    attributes = {node.attr for node in ast.walk(parse_module(path)) if isinstance(node, ast.Attribute)}
    return names | (attributes & NUMBA_PRIVATE_ATTRIBUTES if "numba" in path.read_text() else set())


def test_private_parts_of_numba_are_used_in_one_module():
    found = {name_of(path): numba_internals(path) for path in [*ENGINE, *VISUALIZER]}
    assert found.pop(NUMBA_COMPAT) >= {"llvmlite.ir", "numba.core.cgutils", *NUMBA_PRIVATE_ATTRIBUTES}
    private = {name: names for name, names in found.items() if names}
    assert not private, f"move this to {NUMBA_COMPAT}: {private}"


PUBLIC_MODULES = {"components", "column_config"}  # of Streamlit; the other names that pages use are functions and classes
OWN_PRIVATE = {"_asdict", "_replace", "_has_infinities", "_repr_mimebundle_"}  # of named tuples, trees and widgets


def private_uses(path):
    """Yield the private parts that a file reaches by attributes: modules inside Streamlit, and other objects' _names."""
    import streamlit

    modules = {name for name, value in vars(streamlit).items() if inspect.ismodule(value)} - PUBLIC_MODULES
    for node in ast.walk(parse_module(path)):
        if isinstance(node, ast.Attribute):
            owner = ast.unparse(node.value)
            is_private = node.attr.startswith("_") and not node.attr.startswith("__") and node.attr not in OWN_PRIVATE
            if (owner in ("st", "streamlit") and node.attr in modules) or (is_private and owner not in ("self", "cls")):
                yield ast.unparse(node)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            yield from (
                str(part.value) for part in node.args if isinstance(part, ast.Constant) and "streamlit" in str(part.value)
            )


def test_private_parts_of_streamlit_are_used_in_one_module():
    pages = [path for path in VISUALIZER if name_of(path).startswith(WITH_STREAMLIT)]
    found = {name_of(path): {*private_imports(path), *private_uses(path)} for path in pages}
    assert {"state._state", "streamlit.config"} <= found.pop("visualizer/app/streamlit_compat.py")
    found = {name: parts for name, parts in found.items() if parts}
    assert not found, f"move these private parts of Streamlit into visualizer/app/streamlit_compat.py: {found}"


@pytest.mark.parametrize("path", [*ENGINE, *VISUALIZER], ids=name_of)
def test_nothing_is_evaluated_or_unpickled(path):
    called = {
        node.func.id for node in ast.walk(parse_module(path)) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not called & {"eval", "exec"}
    if name_of(path) != FROM_OUR_OWN_PROCESSES:
        assert not {"pickle", "marshal", "shelve"} & set(imported_packages(path))


@pytest.mark.parametrize("module", MODULES)
def test_imports_point_downwards(module):
    above = [other for other in import_graph()[module] if layer_of(other) > layer_of(module)]
    assert not above, f"{module} imports {', '.join(above)}, which stands above it"


def test_there_are_no_cycles():
    import networkx

    assert list(networkx.simple_cycles(networkx.DiGraph(import_graph()))) == []


def test_a_search_loads_what_a_search_needs():
    code = (
        "import engine, sys; before = [m for m in sys.modules if m.startswith('engine.')]; "
        "engine.search(engine.nim([2, 1])); print(before, sorted(m for m in sys.modules if m.startswith('engine.')))"
    )
    output = run([sys.executable, "-c", code]).stdout
    assert output.startswith("[] ")
    for other in ("analysis", "matches", "tree_file"):
        assert f"'engine.{other}" not in output


def test_names_of_modules_and_of_what_the_package_exports_do_not_clash():
    import engine

    modules = {path.stem for path in (ROOT / "engine").glob("*")}
    assert modules
    assert not modules & set(engine.__all__)


@pytest.mark.parametrize("command", ["import engine", "import visualizer", "import visualizer.cli.main"])
def test_nothing_heavy_is_imported_before_it_is_needed(command):
    heavy = ("numba", "streamlit", "networkx", "pyarrow", "pandas")
    code = f"{command}; import sys; print([name for name in {heavy} if name in sys.modules])"
    assert run([sys.executable, "-c", code]).stdout == "[]\n"


def test_what_a_server_loads_beside_streamlit_does_not_load_it_too():
    """Two threads that import it at the same time would meet halfway."""
    code = "import visualizer.app.state.url_params, visualizer.viewer.payload, sys; print('streamlit' in sys.modules)"
    assert run([sys.executable, "-c", code]).stdout == "False\n"


NAMES = {*GAME_TYPES, "literal", "tic-tac-toe"} - {"tree", "tree-min"}  # a tree is what is searched, too
GAMES = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, NAMES))})(?![\w-])", re.IGNORECASE)


@pytest.mark.parametrize("path", sorted((ROOT / "visualizer/viewer/assets").rglob("*.js")), ids=name_of)
def test_the_browser_knows_no_game(path):
    """It draws what a game declares: no name of a game is in its modules."""
    assert not GAMES.findall(path.read_text())


def test_who_asks_a_game_does_not_know_which_it_is():
    """Besides the games only the kernel and the published figures import one; all others go by what games declare."""
    games = {f"engine.games.{module}" for module in MODULES_OF_GAMES} | {"engine.games.connect.rules", "engine.games.presets"}
    knowing = {
        module for module, others in import_graph().items() if games & set(others) and not module.startswith("engine.games")
    }
    compiled = {f"engine.compiled.{module}" for module in ("connect_replay", "alphabeta_driver", "ladder_driver", "mcts_driver")}
    assert knowing == {"engine.analysis.published_figures", *compiled}


DECLARED = set(re.findall(r"^    ((?:[a-z_]+(?:\([a-z_, ]*\))?(?:, )?)+)(?=  )", capabilities.__doc__, re.MULTILINE))


def test_what_a_game_may_declare_is_asked_by_the_functions_for_it():
    """Outside the games nobody looks up in a game what it need not have: declarations.py says what holds then."""
    names = {name for line in DECLARED for name in re.findall(r"[a-z_]+(?=\(|,|$)", re.sub(r"\(.*?\)", "", line))}
    assert {"words", "state", "default_depth", "preset", "winning_line"} <= names
    asked = [
        f"{name_of(path)}:{node.lineno} {ast.unparse(node)}"
        for path in [*ENGINE, *VISUALIZER]
        if not name_of(path).startswith(("engine/games/", "engine/compiled/", "engine/analysis/published_figures.py"))
        for node in ast.walk(parse_module(path))
        if (isinstance(node, ast.Attribute) and node.attr in names and is_game(node.value))
        or (isinstance(node, ast.Call) and ast.unparse(node.func) in ("getattr", "hasattr") and is_game(node.args[0]))
        if ast.unparse(node) != "getattr(self._game, name)"  # of a game that stands in for another
    ]
    assert not asked


def is_game(node):
    """Whether something is called a game here."""
    return isinstance(node, ast.Name | ast.Attribute) and re.search(r"(^|[._])(game|played)$", ast.unparse(node))


def package_of(path):
    """Return the second-level folder of a module: engine/games, visualizer/report."""
    return (
        "/".join(path.relative_to(ROOT).parts[:2]) if len(path.relative_to(ROOT).parts) > 2 else path.relative_to(ROOT).parts[0]
    )


def is_example(path):
    """Return True for a file that `plyscope new-game` copies."""
    return name_of(path).startswith("visualizer/cli/examples/")


def test_names_of_classes_are_unique_in_their_package():
    found = defaultdict(list)
    for path in [*ENGINE, *VISUALIZER]:
        for node in [] if is_example(path) else parse_module(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[package_of(path), node.name].append(name_of(path))
    shared = {name: paths for (_, name), paths in found.items() if len(paths) > 1 and name != "State"}  # each game has its own
    assert found
    assert not shared, shared


def test_names_of_modules_are_unique_in_their_package():
    found = defaultdict(list)
    for path in [*ENGINE, *VISUALIZER]:
        if path.stem != "__init__":
            found[package_of(path), path.stem].append(name_of(path))
    shared = {name: paths for name, paths in found.items() if len(paths) > 1}
    assert found
    assert not shared, shared


VAGUE = {"utils", "helpers", "misc", "common", "stuff", "kept", "later", "given", "told", "telling", "shown", "showing", "said"}
VAGUE |= {"vanished", "photographs", "clues", "looks", "room", "carried", "opened", "awaiting", "thinking", "choosing", "words"}


def test_modules_are_named_by_what_is_inside():
    """Refuse participles, adverbs, metaphors and grab-bags."""
    folders = {folder.name for path in [*ENGINE, *VISUALIZER] for folder in path.relative_to(ROOT).parents}
    assets = {path.stem for path in (ROOT / "visualizer/viewer/assets").rglob("*.js")}
    assert assets
    assert not VAGUE & ({path.stem for path in [*ENGINE, *VISUALIZER]} | folders | assets)


MAX_MODULES = 28


def test_no_folder_is_crowded():
    folders = defaultdict(int)
    for suffix in ("py", "js"):
        for path in ROOT.rglob(f"*.{suffix}"):
            parts = path.relative_to(ROOT).parts
            if (
                parts[0] in ("engine", "visualizer", "tests", "benchmarks")
                and not {"students", "projects"} & set(parts)
                and path.stem != "__init__"
            ):
                folders[path.parent] += 1
    assert len(folders) > 20
    assert max(folders.values()) <= MAX_MODULES, max(folders, key=folders.get)


def test_every_folder_says_what_is_in_it():
    for path in [*ENGINE, *VISUALIZER]:
        if path.stem == "__init__":
            assert len(ast.get_docstring(parse_module(path)) or "") > 40, name_of(path)


# ---- the picture of the README

PICTURE = ROOT / ".screenshots" / "architecture"
ABOUT = {
    "engine.core": "errors, parsing, atomic files,\nmemory budget",
    "engine.games": "rules, evaluations, presets",
    "engine.record": "columns, recorder",
    "engine.algorithms": "one readable module each",
    "engine.question": "a search as one value",
    "engine.compiled": "kernels and their drivers",
    "engine.tree": "tree, node, trace, bounds",
    "engine.searcher": "search()",
    "engine.solver": "solve()",
    "engine.tree.verify": "tree files",
    "engine.checker": "students' programs",
    "engine.matches": "players, matches, tournaments",
    "engine.analysis": "counts, comparisons, figures",
    "engine.learning": "exercises, grades",
    "engine": "the public API",
    "visualizer.background_compiler": "compiles behind the first start",
    "visualizer.narration": "sentences, numbers, escapes",
    "visualizer.drawing": "views, layouts, boards",
    "visualizer.exporters": "one module per format",
    "visualizer.viewer.payload": "the viewer without a server:\ndata, modules, files",
    "visualizer.api": "export(), to_text() …",
    "visualizer": "the public API",
    "visualizer.report": "comparisons as files",
    "visualizer.exams": "exam sheets and keys",
    "visualizer.pool": "worker processes",
    "visualizer.viewer": "components of the browser",
    "visualizer.app": "views, sections, forms, state",
    "visualizer.app.server": "main, asgi, server,\ncompile cache",
    "visualizer.cli": "the command plyscope",
}


def draw_layers():
    """The layers and what they really import, as DOT; an arrow that follows from others is left out."""
    import networkx

    names = [layer[0] for layer in LAYERS]
    graph = networkx.DiGraph()
    graph.add_nodes_from(names)
    for module, others in import_graph().items():
        here, there = names[layer_of(module)], {names[layer_of(other)] for other in others}
        graph.add_edges_from((here, other) for other in there - {here})
    edges = sorted(networkx.transitive_reduction(graph).edges)
    lines = ["digraph architecture {", '  node [shape=box, style="rounded,filled", fontname="DejaVu Sans", fontsize=11]']
    for package, colour in (("engine", "#dbe9f6"), ("visualizer", "#fdebd0")):
        lines += [f"  subgraph cluster_{package} {{", f'    label="{package}/"; color="#bbbbbb"; fontname="DejaVu Sans"']
        for name in names:
            if name.partition(".")[0] == package:
                title = name.partition(".")[2] or "__init__"
                about = ABOUT[name].replace("\n", "\\n")
                lines.append(f'    "{name}" [label="{title}\\n{about}", fillcolor="{colour}"]')
        lines.append("  }")
    lines += [f'  "{here}" -> "{there}"' for here, there in edges]
    return "\n".join([*lines, "}"]) + "\n"


def test_the_picture_of_the_readme_shows_the_imports_there_are():
    assert ABOUT.keys() == {layer[0] for layer in LAYERS}
    assert PICTURE.with_suffix(".dot").read_text() == draw_layers(), "python -m tests.test_architecture draws it anew"
    drawn = PICTURE.with_suffix(".svg").read_text()
    assert drawn.count('class="edge"') == draw_layers().count(" -> ")


if __name__ == "__main__":
    from visualizer.drawing.graphviz_pictures import render_dot

    PICTURE.with_suffix(".dot").write_text(draw_layers())
    PICTURE.with_suffix(".svg").write_bytes(render_dot(draw_layers().encode(), "svg"))
