"""Export formats, one module each.

A module has `EXTENSION`, `DESCRIPTION`, `MEDIA_TYPE` and `chunks(tree, view, **style)`, which yields the file in pieces. It
declares its limits: `MAX_ITEMS` nodes and skipped moves, or `WHOLE_TREES` only. `AT_ONCE` overrides the default number of items
that are written in some hundredths of a second. `ANIMATED` formats have a frame for each step.

Modules are imported on demand, because some need large libraries. To add a format, add a module and a line here: its name, or
the module itself.
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
    ".yaml": "visualizer.exporters.posthoc",
    ".tex": "visualizer.exporters.tex",
    ".html": "visualizer.exporters.html",
    ".gif": "visualizer.exporters.gif",
    ".webp": "visualizer.exporters.webp",
}
MAX_QUICK_ITEMS, MAX_QUICK_BOARDS = 20_000, 500  # nodes and skipped moves that are written in some hundredths of a second


class UnknownFormat(PlyscopeError):
    """A file name whose extension is not a known format."""


def check_target(path: str | os.PathLike[str], known: Iterable[str] = FORMATS, doing: str = "export") -> Path:
    """Return the path if its extension is known and a file can be written there. Call this before any work is done."""
    check_extension(path, known, doing)
    return check_folder(path)


def find_exporter(path: str | os.PathLike[str]) -> Any:
    """Return the module for a file name, by its extension."""
    module = FORMATS[check_extension(path)]
    return importlib.import_module(module) if isinstance(module, str) else module


def check_extension(path: str | os.PathLike[str], known: Iterable[str] = FORMATS, doing: str = "export") -> str:
    """Return the extension of a file name. Raise UnknownFormat if it is not known."""
    extension = Path(path).suffix.lower()
    if extension not in known:
        raise UnknownFormat(f"cannot {doing} to {Path(path).name!r}: known formats are {', '.join(known)}")
    return extension


def check_style(module: Any, style: dict[str, object]) -> None:
    """Check that a format has all of these options."""
    known = [name for name in inspect.signature(module.chunks).parameters if name not in ("tree", "view")]
    for name in style:
        if name not in known:
            if not known:
                raise PlyscopeError(f"{module.EXTENSION} has no options, and {name!r} was given")
            raise UnknownName(f"option of {module.EXTENSION}", name, known)


def max_items(extension: str) -> float:
    """Return the maximal number of nodes and skipped moves of a format."""
    return getattr(find_exporter("x" + extension), "MAX_ITEMS", float("inf"))


def needs_whole_tree(extension: str) -> bool:
    """Return True if a format holds whole trees only."""
    return getattr(find_exporter("x" + extension), "WHOLE_TREES", False)


def quick_item_limit(extension: str, boards: bool) -> int:
    """Return the number of nodes and skipped moves that are written without a noticeable wait."""
    max_items: int = getattr(find_exporter("x" + extension), "AT_ONCE", MAX_QUICK_ITEMS)
    return min(max_items, MAX_QUICK_BOARDS) if boards else max_items


def is_animation(extension: str) -> bool:
    """Return True for a format with a frame for each step. It has the options `steps` and `size`."""
    return getattr(find_exporter("x" + extension), "ANIMATED", False)


def export_chunks(tree: Any, extension: str, view: Any, boards: bool = False, **style: Any) -> Iterator[bytes]:
    """Return a file in pieces. `boards` shows the states of nodes, in formats that can. `style` are options of the format."""
    chunks = find_exporter(f"tree{extension}").chunks
    shown = [name for name in ("boards", "states") if boards and name in inspect.signature(chunks).parameters]
    return chunks(tree, view, **dict.fromkeys(shown, True), **style)


def formats() -> dict[str, str]:
    """Return each extension with its description."""
    return {extension: find_exporter("x" + extension).DESCRIPTION for extension in FORMATS}
