"""The files that a command writes. They are checked before any work is done, and reported when they are written."""

import inspect
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from rich.progress import TimeElapsedColumn

from engine import PlyscopeError, SearchTree
from visualizer.cli.output.console import PlainConsole, make_text_column
from visualizer.cli.output.progress import ProgressBar
from visualizer.drawing.size_limits import MAX_BOARDS
from visualizer.drawing.view import BadView, View, select_items
from visualizer.narration.escapes import sanitize_line


def write_files(targets: Iterable[Path], write: Callable[[Path], int], quiet: bool) -> None:
    """Write every file. One that is refused does not keep the others from being written, because the work before was long."""
    refused = None
    for target in targets:
        try:
            size = write(target)
        except PlyscopeError as error:
            refused = refused or error
            continue
        if not quiet:
            words = f"wrote {sanitize_line(str(target))} ({format_size(size)})"
            PlainConsole().print(words, soft_wrap=True)
    if refused is not None:
        raise refused


def format_size(size: int) -> str:
    """Return the size of a file as text."""
    return f"{size:,} bytes" if size < 10_000 else f"{size / 1000:,.0f} kB" if size < 10_000_000 else f"{size / 1e6:,.0f} MB"


class OutputFiles:
    """The files to write a tree to, checked before any work is done."""

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
        from visualizer.exporters import find_exporter, needs_whole_tree
        from visualizer.exporters.text import check_text_style

        check_text_style(text_style, states)
        find_paper(paper)
        self.view = View(subtree, to_depth, best_line, around, first_nodes, collapse, not no_stubs)
        self.targets: dict[Path, dict[str, Any]] = {}
        for output in outputs:
            target = check_target(output)
            if needs_whole_tree(target.suffix.lower()) and not self.view.is_whole:
                raise BadView(f"{target.name} is a tree file and holds the whole tree: leave out the options that narrow it")
            known = inspect.signature(find_exporter(target).chunks).parameters
            wanted = {"style": text_style, "boards": boards, "states": states, "paper": paper}
            self.targets[target] = {name: value for name, value in wanted.items() if name in known and value}

    def write_tree(self, tree: SearchTree, quiet: bool) -> None:
        """Write all files, with a progress bar for large ones."""
        from visualizer import export

        def write_target(target: Path) -> int:
            with ProgressBar(make_text_column("{task.fields[written]}"), TimeElapsedColumn()) as bar:

                def on_progress(written: int) -> None:
                    bar.show(description=f"writing {target.name}", written=format_size(written))

                style = self._drop_states_if_large(tree, target)
                size = export(tree, target, self.view, on_progress=on_progress, **style)
            if hint := describe_unprintable(tree, target, self.view, **style) or describe_wide_picture(
                tree, target, self.view, **style
            ):
                click.echo(sanitize_line(f"plyscope: {hint}"), err=True)
            return size

        write_files(self.targets, write_target, quiet)

    def _drop_states_if_large(self, tree: SearchTree, target: Path) -> dict[str, Any]:
        """Return the options of a file, without states if there are too many nodes."""
        style = self.targets[target]
        if not style.get("states") or tree.expanded <= MAX_BOARDS:
            return style
        nodes = len(select_items(tree, replace(self.view, stubs=False)))
        if nodes <= MAX_BOARDS:
            return style
        left_out = f"{target.name} has no states: they are written for up to {MAX_BOARDS:,} nodes, and these are {nodes:,}"
        click.echo(sanitize_line(f"plyscope: {left_out}"), err=True)
        return {name: value for name, value in style.items() if name != "states"}


def describe_unprintable(tree: SearchTree, target: Path, view: View, boards: bool = False, **style: Any) -> str:
    """Return a sentence about a file for paper whose picture is too large to be read in print, or an empty text."""
    from visualizer.drawing.paging import PORTRAIT_PAGE, find_deepest_view, picture_size, split_for_paper

    if target.suffix.lower() not in (".pdf", ".tex"):
        return ""
    whole, in_parts = picture_size(tree, view, boards=boards, frame=False), bool(split_for_paper(tree, view).views)
    if PORTRAIT_PAGE.can_hold(whole) or (in_parts and not boards):
        return ""
    top = find_deepest_view(tree, view, PORTRAIT_PAGE, boards=boards, frame=False)
    known = ["without --boards it is printed in parts"] if in_parts else []
    known += [f"--to-depth {top.max_depth} fits a page"] if top else []
    large = f"{target.name} is one picture, {whole.width:,.0f} × {whole.height:,.0f} pixels large, too large for paper"
    return f"{large}: {' and '.join(known) or '--to-depth or --subtree shows less of the tree'}"


def describe_wide_picture(tree: SearchTree, target: Path, view: View, **style: Any) -> str:
    """Return a hint for a picture that is too wide to look at, or an empty text."""
    from visualizer.drawing.paging import MAX_SCREEN_SIZE, find_deepest_view, picture_size

    ours = target.suffix.lower() in (".svg", ".html")  # drawn by our layout, so it is known what less of it would be
    width = picture_size(tree, view, **style).width if ours else _read_png_width(target)
    if width <= MAX_SCREEN_SIZE.width:
        return ""
    top = find_deepest_view(tree, view, MAX_SCREEN_SIZE, **style) if ours else None
    less = (
        "--to-depth or --subtree shows less of the tree" if top is None else f"--to-depth {top.max_depth} makes one that is not"
    )
    return f"{target.name} is a picture {width:,} pixels wide: {less}"


def _read_png_width(target: Path) -> int:
    """Read the width of a .png file in pixels; 0 for other files."""
    if target.suffix.lower() != ".png":
        return 0
    with target.open("rb") as picture:
        return int.from_bytes(picture.read(20)[16:], "big")
