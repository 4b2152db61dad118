"""Formats, one module each: `EXTENSION`, `DESCRIPTION` and `chunks(tree, view, **style)`, which gives the file piece by piece.

The modules are imported when they are asked for, because some need large libraries. A new format is a module and a line here.
"""

import importlib
import inspect
import os
from pathlib import Path
from types import ModuleType

from engine.errors import PlyscopeError, UnknownName
from engine.files import check_folder

MODULES = {
    ".dot": "dot",
    ".txt": "text",
    ".svg": "svg",
    ".png": "png",
    ".pdf": "pdf",
    ".json": "json",
    ".csv": "csv",
    ".parquet": "parquet",
    ".graphml": "graphml",
    ".tex": "tex",
    ".html": "html",
}


class UnknownFormat(PlyscopeError):
    """A file name whose extension is no format of ours."""


def check_target(path: str | os.PathLike[str]) -> Path:
    """The path, if its extension is known and a file can be put there; to be called before any work is done."""
    _module_name(Path(path))
    return check_folder(path)


def exporter(path: str | os.PathLike[str]) -> ModuleType:
    """The module for a file name, by its extension."""
    return importlib.import_module(f"visualizer.exporters.{_module_name(Path(path))}")


def _module_name(path: Path) -> str:
    extension = path.suffix.lower()
    if extension not in MODULES:
        raise UnknownFormat(f"cannot export to {path.name!r}: known formats are {', '.join(MODULES)}")
    return MODULES[extension]


def check_style(module: ModuleType, style: dict[str, object]) -> None:
    """Refuse an option that a format does not have."""
    known = [name for name in inspect.signature(module.chunks).parameters if name not in ("tree", "view")]
    for name in style:
        if name not in known:
            if not known:
                raise PlyscopeError(f"{module.EXTENSION} has no options, and {name!r} was given")
            raise UnknownName(f"option of {module.EXTENSION}", name, known)


def formats() -> dict[str, str]:
    """Each extension with what it is, for people."""
    return {extension: exporter("x" + extension).DESCRIPTION for extension in MODULES}
