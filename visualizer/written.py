"""The files that a command writes: checked before any work is done, and told of when they are there."""

import inspect
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import TextColumn, TimeElapsedColumn

from engine import PlyscopeError, SearchTree
from visualizer.escapes import plain
from visualizer.progress import Bar


def write_all(targets: Iterable[Path], write: Callable[[Path], int], quiet: bool) -> None:
    """Write every file; one that is refused does not keep the others from being written: the work before them was long."""
    refused = None
    for target in targets:
        try:
            size = write(target)
        except PlyscopeError as error:
            refused = refused or error
            continue
        if not quiet:
            words = f"wrote {plain(str(target))} ({size_text(size)})"
            Console(highlight=False).print(words, markup=False, soft_wrap=True)
    if refused is not None:
        raise refused


def size_text(size: int) -> str:
    """Of a file."""
    return f"{size:,} bytes" if size < 10_000 else f"{size / 1000:,.0f} kB" if size < 10_000_000 else f"{size / 1e6:,.0f} MB"


class Files:
    """Where a tree is to be written, checked before any work is done."""

    def __init__(
        self,
        outputs: tuple[str, ...],
        text_style: str,
        boards: bool,
        to_depth: int | None,
        subtree: int,
        around: int | None,
        best_line: bool,
        first_nodes: int | None,
        collapse: tuple[int, ...],
        no_stubs: bool,
    ):
        from visualizer import View, check_target
        from visualizer.exporters import exporter
        from visualizer.exporters.text import check_style
        from visualizer.view import BadView

        check_style(text_style)
        self.view = View(subtree, to_depth, best_line, around, first_nodes, collapse, not no_stubs)
        self.targets: dict[Path, dict[str, Any]] = {}
        for output in outputs:
            target = check_target(output)
            if target.suffix.lower() == ".parquet" and not self.view.is_whole:
                raise BadView(f"{target.name} is a tree file and holds the whole tree: leave out the options that narrow it")
            known = inspect.signature(exporter(target).chunks).parameters
            wanted = {"style": text_style} if target.suffix.lower() == ".txt" else {"boards": True} if boards else {}
            self.targets[target] = {name: value for name, value in wanted.items() if name in known}

    def write(self, tree: SearchTree, quiet: bool) -> None:
        """Write all files, with a progress bar for large ones."""
        from visualizer import export

        def write(target: Path) -> int:
            with Bar(TextColumn("{task.fields[written]}"), TimeElapsedColumn()) as bar:

                def on_progress(written: int) -> None:
                    bar.show(description=f"writing {target.name}", written=size_text(written))

                return export(tree, target, self.view, on_progress=on_progress, **self.targets[target])

        write_all(self.targets, write, quiet)
