"""Formats, one module each: `EXTENSION`, `DESCRIPTION`, `MEDIA_TYPE` and `chunks(tree, view, **style)`, which gives the file in
pieces. A format that cannot hold everything says so: `MAX_ITEMS` nodes and skipped moves, or `WHOLE_TREES` only; so does one that
writes more or fewer than usual `AT_ONCE`, in some hundredths of a second.

The modules are imported when they are asked for, because some need large libraries. A new format is a module and a line here:
its name, or the module itself.
"""

import importlib
import inspect
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from engine.core.atomic_files import check_folder
from engine.core.errors import PlyscopeError, UnknownName

FORMATS: dict[str, str | Any] = {
    ".dot": "visualizer.exporters.dot",
    ".txt": "visualizer.exporters.text",
    ".svg": "visualizer.exporters.svg",
    ".png": "visualizer.exporters.png",
    ".pdf": "visualizer.exporters.pdf",
    ".json": "visualizer.exporters.json",
    ".csv": "visualizer.exporters.csv",
    ".parquet": "visualizer.exporters.parquet",
    ".graphml": "visualizer.exporters.graphml",
    ".tex": "visualizer.exporters.tex",
    ".html": "visualizer.exporters.html",
}
PLAIN_AT_ONCE, BOARDS_AT_ONCE = 20_000, 500  # nodes and skipped moves that are written in some hundredths of a second


class UnknownFormat(PlyscopeError):
    """A file name whose extension is no format of ours."""


def check_target(path: str | os.PathLike[str], known: Iterable[str] = FORMATS, doing: str = "export") -> Path:
    """The path, if its extension is known and a file can be put there; to be called before any work is done."""
    extension_of(path, known, doing)
    return check_folder(path)


def exporter(path: str | os.PathLike[str]) -> Any:
    """The module for a file name, by its extension."""
    module = FORMATS[extension_of(path)]
    return importlib.import_module(module) if isinstance(module, str) else module


def extension_of(path: str | os.PathLike[str], known: Iterable[str] = FORMATS, doing: str = "export") -> str:
    """The extension of a file name, if it is a known one."""
    extension = Path(path).suffix.lower()
    if extension not in known:
        raise UnknownFormat(f"cannot {doing} to {Path(path).name!r}: known formats are {', '.join(known)}")
    return extension


def check_style(module: Any, style: dict[str, object]) -> None:
    """Refuse an option that a format does not have."""
    known = [name for name in inspect.signature(module.chunks).parameters if name not in ("tree", "view")]
    for name in style:
        if name not in known:
            if not known:
                raise PlyscopeError(f"{module.EXTENSION} has no options, and {name!r} was given")
            raise UnknownName(f"option of {module.EXTENSION}", name, known)


def most_items(extension: str) -> float:
    """How many nodes and skipped moves a format can hold."""
    return getattr(exporter("x" + extension), "MAX_ITEMS", float("inf"))


def needs_whole_tree(extension: str) -> bool:
    """Whether a format holds whole trees only, no views of them."""
    return getattr(exporter("x" + extension), "WHOLE_TREES", False)


def items_at_once(extension: str, boards: bool) -> int:
    """Of how many nodes and skipped moves a file is written before anyone has to wait for it."""
    most: int = getattr(exporter("x" + extension), "AT_ONCE", PLAIN_AT_ONCE)
    return min(most, BOARDS_AT_ONCE) if boards else most


def pieces_of(tree: Any, extension: str, view: Any, boards: bool = False) -> Iterator[bytes]:
    """A file, piece by piece; `boards` shows the states of nodes, in formats that can."""
    chunks = exporter(f"tree{extension}").chunks
    style = [name for name in ("boards", "states") if boards and name in inspect.signature(chunks).parameters]
    return chunks(tree, view, **dict.fromkeys(style, True))


def formats() -> dict[str, str]:
    """Each extension with what it is, for people."""
    return {extension: exporter("x" + extension).DESCRIPTION for extension in FORMATS}
