"""Joins the plain ES modules of `assets/` into one module, for every host: Streamlit page, notebook and file.

Each module becomes a function of its own, so that names do not clash:

    const joined = {};
    joined.camera = (() => { …the module… return { aimOf, cameraOf }; })();

A module may import names (`import { aimOf } from "../model/camera.js";`) and export functions, classes and constants where it
declares them. It may not import in a circle. A line that is an import or an export of another form is an error.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ASSETS = Path(__file__).with_name("assets")
_IMPORT = re.compile(r'^import (\{ [\w, ]+ \}) from "[./\w]*/(\w+)\.js";$', re.MULTILINE)
_DECLARED = re.compile(r"^export (?=(?:async function|function|class|const) (\w+))", re.MULTILINE)
_LISTED = re.compile(r"^export \{ ([\w, ]+) \};$", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


class UnjoinableModule(ValueError):
    """A module with a form of import or export that cannot be joined."""


@cache
def join_modules(*entries: str, main: str) -> str:
    """Return the text of one ES module: the entries with all that they import, and then the lines `main`.

    `main` uses a module by its name: join_modules("camera", main="export default joined.camera.aimOf;").
    """
    listed = list(dict.fromkeys(name for entry in entries for name in _list_imports(entry)))
    return "\n".join(["const joined = {};", *map(_wrap_module, listed), main, ""])


def _list_imports(name: str, above: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the names of all modules that a module needs, and its own, in the order in which they have to run."""
    if name in above:
        raise UnjoinableModule(f"these modules import each other: {', '.join((*above, name))}")
    for other in _IMPORT.finditer(_read_modules()[name]):
        yield from _list_imports(other[2], (*above, name))
    yield name


@cache
def _read_modules() -> dict[str, str]:
    """Return the text of every module by its name."""
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(ASSETS.rglob("*.js"))}


@cache
def _wrap_module(name: str) -> str:
    text = _read_modules()[name]
    exported = [*_DECLARED.findall(text), *(each for listed in _LISTED.findall(text) for each in listed.split(", "))]
    body = _IMPORT.sub(r"const \1 = joined.\2;", text)
    body = _LISTED.sub("", _DECLARED.sub("", body))
    if other := _OTHER.search(body):
        raise UnjoinableModule(f"{name}.js has a line that cannot be joined: {other[0]}")
    return f"joined.{name} = (() => {{\n{body}return {{ {', '.join(exported)} }};\n}})();"
