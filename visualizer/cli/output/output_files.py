"""The files that a command writes: checked before any work is done, and told of when they are there."""

import inspect
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from rich.progress import TimeElapsedColumn

from engine import PlyscopeError, SearchTree
from visualizer.cli.output.console import PlainConsole, text_column
from visualizer.cli.output.progress import Bar
from visualizer.drawing.size_limits import MAX_BOARDS
from visualizer.drawing.view import BadView, View, shown
from visualizer.narration.escapes import plain


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
            PlainConsole().print(words, soft_wrap=True)
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
        states: bool,
        to_depth: int | None,
        subtree: int,
        around: int | None,
        best_line: bool,
        first_nodes: int | None,
        collapse: tuple[int, ...],
        no_stubs: bool,
        paper: str,
    ):
        from visualizer import check_target
        from visualizer.drawing.paper import find_paper
        from visualizer.exporters import exporter, needs_whole_tree
        from visualizer.exporters.text import check_text_style

        check_text_style(text_style, states)
        find_paper(paper)
        self.view = View(subtree, to_depth, best_line, around, first_nodes, collapse, not no_stubs)
        self.targets: dict[Path, dict[str, Any]] = {}
        for output in outputs:
            target = check_target(output)
            if needs_whole_tree(target.suffix.lower()) and not self.view.is_whole:
                raise BadView(f"{target.name} is a tree file and holds the whole tree: leave out the options that narrow it")
            known = inspect.signature(exporter(target).chunks).parameters
            wanted = {"style": text_style, "boards": boards, "states": states, "paper": paper}
            self.targets[target] = {name: value for name, value in wanted.items() if name in known and value}

    def write(self, tree: SearchTree, quiet: bool) -> None:
        """Write all files, with a progress bar for large ones."""
        from visualizer import export

        def write(target: Path) -> int:
            with Bar(text_column("{task.fields[written]}"), TimeElapsedColumn()) as bar:

                def on_progress(written: int) -> None:
                    bar.show(description=f"writing {target.name}", written=size_text(written))

                style = self._without_states_of_large_trees(tree, target)
                size = export(tree, target, self.view, on_progress=on_progress, **style)
            if hint := unprintable(tree, target, self.view, **style) or wide_picture(tree, target, self.view, **style):
                click.echo(plain(f"plyscope: {hint}"), err=True)
            return size

        write_all(self.targets, write, quiet)

    def _without_states_of_large_trees(self, tree: SearchTree, target: Path) -> dict[str, Any]:
        style = self.targets[target]
        if not style.get("states") or tree.expanded <= MAX_BOARDS:
            return style
        nodes = len(shown(tree, replace(self.view, stubs=False)))
        if nodes <= MAX_BOARDS:
            return style
        left_out = f"{target.name} has no states: they are written for up to {MAX_BOARDS:,} nodes, and these are {nodes:,}"
        click.echo(plain(f"plyscope: {left_out}"), err=True)
        return {name: value for name, value in style.items() if name != "states"}


def unprintable(tree: SearchTree, target: Path, view: View, boards: bool = False, **style: Any) -> str:
    """Say of a file for paper that nobody could read the printed picture; empty where they can."""
    from visualizer.drawing.paging import PAGE, deepest, paper_parts, size

    if target.suffix.lower() not in (".pdf", ".tex"):
        return ""
    whole, in_parts = size(tree, view, boards=boards, frame=False), bool(paper_parts(tree, view).views)
    if PAGE.holds(whole) or (in_parts and not boards):
        return ""
    top = deepest(tree, view, PAGE, boards=boards, frame=False)
    known = ["without --boards it is printed in parts"] if in_parts else []
    known += [f"--to-depth {top.max_depth} fits a page"] if top else []
    large = f"{target.name} is one picture, {whole.width:,.0f} × {whole.height:,.0f} pixels large, too large for paper"
    return f"{large}: {' and '.join(known) or '--to-depth or --subtree shows less of the tree'}"


def wide_picture(tree: SearchTree, target: Path, view: View, **style: Any) -> str:
    """What to do about a picture that is too wide to look at; nothing where it is not."""
    from visualizer.drawing.paging import SCREENS, deepest, size

    ours = target.suffix.lower() in (".svg", ".html")  # drawn by our layout, so it is known what less of it would be
    width = size(tree, view, **style).width if ours else _png_width(target)
    if width <= SCREENS.width:
        return ""
    top = deepest(tree, view, SCREENS, **style) if ours else None
    less = (
        "--to-depth or --subtree shows less of the tree" if top is None else f"--to-depth {top.max_depth} makes one that is not"
    )
    return f"{target.name} is a picture {width:,} pixels wide: {less}"


def _png_width(target: Path) -> int:
    if target.suffix.lower() != ".png":
        return 0
    with target.open("rb") as picture:
        return int.from_bytes(picture.read(20)[16:], "big")
